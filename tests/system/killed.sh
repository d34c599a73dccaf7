#!/bin/bash
# The lab is killed at random instants, every part of it, and nothing leaks and nothing is lost; tests/kill/assassin.c says how.
# `make check-kills` does the same many more times. Environment: KILLS (8), KILLS_WALL (3), SEED (drawn).
# beside others: kills at random instants, in namespaces of its own; of trials in real time it looks at which were stored, not at their verdicts
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
seed=${SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}

# series NAME KILLS [OPTION]: kills that often on the clock of that name.
series() {
    local name=$1 kills=$2 out=$folder/$1.out code
    shift 2
    "$BUILD/tests/kill/assassin" "$ukemi" "$folder" --kills "$kills" --seed "$seed" --verbose "$@" >"$out" 2>&1
    code=$?
    if [ $code -eq 77 ]; then
        skip "the lab killed on the $name clock" "namespaces are refused to this user"
        return
    fi
    sed 's/^\([^#]\)/# \1/' "$out"
    grep -qx "kills: $kills" "$out"
    result $? "$name clock, seed $seed: $kills parts of the lab were killed"
    grep -qx 'leaks: 0' "$out"
    result $? "$name clock: after each, no process, mount, interface, shared memory, temporary or half-written file is left"
    grep -qx 'bad rows: 0' "$out" && grep -q '^resumes: [1-9]' "$out"
    result $? "$name clock: every trial reported done is whole, and --resume runs exactly the missing ones"
    case $name in
    virtual)
        same=$(sed -n 's/^same hash: //p' "$out")
        [ -n "$same" ] && [ "${same% of *}" = "${same#* of }" ] && [ "${same% of *}" -gt 0 ]
        result $? "$name clock: the table, the verdicts and $same histories are those of an undisturbed campaign"
        ;;
    wall)
        grep -q '^trials: [1-9]' "$out"
        result $? "$name clock: the trials are those of an undisturbed campaign"
        ;;
    esac
    [ $code -eq 0 ]
    result $? "$name clock: nothing else went wrong"
}

series virtual "${KILLS:-8}"
series wall "${KILLS_WALL:-3}" --wall
plan
