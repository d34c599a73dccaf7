#!/bin/bash
# What controllers expect of a machine: real-time scheduling, names and users, multicast, CAN by way of others' libraries, terminals,
# daemons. Programs that are not installed are skipped by name (scripts/deps --peers).
# beside others: all trials are on the virtual clock, where a history depends on nothing outside
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
export UKEMI_PATH=$folder
chmod 755 "$folder"
mkdir -p "$folder/targets/one"

# trial DURATION WORDS...: each WORDS is one program of the target, as in `run: [WORDS]`.
trial() {
    local duration_s=$1 number=0 words
    shift
    printf 'name: s\nclaim: c\ntarget: one\nduration_s: %s\nwatch_s: 1\n' "$duration_s" >"$folder/s.yaml"
    printf 'format: 2\nname: one\nprocesses:\n' >"$folder/targets/one/target.yaml"
    for words; do
        number=$((number + 1))
        printf '  - { name: p%s, component: P%s, run: [%s], priority: %s, clock: shim, may_exit: [0, 1] }\n' \
            "$number" "$number" "$words" "$((70 - number))" >>"$folder/targets/one/target.yaml"
    done
    run nice "$ukemi" run "$folder/s.yaml" --seed 5 --keep "$folder/h.mcap"
}
history_said() { sed -n 's/^history \([0-9a-f]*\) .*/\1/p' "$folder/said"; }
# wall_only TEXT: numbers of processes, queues' names, a cell's own name and network are the machine's in a bare cell.
wall_only() {
    has "a wall" && return 1
    skip "$1" "$lacking"
}
# again TEXT DURATION WORDS...: another run has the same history.
again() {
    local first text=$1
    wall_only "$text" && return
    shift
    first=$(history_said)
    trial "$@"
    test -n "$first" && test "$(history_said)" = "$first"
    result $? "$text" "$folder/said"
}
# right SUBJECT: of tests/shim/calls
right() {
    trial 6 "tests/shim/calls, $1, exact"
    answered 0 ' p1 exited with status 0' '^PASS'
}
# with PROGRAM TEXT COMMAND...: a claim that needs a program of somebody else's.
with() {
    local program=$1 text=$2
    shift 2
    if [ -e "$program" ]; then claim "$text" "$@"; else skip "$text" "no $program: scripts/deps --peers"; fi
}
with_wall() { wall_only "$2" || with "$@"; }
# rt PATTERN WORDS: a program of Debian's rt-tests ends by itself, and says that.
rt() {
    trial 4 "/usr/bin/$2"
    answered 0 ' p1 exited with status 0' "$1" '^PASS'
}

# ---- scheduling -----------------------------------------------------------------------------------

claim "whatever root may ask of the scheduler seems to succeed, and is read back" right scheduling
if [ -e /usr/bin/cyclictest ]; then
    claim "cyclictest runs at its priority, and every wake-up is as late as the lab says" \
        rt 'T: 1 .* P:80 I:1500 C: +[0-9]+ Min: +50 Act: +50 Avg: +50 Max: +50$' 'cyclictest, -q, -m, -p, "80", -t, "2", -D, "1", --policy=rr'
    again "... with one history" 4 '/usr/bin/cyclictest, -q, -m, -p, "80", -t, "2", -D, "1", --policy=rr'
    for program in ptsematest sigwaittest pmqtest; do
        [ $program = pmqtest ] && wall_only "$program ends by itself" && continue
        claim "$program ends by itself" rt 'Max +0' "$program, -l, \"50\""
    done
else
    skip "programs of rt-tests" "no /usr/bin/cyclictest: scripts/deps --peers"
fi

# ---- memory and children --------------------------------------------------------------------------

claim "memory by a descriptor is shared, and its seals hold" right memory
claim "sixty children that write and end at one instant lose no frame" right crowd

claim "datagrams are told the time at which they arrived, by SO_TIMESTAMP and SO_TIMESTAMPNS" right arrivals

# ---- what is not ----------------------------------------------------------------------------------

# refused SUBJECT PATTERN: the trial is SKIP, with the reason.
refused() {
    trial 6 "tests/shim/calls, $1, exact"
    answered 3 "SKIP +lab +p1: .*$2"
}
claim "a daemon that detaches itself ends with its first process, which the trial says" refused daemon 'detaches a process'
claim "... also by a fork of its own" refused detached 'detaches a process'
claim "a cell has no pseudo-terminals, which the trial says" refused terminal 'pseudo-terminals'
claim "nor sockets of CAN_BCM" refused broadcast-manager 'CAN_BCM'

# ---- names and users ------------------------------------------------------------------------------

cat >"$folder/targets/one/names.py" <<'PY'
#!/usr/bin/python3
import getpass, grp, os, pwd, socket
own = socket.gethostname()
print(own, socket.gethostbyname(own), socket.getfqdn(), [a[4][0] for a in socket.getaddrinfo(own, 80, type=socket.SOCK_STREAM)])
print(pwd.getpwuid(os.getuid()).pw_uid == os.getuid(), grp.getgrgid(os.getgid()).gr_gid == os.getgid(), [p.pw_name for p in pwd.getpwall()])
print(socket.getservbyname('ntp', 'udp'), socket.getprotobyname('udp'), open('/etc/hostname').read().strip())
try:
    socket.gethostbyname('nowhere.example')
except socket.gaierror as error:
    print(error)
PY
cat >"$folder/names.go" <<'GO'
package main

import (
	"fmt"
	"net"
	"os"
	"os/user"
)

func main() {
	name, _ := os.Hostname()
	here, _ := net.LookupHost("localhost")
	own, err := net.LookupHost(name)
	who, _ := user.Current()
	listener, failed := net.Listen("tcp", "localhost:0")
	fmt.Println(here, own, err, who.Uid, listener != nil, failed)
}
GO
chmod 755 "$folder/targets/one/names.py"
names_of() { # WORDS PATTERN...
    local words=$1
    shift
    trial 2 "$words"
    answered 0 "$@" '^PASS'
}
with_wall /usr/bin/python3 "a cell's own name, its users, services and protocols have names; what has none is not waited for" \
    names_of 'names.py' "> cell 127.0.0.1 localhost \\['127.0.0.1'\\]" "> True True \\['root', 'daemon', 'user1000', 'nobody'\\]" \
    '> 123 17 cell' '> \[Errno -2\] Name or service not known'
go_names() {
    (cd "$folder" && GOCACHE=$folder/go-cache GO111MODULE=off CGO_ENABLED=0 go build -o targets/one/names-go names.go) || return
    names_of names-go '> \[127.0.0.1 ::1\] \[127.0.0.1\] <nil> [0-9]+ true <nil>'
}
if command -v go >/dev/null && ! "$ukemi" doctor | grep -q '^  no   statically linked'; then
    at_night "... also to a resolver that is not the C library's" go_names
else
    skip "... also to a resolver that is not the C library's" "no go: Debian's golang-go; or no FSGSBASE"
fi

# ---- groups of receivers --------------------------------------------------------------------------

cat >"$folder/targets/one/groups.py" <<'PY'
#!/usr/bin/python3
import socket, struct
def hears(group, port, *options, family=socket.AF_INET):
    a, b = (socket.socket(family, socket.SOCK_DGRAM) for _ in 'ab')
    a.bind(('', port)), a.settimeout(0.5)
    for option in options:
        (b if option[1] == socket.SO_BROADCAST else a).setsockopt(*option)
    b.sendto(b'x', (group, port))
    print(group, a.recvfrom(9)[1][0])
def joined(group):
    return socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(group) + bytes(4)
all = socket.SOL_SOCKET, socket.SO_BROADCAST, 1
for group in '239.255.76.67', '224.0.0.251':
    hears(group, 7667, joined(group))
for group in '255.255.255.255', '127.255.255.255':
    hears(group, 7668, all)
join = socket.inet_pton(socket.AF_INET6, 'ff02::fb') + struct.pack('I', 0)
hears('ff02::fb', 5353, (socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, join), family=socket.AF_INET6)
PY
chmod 755 "$folder/targets/one/groups.py"
if_six='> ff02::fb ::1'
[ -e /proc/net/if_inet6 ] || if_six=
with_wall /usr/bin/python3 "multicast and broadcast come back on the loopback, from this machine's address" names_of 'groups.py' \
    '> 239.255.76.67 127.0.0.1' '> 224.0.0.251 127.0.0.1' '> 255.255.255.255 127.0.0.1' '> 127.255.255.255 127.0.0.1' "${if_six:-.}"
cat >"$folder/lcm.c" <<'C'
#include <lcm/lcm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void hear(const lcm_recv_buf_t *got, const char *channel, void *nothing)
{
    static int count;
    (void)nothing;
    if (++count < 10)
        return;
    printf("heard %s of %u bytes, %d times\n", channel, got->data_size, count);
    exit(0);
}
int main(int count, char **words)
{
    lcm_t *lcm = lcm_create(NULL);
    if (lcm == NULL)
        return 1;
    if (count < 2) {
        lcm_subscribe(lcm, "STATE", hear, NULL);
        for (;;)
            lcm_handle(lcm);
    }
    for (int i = 0; i < 10; i++, usleep(100000))
        lcm_publish(lcm, "STATE", words[1], (unsigned)strlen(words[1]));
    return 0;
}
C
if wall_only "LCM's publisher and subscriber find each other"; then
    :
elif ${CC:-cc} -o "$folder/targets/one/talk-lcm" "$folder/lcm.c" -llcm 2>"$folder/words"; then
    trial 3 'talk-lcm' 'talk-lcm, abcde'
    claim "LCM's publisher and subscriber find each other by its default address" answered 0 '> heard STATE of 5 bytes, 10 times' '^PASS'
    again "... with one history" 3 'talk-lcm' 'talk-lcm, abcde'
else
    skip "LCM's publisher and subscriber find each other" "no liblcm: scripts/deps --peers"
fi
plan
