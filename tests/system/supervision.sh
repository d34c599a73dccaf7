#!/bin/bash
# What the lab does with processes that misbehave by themselves, and with faults of every kind, on a target of stand-ins.
# beside others: all trials are on the virtual clock, where a history depends on nothing outside
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
. tests/system/processes
runner=$BUILD/tests/bench/trial_run
export UKEMI_PATH=$folder
cp -r tests/system/standin/targets "$folder/targets"
cp targets/hubo2/hubo2.xml targets/hubo2/*.msg "$folder/targets/standin/"
echo 'limits: {turn_s: 3, wall_s: 60}' >>"$folder/targets/standin/target.yaml"

# trial ARGUMENTS DURATION [FAULT...]: runs the stand-ins with an operator of these arguments.
trial() {
    write_scenario "$@"
    run "$runner" "$folder/s.yaml" 3
}
write_scenario() {
    local arguments=$1 duration_s=$2 fault
    shift 2
    {
        printf 'name: s\nclaim: c\ntarget: standin\nduration_s: %s\nwatch_s: 0.5\n' "$duration_s"
        printf 'operator: {program: tests/system/standin_process, arguments: %s}\nfaults:\n' "$arguments"
        for fault; do echo "  - $fault"; done
    } >"$folder/s.yaml"
    [ $# -gt 0 ] || sed -i '/^faults:/d' "$folder/s.yaml"
}
hash_said() { sed -n 's/.*hash //p' "$folder/said"; }

trial "leave balance-command 100" 10
claim "a trial without faults ends a second after the operator's program" answered 0 'operator +exited 0' 'simulated 2\.0[0-9]'
trial "crash balance-command 50" 2
claim "a crash is recorded with its signal and its last words" answered 0 ' 0\.5000 +operator +killed 6' 'now: crash'
trial "hang balance-command 50" 2
claim "a process that never gives its turn back is ended, the others go on" answered 0 '0\.5000 +operator +hung' '0\.5000 +operator +killed 9' 'simulated 1\.5'
trial "chatter balance-command 50" 2
claim "a process that writes a megabyte of log lines blocks nothing" answered 0 'ran' 'simulated 2\.00'
trial "refuse balance-command" 2
claim "a process that ends before it is ready is a lab error with its words" answered 3 'LAB ERROR ended before it was ready: operator: exit status 5: .*I will not'
sed -i 's|tests/system/standin_process, tick|tests/system/nowhere, tick|' "$folder/targets/standin/target.yaml"
trial "tick balance-command" 2
claim "a program that is not there is a lab error that names it" answered 3 'LAB ERROR .*source.*cannot execute tests/system/nowhere: No such file'
sed -i 's|tests/system/nowhere|tests/system/standin_process|' "$folder/targets/standin/target.yaml"

trial "tick balance-command" 3 '{kind: kill, component: simulator, at: {time_s: [1]}}'
claim "without the simulated robot the trial is a lab error" answered 3 'LAB ERROR the simulated robot ended: simulator: killed by signal 9'
trial "tick balance-command" 4 '{kind: kill, component: Source, at: {time_s: [1]}, restart_after_s: 0.5, parameters: [signal=TERM]}'
claim "a kill strikes at its instant and is undone by a restart" answered 0 '1\.0000 +fault 0 kill of Source applied: proven 1' \
    '1\.0000 +source +killed 15' '1\.5000 +fault 0 kill of Source undone: proven 1' '1\.5000 +source +ready .*start 1'
trial "tick balance-command" 4 '{kind: stall, component: Sink, at: {time_s: [1.0033]}, duration_s: 0.25}'
claim "a stall stops and continues, on instants off the recorder's grid" answered 0 '1\.0033 +fault 0 stall of Sink applied: proven 1' \
    '1\.0033 +sink +stopped' '1\.2533 +fault 0 stall of Sink undone: proven 1' '1\.2533 +sink +continued'
trial "tick balance-command" 4 '{kind: restart, component: source, at: {when: pelvis_height_m, above: 0.5, after_s: 1.5}, duration_s: 0}'
claim "a restart strikes on a condition and is over at once" answered 0 '1\.5000 +fault 0 restart of source applied: proven 1' '1\.5000 +source +ready .*start 1'
trial "tick balance-command" 4 '{kind: kill, component: Sink, at: {time_s: [1]}}' '{kind: stall, component: Sink, at: {when: pelvis_height_m, above: 0.5, after_s: 2}, duration_s: 1}'
claim "a fault on a process that is gone is recorded as without effect" answered 0 'fault 1 stall of Sink applied: proven 0, the process was not there'
trial "tick balance-command" 4 '{kind: kill, component: Sink, at: {phase: [0, 1], after_s: 1}}'
claim "a gait phase that never comes strikes nothing, and the trial ends in time" answered 0 'simulated 4\.00' ' 0 events +0 B +fault'

sed -i 's|component: Sink, |&restart_after_s: 0.2, |; s|follow, leg-command|crash, leg-command, 50|' "$folder/targets/standin/target.yaml"
trial "tick balance-command" 2
claim "a process with a restart policy is started again, again and again" answered 0 '0\.5000 +sink +killed 6' \
    '0\.7000 +sink +ready 0 .*start 1' '1\.2000 +sink +killed 6 .*start 1' '1\.4000 +sink +ready 0 .*start 2'
trial "tick balance-command" 2 '{kind: kill, component: Sink, at: {time_s: [0.3]}, restart_after_s: 0.7}'
claim "the scenario's restart goes before the policy" answered 0 '1\.0000 +fault 0 kill of Sink undone: proven 1' '1\.5000 +sink +killed 6 .*start 1'
sed -i 's|restart_after_s: 0.2, ||; s|crash, leg-command, 50|follow, leg-command|' "$folder/targets/standin/target.yaml"

faults=('{kind: kill, component: Source, at: {time_s: [0.5, 1.5]}, restart_after_s: 0.3}'
    '{kind: stall, component: Sink, at: {time_s: [0.5, 1.5]}, duration_s: 0.2}'
    '{kind: restart, component: operator, at: {time_s: [2]}, duration_s: 0.1}')
trial "tick balance-command" 4 "${faults[@]}"
first=$(hash_said)
for _ in 1 2 3 4 5; do
    trial "tick balance-command" 4 "${faults[@]}"
    [ "$(hash_said)" = "$first" ] || echo "another hash" >>"$folder/hashes"
done
[ -n "$first" ] && [ ! -e "$folder/hashes" ]
result $? "the same seed gives the same history, faults included"

# A machine that stands still, for longer than a turn or the whole trial may take: while the operator's program computes, in a turn that ends
# when it is continued, all processes of the trial are stopped, from the lab down, and continued, from the programs up.
computes() { # process PID has used 0.1 s of CPU time
    awk '{ sub(/.*\) /, ""); exit $12 < 10 }' "/proc/$1/stat" 2>/dev/null
}
holds() { # the operator's program is in its long turn; sets all_of_it
    local process
    mapfile -t all_of_it < <(echo "$beside" && descendants "$beside")
    for process in "${all_of_it[@]}"; do
        tr '\0' ' ' 2>/dev/null <"/proc/$process/cmdline" | grep -q 'standin_process hold' && computes "$process" && return 0
    done
    return 1
}
is_stopped() { grep -q '^State:.T' "/proc/$1/status"; }
# stands_still SECONDS: runs the scenario, and stops it for so long.
stands_still() {
    local process i
    "$runner" "$folder/s.yaml" 3 >"$folder/said" 2>&1 &
    beside=$!
    await 60 holds || return 1
    for process in "${all_of_it[@]}"; do
        kill -STOP "$process" && await 60 is_stopped "$process" || return 1
    done
    sleep "$1"
    for ((i = ${#all_of_it[@]}; i-- > 0;)); do kill -CONT "${all_of_it[i]}"; done
    wait "$beside"
    code=$?
}
sed -i 's/^limits:.*/limits: {turn_s: 3, wall_s: 5}/' "$folder/targets/standin/target.yaml"
write_scenario "hold balance-command 50" 2
stands_still 0 && answered 0 'simulated 2\.00' >/dev/null && moved=$(hash_said) && [ -n "$moved" ] &&
    stands_still 6 && answered 0 'simulated 2\.00' >/dev/null && [ "$(hash_said)" = "$moved" ]
result $? "a machine that stands still takes nobody's time: a turn and a trial of 6 s more have the same history" "$folder/said"
plan
