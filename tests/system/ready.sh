#!/bin/bash
# What a target's file says of its processes: when each is ready, with what they run, how they may
# end; and what they print, line by line.
# beside others: all trials that a claim times are on the virtual clock
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
export UKEMI_PATH=$folder
chmod 755 "$folder"
mkdir -p "$folder/targets/stack"
stack=$folder/targets/stack/target.yaml
kept=$folder/s.mcap

# target [PROCESS...]: each a line of processes; all of them are shimmed.
target() {
    printf 'format: 2\nname: stack\nprocesses:\n' >"$stack"
    local process
    for process; do echo "  - { priority: 50, clock: shim, $process }"; done >>"$stack"
}
# trial DURATION [OPTION...]: leaves what it prints in $folder/said, and what processes printed in $folder/lines.
trial() {
    printf 'name: s\nclaim: c\ntarget: stack\nduration_s: %s\nwatch_s: 0.05\n' "$1" >"$folder/s.yaml"
    rm -f "$kept"
    run "$ukemi" run "$folder/s.yaml" --keep "$kept" "${@:2}"
    "$ukemi" show "$kept" --all >"$folder/lines" 2>&1
}
printed() { # PATTERN...: lines of processes, one after the other
    local pattern
    cat "$folder/lines"
    for pattern; do grep -Eq "$pattern" "$folder/lines" || { echo "(no line $pattern)" && return 1; }; done
}
sh() { echo "run: [/bin/sh, -c, '$1']"; }

# ---- ready ----------------------------------------------------------------------------------------

target "name: setup, $(sh 'echo prepared $WHO in $LC_ALL; exit 7'), may_exit: [0, 7], env: {WHO: \"the world\", LC_ALL: C.UTF-8}" \
    "name: server, component: Server, $(sh 'sleep 0.252; echo listening on 5000; sleep 60'), ready: {output: \"listening on [0-9]+\"}" \
    "name: net, run: [tests/shim/talk, server, \"5000\"], ready: {port: 5000}" \
    "name: late, $(sh 'echo late; sleep 60'), ready: {after_s: 0.1234}" \
    "name: last, $(sh 'echo last; sleep 60')"
trial 2
claim "a stack of five starts: each process when the one before is ready" answered 0 '^PASS'
claim "a program finds the variables of its file, and may end with a status of its file" printed '0\.000[0-9]+ s  setup +prepared the world in C.UTF-8'
claim "the next waits for a line of output, which has the instant at which it was printed" printed '0\.2520[0-9]+ s  server +listening on 5000'
claim "then for a port, then for a time: the last starts after both" printed '0\.2700[0-9]+ s  late +late' '0\.3934[0-9]+ s  last +last'
cp "$folder/lines" "$folder/first"
trial 2 --check-determinism
claim "lines and instants are the same in every run" cmp "$folder/lines" "$folder/first"

target "name: ghost, $(sh 'echo hello; echo no config; sleep 90'), ready: {output: listening}" "name: next, $(sh 'sleep 60')"
trial 40
claim "a line that never comes is the target's failure, which names line and last words" answered 1 \
    "did not start: ghost: not ready: waits for output 'listening' since 30 s; it printed at last: hello no config"
trial 2
claim "so it is when the trial is over before" answered 1 "ghost: not ready: waits for output 'listening' since [12]"
target "name: ghost, $(sh 'sleep 90'), ready: {port: 5001}"
trial 40
claim "so is a port that never opens" answered 1 'ghost: not ready: waits for port 5001 since 30 s; it printed nothing'
target "name: ghost, $(sh 'sleep 0.1; echo no such file; exit 3'), ready: {port: 5001}" "name: next, $(sh 'sleep 60')"
trial 2
claim "one that ends instead is named with its status and its last words" answered 1 'ended before it was ready: ghost: exit status 3: no such file'
target "name: ghost, $(sh 'echo what am I; sleep 9'), ready_within_s: 0.2"
sed -i 's/clock: shim/clock: native/; $a channels: [{name: none, frame_size_max_B: 8, slots: 3}]' "$stack"
trial 1
claim "one that never joins the clock is named, with why and its last words" answered 3 \
    'ghost: not ready: it never joined the clock in 0.2 s: .clock: native. is for programs that .*others need .clock: shim.; it printed at last: what am I'
target "name: job, $(sh 'sleep 0.1; exit 3')"
trial 1
claim "a status that the file does not allow is a failure" answered 1 'FAIL +peers-survive .*job exited with status 3'

target "name: server, $(sh 'sleep 0.1; echo up; sleep 60'), clock: none, ready: {output: up}" "name: next, $(sh 'echo next; sleep 60'), clock: none"
sed -i 's/clock: shim, //' "$stack"
trial 0.5 --wall
claim "in real time, too, for programs that never join the clock" printed ' 0\.[1-4][0-9]* s  server +up' 's  next +next'

# A time that passes while the process is down, or stopped, must not hold the trial's time up.
target "name: server, component: Server, $(sh 'sleep 60'), ready: {after_s: 0.6}" "name: next, $(sh 'echo next; sleep 60')"
struck() { # KIND KEYS: before it is ready
    printf '%s\n' 'name: s' 'claim: c' 'target: stack' 'duration_s: 3' 'watch_s: 1' 'faults:' \
        "  - { kind: $1, component: Server, at: { time_s: [0.5] }, $2 }" >"$folder/struck.yaml"
    timeout 20 "$ukemi" run "$folder/struck.yaml" --keep "$folder/struck.mcap"
    "$ukemi" show "$folder/struck.mcap" --all
}
claim "one that ends while its time runs is ready that time after it was started again" \
    answers 0 ' 2\.1[0-9]* s  next +next' struck kill 'restart_after_s: 1'
claim "one that is stopped when its time is over is ready when it goes on" \
    answers 0 ' 1\.5[0-9]* s  next +next' struck stall 'duration_s: 1'

target "name: server, component: Server, $(sh 'mkdir /tmp/once || exit 3; sleep 60'), ready: {port: 5001}"
printf '%s\n' 'name: s' 'claim: c' 'target: stack' 'duration_s: 2' 'watch_s: 1' 'faults:' \
    '  - { kind: kill, component: Server, at: { time_s: [0.5] }, restart_after_s: 0.2 }' >"$folder/early.yaml"
claim "one that a fault strikes before it is ready, and that then does not come up, is the target's failure" answers 1 \
    'FAIL +start .*ended before it was ready: server: exit status 3' "$ukemi" run "$folder/early.yaml"
claim "... in real time the machine's, which was slower than the scenario expects" answers 3 \
    'ERROR +lab .*this machine was too slow, .*: ended before it was ready: server: exit status 3' "$ukemi" run "$folder/early.yaml" --wall
printf '%s\n' 'name: s' 'claim: c' 'target: stack' 'duration_s: 1' 'watch_s: 0.05' 'promises: [{name: says, always: log.x < 2, for_s: 0.2}]' >"$folder/late.yaml"
target "name: server, $(sh 'sleep 0.3; echo up; sleep 60'), ready: {output: up}" "name: next, $(sh 'echo x=1; sleep 60')"
echo 'taps: [{channel: log, from: "stdout:next", fields: "^x=(?<x>[0-9])"}]' >>"$stack"
claim "a promise that finds no sample says who came too late" answers 3 'ERROR +says .*undecided from 0.000 to 0.200 s: .*write `after_s: 0.3[0-9]*`; next was not ready' \
    "$ukemi" run "$folder/late.yaml"
sed -i 's/for_s: 0.2/for_s: 0.8/' "$folder/late.yaml"
claim "... and so does one whose first sample comes within its window" answers 3 \
    'ERROR +says .*undecided from 0.000 to 0.800 s: a signal of it has no sample before 0.3.*: write `after_s: 0.3[0-9]*`; next was not ready before 0.3' "$ukemi" run "$folder/late.yaml"

# ---- what they print ------------------------------------------------------------------------------

target "name: a, $(sh 'for i in 1 2 3 4 5 6 7 8 9; do echo one $i; echo problem $i >&2; sleep 0.01; done; printf end; exit 4')" \
    "name: b, $(sh 'while :; do sleep 0.02; echo two; done')"
trial 1
claim "lines come by process, in the order in which they were written, and the last without its end" answers 0 \
    '0\.0[89][0-9]+ s  a +end$' "$ukemi" show "$kept" --process a
claim "... with standard error among standard output" test "$(awk '$3 == "a" { printf "%s ", $4 }' "$folder/lines" | cut -c1-31)" = 'one problem one problem one pro'
claim "... alone" test "$("$ukemi" show "$kept" --process b | grep -c ' two$')" -eq 49 -a "$("$ukemi" show "$kept" --process b | grep -c one)" -eq 0
claim "they can be searched" test "$("$ukemi" show "$kept" --search 'problem [1-3]$' | grep -c problem)" -eq 3
claim "a search that is none is refused" answers 2 "search: '\(': .*give an extended regular expression" "$ukemi" show "$kept" --search '('
claim "without an option the last ones are shown, and how many there are" answers 0 'last 12 of 68 lines; --all shows all' "$ukemi" show "$kept"
mkdir -p "$folder/scenarios"
printf 'name: c\ntarget: stack\nseed: 1\nrecheck_share: 0\nfault: {kind: kill, signal: KILL}\n' >"$folder/c.yaml"
cat >"$folder/c.yaml" <<END
name: c
target: stack
seed: 1
recheck_share: 0
fault: {kind: kill}
columns: [{title: A, scenario: s.yaml, trials: 1, at: {time_s: [0.05]}}]
rows: [{component: b}]
END
(cd "$folder" && "$ukemi" campaign c.yaml --db u.db --output r >/dev/null 2>&1)
claim "a stored trial that failed shows the last lines of who ended" answers 0 '^last lines of a' "$ukemi" show 1 --db "$folder/u.db"
claim "... and all of them" answers 0 'one 1$' "$ukemi" show 1 --all --db "$folder/u.db"

# ---- many -----------------------------------------------------------------------------------------

many() { # PROCESSES CHANNELS: native programs that tick
    printf 'format: 2\nname: stack\nprocesses:\n' >"$stack"
    local i
    for ((i = 0; i < $1; i++)); do
        echo "  - { name: p$i, component: P$i, run: [tests/system/standin_process, tick, c$i], priority: 50 }"
    done >>"$stack"
    echo 'channels:' >>"$stack"
    for ((i = 0; i < $2; i++)); do echo "  - { name: c$i, frame_size_max_B: 128, slots: 4 }"; done >>"$stack"
}
many 30 30
trial 0.1
claim "thirty processes start and run" answered 0 '^PASS' '^0.10 s simulated'
used=$(sed -n 's/.*CPU \([0-9.]*\) s.*/\1/p' "$folder/said")
claim "... which takes less than two seconds of the processor's" awk "BEGIN { exit !($used < 2) }"
many 64 128
trial 0.1
claim "so do 64 processes with 128 channels" answered 0 '^PASS'
many 65 65
trial 0.1
claim "more are refused with the bound" answered 2 'target.yaml:[0-9]+: processes: a list: 65 entries; give 1 to 64'
plan
