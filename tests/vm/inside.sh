#!/bin/bash
# What is checked where CAN is real; tests/system/vcan.sh runs this by tests/vm/run and passes on what it prints (TAP). One claim, one
# function, one line at the end. A function's output is shown when its claim fails.
#
# Environment: BUILD; EXPECTED, a folder with scenarios/NAME.yaml and what this lab printed about each without CAN, NAME.txt;
# KERNEL, "rt" where a PREEMPT_RT kernel was asked for; VCAN_FULL, 1: trials are run twice; CLAIMS_BEFORE, how many claims are already
# numbered (0).
set -u
cd "$(dirname "$0")/../.." || exit 3
unset UKEMI_TEST_CELLS # a folder of the machine outside, which is not here
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
number=${CLAIMS_BEFORE:-0} bad=0
skipped=77 # what a function returns whose tool is missing

claim() { # claim WORDS FUNCTION [ARGUMENT...]
    local start=$SECONDS code
    number=$((number + 1))
    "${@:2}" >"$work/log" 2>&1
    code=$?
    if [ $code -eq 0 ]; then
        echo "ok $number - $1"
    elif [ $code -eq $skipped ]; then
        echo "ok $number - $1 # SKIP not installed: scripts/deps --peers"
    else
        bad=1
        echo "not ok $number - $1"
        tail -25 "$work/log" | sed 's/^/# /'
    fi
    echo "# $((SECONDS - start)) s"
}

# ---- helpers ---------------------------------------------------------------------------------------------------------------
# listen FILE COUNT INTERFACE [NAMESPACE]: candump until COUNT frames; returns when it is listening, $listener is its process.
listen() {
    local in=${4:+ip netns exec $4}
    timeout 300 $in candump -L -r 2000000 -n "$2" "$3" >"$1" &
    listener=$!
    for _ in $(seq 1200); do
        $in grep -q "^ *$3 " /proc/net/can/rcvlist_all && return 0
        sleep 0.1
    done
    return 1
}
# heard FILE FRAME...: exactly these frames, in this order, have come.
heard() {
    local file=$1
    shift
    wait $listener && cat "$file" && [ "$(awk '{ print $3 }' "$file")" = "$(printf '%s\n' "$@")" ]
}

# read_ahead: what runs most is read for the first time now. In the VM time passes at once meanwhile, and whoever waits for something would wait
# in vain.
read_ahead() {
    cat "$BUILD"/bin/ukemi "$BUILD"/faults/* "$BUILD"/targets/hubo2/* "$BUILD"/targets/simulator/* >/dev/null 2>&1
}

# ---- claims: the machine ------------------------------------------------------------------------------------------------------
kernel_is() {
    uname -srv
    [ "${KERNEL:-}" != rt ] || [[ $(uname -v) == *PREEMPT_RT* ]]
}
bus_comes_up() {
    ip link add dev vcan0 type vcan && ip link set vcan0 mtu 72 up && ip -details link show vcan0 | grep -q 'vcan'
}
frames_arrive() {
    local frames=(123#DEADBEEF 7FF# 1ABCDEF0#0011223344556677 321#R 123##5AABBCC)
    listen "$work/frames" ${#frames[@]} vcan0 || return 1
    for frame in "${frames[@]}"; do cansend vcan0 "$frame" || return 1; done
    heard "$work/frames" "${frames[@]}"
}
frames_cross() {
    ip netns add far && ip link add dev near0 type vxcan peer name far0 netns far || return 1
    ip link set near0 up && ip -n far link set far0 up && listen "$work/far" 1 far0 far && cansend near0 042#01 &&
        heard "$work/far" 042#01
}
flood_is_counted() {
    listen "$work/flood" 500 vcan0 && cangen vcan0 -g 0 -I 100 -L 8 -n 500 && wait $listener && [ "$(wc -l <"$work/flood")" -eq 500 ]
}

# ---- claims: this project ---------------------------------------------------------------------------------------------------
unit_tests_pass() { "$BUILD/tests/unit/$1" | tee /dev/stderr | grep -q ' 0, Errors: 0' && ! grep -q 'not on' "$work/log"; }
doctor_finds_can() { ukemi doctor | tee /dev/stderr | grep -q '^ *yes *PF_CAN and vcan'; }
ukemi() { UKEMI_ROOT=$PWD "$BUILD/bin/ukemi" "$@"; }
on_interfaces() { grep ' simulated in ' "$1" | grep -q "CAN: the kernel's interfaces"; }
trial_is_equal() { # all but the lines of run times, and of what a bare cell lacked: verdicts, margins, hash of the history
    ukemi run "$EXPECTED/scenarios/$1.yaml" --core 0 >"$work/trial"
    on_interfaces "$work/trial" && grep '^history ' "$work/trial" && diff <(grep -v '^cell: ' "$EXPECTED/$1.txt") <(grep -v ' simulated in ' "$work/trial")
}
# wall_trial_holds SCENARIO: on the wall clock all verdicts hold, too. Only where that clock is the VM's; natively other programs may take the
# time that the robot needs, and the trial must come to its end.
wall_trial_holds() {
    ukemi run "$1" --wall >"$work/trial"
    local code=$?
    cat "$work/trial"
    on_interfaces "$work/trial" && grep -q '^history [0-9a-f]\{32\}' "$work/trial" && ! grep -q 'lab error' "$work/trial" &&
        { [ $code -eq 0 ] || ! in_vm; }
}
in_vm() { [ -e /sys/firmware/qemu_fw_cfg/by_name/opt/ukemi ]; }
outage_is_survived() {
    local again=
    [ "${VCAN_FULL:-0}" = 0 ] || again=--check-determinism
    UKEMI_FAULTS=tests/vm/catalogue ukemi run tests/vm/scenarios/only/vcan-interface-down.yaml --core 0 $again >"$work/trial"
    local code=$?
    cat "$work/trial"
    [ $code -eq 0 ] && on_interfaces "$work/trial" && grep -q 'undone  interface-down Hardware: can0 is up' "$work/trial"
}
# campaign_is_equal NAME: each trial of a campaign has the verdict, the behaviour and the history it has without CAN.
campaign_is_equal() {
    ukemi campaign "$EXPECTED/scenarios/campaigns/$1.yaml" --quiet --db "$work/vcan.db" --output "$work/report" --can socketcan
    local code=$?
    sqlite3 "$work/vcan.db" "$(<tests/vm/trials.sql)" | diff "$EXPECTED/$1.trials" - | cut -c1-120
    local equal=${PIPESTATUS[1]}
    sqlite3 "$work/vcan.db" "SELECT row_name, column_name, reason FROM trial JOIN square USING (square_id) WHERE outcome = 'lab-error'"
    [ $code -le 1 ] && [ "$equal" -eq 0 ]
}

! in_vm || read_ahead
claim "this is Linux $(uname -r)${KERNEL:+, $KERNEL}" kernel_is
claim "vcan0 comes up with the MTU of CAN FD" bus_comes_up
claim "candump sees what cansend sends: standard, extended, empty, remote and FD frames, in order" frames_arrive
claim "a frame crosses from one network namespace to another (vxcan)" frames_cross
claim "500 frames without a pause all arrive" flood_is_counted
for test in can_test can_socket_test; do
    claim "$test passes, on the kernel's interfaces too" unit_tests_pass $test
done
claim "ukemi doctor runs trials here and finds that they can use SocketCAN" doctor_finds_can
for scenario in "$EXPECTED"/scenarios/*.yaml; do
    [[ $scenario != */campaign-* ]] || continue
    name=$(basename "$scenario" .yaml)
    claim "$name: verdicts, margins and history hash equal those without CAN" trial_is_equal "$name"
done
# shellcheck source=tests/vm/peers.sh
. tests/vm/peers.sh
# shellcheck source=tests/vm/beside.sh
. tests/vm/beside.sh
# shellcheck source=tests/vm/plant.sh
. tests/vm/plant.sh
claim "an interface that goes down and up: the hardware daemon goes on" outage_is_survived
claim "a trial on the wall clock: every verdict holds" wall_trial_holds tests/vm/scenarios/more/vcan-stand.yaml
for campaign in "$EXPECTED"/scenarios/campaigns/*.yaml; do
    [ -e "$campaign" ] || continue
    name=$(basename "$campaign" .yaml)
    claim "campaign $name: all verdicts and history hashes equal those without CAN" campaign_is_equal "$name"
done
echo "1..$number"
exit $bad
