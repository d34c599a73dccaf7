#!/bin/bash
# A target without a robot: messages of its own, quantities, and promises written as formulas.
# beside others: it runs on the virtual clock
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
ukemi=$BUILD/bin/ukemi
export UKEMI_ROOT=$PWD
scenario=scenarios/pendulum/070-pole-controller-killed.yaml

# runs CODE FILE: a trial of it ends with this status; what it said is in $folder/out.
runs() {
    "$ukemi" run "$2" --seed 1 >"$folder/out" 2>&1
    local code=$?
    cat "$folder/out"
    [ $code -eq "$1" ]
}
# variant NAME SED...: a copy of the scenario, changed.
variant() {
    local name=$1
    shift
    sed "$@" -e "s/^name: .*/name: $name/" "$scenario" >"$folder/$name.yaml"
    echo "$folder/$name.yaml"
}
says() { grep -qE "$1" "$folder/out"; }

all_promises_kept() { runs 0 "$scenario" && [ "$(grep -c '^  PASS  pole-' "$folder/out")" -eq 3 ]; }
claim "pendulum keeps its promises: the margins are those of the formulas" all_promises_kept

same_again() {
    "$ukemi" run "$scenario" --seed 5 --check-determinism >"$folder/out" 2>&1 && says '^  PASS  determinism'
}
claim "pendulum gives the same history twice" same_again

observed() { says "^  $1 +$2\$"; }
observes() {
    runs 0 scenarios/pendulum/079-stranger-pushes.yaml && observed behaviour Wobbles && observed recovered_s '1\.536 s' &&
        observed lean_max_rad '0\.04074 rad'
}
claim "... and observes what its file asks for: a text, a time, a value" observes
nothing_made_up() {
    runs 0 "$(variant calm -e 's/^faults:.*/faults: []/' -e '/kind: kill/d' -e '/from: fault/d' -e '/^promises:/d')" &&
        observed behaviour '.none: the event from which its window counts did not happen.' && observed drift_end_m '0 m|[0-9.e-]+ m'
}
claim "what cannot be told has a reason in place of a number" nothing_made_up

triggered() {
    runs 0 "$(variant drifts -e 's/at: { time_s: [^}]*}/at: { when: "drift_m > 0.01 or lean_rad > 0.004", after_s: 0.05 }/')" &&
        says '^ +0\.[0-9]+ s  applied kill Controller'
}
claim "a fault strikes when a formula over the target's quantities holds" triggered
never() { runs 3 "$(variant never -e 's/at: { time_s: [^}]*}/at: { when: lean_rad > 9 }/')" && says 'ERROR fault-effective .*was never applied'; }
claim "one that never holds makes the trial an error" never
unknown() { runs 2 "$(variant unknown -e 's/at: { time_s: [^}]*}/at: { when: leann_rad > 1 }/')" && says 'unknown.yaml:[0-9]+: faults.0..at.when: .*column 1: there is no signal'; }
claim "an unknown quantity of a trigger is told with file and line" unknown

falls() {
    runs 1 "$(variant no-restart -e 's/restart_after_s: 0.3, //' -e 's/for_s: 0.5/for_s: 4/' -e '/from: fault-over/d')" &&
        says '^  FAIL  pole-stays +-'
}
claim "pendulum without its controller falls, and the promise says so" falls

silent() {
    runs 3 "$(variant silent -e 's/always: lean_rad < 0.2094/always: force.force_n < 30/' -e 's/restart_after_s: 0.3, //' -e '/from: fault-over/d')" &&
        says '^  SKIP  pole-stays .*vacuous: no sample of force.force_n'
}
claim "a promise about a channel that a fault has silenced is vacuous, never kept" silent

nothing() {
    runs 2 "$(variant calm -e '/^faults:/,/^  - { kind/d')" && says 'calm.yaml:[0-9]+: promises.0..from: pole-stays counts from a fault'
}
claim "a promise that counts from a fault which the scenario has not is refused" nothing

# refused CLAIM WORDS SED...: bad input, with file, line and these words.
refused() {
    local claim=$1 words=$2
    shift 2
    claim "input: $claim" refuses "$words" "$(variant wrong "$@")"
}
refuses() {
    "$ukemi" run "$2" >"$folder/out" 2>&1
    local code=$?
    cat "$folder/out"
    [ $code -eq 2 ] && grep -qE "wrong.yaml:[0-9]+: $1" "$folder/out"
}
refused "a field that the message lacks is named with its column" \
    "promises\[0\].always: .*column 1: there is no signal 'pole.angel'" -e 's/lean_rad < 0.2094/pole.angel < 0.2/'
refused "a formula that breaks off is told where" 'promises\[0\].always: .*column 11: the end' -e 's/lean_rad < 0.2094/"lean_rad <"/'
refused "two formulas in one promise are refused" 'promises\[0\]: 2 formulas' -e 's/name: pole-stays,/name: pole-stays, holds: lean_rad < 1,/'
refused "a window from nowhere is refused" 'promises\[0\].from: .*start fault' -e 's/from: fault, for_s/from: lunch, for_s/'
refused "a window beyond the trial is refused" 'promises\[2\].*: pole-settles looks until' -e 's/drift_m < 0.5"/&, for_s: 20/'

# A target of somebody else's, found by UKEMI_PATH, with mistakes in its messages.
mkdir -p "$folder/place/targets/pole"
cp targets/pendulum/*.msg "$folder/place/targets/pole/"
sed 's/^name: .*/name: pole/' targets/pendulum/target.yaml >"$folder/place/targets/pole/target.yaml"
sed -i '2s/.*/float64 time_ns\nuint32 hole/' "$folder/place/targets/pole/pole.msg"
bad_message() {
    UKEMI_PATH=$folder/place "$ukemi" check "$folder/place/targets/pole/target.yaml" >"$folder/out" 2>&1
    local code=$?
    cat "$folder/out"
    [ $code -eq 2 ] && says 'pole.msg:4: a C structure would have 4 bytes of padding before .angle_rad'
}
claim "input a message file with a hole is told with its line" bad_message

# The examples of doc/reference/formulas.md, in a scenario of the robot's.
examples_are_sound() {
    cp scenarios/process/010-planner-killed-dynamic.yaml "$folder/examples.yaml"
    sed -n '/^```yaml/,/^```/p' doc/reference/formulas.md | grep -v '^```' >>"$folder/examples.yaml"
    [ "$(grep -c '^  - { name: ' "$folder/examples.yaml")" -ge 10 ] && "$ukemi" check "$folder/examples.yaml"
}
claim "the page of formulas has ten examples that can be read" examples_are_sound

kept_history_explains_itself() {
    "$ukemi" run "$scenario" --seed 1 --keep "$folder/pole.mcap" >"$folder/out" 2>&1 &&
        "$ukemi" judge "$folder/pole.mcap" "$scenario" >"$folder/out" 2>&1
    local code=$?
    cat "$folder/out"
    [ $code -eq 0 ] && says '^  PASS  pole-returns'
}
claim "history of a stranger's messages can be judged again" kept_history_explains_itself
plan
