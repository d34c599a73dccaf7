#!/bin/bash
# What a scenario claims is what is judged: every shipped scenario has something that carries its claim, and a target that does nothing of it fails.
#
#   LONG=1   more ways in which a Control says nothing; part of `make nightly`
#
# beside others: all trials are on the virtual clock, where a history depends on nothing outside
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
mkdir -p "$folder/scenarios"
ln -s "$PWD/faults" "$folder/faults"
ln -s "$PWD/targets" "$folder/targets"

carried() {
    "$ukemi" check scenarios/*/[0-9]*.yaml >"$folder/checked" || { cat "$folder/checked"; return 1; }
    [ "$(grep -c ': sound$' "$folder/checked")" -gt 380 ] && ! grep 'nothing but the general rules' "$folder/checked"
}
claim "every shipped scenario has something that judges what it claims" carried
# After a fault a robot that fell need complete nothing: where it must, it must stand.
explicit() {
    for file in scenarios/*/[0-9]*.yaml; do
        grep -q '^must_complete: true' "$file" && grep -q '^faults:' "$file" && ! grep -q '^must_stand: ' "$file" && echo "$file" && return 1
    done
    return 0
}
claim "a scenario whose robot must complete a motion after a fault says whether it may fall" explicit

# spoilt HOW [KEY...]: of a robot whose Control is spoilt so, with these lines instead of must_complete.
spoilt() {
    sed -e "s/spoilt=nan/spoilt=$1/" -e '/^must_complete/d' tests/canaries/hubo2/spoilt-control.yaml >"$folder/scenarios/s.yaml"
    shift
    printf '%s\n' "$@" >>"$folder/scenarios/s.yaml"
    "$ukemi" run "$folder/scenarios/s.yaml" --seed 1
}
for how in silent stale late; do
    [ "$how" = silent ] || [ -n "${LONG:-}" ] || continue
    claim "a robot whose Control is $how, and that nobody could ask to walk, fails" \
        answers 1 '^ *FAIL +completes-without-fault ' spoilt "$how" 'must_complete: true'
done
claim "... and one whose Control says no numbers, by what never reached a board, too" \
    answers 1 '^ *FAIL +position-limit .*though control owes reference' spoilt nan 'asked: goal'
claim "what it was asked is judged, not what its operator came to ask" \
    answers 1 '^ *FAIL +completes-without-fault .*nobody asked for a step' spoilt nan 'asked: walk'
at_night "... also where a plan is owed" answers 1 '^ *FAIL +segments-end-stable' spoilt nan 'asked: walk'

# waits: for a fault that strikes a walking robot only.
waits() {
    spoilt nan 'must_complete: true' 'faults: [{kind: kill, component: Planner, at: {when: "truth.pelvis_m[0] > 0.1", after_s: 2}}]'
}
claim "a fault that waits for a walk which never began is no error of the lab" \
    answers 1 '^ *SKIP +fault-effective .*never came to where the fault was to strike' waits

# stands KEY...: a sound robot that stands.
stands() {
    printf 'name: s\nclaim: c\ntarget: hubo2\nduration_s: 2\nwatch_s: 1\noperator: {program: targets/hubo2/operator_stand}\n' >"$folder/scenarios/s.yaml"
    printf '%s\n' "$@" >>"$folder/scenarios/s.yaml"
    "$ukemi" run "$folder/scenarios/s.yaml" --seed 1
}
claim "a scenario that promises nothing is told, and keeps the verdict of the general rules" \
    answers 0 '^ *SKIP +claim-judged +nothing but the general rules judges this claim' stands
claim "a robot that is to stand and stands passes" answers 0 '^ *PASS +claim-judged .*1 of the 1' stands 'asked: stance'
claim "one whose operator must complete something, and asks for nothing, fails" \
    answers 1 '^ *FAIL +completes-without-fault .*nobody asked' stands 'must_complete: true'
unjudged() {
    stands 'promises: [{name: after, always: "truth.pelvis_m[2] < 0.1 implies truth.pelvis_m[0] < 1"}]' >"$folder/said" 2>&1
    cat "$folder/said"
    grep -q '^ *SKIP *claim-judged *nothing of it was judged; after' "$folder/said" && ! grep -qx PASS "$folder/said"
}
claim "a trial of which no promise could be judged is no PASS" unjudged
asleep='programs: [{component: Perception, program: tests/canaries/cell/bad_habits, arguments: sleep}]'
claim "a process that writes nothing is named" answers 1 '^ *FAIL +not-idle +.*perception was never seen to write' stands "$asleep"
claim "... but not where the scenario does not need it" answers 1 '^ *PASS +not-idle' stands "$asleep" 'idle: [perception]'
broken='programs: [{component: Perception, program: tests/canaries/cell/bad_habits, arguments: invariant}]'
claim "code of the lab's that finds itself wrong is the lab's error, in whichever process" \
    answers 3 '^ *ERROR +lab .*perception: ukemi: broken invariant: tests/canaries/cell/bad_habits.c:.*: number > 0' stands "$broken"

claim "an idle process that the target has not is refused" \
    answers 2 's.yaml:7: idle\[0\]: image: not a process of hubo2' stands 'idle: [image]'
claim "a simulated world is never idle" answers 2 'simulator: the simulated world is never idle' stands 'idle: [simulator]'
judged_by_nobody() {
    printf 'name: s\nclaim: c\ntarget: pendulum\nduration_s: 2\nwatch_s: 1\nmust_complete: true\n' >"$folder/scenarios/p.yaml"
    answers 2 'p.yaml:6: must_complete: nothing judges it, since pendulum has not the pack walking' "$ukemi" check "$folder/scenarios/p.yaml"
}
claim "a key that nothing judges of a target is refused" judged_by_nobody
plan
