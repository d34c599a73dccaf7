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
# again TEXT DURATION WORDS...: another run has the same history.
again() {
    local first text=$1
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
        claim "$program ends by itself" rt 'Max +0' "$program, -l, \"50\""
    done
else
    skip "programs of rt-tests" "no /usr/bin/cyclictest: scripts/deps --peers"
fi
plan
