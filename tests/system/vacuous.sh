#!/bin/bash
# Nothing vacuous passes: a stack that does nothing, that stops or ends its peers, or that writes over what it shares with them, fails.
# beside others: all trials are on the virtual clock, where a history depends on nothing outside
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
mkdir -p "$folder/scenarios"
ln -s "$PWD/faults" "$folder/faults"
cp -r targets "$folder/targets"
echo 'limits: {turn_s: 1}' >>"$folder/targets/hubo2/target.yaml"

# scenario OPERATOR [COMPONENT HABIT]...: the robot is to stand while programs in the place of these components have bad habits.
scenario() {
    printf 'name: s\nclaim: c\ntarget: hubo2\nduration_s: 3\nwatch_s: 1\nmust_complete: false\nmust_stand: true\n'
    printf 'operator: {program: %s}\n' "$1"
    shift
    [ $# -eq 0 ] || echo 'programs:'
    for (( ; $# > 0; )); do
        printf '  - {component: %s, program: tests/canaries/cell/bad_habits, arguments: %s}\n' "$1" "$2"
        shift 2
    done
}
stand=targets/hubo2/operator_stand
# trial COMMAND_LINE: with an operator's program of this habit.
trial() {
    scenario "tests/canaries/cell/bad_habits, arguments: $1" >"$folder/scenarios/s.yaml"
    judged
}
judged() { "$ukemi" run "$folder/scenarios/s.yaml" --seed 1; }
# blames CODE PATTERN...: the last trial ended so, with lines that match, and blamed neither the lab nor somebody outside.
blames() {
    answered "$@" >/dev/null && ! grep -E 'lab error|from outside|^ *ERROR' "$folder/said" && return
    cat "$folder/said"
    return 1
}

scenario $stand Hardware sleep Control sleep Balance sleep Manipulator sleep Perception sleep Planner sleep >"$folder/scenarios/s.yaml"
run judged
claim "a stack of six sleepers fails, and a writer is named" blames 1 '^ *FAIL +activity .* of hardware.*: 0 Hz, at least 50'
claim "who has nothing to judge of what the target owes fails" said '^ *FAIL +state-truth .*hardware owes state'
claim "... nor does a limit that saw no reference" said '^ *FAIL +position-limit .*no reference .*control owes reference'
cp "$folder/scenarios/s.yaml" "$folder/scenarios/sleepers.yaml"
cat >"$folder/n.yaml" <<'END'
name: n
claim: A bus whose host says nothing keeps no limit.
target: hubo2
seed: 1
recheck_share: 0
columns:
  - {title: Static, scenario: scenarios/sleepers.yaml, trials: 1}
rows:
  - {component: none}
END
judged_nothing() { # a limit without a reference is no PASS of any campaign
    answers 1 '1 trial, 0 passed' "$ukemi" campaign "$folder/n.yaml" --db "$folder/n.db" || return
    sqlite3 "$folder/n.db" "SELECT oracle, verdict FROM verdict WHERE oracle LIKE '%-limit'" | tee "$folder/said"
    [ "$(grep -c '|FAIL$' "$folder/said")" -eq 3 ]
}
claim "... and no campaign counts it as PASS" judged_nothing
run trial "sleep"
claim "an operator that only sleeps is no reason to fail" answered 0 '^ *PASS +activity'
run trial "stopall"
claim_where "a wall" "a program that stops all others fails" blames 1 '^ *FAIL +peers-survive .*was left stopped by signal 19 at 0.5'
run trial "stopone 3"
claim_where "a wall" "a daemon that stays stopped is a failure" blames 1 '^ *FAIL +peers-survive .*hardware was left stopped'
run trial "fail 7"
claim "an operator that ends with a status that is not 0 fails" blames 1 '^ *FAIL +peers-survive .*operator exited with status 7'
scenario $stand Perception leave >"$folder/scenarios/s.yaml"
run judged
claim "a process that leaves the clock and lives on fails, is ended and named with its last words" \
    answered 1 '^ *FAIL +turns-returned .*perception left the clock and lived on at 0.50 s: I am off' 'perception ended by signal 9'
for seed in 1 2 3 4 5; do
    run trial "channels $seed"
    claim "random writes into the channels' pages are the target's doing ($seed)" blames 1 '^FAIL$'
    run trial "buses $seed"
    claim "random writes into the buses' pages are the target's doing ($seed)" blames 1 '^FAIL$'
    run trial "clock $seed"
    claim "random writes into the clock's page are the target's doing ($seed)" blames 1 '^FAIL$' 'limits-kept .*shared pages'
done

trial killall >/dev/null 2>&1
cat >"$folder/c.yaml" <<'END'
name: c
claim: A campaign with a target that kills what it can comes to its end.
target: hubo2
seed: 1
fault: {kind: kill, parameters: [signal=KILL]}
columns:
  - {title: Static, scenario: scenarios/s.yaml, trials: 2, at: {time_s: [2, 2]}}
rows:
  - {component: Planner}
END
run "$ukemi" campaign "$folder/c.yaml" --db "$folder/u.db"
claim_where "a wall" "a campaign of a program that kills all others, the simulated robot among them, comes to its end: they fail" \
    blames 1 'campaign 1: 2 trials, 0 passed, 2 failed, 0 errors' 'peers-survive: .* was ended by signal 9 at 0.5'

# pole WORDS FORMULA...: the cart-pole with this promise and what else stands in the file.
pole() {
    printf 'name: s\nclaim: c\ntarget: pendulum\nduration_s: 2\nwatch_s: 0.5\n%b' "$1" >"$folder/scenarios/s.yaml"
    judged
}
p='promises: [{name: p, '
kill='faults: [{kind: kill, component: Controller, at: {time_s: 1}}]\n'
claim "an infinite value breaks a promise" answers 1 '^ *FAIL +p .*a value at 0.* s is infinite' pole "${p}always: 1 / (pole.cart_m - pole.cart_m) > 0}]\n"
claim "an implication that never applied is vacuous, and no claim rests on it" \
    answers 3 '^ *SKIP +p .*vacuous: the left side of its implication never held' pole "${p}always: lean_rad > 5 implies lean_rad > 9}]\n"
claim "so is an eventually that held before its fault" \
    answers 3 '^ *SKIP +p .*vacuous: it held before 1.000 s already' pole "$kill${p}eventually: lean_rad < 1, from: fault}]\n"
claim "a silent writer breaks a promise, and is named" \
    answers 1 '^ *FAIL +p .*no sample of force.force_n .*: controller was silent' \
    pole "programs: [{component: Controller, program: tests/canaries/cell/bad_habits, arguments: sleep}]\n${p}always: abs(force.force_n) < 99, after_s: 1}]\n"
claim "a fault's own silence is vacuous" \
    answers 3 '^ *SKIP +p .*vacuous: no sample of force.force_n .*own kill of Controller' pole "$kill${p}always: abs(force.force_n) < 99, from: fault, after_s: 0.5}]\n"

# marches: the walking generator, whose message says how long it computed.
marches() {
    printf 'name: s\nclaim: c\ntarget: walkgen\nduration_s: 2\nwatch_s: 0.5\nidle: [lookout]\noperator: {program: targets/walkgen/operator, arguments: listings/listing1.cc}\n' >"$folder/scenarios/s.yaml"
    printf 'promises:\n  - {name: p, always: "walk-status.work_ns < 1e6", after_s: 0.5}\n  - {name: q, always: "truth.velocity_rad_s[0] < 9"}\n' >>"$folder/scenarios/s.yaml"
    judged
}
run marches
claim "a latency on the virtual clock is told that computing takes no time there" answered any '^ *PASS +p .*walk-status.work_ns is 0: computing takes no time' '^ *PASS +q .*judged from 0.000 to 2.000 s$'
plan
