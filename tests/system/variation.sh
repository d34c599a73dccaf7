#!/bin/bash
# A seed varies the world: what is drawn is told, acts, repeats, and can be switched off.
# beside others: all trials are on the virtual clock
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
mkdir -p "$folder/place/targets"

# scenario NAME TARGET SECONDS [MORE]
scenario() { printf 'name: %s\nclaim: c\ntarget: %s\nduration_s: %s\nwatch_s: 1\n%b' "$1" "$2" "$3" "${4:-}" >"$folder/$1.yaml"; }
scenario varies pendulum 3 'promises: [{name: p, always: lean_rad < 1}]\n'
scenario still pendulum 3 'variation: off\npromises: [{name: p, always: lean_rad < 1}]\n'
scenario stands hubo2 1
scenario lies bioloid 1 'promises: [{name: p, always: lean_m < 9}]\n'
sed -i 's/lean_m/height_m/' "$folder/lies.yaml"

history_of() { "$ukemi" run "$folder/$1.yaml" --seed "$2" "${@:3}" | sed -n 's/^history //p'; }
differ() { local one; one=$(history_of "$1" 1) && [ -n "$one" ] && [ "$one" != "$(history_of "$1" 2)" ]; }
equal() { local one; one=$(history_of "$1" 1) && [ -n "$one" ] && [ "$one" = "$(history_of "$1" 2)" ]; }

claim "another seed is another world: pendulum" differ varies
claim "... bioloid, without any fault" differ lies
claim "switched off, all seeds are one world" equal still
claim "a seed is the same world again" answers 0 'same seed gave the same history twice' \
    "$ukemi" run "$folder/stands.yaml" --seed 3 --check-determinism
claim "what was drawn is told with the trial" answers 0 '^ *varied\.lean_rad +-?0\.0' "$ukemi" run "$folder/varies.yaml" --seed 1
claim "... and of a robot with joints" answers 0 '^ *varied\.joint_zero_rad +-?0\.00' "$ukemi" run "$folder/stands.yaml" --seed 1
claim "... and not where nothing varies" not answers 0 'varied\.' "$ukemi" run "$folder/still.yaml" --seed 1
# What was drawn acts: the pole begins at the angle in the history; the first that is recorded is a little later.
chmod 755 "$folder" # programs beside a scenario are run as another user
cat >"$folder/acts" <<'END'
#!/usr/bin/python3
from ukemi_history import messages

drawn = None
for topic, time_s, message in messages("variation", "pole"):
    if topic == "variation" and bytes(message["quantity"]).rstrip(b"\0") == b"lean_rad":
        drawn = message
    elif topic == "pole":
        break
off_rad = abs(drawn["value"] - message["angle_rad"])
inside = drawn["low"] <= drawn["value"] <= drawn["high"]
print("PASS" if off_rad < 1e-3 and inside else "FAIL", f"{1e-3 - off_rad:.3g} rad drawn and seen")
END
chmod 755 "$folder/acts"
scenario acts pendulum 1 'promises: [{name: acts, program: acts}]\n'
claim "what was drawn is in the history, within its row, and acts" answers 0 '^ *PASS +acts .*drawn and seen' "$ukemi" run "$folder/acts.yaml" --seed 5

# Bad rows: file, line, remedy.
cp -r targets/pendulum "$folder/place/targets/pole"
sed -i 's/^name: .*/name: pole/; s|quantity: lean_rad, |quantity: limp_rad, |' "$folder/place/targets/pole/target.yaml"
line=$(grep -n limp_rad "$folder/place/targets/pole/target.yaml" | cut -d: -f1)
scenario unknown pole 3
claim "a quantity that the world does not know is bad input, with its line" \
    answers 2 "target.yaml:$line: variation\[0\].quantity: limp_rad: this world cannot vary it; it can lean_rad" \
    env UKEMI_PATH="$folder/place" "$ukemi" check "$folder/unknown.yaml"
cp -r targets/hubo2 "$folder/place/targets/two"
sed -i 's/^name: .*/name: two/; s/link_mass_share, each: 33/link_mass_share, each: 32/' "$folder/place/targets/two/target.yaml"
scenario miscounted two 1
claim "a wrong number of values is bad input, with the right one" \
    answers 2 'UKEMI_VARY_link_mass_share: 32 values, and the robot of .* has 33; write each: 33' \
    env UKEMI_PATH="$folder/place" "$ukemi" check "$folder/miscounted.yaml"
plan
