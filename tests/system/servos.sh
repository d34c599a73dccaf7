#!/bin/bash
# Lines of Dynamixel servos: every fault of line, servo and battery strikes, shows, goes again, and repeats; and a program that knows
# serial ports alone drives servos behind a pseudo-terminal.
#   LONG=1               a canary of each fault, not of one: that only claims to have struck, or to be undone; part of `make nightly`
#   SDK_TRANSACTIONS=N   of the vendor's SDK, where DYNAMIXEL_SDK is a copy of its sources: 2000; 100000 in `make nightly`
# beside others: all trials are on the virtual clock; what is behind the port answers patiently
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
. tests/canaries/faults/claimed
export UKEMI_ROOT=$PWD UKEMI_PATH=$folder
chmod 755 "$folder"
stage=$folder/targets/stage
mkdir -p "$stage"
cat >"$stage/target.yaml" <<'END'
format: 2
name: stage
world: world
processes:
  - { name: world,      component: "",         run: [tests/system/servo_stage, world],      priority: 60 }
  - { name: controller, component: Controller, run: [tests/system/servo_stage, controller], priority: 40 }
channels:
  - { name: shafts,   message: shafts.msg,   frame_size_max_B: 64, slots: 16, writer: world,      floor_hz: 300 }
  - { name: readings, message: readings.msg, frame_size_max_B: 64, slots: 16, writer: controller, floor_hz: 20, needs: shafts }
buses:
  - { name: arm, kind: dynamixel, bitrate_bit_s: 1000000 }
quantities:
  swing_1_rad: abs(shafts.angle_1_rad)
  swing_2_rad: abs(shafts.angle_2_rad)
  misread_rad: abs(shafts.angle_1_rad - shafts.read_1_rad)
  limit: shafts.torque_limit_1
  voltage_V: shafts.voltage_V
  failures: readings.failures
END
cat >"$stage/shafts.msg" <<'END'
int64 time_ns
float64 angle_1_rad
float64 angle_2_rad
float64 read_1_rad
float64 read_2_rad
int32 torque_limit_1
int32 spare
float64 voltage_V
END
printf 'int64 time_ns\nint64 answers\nint64 failures\nint32 position_1\nint32 position_2\n' >"$stage/readings.msg"

# trial FAULT PROMISE [PARAMETERS]: the servos swing, a fault strikes from 2 to 3 s, and the promise holds meanwhile.
trial() {
    local file=$folder/$1.yaml
    {
        printf 'name: %s\nclaim: The fault shows.\ntarget: stage\nduration_s: 6\nwatch_s: 1\n' "$1"
        [ "$1" = none ] || printf 'faults:\n  - {kind: %s, component: arm, at: {time_s: [2, 2]}, duration_s: 1, parameters: [%s]}\n' "$1" "${3:-}"
        printf 'promises:\n  - {name: shows, %s, after_s: 2.2, for_s: 0.7}\n' "$2"
        printf '  - {name: swings, eventually: swing_2_rad > 0.9, after_s: 4, for_s: 1.5}\n'
    } >"$file"
    "$ukemi" run "$file" --seed 1 --check-determinism
}
claim "without a fault both servos swing, and every request is answered" \
    answers 0 '^ *PASS +determinism' trial none 'always: failures < 0.5'
while IFS='|' read -r kind promise parameters; do
    claim "$kind: $promise; it goes again, and repeats" answers 0 '^ *PASS +fault-effective' trial "$kind" "$promise" "$parameters"
done <<'END'
line-loss|eventually: failures > 3|node=1
line-corruption|eventually: failures > 3|node=1
line-delay|eventually: failures > 3|node=1
line-truncation|eventually: failures > 3|node=1
line-insertion|eventually: failures > 3|node=1
readings-stuck|eventually: abs(readings.position_1 - 512 - 195.4 * shafts.angle_1_rad) > 60|node=1
line-collision|eventually: failures > 3|node=1
line-noise|eventually: failures > 0|
line-low|eventually: failures > 3|
line-cut|eventually: failures > 3|
servo-silent|eventually: failures > 3|node=1
servo-id-doubled|eventually: failures > 3|node=1
servo-wrong-baud|eventually: failures > 3|node=1
servo-eeprom-lost|eventually: failures > 3|node=2
servo-register|always: limit < 0.5|node=1
servo-dead|always: shafts.angle_1_rad < -0.5|node=1
servo-stuck|always: shafts.angle_1_rad < -0.5|node=1
servo-free|always: shafts.angle_1_rad < -0.5|node=1
servo-overheated|always: limit < 0.5|node=1
horn-slipped|always: misread_rad > 0.19|node=1
backlash-grown|always: failures < 0.5|node=1
voltage-drop|always: voltage_V < 8|
battery-sag|eventually: voltage_V < 9|resistance_ohm=2
END
claim "a servo that nobody has is named" answers '2 3' 'no such servo' trial servo-dead 'always: failures < 1' node=9

# only_claimed KIND ORACLE: the trial is an ERROR, by that oracle, if a program of faults only claims what it shall do.
only_claimed() {
    printf 'name: claimed\nclaim: It strikes.\ntarget: stage\nduration_s: 2\nwatch_s: 1\nfaults:\n  - {kind: claimed-%s, %s, at: {time_s: [1, 1]}%s}\n' \
        "$1" "component: ${3:-arm}" ", ${4:-duration_s: 0.5}" >"$folder/claimed.yaml"
    UKEMI_FAULTS=$folder/claimed answers 3 "^ *ERROR +$2" "$ukemi" run "$folder/claimed.yaml" --seed 1
}
kinds=$(claimed dynamixel boasting_fault)
[ -n "${LONG:-}" ] || kinds=servo-dead
for kind in $kinds; do
    claim "canary: $kind that only claims to have struck is an error" only_claimed "$kind" fault-effective
done
claimed dynamixel clinging_line >"$folder/kinds"
for kind in $kinds; do
    claim "canary: $kind that only claims to be undone is an error" only_claimed "$kind" fault-undone
done
claimed process boasting_fault >"$folder/kinds"
[ -z "${LONG:-}" ] || for kind in kill stall; do
    how=restart_after_s
    [ $kind = kill ] || how=duration_s
    claim "canary: $kind that only claims to have struck is an error" only_claimed $kind fault-effective Controller "$how: 0.5"
done

# ---- behind a pseudo-terminal --------------------------------------------------------------------------------------

port=$folder/port
"$BUILD/targets/bioloid/servos" --pty "$port" --servos 3 >"$folder/servos" 2>&1 &
servos=$!
for _ in $(seq 100); do
    [ -e "$port" ] || sleep 0.1
done
claim "a program that knows serial ports alone pings, reads, writes and sync-writes three servos" python3 tests/system/servo_client.py "$port"
claim "a port that there is already is refused" answers 2 'File exists' "$BUILD/targets/bioloid/servos" --pty "$port"
claim "so is a number of servos that cannot be" answers 2 'not a number from 1 to 30' "$BUILD/targets/bioloid/servos" --pty "$folder/p" --servos 0
if [ -d "${DYNAMIXEL_SDK:-}/c" ]; then
    sdk=$DYNAMIXEL_SDK/c
    # shellcheck disable=SC2046 # a list of files
    ${CC:-cc} -O2 -w -I"$sdk/include/dynamixel_sdk" -o "$folder/sdk" tests/system/dynamixel_sdk.c \
        $(find "$sdk/src/dynamixel_sdk" -name '*.c' ! -name '*mac*' ! -name '*windows*') -lrt -lm
    claim "the vendor's SDK drives 3 servos without an error" "$folder/sdk" "$port" "${SDK_TRANSACTIONS:-2000}" 3
else
    skip "the vendor's SDK drives 3 servos" "set DYNAMIXEL_SDK to a copy of its sources"
fi
kill "$servos"
wait "$servos"
gone() { [ ! -e "$port" ] && grep -q ' 0 without a stop bit' "$folder/servos"; }
claim "a signal ends it, and nothing is left" gone
plan
