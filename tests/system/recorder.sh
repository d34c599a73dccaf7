#!/bin/bash
# A trial of which the lab lost frames is an ERROR that says what was lost and why. In real time, on one core: the simulated robot is stopped from
# outside, and when it goes on it tells of all that time at once, before the recorder, which it outranks, gets a turn.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap

# simulator_below PID: the simulated robot among the descendants of a process.
simulator_below() {
    local child
    for child in $(pgrep -P "$1"); do
        [ "$(cat "/proc/$child/comm" 2>/dev/null)" = simulator ] && echo "$child"
        simulator_below "$child"
    done
}
# stop_in_motion PID SECONDS: stops the simulated robot below PID, once it runs, for so long.
stop_in_motion() {
    local simulator='' tries
    for ((tries = 0; tries < 200; tries++)); do
        simulator=$(simulator_below "$1")
        [ -n "$simulator" ] && chrt -p "$simulator" 2>/dev/null | grep -q FIFO && break
        sleep 0.1
    done
    sleep 2 # into the trial
    kill -STOP "$simulator" && sleep "$2" && kill -CONT "$simulator"
}

core=$(taskset -cp $$ | sed 's/.*[ ,-]//')
if ! chrt -f 1 true 2>/dev/null; then
    skip "frames that the recorder lost are an ERROR" "no real-time scheduling here"
else
    "$ukemi" run 001-stand --wall --core "$core" >"$folder/said" 2>&1 </dev/null &
    trial=$!
    stop_in_motion $trial 2
    wait $trial
    code=$?
    claim "frames that the recorder lost are an ERROR" answered 3 '^ *ERROR +lab-history '
    claim "... which says where, how many, who was late, and what to do" said \
        'frames missing on [a-z-]+: (truth|bus-log) at [0-9.]+ s: [0-9]+ \+ 64 new in [0-9.]+ s, (put all at once|the recorder was kept from running); let less run beside it'
fi
plan
