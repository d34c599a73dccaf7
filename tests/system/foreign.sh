#!/bin/bash
# A controller that knows SocketCAN only, as the host of the simulated robot's buses; canaries that limits and promises must fail.
# beside others: all trials are on the virtual clock, where a history depends on nothing outside
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
export UKEMI_PATH=$folder
target=$folder/targets/ours
mkdir -p "$target"
chmod 755 "$folder"
cp -L targets/hubo2-foreign/* "$BUILD/tests/shim/can_sockets" "$target" || exit 3
cp scenarios/foreign/350-*.yaml "$folder/ours.yaml" || exit 3
sed -i 's/^target: .*/target: ours/' "$folder/ours.yaml"

# with SED [FAULT]: a trial of the target changed by a sed script, of 5 s unless it has the scenario's own fault.
with() {
    sed -e 's/^name: hubo2-foreign/name: ours/' -e "$1" targets/hubo2-foreign/target.yaml >"$target/target.yaml"
    sed -e '/^promises:/,$d' -e 's/^duration_s: .*/duration_s: 5/' -e 's/^watch_s: .*/watch_s: 1/' "$folder/ours.yaml" >"$folder/s.yaml"
    [ $# -eq 1 ] || printf 'faults:\n  - %s\n' "$2" >>"$folder/s.yaml"
    "$ukemi" run "$folder/s.yaml" --seed 3
}

# ---- the calls ----------------------------------------------------------------------------------

claim "calls of SocketCAN say what Linux says; replies come in bus time; bursts of 64 frames arrive" answers 0 \
    '> all as Linux has it' with 's/controller.py, "3"/can_sockets/
        s/clock: shim/clock: shim, may_exit: [0]/; s/, writer: controller, floor_hz: 300//; /^taps/,$d'

# other WORDS PATTERN...: another program in the controller's place.
other() {
    local words=$1
    shift
    run with "s|controller.py, \"3\"|$words|; s/clock: shim/clock: shim, may_exit: [0]/
        s/, writer: controller, floor_hz: 300//; /^taps/,\$d"
    answered 0 "$@" '^PASS'
}
cat >"$target/bus.py" <<'PY'
#!/usr/bin/python3
import sys
sys.path.insert(0, '/usr/lib/python3/dist-packages')
import can
for channel, own in ('can0', False), ('can0', True), ('', False):
    with can.Bus(interface='socketcan', channel=channel, receive_own_messages=own) as bus:
        sent = can.Message(arbitration_id=1, is_extended_id=False, data=[6, 3, 0], channel='can0')
        bus.send(sent)
        heard = iter(lambda: bus.recv(0.1), None)
        print([(m.arbitration_id, m.channel, m.is_rx, m.timestamp > 1577836800) for m in heard])
PY
chmod 755 "$target/bus.py"
if /usr/bin/python3 -c 'import can' 2>/dev/null; then
    claim "python-can sends and receives, with the time of each frame, its own frames, and on all buses" other bus.py \
        "^ +> \\[\\(102, 'can0', True, True\\)\\]" "^ +> \\[\\(1, 'can0', False, True\\), \\(102, 'can0', True, True\\)\\]"
else
    skip "python-can sends and receives" "no python3-can: scripts/deps --peers"
fi
if [ -x /usr/bin/candump ]; then
    claim "candump logs all buses, with times" other '/bin/sh, -c, \"candump -L -n 2 -T 500 any \& sleep 0.1; cansend can0 001#060300; wait\"' \
        '> \(1577836800\.1[0-9]+\) can0 001#060300' '> \(1577836800\.1[0-9]+\) can0 066#'
else
    skip "candump logs all buses" "no /usr/bin/candump: scripts/deps --peers"
fi

# ---- a host ---------------------------------------------------------------------------------------

if [ -x /usr/bin/python3 ]; then
    stall='{kind: stall, component: Controller, at: {time_s: [1, 2]}, duration_s: 0.3}'
    again() { "$ukemi" run scenarios/foreign/350-*.yaml --seed 2 --check-determinism; }
    claim "an unmodified Python program bends the elbows, is killed, and bends them again; its limits are judged" again
    claim "stalled, it begins anew" answers 0 '^  PASS  fault-undone' with '' "$stall"
    claim "its replies are lost on the bus, which it counts" answers 0 '^ +missed +[1-9][0-9]' with '' \
        '{kind: bus-loss, component: can1, at: {time_s: [1, 2]}, duration_s: 0.5, parameters: [id=0x69, share=1]}'
    claim "canary: one in a hurry breaks a limit" answers 1 '^  FAIL  acceleration-limit +-' with 's/"3"/"0.2"/'
    sed -i 's/^GOALS_RAD = .*/GOALS_RAD = (-1.0, 0.2)/' "$target/controller.py"
    claim "canary: one that bends them the wrong way breaks another" answers 1 '^  FAIL  position-limit +-.*(LEB|REB)' with 's/"3"/"1"/'
    sed 's/^LATE_S = .*/LATE_S = 9/' targets/hubo2-foreign/controller.py >"$target/controller.py"
    claim "canary: one that makes up for the time it was stalled breaks a limit" answers 1 '^  FAIL  acceleration-limit +-' with '' "$stall"
    cp targets/hubo2-foreign/controller.py "$target"
    claim "canary: what another than the host sends is a stranger's, and there is nothing to judge" answers 0 \
        '^  SKIP  position-limit .*nothing to judge' with 's/host: controller/host: simulator/'
else
    skip "an unmodified Python program drives the boards" "no /usr/bin/python3"
fi
wall() { "$ukemi" run scenarios/foreign/350-*.yaml --wall; }
if [ -e /proc/net/can ]; then
    skip "in real time it needs the kernel's CAN, and says so" "this kernel has it"
else
    claim "in real time it needs the kernel's CAN, and says so" answers 3 'bus can0: .*run it in virtual time' wall
fi

# ---- input ----------------------------------------------------------------------------------------

claim "input: a host that is no process is refused" answers 2 'target.yaml:[0-9]+: buses\[0\].host: nobody: no such process' \
    with 's/host: controller }/host: nobody }/'
claim "input: only a CAN bus has a host" answers 2 'buses\[0\].host: controller: only a CAN bus' \
    with 's/host: controller }/host: controller, kind: dynamixel }/'
plan
