#!/bin/bash
# Every oracle catches the target that was broken for it, names it, and passes the sound one; a fault that did not strike is ERROR.
set -u
cd "$(dirname "$0")/../.." || exit 3
ukemi=${BUILD:-build}/bin/ukemi
n=0

# claim TEXT EXIT PATTERN COMMAND...: the command ends with EXIT and prints a line with PATTERN.
claim() {
    local text=$1 code=$2 pattern=$3 output actual
    shift 3
    output=$("$@" 2>&1)
    actual=$?
    n=$((n + 1))
    if [ $actual -eq "$code" ] && grep -qE "$pattern" <<<"$output"; then
        echo "ok $n - $text"
    else
        echo "not ok $n - $text"
        echo "# exit $actual, expected $code with a line matching: $pattern"
        sed 's/^/# /' <<<"$output"
    fi
}

run() { "$ukemi" run "tests/canaries/$1.yaml" --seed 3; }

claim "the sound target passes where the canaries fail" 0 '^ *PASS +acceleration-limit' run sound
claim "a control daemon that ignores acceleration limits is failed" 1 '^ *FAIL +acceleration-limit' run reckless-control
claim "a control daemon that is driven towards a limit in velocity mode stops there, and passes" 0 '^ *PASS +position-limit' run driven-control
claim "one that does not is failed" 1 '^ *FAIL +position-limit' run unclamped-control
claim "a balance daemon that never times out is failed" 1 '^ *FAIL +velocity-wind-down' run endless-balance
claim "a planner whose segments end mid-step is failed" 1 '^ *FAIL +segments-end-stable' run midstep-planner
claim "a hardware daemon that never drains late replies is failed" 1 '^ *FAIL +state-truth' run slipping-hardware
claim "a hardware daemon that takes velocities over the nominal period is failed" 1 '^ *FAIL +state-truth' run nominal-hardware
claim "a hardware daemon that reads a temperature as an angle is failed" 1 '^ *FAIL +state-truth' run trusting-hardware
claim "a hardware daemon that keeps old readings of sensors is failed" 1 '^ *FAIL +readings-heard' run keeping-hardware
claim "a hardware daemon whose lock file survives it is failed" 1 '^ *FAIL +restart-and-resume' run locked-hardware
claim "a hardware daemon that does not go on after a cut is failed" 1 '^ *FAIL +completes-after-fault' run sulking-hardware
claim "a fall where none may be is failed" 1 '^ *FAIL +stays-upright' run toppling-walk
claim "a balance daemon that takes a fifth longer is no oracle's business: ukemi diff finds it" 0 '^ *PASS' run slow-balance
export UKEMI_FAULTS=tests/canaries/catalogue
claim "a fault requested and not applied is an error" 3 '^ *ERROR +fault-effective' run idle-fault
claim "a fault program that only claims to have struck is an error" 3 '^ *ERROR +fault-effective' run boasting-fault
claim "a bus fault for frames that nobody sends is an error" 3 '^ *ERROR +fault-effective' run bus-fault-for-nobody
claim "a bus fault that only claims to have struck is an error" 3 '^ *ERROR +fault-effective' run boasting-bus-fault
claim "a bus fault that only claims to be undone is an error" 3 '^ *ERROR +fault-undone' run clinging-bus-fault
echo "1..$n"
