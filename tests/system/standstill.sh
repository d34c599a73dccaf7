#!/bin/bash
# A machine that stands still in real time is told; a campaign runs a bad trial again in which it did. What stands still here are the lab's
# processes that watch for it.
# beside others: nothing depends on when something happens, but that stops of 20 ms are seen in a trial of 2 s
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
. tests/system/processes
mkdir "$folder/scenarios"

# scenario NAME PROMISE
scenario() {
    printf 'name: %s\nclaim: c\ntarget: pendulum\nduration_s: 2\nwatch_s: 1\npromises: [{name: p, always: "%s"}]\n' "$1" "$2" >"$folder/scenarios/$1.yaml"
    printf 'name: %s\nclaim: c\ntarget: pendulum\nseed: 1\ncolumns: [{title: C, scenario: %s.yaml, trials: 1}]\nrows: [{component: none}]\n' \
        "$1" "$1" >"$folder/scenarios/campaign-$1.yaml"
}
scenario holds "lean_rad < 1"
scenario broken "lean_rad > 1"

# stop_watchers PID: those below it, for 20 ms each, until it ends.
stop_watchers() {
    while kill -0 "$1" 2>/dev/null; do
        for child in $(descendants "$1"); do
            [ "$(cat "/proc/$child/comm" 2>/dev/null)" = floor-sampler ] || continue
            kill -STOP "$child" && sleep 0.02
            kill -CONT "$child"
        done
        sleep 0.1
    done 2>/dev/null
}
# stopped ARGUMENT...: ukemi with these; output in $folder/out.
stopped() {
    "$ukemi" "$@" >"$folder/out" 2>&1 &
    local pid=$!
    stop_watchers $pid
    wait $pid
}
run() { stopped campaign "$folder/scenarios/campaign-$1.yaml" --wall --db "$folder/$1.db" --output "$folder/report-$1"; }
says() { grep -qE "$1" "$folder/out"; }
stored() { sqlite3 "$folder/$1.db" 'SELECT runs, still_s > 0.01, still_at_s BETWEEN 0 AND 4, verdict FROM trial_view'; }

# The watchers want the highest priority.
if ! chrt -f 99 true 2>/dev/null; then
    skip "a machine that stands still is told" "real-time priority is refused to this user"
    plan
    exit
fi
stopped run "$folder/scenarios/broken.yaml" --wall
claim "a trial tells that the machine stood still" says '^stood still: the machine, at [0-9.]+ s, for [0-9.]+ ms; that may be why'
run broken
claim "a trial that failed while the machine stood still is run again, and fails at the third time" \
    says 'AGAIN  none, C, trial 0, .*FAIL in a run in which the machine stood still for [0-9.]+ ms at [0-9.]+ s; run 3 counts: FAIL'
claim "... which is stored" [ "$(stored broken)" = '3|1|1|FAIL' ]
claim "... and reported" grep -q 'Run again, since the machine stood still in a bad run: 1' "$folder/report-broken/table.txt"
run holds
claim "a trial that passed all the same is not run again" not says AGAIN
claim "... and stored with how long the machine stood still" [ "$(stored holds)" = '1|1|1|PASS' ]
"$ukemi" campaign "$folder/scenarios/campaign-broken.yaml" --db "$folder/virtual.db" --output "$folder/report-virtual" >"$folder/out" 2>&1
claim "on the virtual clock nothing stands still" [ "$(sqlite3 "$folder/virtual.db" 'SELECT runs, still_s IS NULL FROM trial')" = '1|1' ]
plan
