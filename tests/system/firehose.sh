#!/bin/bash
# HUBO2 pulls a fire hose: it comes to its goal by motion capture, drifts to the left without, the more the heavier the hose; what is
# broken on purpose is caught; bad words have their message.
#
#   LONG=1   also the drift, more canaries and what each fault catches, tests/canaries/firehose/struck; part of `make nightly`
#
# beside others: all trials are on the virtual clock, where a history depends on nothing outside
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap

trial() { "$ukemi" run "$@" --seed 1; }
canary() { trial "tests/canaries/firehose/$1.yaml"; }
observed() { trial "$1" | sed -nE "s/^ *$2 +([-0-9.]+) .*/\1/p"; }

grows() { # each of the numbers is at least 1.2 times the one before, and positive
    echo "$@" | awk '{ for (i = 1; i <= NF; i++) if ($i <= 0 || (i > 1 && $i < 1.2 * $(i - 1))) exit 1; exit NF < 3 }'
}

# struck SCENARIO COMPONENT PROGRAM WAY PROMISE [ENVIRONMENT]: what the fault of the scenario catches; without it the promise is kept.
struck() {
    local file sound="$folder/sound.yaml" broken="$folder/broken.yaml"
    file=$(echo scenarios/firehose*/"$1"-*.yaml)
    {
        sed -E '/^(name|environment):/d' "$file"
        printf 'name: broken\nenvironment: [hose=string%s]\n' "${6:+, $6}"
        printf 'programs:\n  - {component: %s, program: tests/canaries/firehose/%s, arguments: %s}\n' "${2//_/ }" "$3" "$4"
    } >"$broken"
    sed -e '/^faults:/,/^promises:/{/^promises:/!d}' -e 's/^name: broken/name: sound/' -e '/from: fault/d' "$broken" >"$sound"
    answers 1 "^ *FAIL +$5 " trial "$broken" || return 1
    run trial "$sound"
    not said "^ *(FAIL|ERROR) +$5 "
}

at_night "with the string, the robot comes to (4, 0, 0)" answers 0 '^ *PASS +goal-x' trial 196
short() {
    "$ukemi" campaign firehose-short --quiet --jobs 1 --db "$folder/u.db" --output "$folder/report" >"$folder/out" 2>&1
    local code=$?
    cat "$folder/out"
    [ $code -eq 0 ] && grep -q '^Trials: 4 PASS, 0 FAIL, 0 ERROR.*Run twice with the same hash' "$folder/out"
}
at_night "struck on a short way, it comes to its goal: a trial each of hose, motion capture, sensor and whole body" short
at_night "without a hose it walks straight on" answers 0 '^ *PASS +straight' trial 185
at_night "told a velocity, the robot goes as fast within 5 %" answers 0 '^ *PASS +two-metres-on' trial 436
at_night "by velocities it comes to (4, 0, 0), too" answers 0 '^ *PASS +goal-x' trial 434
at_night "... and hauls 60 N where its plans lean" answers 0 '^ *PASS +came' trial 439
at_night "a robot that does not look turns left, the more the heavier its hose" grows "$(observed 193 yaw_end_rad)" "$(observed 194 yaw_end_rad)" "$(observed 195 yaw_end_rad)"
at_night "... so with 13.6 kg in 1.8 m, where it leans against what hangs, too" answers 0 '^ *PASS +turns' trial 466
at_night "... where it leans against the pull alone, it falls" answers 1 '^ *FAIL +stands' canary falling-short-hose
claim "a sound stack keeps what the canaries break" answers 0 '^ *PASS +gives-way' canary sound-walker
claim "a walker that trusts a frozen pose is failed" answers 1 '^ *FAIL +waits' canary believing-walker
claim "... and makes steps by a pose that is too old" said '^ *FAIL +fresh-poses'
claim "a wrist with the wrong sign is failed" answers 1 '^ *FAIL +gives-way' canary stubborn-wrist
at_night "told a speed that cannot be, a sound stack keeps what the following canaries break" answers 0 '^ *PASS +pull-on-both-feet' canary sound-goal
at_night "a walker whose steps are too long is failed" answers 1 '^ *FAIL +v-ref' canary hasty-walker
at_night "... as is told and as is true" said '^ *FAIL +short-steps'
at_night "a walker with its goal elsewhere is failed" answers 1 '^ *FAIL +goal-x' canary lost-walker
at_night "... beside" said '^ *FAIL +goal-y'
at_night "... and turned" said '^ *FAIL +goal-yaw'
at_night "a walker that never finds itself there is failed" answers 1 '^ *FAIL +stops' canary endless-walker
at_night "on its whole way the robot keeps what its feet, hand and poses are asked" answers 0 '^ *PASS +feet-stay' trial 461
at_night "... with the chain, too" answers 0 '^ *PASS +feet-stay' trial 460
at_night "feet that creep are failed" answers 1 '^ *FAIL +feet-stay' canary creeping-feet
at_night "a foot that rises again after its landing is failed" answers 1 '^ *FAIL +no-rebounds' canary bouncing-whole-body
at_night "a wrist that wants twice the force there is, is failed" answers 1 '^ *FAIL +hand-back' canary greedy-wrist
at_night "one that turns the hand is failed" answers 1 '^ *FAIL +hand-turn' canary twisting-wrist
at_night "one that shakes it is failed" answers 1 '^ *FAIL +hand-speed' canary shaking-wrist
at_night "a whole body that leans too far falls, and is failed" answers 1 '^ *FAIL +stands' canary toppling-whole-body
at_night "a wrist without an end of its reach is failed" answers 1 '^ *FAIL +reach' canary boundless-wrist
at_night "a wrist that believes any speed is failed" answers 1 '^ *FAIL +pull ' canary credulous-wrist
at_night "a wrist that pulls on one foot is failed" answers 1 '^ *FAIL +pull-on-both-feet' canary straining-wrist
at_night "the hand lets go, and the arm goes back" answers 0 '^ *PASS +upper-tasks' trial 310
at_night "a hand that goes evenly while the waist sways bears no more than 46 N" answers 0 '^ *PASS +hand-even' canary sound-hand
at_night "a whole body that lets it sway is failed" answers 1 '^ *FAIL +hand-even' canary swaying-whole-body
at_night "a whole body with two priorities swapped is failed" answers 1 '^ *FAIL +upper-tasks' canary swapped-priorities
at_night "a hand told to go into the body stays off it" answers 0 '^ *PASS +keeps-off' trial 438
at_night "a whole body whose arms keep off nothing is failed" answers 1 '^ *FAIL +keeps-off' canary reckless-whole-body
at_night "a sensor of six axes replaces one of three, and is doubted where its axes disagree" answers 0 '^ *PASS +doubts' trial 437
at_night "a wrist that believes axes that disagree is failed" answers 1 '^ *FAIL +doubts' canary trusting-wrist
at_night "a robot that hauls does not believe axes that are swapped; the fault is proven and undone" answers 0 '^ *PASS +doubts' trial 429
sed -e 's/component: hand-wrench/component: manipulation-command/' -e 's/force_n/arm[0].position_m/g' scenarios/firehose/429-*.yaml >"$folder/equal.yaml"
at_night "canary: equal numbers that change places have no effect" answers 3 '^ *ERROR fault-effective' trial "$folder/equal.yaml"
at_night "a wrist that is killed and started again goes on with the hose where it finds it" answers 0 '^ *PASS +stands' trial 248
claim "the spare goes on with the step when the whole body is killed, though it was killed itself before" answers 0 '^ *PASS +goal' trial 382
at_night "without a spare that takes over the robot falls" answers 1 '^ *FAIL +stands' canary mute-spare
at_night "so it does if one that was stopped talks into what the other one says" answers 1 '^ *FAIL +stands' canary shouting-whole-body
at_night "one that does not let go of a hose that is caught falls, and is failed" answers 1 '^ *FAIL +stands' canary holding-operator
at_night "... and its hand feels too much" said '^ *FAIL +hand-force '
at_night "told how much to lean, and feeling nothing, the robot hauls 40 N" answers 0 '^ *PASS +came' trial 430
at_night "told to lean against all of it, it falls, and is failed" answers 1 '^ *FAIL +stands' canary leaning-too-soon
at_night "one that does not lean as it is told falls, and is failed" answers 1 '^ *FAIL +stands' canary upright-whole-body
at_night "an operator that is startled by a jerk lets go, and is failed" answers 1 '^ *FAIL +goal-x' canary startled-operator
steady() {
    sed 's|tests/canaries/firehose/unsound_operator|targets/firehose/operator|' tests/canaries/firehose/startled-operator.yaml >"$folder/startled-operator.yaml"
    trial "$folder/startled-operator.yaml"
}
at_night "... one that waits goes on" answers 0 '^ *PASS +goal-x' steady
at_night "a hose without a drag is failed" answers 1 '^ *FAIL +hose-drags' canary weightless-hose

while read -r number component program way promise environment; do
    [[ -z $number || $number == \#* || -z ${LONG:-} ]] && continue
    claim "what the fault of $number catches: a program that is $way" struck "$number" "$component" "$program" "$way" "$promise" "$environment"
done <tests/canaries/firehose/struck

# check_with KEY=VALUE: a scenario with it
check_with() {
    sed "s/^environment:.*/environment: [$1]/" scenarios/firehose/196-goal-string.yaml >"$folder/196-goal-string.yaml"
    "$ukemi" check "$folder/196-goal-string.yaml"
}
# told_with WORDS: a scenario whose operator is told them
told_with() {
    sed -E "s/^(operator:.*arguments: )\"[^\"]*\"/\1\"$1\"/" scenarios/firehose/196-goal-string.yaml >"$folder/196-goal-string.yaml"
    "$ukemi" check "$folder/196-goal-string.yaml"
}
claim "a goal out of range is refused" answers 2 'goal=400,0,0: is not known, or out of range; write for example' told_with "lean goal=400,0,0"
claim "... with file and line" said '196-goal-string.yaml:6: operator.arguments: the program refuses them'
claim "so is a gain below 0" answers 2 'gain=-1: is not known, or out of range; write for example' told_with "lean gain=-1 goal=4,0,0"
claim "so is a pull below 0" answers 2 'expect=-5: is not known, or out of range; write for example' told_with "expect=-5 pull=2"
claim "so are two tasks at once" answers 2 'goal=2,0,0: is one word too many; give each word once, and one task' told_with "lean goal=4,0,0 goal=2,0,0"
claim "... with file and line" said '196-goal-string.yaml:6: operator.arguments: the program refuses them'
claim "so is a hose without links" answers 2 'HOSE_LINKS=0: is not from 2 to 32; write for example' check_with hose_links=0
claim "... with file and line" said '196-goal-string.yaml:7: environment: the simulated robot refuses it'
claim "so is one without mass" answers 2 'HOSE_KG_M=0: is not from 0.1 to 20; write for example' check_with hose_kg_m=0
claim "a hose of another kind is refused with the words there are" answers 2 'UKEMI_ENV_HOSE=rope: is not known; write for example' check_with hose=rope
claim "a hose out of range is refused with the range" answers 2 'UKEMI_ENV_HOSE_KG_M=-1: is not from 0.1 to 20' check_with hose_kg_m=-1
claim "a wrist of four axes is refused" answers 2 'WRIST_AXES=4: is not known; write for example' check_with wrist_axes=4
claim "half a link is refused" answers 2 'HOSE_LINKS=2.5: is not a whole number' check_with hose_links=2.5

# no_hand: a target whose robot has no left hand, in a folder of its own
no_hand() {
    mkdir -p "$folder/none/targets/no-hand"
    cp -L targets/firehose/*.{msg,xml,yaml} "$folder/none/targets/no-hand/"
    sed -i 's/<site name="left_hand"/<site name="hook"/' "$folder/none/targets/no-hand/robot.xml"
    sed -i 's/^name: firehose$/name: no-hand/' "$folder/none/targets/no-hand/target.yaml"
    sed 's/^target: firehose$/target: no-hand/' scenarios/firehose/196-*.yaml >"$folder/none/196-goal-string.yaml"
    UKEMI_PATH=$folder/none "$ukemi" check "$folder/none/196-goal-string.yaml"
}
# wrist ARGUMENT: 194 for two seconds with this wrist
wrist() {
    sed "s/^duration_s: .*/duration_s: 2/; /^promises/,\$d" scenarios/firehose/194-*.yaml >"$folder/wrist.yaml"
    echo "programs: [{component: Wrist, program: targets/firehose/wrist, arguments: \"$1\"}]" >>"$folder/wrist.yaml"
    "$ukemi" run "$folder/wrist.yaml" --seed 1
}
claim "a wrist without mass is refused" answers "1 2 3" 'mass_kg=0: is not known, or out of range; write for example' wrist "beta_Ns_m=-60 mass_kg=0"
at_night "its m, c, beta and f_d are told to it" answers 0 '^history' wrist "mass_kg=10 damping_Ns_m=200 beta_Ns_m=-60 desired_N=20"
# turned NAME SED: how far 194 turns a robot whose model is changed so, in 0.1 mrad
turned() {
    mkdir -p "$folder/drift/targets"
    cp -rL targets/firehose "$folder/drift/targets/$1"
    sed -i "s/^name: firehose$/name: $1/" "$folder/drift/targets/$1/target.yaml"
    sed -i -E "$2" "$folder/drift/targets/$1/robot.xml"
    sed "s/^target: firehose$/target: $1/" scenarios/firehose/194-*.yaml >"$folder/drift/194-$1.yaml"
    UKEMI_PATH=$folder/drift "$ukemi" run "$folder/drift/194-$1.yaml" --seed 1 | sed -nE 's/^  yaw_end_rad +([0-9.]+) rad$/\1/p' | awk '{ printf "%d", 1e4 * $1 }'
}
yields() { # the pages' claim: it is joints that yield, not soles that slip
    local drawn rough soft
    drawn=$(turned drawn 's/^$//') rough=$(turned rough 's/friction="0.8 /friction="1.6 /') soft=$(turned soft 's/gainprm="10000" biastype="affine" biasprm="0 -10000 -100"/gainprm="5000" biastype="affine" biasprm="0 -5000 -70"/')
    echo "$drawn as drawn, $rough with twice the friction, $soft with half the stiffness"
    [ "$drawn" -gt 200 ] && [ $((10 * rough)) -gt $((9 * drawn)) ] && [ "$rough" -lt "$drawn" ] && [ $((10 * soft)) -gt $((18 * drawn)) ]
}
at_night "the drift is joints that yield: half as stiff it doubles, with twice the friction it stays" yields
claim "a hose that no hand can hold is refused, with file and line" answers 2 'no-hand/robot.xml:1: no hand holds a hose here' no_hand
plan
