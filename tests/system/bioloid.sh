#!/bin/bash
# The robot of solids: what its file says holds in the world, without a compiler; mistakes in its files are told.
#
#   LONG=1   the paper's figures, too, and all canaries; part of `make nightly`
#
# beside others: trials run on the virtual clock; what is behind the port answers patiently
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
ukemi=$BUILD/bin/ukemi

# A project of its own with a copy of the target.
project=$folder/project
mkdir -p "$project/targets"
touch "$project/ukemi.yaml"
copy=$project/targets/heavy
cp -r targets/bioloid "$copy"
sed -i 's/^name: .*/name: heavy/' "$copy/target.yaml"
sed -e 's/^target: .*/target: heavy/' -e 's/^name: .*/name: walk/' scenarios/bioloid/131-walk-ten-steps.yaml >"$project/walk.yaml"
walk() { UKEMI_PATH=$project "$ukemi" run "$project/walk.yaml" --seed 1 "$@"; }
chmod -R go-w "$project"

claim "it walks ten steps, and the same way again" answers 0 '^  PASS  determinism' walk --check-determinism

heavier() { sed -i "s/<mass value='0.635'/<mass value='$1'/" "$copy/bioloid.xml"; }
heavier 6.35
at_night "with a trunk ten times as heavy it falls: a changed mass needs no compiler" answers 1 '^  FAIL  upright' walk
cp targets/bioloid/bioloid.xml "$copy/"

# checked NAME SED PATTERN: the file of the copy, so changed, is refused by `ukemi check` and told with its line.
checked() {
    cp "targets/bioloid/$1" "$copy/" && sed -i "$2" "$copy/$1"
    UKEMI_PATH=$project answers 2 "heavy/$1:[0-9]+: $3" "$ukemi" check "$project/walk.yaml"
    local code=$?
    cp "targets/bioloid/$1" "$copy/"
    return $code
}
claim "a mass of 0 is refused with its line" checked bioloid.xml "0,/<mass value='0.635'/s//<mass value='0'/" '<mass>: '
claim "so is a joint between unknown solids" checked bioloid.xml "0,/B2='17'/s//B2='99'/" '<joint>: '
claim "so is a loop of bodies" checked bioloid.xml "s/<connect B1='[^']*' B2='17'/<connect B1='17' B2='17'/" '<'
claim "so are limits that leave no way" checked bioloid.xml "0,/Min='[^']*'/s//Min='180'/" '<'
claim "so is a name that is used twice" checked bioloid.xml "s/<ID value='17'/<ID value='0'/" '<'
claim "so is a servo of two joints" checked bioloid.xml "s/servo='18'/servo='17'/" '<'
claim "so is a pose that is no number" checked scene.xml "s/z='0.2755'/z='high'/" ''
claim "so is a pose above 1023" checked bioloid.mtn '0,/^step=512/s//step=1024/' "'1024': "
claim "so is a step that takes no time" checked bioloid.mtn '0,/^\(step=.*\) [0-9.]*$/s//\1 0/' ''
scene_of_scenario() {
    printf 'programs:\n  - { component: world, program: targets/bioloid/world, arguments: scene-none.xml }\n' >>"$project/walk.yaml"
    UKEMI_PATH=$project "$ukemi" check "$project/walk.yaml"
}
claim "so is a scene that only a scenario names" answers 2 'scene-none.xml' scene_of_scenario
claim "a CM-5 is refused a period in which it could ask no servo" answers 2 '[-]-period-us 7999: is not a number from 8000' "$BUILD/targets/bioloid/cm5" --period-us 7999
asked() {
    sed -e 's/^duration_s: .*/duration_s: 3/' -e 's/^watch_s: .*/watch_s: 1/' scenarios/bioloid/137-*.yaml >"$folder/shortest.yaml"
    cat >>"$folder/shortest.yaml" <<'END'
  - { name: heard, always: "min(servo-state.voltage_v[servos]) > 1", after_s: 2 }
programs:
  - { component: CM-5, program: targets/bioloid/cm5, arguments: --period-us 8000 }
END
    "$ukemi" run "$folder/shortest.yaml" --seed 1
}
at_night "with the shortest period it hears of every servo" answers 0 '^ *PASS +heard' asked
claim "a period that is none is refused" answers 2 '[-]-period-us 0' "$BUILD/targets/bioloid/controller" --period-us 0

UKEMI_TARGET=targets/bioloid "$BUILD/targets/bioloid/world" --pty "$folder/port" scene.xml >"$folder/world" 2>&1 &
world=$!
for _ in $(seq 100); do
    [ -e "$folder/port" ] || sleep 0.1
done
claim "a program that knows serial ports alone drives the whole robot" python3 tests/system/servo_client.py "$folder/port"
kill "$world"
wait "$world"

struck() {
    "$ukemi" campaign bioloid-short --quiet --jobs 1 --db "$folder/u.db" --output "$folder/report" >"$folder/out" 2>&1
    local code=$?
    cat "$folder/out"
    [ $code -eq 0 ] && grep -q '^Trials: 3 PASS, 0 FAIL, 0 ERROR.*Run twice with the same hash' "$folder/out"
}
claim "what strikes the walking robot lets no wrong answer and no lost reference through" struck
at_night "a knee that shuts itself down is switched off, and driven again" answers 0 '^ *PASS +strong-again' "$ukemi" run 140 --seed 1
at_night "a controller that was stalled, then killed, goes on without a jump" answers 0 '^ *PASS +limits' "$ukemi" run 149 --seed 1

figures() {
    "$ukemi" campaign bioloid-figures --quiet --jobs 1 --db "$folder/u.db" --output "$folder/figures" >"$folder/out" 2>&1
    local code=$?
    cat "$folder/out"
    [ $code -eq 0 ] && [ "$(grep -c '<svg' "$folder/figures/trajectories.html")" -ge 7 ] &&
        grep -q '3.8385 (3.84).*32.385 (32.39).*14.77 (14.77).*0.1807 (0.1807)' "$folder/figures/trajectories.html"
}
at_night "a servo's step and the paper's figures and Table 1 come from trials" figures

script() { UKEMI_TARGET=targets/bioloid "$BUILD/targets/bioloid/operator_script" --check "$1"; }
claim "a control program in Lua waves, and its history follows from the seed" answers 0 'PASS.*determinism' "$ukemi" run 150 --seed 1 --check-determinism
claim "one can be read without a robot" script wave.lua
claim "... and has to be in its folder" answers 2 'is not the name of a script' script ../bioloid.xml

claim "clients flood the network door from outside, and vanish; the history follows from the seed" \
    answers 0 'PASS.*determinism' "$ukemi" run 280 --seed 1 --check-determinism

two_floods() { # the door hangs up on the first, to make room for the second
    sed 's/^  - { kind: client-flood.*/&\n&/; s/^  - { name: gone.*//' scenarios/bioloid/280-*.yaml >"$folder/two-floods.yaml" &&
        answers 0 'effect +client-flood .* of which 0 are there' "$ukemi" run "$folder/two-floods.yaml" --seed 1
}
at_night "two floods may overlap" two_floods

canary() { "$ukemi" run "tests/canaries/bioloid/$1.yaml" --seed 1; }
claim "canary: a controller that is a period late is failed" answers 1 '^ *FAIL +references' canary late-controller
at_period() { # US SCENARIO: the robot of a controller with this period
    sed -E "s/^operator/programs:\n  - {component: Control, program: targets\/bioloid\/controller, arguments: --period-us $1}\n&/" scenarios/bioloid/"$2".yaml >"$folder/period.yaml" &&
        "$ukemi" run "$folder/period.yaml" --seed 1 >"$folder/said"
    cat "$folder/said"
    grep -Eq '^  PASS  references .* 1[0-9]+ judged' "$folder/said" && grep -Eq '^  PASS  activity' "$folder/said"
}
claim "references are judged the same of commands 30 ms apart" at_period 30000 136-wave
for us in 5000 20000 50000; do at_night "... and $((us / 1000)) ms, of a walk" at_period $us 131-walk-ten-steps; done
at_night "canary: one that asks more than servos have is failed" answers 1 '^ *FAIL +limits' canary reckless-controller
at_night "canary: one that is deaf to a servo's shutdown is failed" answers 1 '^ *FAIL +alarms' canary deaf-controller
claim "canary: a host that skips sums is failed" answers 1 '^ *FAIL +answers' canary credulous-cm5
at_night "canary: a host that takes two slots is failed" answers 1 '^ *FAIL +slots' canary slow-cm5
claim "canary: a flood that nobody hears is an error" answers 3 '^ *ERROR +fault-effective .*client-flood' canary unheard-flood
at_night "canary: a network door that gives a flooding peer all he wants is failed" answers 1 "^ *FAIL +share" canary patient-door
at_night "canary: a world that gives more than the battery is failed" answers 1 '^ *FAIL +energy' canary generous-world
claim "canary: a world whose servos are too strong is failed" answers 1 '^ *FAIL +strong' canary mighty-world
claim "... and too fast" said '^ *FAIL +slow'
at_night "canary: a servo that is too strong does not take the paper's step" answers 1 '^ *FAIL +step' canary mighty-step
claim "canary: a control program that does not end is ended, and failed" answers 1 'endless.lua:3: more than 100000 instructions' canary endless-script
plan
