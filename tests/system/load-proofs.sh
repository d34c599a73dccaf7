#!/bin/bash
# Every proof of a fault of load can fail: the program faults/load by itself, on a process that stands in for a daemon, while somebody meddles
# with what it did. The lab's own doubts are tests/system/load.sh. In namespaces of its own, with which all of it ends.
set -u
cd "$(dirname "$0")/../.." || exit 3
if [ "${1:-}" != inside ]; then
    as_root=$([ "$(id -u)" -eq 0 ] || echo --map-root-user)
    # shellcheck disable=SC2086 # one word or none
    unshare $as_root --net --pid --fork --kill-child --mount-proc true 2>/dev/null || {
        echo "1..0 # SKIP no namespaces"
        exit 0
    }
    # shellcheck disable=SC2086
    exec unshare $as_root --net --pid --fork --kill-child --mount-proc bash "$0" inside
fi
. tests/tap
load=$BUILD/faults/load
scratch=$(mktemp -p .) || exit 3
exec 4<>"$scratch" # as the lab hands it over: without a name
rm "$scratch"
export UKEMI_CELL=$folder
tag=0

chrt -f 20 true 2>/dev/null || {
    echo "1..0 # SKIP no real-time priority"
    exit 0
}
# A process of priority 20 that looks round every 10 ms; its number is in $victim.
mkfifo "$folder/never" || exit 3
# shellcheck disable=SC2016 # for the other shell
chrt -f 20 bash -c 'exec 9<>"$1"; while :; do read -rt 0.01 -u 9; done' victim "$folder/never" &
victim=$!
outranks() { chrt -p "$victim" | grep -q FIFO; }
await 30 outranks

# act ACTION: one run of the program for the load in hand.
act() { run "$load" "$1" "$kind" "pid=$victim" "tag=$tag" "${parameters[@]}"; }
# defaults KIND: its parameters as the catalogue has them.
defaults() { sed -n "/^  - name: $1\$/,/^  - name: /s/.*{name: \([a-zA-Z_]*\),.*default: \"*\([^\"}]*\)\"*}.*/\1=\2/p" faults/load.yaml; }
# begin KIND [KEY=VALUE...]: applies it; its process is in $left.
begin() {
    kind=$1
    tag=$((tag + 1))
    shift
    mapfile -t parameters < <([ $# -eq 0 ] || printf "%s\n" "$@"; defaults "$kind") # the first counts
    act apply
    left=$(sed -n 's/.* left=\([0-9]*\) .*/\1/p' "$folder/said")
}

# Left alone each is proven, and so is its end; one whose process was killed at once is not.
has_effect() { act effect && said '^proven=1 '; }
loads=(
    "cpu-hog share=0.5 relation=higher"
    "affinity-collision share=0.5"
    "memory-pressure size_MB=8"
    "cache-pressure factor=1.1"
    "interrupt-load"
    "disk-write-storm size_MB=1"
    "page-fault-storm"
)
for words in "${loads[@]}"; do
    # shellcheck disable=SC2086 # words
    begin $words
    if ! said '^proven=1 ' >"$folder/why"; then
        skip "$kind on its own" "$(head -1 "$folder/why")"
        continue
    fi
    claim "$kind left alone is proven" await 30 has_effect
    act undo
    claim "... and its end" said '^proven=1 '
    act settled
    claim "... which lasts" said '^proven=1 '
    # shellcheck disable=SC2086
    begin $words
    kill -KILL "$left"
    sleep 0.3
    act effect
    claim "$kind whose process has ended is not proven" said '^proven=0 .*ended by itself'
    act undo
done

begin cpu-hog share=0.5 relation=higher
sleep 0.3
thread=$(find "/proc/$left/task" -mindepth 1 -maxdepth 1 -printf '%f\n' | sort -n | tail -1)
chrt -o -p 0 "$thread"
act effect
claim "a hog one of whose threads has lost its priority is not proven" said '^proven=0 .* 21 '
act undo

if [ "$(nproc)" -gt 1 ]; then
    begin affinity-collision share=0.5
    sleep 0.3
    taskset -pc "0-$(($(nproc) - 1))" "$victim" >"$folder/output"
    act effect
    claim "a collision whose victim may run elsewhere is not proven" said '^proven=0 .*more than core'
    act undo
    taskset -pc 0 "$victim" >"$folder/output"
    act settled
    claim "a victim pinned again is not as before" said '^proven=0 .*not as before'
    taskset -pc "0-$(($(nproc) - 1))" "$victim" >"$folder/output"
else
    skip "a victim that may run elsewhere" "one core"
fi

begin cache-pressure factor=0.5
sleep 0.3
act effect
claim "a buffer that the cache holds is no pressure" said '^proven=0 .* passed '
act undo

if command -v ip >"$folder/output"; then
    begin interrupt-load
    ip link set "load${tag}r" down
    sleep 0.5
    act effect
    claim "frames that nobody receives are no load" said '^proven=0 .* received'
    act undo
    ip link add "load${tag}r" type veth peer name other
    act settled
    claim "an interface that is there again is not as before" said '^proven=0 .*not as before'
    ip link del other
else
    skip "interfaces meddled with" "no ip(8)"
fi

begin priority-drop
claim "a drop is proven" said '^proven=1 '
chrt -f -p 20 "$victim"
act effect
claim "a drop whose victim has its priority again is not proven" said '^proven=0 .*still have'
act undo
claim "its end is" said '^proven=1 '
chrt -o -p 0 "$victim"
act settled
claim "a victim without its priority is not as before" said '^proven=0 .*not as before'
chrt -f -p 20 "$victim"

begin page-fault-storm
sleep 0.3
act undo
first=$tag
begin page-fault-storm
second=$tag
tag=$first
act settled
claim "a victim that is traced again is not as before" said '^proven=0 .*not as before'
tag=$second
act undo

plan
