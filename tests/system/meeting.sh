#!/bin/bash
# Faults whose effect comes late, and faults that meet: each is proven by itself, or refused.
# limit: 21600 s
# beside others: all of it is on the virtual clock
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
export UKEMI_ROOT=$PWD
chmod 755 "$folder"
cp -r tests/shim/targets "$folder/targets"
export UKEMI_PATH=$folder

# struck TARGET FAULT...: runs five seconds in which these faults strike.
struck() {
    printf 'name: s\nclaim: c\ntarget: %s\nduration_s: 5\nwatch_s: 1\nfaults:\n' "$1" >"$folder/s.yaml"
    printf '  - { %s }\n' "${@:2}" >>"$folder/s.yaml"
    "$ukemi" run "$folder/s.yaml" --seed 1
}
# effective PATTERN TARGET FAULT...: all are proven to act and to be undone, and the lab saw this.
effective() {
    run struck "${@:2}"
    answered "0 1" '^ *PASS +fault-effective' '^ *PASS +fault-undone' "$1"
}

# ---- what is seen after the fault's end -------------------------------------------------------------------------

claim "datagrams that come after the fault's end prove it" effective '[1-9][0-9]* calls struck, [1-9][0-9]* show it' pair \
    'kind: socket-delay, component: Ping, at: { time_s: [1] }, duration_s: 0.1, parameters: [delay_s=0.3]'
claim "so do bytes of a stream" effective '[1-9][0-9]* show it' stream \
    'kind: socket-delay, component: Client, at: { time_s: [1] }, duration_s: 0.1, parameters: [delay_s=0.3]'
claim "and those that are still on their way when the trial ends" effective '[1-9][0-9]* show it' pair \
    'kind: socket-delay, component: Ping, at: { time_s: [4.5] }, duration_s: 0.1, parameters: [delay_s=2]'
claim "and those that are lost with their sender" effective '[1-9][0-9]* show it' pair \
    'kind: socket-delay, component: Ping, at: { time_s: [1] }, duration_s: 0.1, parameters: [delay_s=0.3]' \
    'kind: kill, component: Ping, at: { time_s: [1.2] }, restart_after_s: 0.5'
claim "a frame that is overtaken after the fault's end proves it" effective '[1-9] out of order' pendulum \
    'kind: channel-reordering, component: force, at: { time_s: [1] }, duration_s: 0.05, parameters: [amount=30, share=0.3]'
claim "so does a turn that ends later" effective 'no frame for 0.3 s' pendulum \
    'kind: overrun, component: Controller, at: { time_s: [1] }, duration_s: 0.05, parameters: [busy_s=0.3]'
claim "and one that the trial's end cuts off" effective '1 turns took longer' pendulum \
    'kind: overrun, component: Controller, at: { time_s: [4.8] }, duration_s: 0.05, parameters: [busy_s=0.9]'
claim "canary: what nothing is sent late of is an error at the trial's end" answers 3 '^ *ERROR +fault-effective .*0 calls struck' struck pair \
    'kind: socket-delay, component: Ping, at: { time_s: [1] }, duration_s: 0.1, parameters: [delay_s=0.3, port=7]'
# ---- faults that meet -------------------------------------------------------------------------------------------

claim "two steps of one clock add up, and each is proven" effective 'by up to 5 s' pendulum \
    'kind: clock-step, component: Controller, at: { time_s: [1.7] }, duration_s: 2.3, parameters: [step_s=0.5]' \
    'kind: clock-step, component: Controller, at: { time_s: [1] }, duration_s: 1.5, parameters: [step_s=-5]'
claim "a stall whose process another fault ends is over" effective 'ended meanwhile' pendulum \
    'kind: stall, component: Controller, at: { time_s: [1] }, duration_s: 2' \
    'kind: kill, component: Controller, at: { time_s: [2] }'
claim "a fault of a process that another has ended is refused" answers 2 \
    's.yaml:8: faults.1..at: meets faults.0., kill of Controller, .*does not run then' struck pendulum \
    'kind: kill, component: Controller, at: { time_s: [1] }' \
    'kind: stall, component: Controller, at: { time_s: [2] }, duration_s: 1'
claim "so are two that replace the same number" answers 2 'faults.1..at: meets faults.0.,.*replaces a number' struck pendulum \
    'kind: channel-value, component: force, at: { time_s: [1] }, duration_s: 1, parameters: [field=force_n, value=1]' \
    'kind: channel-nan, component: force, at: { time_s: [1.5] }, duration_s: 1, parameters: [field=force_n]'
claim "so are two of one program's sockets, of which the first leaves the second no call" answers 2 \
    'faults.1..at: meets faults.0.,.*calls of which none is left' struck pair \
    'kind: socket-delay, component: Ping, at: { time_s: [1] }, duration_s: 1, parameters: [delay_s=0.01]' \
    'kind: socket-drop, component: Ping, at: { time_s: [1.5] }, duration_s: 0.2'
claim "calls are looked at by the trial's time, whatever the program's clock shows" effective '[0-9]+ calls struck' pair \
    'kind: socket-drop, component: Ping, at: { time_s: [1] }, duration_s: 1, parameters: [share=0.5]' \
    'kind: clock-drift, component: Ping, at: { time_s: [1] }, duration_s: 1, parameters: [rate_ppm=100000]'
claim_with python3 "finds pairs of faults of a process proven, or refused" python3 tests/system/pairs.py "$ukemi" pendulum process Controller 17
claim_with python3 "finds pairs of faults of a channel proven, or refused" python3 tests/system/pairs.py "$ukemi" pendulum channel force 41

# All pairs of a kind of place. The least that each must have proven shows that its faults act there.
all_pairs() { # PROVEN TARGET FAMILY PLACE
    run python3 tests/system/pairs.py "$ukemi" "${@:2}" 1
    answered 0 && [ "$(sed -nE 's/^[0-9]+ pairs of .* ([0-9]+) proven(,.*)?$/\1/p' "$folder/said")" -ge "$1" ]
}
at_night "all pairs of a process are proven, or refused" all_pairs 50 pendulum process Controller
at_night "all pairs of a channel are" all_pairs 100 pendulum channel force
at_night "all pairs of a program with sockets are" all_pairs 50 pendulum-sockets socket Controller
at_night "all pairs of a CAN bus are" all_pairs 100 hubo2 bus can0
at_night "all pairs of a line of servos are" all_pairs 100 bioloid line servos
at_night "all pairs of an Ethernet are" all_pairs 100 ethernet ethernet eth0

# ---- a stack that is struck in two places -----------------------------------------------------------------------

# walks FAULT...: a walking HUBO2, of whose arms and legs no limit and nothing nominal is broken.
walks() {
    printf 'name: w\nclaim: c\ntarget: hubo2\nduration_s: 7\nwatch_s: 2\noperator: { program: targets/hubo2/operator_walk, arguments: dynamic }\nfaults:\n' >"$folder/w.yaml"
    printf '  - { %s }\n' "$@" >>"$folder/w.yaml"
    run "$ukemi" run "$folder/w.yaml" --seed 1
    answered any '^ *PASS +fault-effective' '^ *PASS +nominal-acceleration' '^ *PASS +nominal-velocity' '^ *(PASS|SKIP) +velocity-wind-down' \
        '^ *PASS +acceleration-limit'
}
claim "a stack that starts again from rest where a joint was measured is not blamed" walks \
    'kind: kill, component: Hardware, at: { time_s: [3.8359] }, restart_after_s: 0.003' \
    'kind: kill, component: Control, at: { time_s: [3.8359] }, restart_after_s: 0.25'
at_night "nor is one whose Control starts again within a cycle" walks \
    'kind: terminate, component: Manipulator, at: { time_s: [4.6223] }, restart_after_s: 0.3' \
    'kind: kill, component: Control, at: { time_s: [4.6263] }, restart_after_s: 0.005'
at_night "nor one whose commands do not come" walks \
    'kind: restart, component: Hardware, at: { time_s: [4.5654] }, duration_s: 0.1' \
    'kind: channel-drop, component: leg-command, at: { time_s: [4.5654] }, duration_s: 0.6'
at_night "nor one that is commanded another acceleration on the way" walks \
    'kind: channel-value, component: leg-command, at: { time_s: [4.5] }, duration_s: 0.5, parameters: ["field=joint[12].acceleration_nominal_rad_s2", value=5]'
plan
