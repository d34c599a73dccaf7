#!/bin/bash
# The target hrp3p: 36 joints on 13 nodes; cables, nodes and its PC break. Canaries: nodes broken on purpose.
#
#   LONG=1   two more scenarios; part of `make nightly`
#
# beside others: all trials are on the virtual clock, where a history depends on nothing outside
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
ukemi=$BUILD/bin/ukemi
core=$(($(nproc) - 1)) # 16 processes take turns: on one core that costs half

runs() { "$ukemi" run "scenarios/hrp3p/$1-"*.yaml --seed 1 --core "$core"; }
canary() { "$ukemi" run "tests/canaries/ethernet/$1.yaml" --seed 3 --core "$core"; }

claim "13 nodes close 36 torque loops, and the robot stands" runs 220
at_night "a restarted node rejoins the walk without a jump" runs 233
at_night "without its PC the robot holds, and follows again" runs 234
at_night "no node follows what comes twice, or in the PC's name" runs 238
claim "nodes of two threads receive each command when it comes" runs 450
at_night "a killed node is gone with both its threads, and both join again" runs 451
at_night "a stalled node stands still with both its threads" runs 452
unnamed_thread() { # n1 of hrp3p, whose target names no threads, starts one
    sed 's/^watch_s/programs: [{component: N1, program: targets\/hrp3p\/node, arguments: n1 threads}]\n&/' scenarios/hrp3p/220-*.yaml >"$folder/threads.yaml"
    answers 1 'name it once, among this process' "$ukemi" run "$folder/threads.yaml" --seed 1
}
claim "a thread that target.yaml does not name is refused, and its node with it" unnamed_thread
threadless() { # n1 does not start the thread that its target names
    mkdir -p "$folder/targets"
    cp -rL targets/hrp3p-threads "$folder/targets/threadless"
    sed -i 's/^name: .*/name: threadless/; s/node, n1, threads\],/node, n1], ready_within_s: 5,/' "$folder/targets/threadless/target.yaml"
    sed 's/^target: .*/target: threadless/' scenarios/hrp3p/450-*.yaml >"$folder/threadless.yaml"
    answers 3 'n1: not ready: its thread receiver never joined the clock in 5 s' env UKEMI_PATH="$folder" "$ukemi" run "$folder/threadless.yaml" --seed 1
}
claim "a thread that its node does not start is waited for, and named" threadless
six_joints() { # n2 gets a sixth
    mkdir -p "$folder/targets"
    cp -r targets/hrp3p "$folder/targets/six"
    sed -i 's/^name: hrp3p/name: six/' "$folder/targets/six/target.yaml"
    sed -i '0,/board="n3"  channel="[0-9]"/s//board="n2"  channel="5"/' "$folder/targets/six/hrp3p.xml"
    sed 's/^target: .*/target: six/' scenarios/hrp3p/220-*.yaml >"$folder/six.yaml"
    answers 2 'six/hrp3p.xml:[0-9]+: .*channel' env UKEMI_PATH="$folder" "$ukemi" run "$folder/six.yaml" --seed 1
}
claim "a sixth joint on a node is refused before anything runs, with file and line" six_joints
cables() {
    "$ukemi" campaign ethernet-short --quiet --jobs 1 --db "$folder/u.db" --output "$folder/report" >"$folder/out" 2>&1
    local code=$?
    cat "$folder/out"
    [ $code -eq 0 ] && grep -q '^Trials: 3 PASS, 0 FAIL, 0 ERROR.*Run twice with the same hash' "$folder/out"
}
claim "a cable of the legs may break while it walks; the same seed gives the same history" cables
named() { # one of its trials names the cable, when, the cost, and what took over, in `run` as in `show`
    "$ukemi" show 1 --db "$folder/u.db" >"$folder/shown"
    cat "$folder/shown"
    grep -Eq '^  broken_cable +(hub-n1|n[0-9]-n[0-9]|n5-hub)$' "$folder/shown" && grep -Eq '^  cut_at_s +[0-9.]+ s$' "$folder/shown" &&
        grep -Eq '^  lost_cycles +[0-9]+$' "$folder/shown" && grep -Eq '^  took_over +(legs, the other way round|nothing: nodes were cut off)$' "$folder/shown"
}
claim "a cut trial names cable, instant, cost and what took over" named
at_night "canary: a node that follows late commands is failed" answers 1 '^ *FAIL +commands' canary late-node
at_night "canary: a node that follows whatever comes is failed" answers 1 '^ *FAIL +commands' canary trusting-node
claim "canary: relays that bounce all frames are failed" answers 1 '^ *FAIL +in-time' canary bouncing-node
at_night "canary: a node that jumps to its reference is failed" answers 1 '^ *FAIL +no-jump' canary jumping-node
at_night "canary: a PC that waits for lost replies of CORBA without a deadline is failed" answers 1 '^ *FAIL +activity' canary patient-motion
plan
