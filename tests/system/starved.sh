#!/bin/bash
# Machines that give little: the target is not blamed for it. What runs there runs as elsewhere; what cannot ends as an error of the machine
# with its remedy. In bare cells (tests/canaries/cell/bare_place), whose file systems are the machine's, and in walled ones.
# beside others: its trials are in virtual time, and what they lack is theirs alone.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
needs "a wall" # which namespaces make: so do they such places
place=$BUILD/tests/canaries/cell/bare_place
chmod 755 "$folder"
options=(--mount)
[ "$(id -u)" -eq 0 ] || options+=(--user --map-root-user)

# starved MOUNTS COMMAND...: runs there without privileges; $home is the only folder beside that can be written.
starved() { unshare "${options[@]}" sh -c "$1"' && shift && exec "$@"' sh "$1" "$place" "${@:2}"; }
# walled MOUNTS COMMAND...: with those of this user.
walled() { unshare "${options[@]}" sh -c "$1"' && shift && exec "$@"' sh "$@"; }
shm() { echo "mount -t tmpfs -o $1 none /dev/shm"; }
elsewhere="mount -t tmpfs -o size=64m none /mnt && export XDG_RUNTIME_DIR=/mnt"
hash_of() { sed -n 's/^history \([0-9a-f]\{32\}\).*/\1/p' "$1"; }
"$ukemi" run 070 --seed 1 >"$folder/sound"

# as_ever RUNNER MOUNTS: a trial passes there, with its usual history.
as_ever() {
    run "$1" "$2" "$ukemi" run 070 --seed 1
    answered 0 '^PASS$' "^history $(hash_of "$folder/sound")$"
}
claim "/dev/shm that nobody may write: trials are as ever" as_ever starved "$(shm ro)"
claim "... and with a wall" as_ever walled "$(shm ro)"
claim "/dev/shm of a page: trials are as ever" as_ever starved "$(shm size=4k)"
claim "no /proc/sys: trials are as ever" as_ever starved "mount -t tmpfs -o ro none /proc/sys"
claim "... and with a wall" as_ever walled "mount -t tmpfs -o ro none /proc/sys"
claim "a TMPDIR that is not there: trials are as ever" as_ever starved "export TMPDIR=/nowhere"
claim "... and with a wall" as_ever walled "export TMPDIR=/nowhere"
claim "a HOME that is not there: trials are as ever" as_ever starved "export HOME=/nowhere"

# ---- where less may run, or nothing ------------------------------------------------------------------------------------

noexec="mount -t tmpfs -o noexec,mode=755 none /mnt && cp -r $folder/first /mnt && cd /mnt/first"
(cd "$folder" && umask 022 && "$ukemi" new first --language sockets >/dev/null)
claim "where no program may run the remedy is told" answers 2 'controller.py is on a file system that lets nobody run programs \(noexec\); put the project elsewhere' \
    walled "$noexec" "$ukemi" run controller-killed --seed 1
few="the machine lets this user start [0-9]+ more processes, and the target may have 128: raise that \(ulimit -u\), or give the target fewer"
if [ "$(id -u)" -eq 0 ]; then
    fewer() { "$place" --user 4711 --processes 60 "$@"; } # nobody's user
    claim "where fewer processes may run than the target may have, nothing is judged" answers 3 "^ *ERROR +lab .*$few" fewer "$ukemi" run 070 --seed 1
else
    skip "where fewer processes may run than the target may have, nothing is judged" "not root: no user to be had that runs nothing else"
fi

# ---- programs that need shared memory ----------------------------------------------------------------------------------

# This project, whose controller takes 20 MB of shared memory or a semaphore, or dies as programs do.
with() { # NAME LINE: of Python
    cp -r "$folder/first" "$folder/$1"
    sed -i "0,/^port = /s//$2\nport = /" "$folder/$1/targets/first/controller.py"
    sed -i 's/^duration_s:.*/duration_s: 2/; s/^watch_s:.*/watch_s: 1/; /^faults:/,$d' "$folder/$1"/scenarios/*.yaml
    printf 'promises: [{name: up, always: lean_rad < 3}]\n' >>"$folder/$1/scenarios/controller-killed.yaml"
}
memory='import _posixshmem, mmap, os; f = _posixshmem.shm_open("\/own", os.O_CREAT | os.O_RDWR, mode=0o600); os.ftruncate(f, 20 << 20); m = mmap.mmap(f, 20 << 20); m[:] = bytes(20 << 20)'
with memory "$memory"
with semaphore 'import _multiprocessing as p; s = p.SemLock(1, 1, 1, "\/own", True)'
with segment 'import ctypes; i = ctypes.CDLL(None).shmget(7, 4096, 0o1600); assert i >= 0'
with set 'import ctypes; i = ctypes.CDLL(None).semget(7, 1, 0o1600); assert i >= 0'
with queue 'import ctypes; i = ctypes.CDLL(None).msgget(7, 0o1600); assert i >= 0'
with leaving 'raise SystemExit(3)'
# in_project NAME RUNNER MOUNTS
in_project() {
    cd "$folder/$1" || return 1
    run "$2" "$3" "$ukemi" run controller-killed --seed 1
    cd - >/dev/null || return 1
}
ends() { # CODE PATTERN NAME RUNNER MOUNTS
    in_project "${@:3}"
    answered "$1" "$2"
}
room='the machine has no room: /dev/shm is full, with .*: give it room .docker run --shm-size=256m.'
none='the machine has no shared memory for programs: %s: make /dev/shm one that all may write'
# shellcheck disable=SC2059 # a pattern
refused() { printf "^ *ERROR +lab .*$none" "$1"; }
claim "a program with shared memory runs in a bare cell" ends 0 '^PASS$' memory starved "$(shm size=64m)"
claim "a full /dev/shm is the machine's doing" ends 3 "^ *ERROR +lab .*$room" memory starved "$elsewhere && $(shm size=4m)"
claim "... if the cell's folder is there, too" ends 3 "^ *ERROR +lab .*$room" memory starved \
    "$(shm size=24m) && dd if=/dev/zero of=/dev/shm/others bs=64k count=110 2>/dev/null"
claim "shared memory that is refused is the machine's doing" ends 3 "$(refused 'shm_open: Read-only file system')" memory starved "$(shm ro)"
claim "a semaphore that is refused is the machine's doing" ends 3 "$(refused 'sem_open: Read-only file system')" semaphore starved "$(shm ro)"
claim "a segment that a bare cell has not is no doing of the program" ends 3 \
    '^ *ERROR +lab .*a bare cell has no System V shared memory .*: shmget: .*allow namespaces' segment starved true
claim "nor are semaphores" ends 3 '^ *ERROR +lab .*no System V semaphores .*: semget: .*allow namespaces' set starved true
claim "nor is a queue" ends 3 '^ *ERROR +lab .*no System V message queues .*: msgget: .*allow namespaces' queue starved true
claim "... and with a wall there is one" ends 0 '^PASS$' segment walled true
claim "a program that leaves there by itself fails all the same" ends 1 '^ *FAIL +peers-survive ' leaving starved "$(shm ro)"
claim "with a wall all of this runs as ever" ends 0 '^PASS$' memory walled "$(shm size=4k)"
plan
