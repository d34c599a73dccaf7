#!/bin/bash
# Every oracle catches the target that was broken for it, names it, and passes the sound one; a fault that did not strike is ERROR.
# beside others: all trials are on the virtual clock, where a history depends on nothing outside
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap

canary() { "$ukemi" run "tests/canaries/$1.yaml" --seed 3; }

claim "the sound target passes where the canaries fail" answers 0 '^ *PASS +acceleration-limit' canary hubo2/sound
claim "a control daemon that ignores acceleration limits is failed" answers 1 '^ *FAIL +acceleration-limit' canary hubo2/reckless-control
at_night "a control daemon that is driven towards a limit in velocity mode stops there, and passes" answers 0 '^ *PASS +position-limit' canary hubo2/driven-control
claim "one that does not is failed" answers 1 '^ *FAIL +position-limit' canary hubo2/unclamped-control
at_night "a Control that never times out is failed" answers 1 '^ *FAIL +velocity-wind-down' canary hubo2/endless-control
at_night "a balance whose segments end mid-step is failed" answers 1 '^ *FAIL +segments-end-stable' canary hubo2/midstep-balance
at_night "a hardware daemon that never drains late replies is failed" answers 1 '^ *FAIL +state-truth' canary hubo2/slipping-hardware
claim "a hardware daemon that takes velocities over the nominal period is failed" answers 1 '^ *FAIL +state-truth' canary hubo2/nominal-hardware
at_night "a hardware daemon that reads a temperature as an angle is failed" answers 1 '^ *FAIL +state-truth' canary hubo2/trusting-hardware
claim "a hardware daemon that believes a spoofed reply is failed" answers 1 '^ *FAIL +state-truth' canary hubo2/believing-hardware
at_night "a hardware daemon that forgets which replies are still to come is failed" answers 1 '^ *FAIL +state-truth' canary hubo2/hasty-hardware
at_night "a hardware daemon that keeps old readings of sensors is failed" answers 1 '^ *FAIL +readings-heard' canary hubo2/keeping-hardware
at_night "a hardware daemon whose lock file survives it is failed" answers 1 '^ *FAIL +restart-and-resume' canary hubo2/locked-hardware
claim "a hardware daemon that does not go on after a cut is failed" answers 1 '^ *FAIL +completes-after-fault' canary hubo2/sulking-hardware
claim "a fall where none may be is failed" answers 1 '^ *FAIL +stays-upright' canary hubo2/toppling-walk
at_night "a balance daemon that takes a fifth longer is no oracle's business: ukemi diff finds it" answers 0 '^ *PASS' canary hubo2/slow-balance
claim "a Control whose references are no numbers is failed by what it sends" answers 1 '^ *FAIL +messages-finite .*control sent reference' canary hubo2/spoilt-control
export UKEMI_FAULTS=tests/canaries/faults/catalogue
claim "a fault requested and not applied is an error" answers 3 '^ *ERROR +fault-effective' canary faults/idle-fault
claim "a fault program that only claims to have struck is an error" answers 3 '^ *ERROR +fault-effective' canary faults/boasting-fault
claim "a bus fault for frames that nobody sends is an error" answers 3 '^ *ERROR +fault-effective' canary faults/bus-fault-for-nobody
claim "a stranger whose frames could never be on the bus is refused" answers 2 'nothing would prove it' canary faults/stranger-unheard
at_night "a bus fault that only claims to have struck is an error" answers 3 '^ *ERROR +fault-effective' canary faults/boasting-bus-fault
claim "a bus fault that only claims to be undone is an error" answers 3 '^ *ERROR +fault-undone' canary faults/clinging-bus-fault
claim "a channel fault that only claims to have struck is an error" answers 3 '^ *ERROR +fault-effective .*two sides do not show it' canary faults/boasting-channel
at_night "a channel fault that only claims to be undone is an error" answers 3 '^ *ERROR +fault-undone .*still differ' canary faults/clinging-channel
claim "a fault of the world that only claims to have struck is an error" answers 3 '^ *ERROR +fault-effective .*world does not show it' canary faults/boasting-world
at_night "a fault of the world that only claims to be undone is an error" answers 3 '^ *ERROR +fault-undone .*still shows it' canary faults/clinging-world
claim "a push on a body that the robot has not is an error" answers 3 "^ *ERROR +fault-effective .*1 refused" canary faults/push-on-nobody
claim "a payload on a body that the robot has not is an error" answers 3 "^ *ERROR +fault-effective .*1 refused" canary faults/payload-on-nobody
plan
