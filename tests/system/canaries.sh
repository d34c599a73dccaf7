#!/bin/bash
# Every oracle catches the target that was broken for it, names it, and passes the sound one; a fault that did not strike is ERROR.
# beside others: all trials are on the virtual clock, where a history depends on nothing outside
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap

canary() { "$ukemi" run "tests/canaries/$1.yaml" --seed 3; }

claim "the sound target passes where the canaries fail" answers 0 '^ *PASS +acceleration-limit' canary sound
claim "a control daemon that ignores acceleration limits is failed" answers 1 '^ *FAIL +acceleration-limit' canary reckless-control
claim "a control daemon that is driven towards a limit in velocity mode stops there, and passes" answers 0 '^ *PASS +position-limit' canary driven-control
claim "one that does not is failed" answers 1 '^ *FAIL +position-limit' canary unclamped-control
claim "a balance daemon that never times out is failed" answers 1 '^ *FAIL +velocity-wind-down' canary endless-balance
claim "a planner whose segments end mid-step is failed" answers 1 '^ *FAIL +segments-end-stable' canary midstep-planner
claim "a hardware daemon that never drains late replies is failed" answers 1 '^ *FAIL +state-truth' canary slipping-hardware
claim "a hardware daemon that takes velocities over the nominal period is failed" answers 1 '^ *FAIL +state-truth' canary nominal-hardware
claim "a hardware daemon that reads a temperature as an angle is failed" answers 1 '^ *FAIL +state-truth' canary trusting-hardware
claim "a hardware daemon that believes a spoofed reply is failed" answers 1 '^ *FAIL +state-truth' canary believing-hardware
claim "a hardware daemon that forgets which replies are still to come is failed" answers 1 '^ *FAIL +state-truth' canary hasty-hardware
claim "a hardware daemon that keeps old readings of sensors is failed" answers 1 '^ *FAIL +readings-heard' canary keeping-hardware
claim "a hardware daemon whose lock file survives it is failed" answers 1 '^ *FAIL +restart-and-resume' canary locked-hardware
claim "a hardware daemon that does not go on after a cut is failed" answers 1 '^ *FAIL +completes-after-fault' canary sulking-hardware
claim "a fall where none may be is failed" answers 1 '^ *FAIL +stays-upright' canary toppling-walk
claim "a balance daemon that takes a fifth longer is no oracle's business: ukemi diff finds it" answers 0 '^ *PASS' canary slow-balance
export UKEMI_FAULTS=tests/canaries/catalogue
claim "a fault requested and not applied is an error" answers 3 '^ *ERROR +fault-effective' canary idle-fault
claim "a fault program that only claims to have struck is an error" answers 3 '^ *ERROR +fault-effective' canary boasting-fault
claim "a bus fault for frames that nobody sends is an error" answers 3 '^ *ERROR +fault-effective' canary bus-fault-for-nobody
claim "a stranger whose frames are never on the bus is an error" answers 3 '^ *ERROR +fault-effective' canary stranger-unheard
claim "a bus fault that only claims to have struck is an error" answers 3 '^ *ERROR +fault-effective' canary boasting-bus-fault
claim "a bus fault that only claims to be undone is an error" answers 3 '^ *ERROR +fault-undone' canary clinging-bus-fault
claim "a channel fault that only claims to have struck is an error" answers 3 '^ *ERROR +fault-effective .*two sides do not show it' canary boasting-channel
claim "a channel fault that only claims to be undone is an error" answers 3 '^ *ERROR +fault-undone .*still differ' canary clinging-channel
claim "a fault of the world that only claims to have struck is an error" answers 3 '^ *ERROR +fault-effective .*world does not show it' canary boasting-world
claim "a fault of the world that only claims to be undone is an error" answers 3 '^ *ERROR +fault-undone .*still shows it' canary clinging-world
plan
