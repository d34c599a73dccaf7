#!/bin/bash
# How blind a scenario is: what is broken behind the judge's back is noticed by what is promised, and by nothing where nothing is.
# beside others: all trials are on the virtual clock
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
export UKEMI_ROOT=$PWD

# scenario NAME [LINE...]: the pole for 2 s, with these lines.
scenario() {
    printf 'name: %s\nclaim: The pole stays up.\ntarget: pendulum\nduration_s: 2\nwatch_s: 1\n' "$1" >"$folder/$1.yaml"
    printf '%s\n' "${@:2}" >>"$folder/$1.yaml"
}
promise=$'promises:\n  - { name: pole-stays, always: lean_rad < 0.05 }'
scenario sees "$promise"
scenario blind $'promises:\n  - { name: pole-stays, always: lean_rad < 10 }'
scenario settled $'promises:\n  - { name: pole-stays, always: lean_rad < 10 }' 'harmless:' '  - { doubt: "zero *", reason: "it may fall" }'
scenario dated "$promise" 'harmless:' '  - { doubt: "zero force", reason: "it may fall" }'
scenario misnamed "$promise" 'harmless:' '  - { doubt: "zero forces", reason: "it may fall" }'
scenario wrong $'promises:\n  - { name: pole-stays, always: lean_rad > 0.5 }'
doubt() { "$ukemi" doubt "$folder/$1.yaml" --quiet --db "$folder/d.db" --output "$folder/page-$1" "${@:2}"; }

run doubt sees --only '[nz]* force'
claim "what is broken is noticed, by a promise, so soon after" answered 0 'zero force +noticed +by pole-stays \(FAIL\), after [0-9.]+ s' '^2 doubts: 2 noticed'
claim "so it says on the page" grep -q 'zero force</th><td class="good"><b>noticed' "$folder/page-sees/index.html"
trial=$(sed -n 's/^ *\([0-9]*\)  zero force .*/\1/p' "$folder/said")
claim "one of them runs again as it was" answers 1 '^ *PASS +determinism +.*the same history twice' \
    "$ukemi" run --trial "$trial" --db "$folder/d.db" --check-determinism
claim "it is told as of a campaign" answers 0 'channel-zero force' "$ukemi" show "$trial" --db "$folder/d.db"
run doubt blind --only 'zero *'
claim "canary: where little is promised nothing is noticed" answered 1 'zero force +PASSED \(blind\)' 'zero pole +PASSED \(blind\)' '2 PASSED'
trial=$(sed -n 's/^ *\([0-9]*\)  zero force .*/\1/p' "$folder/said")
claim "the history of what passed is kept, and can be viewed" answers 0 '' "$ukemi" view "$trial" --db "$folder/d.db" --output "$folder/view.html"
claim "what is harmless is told with its reason" answers 0 'zero pole +harmless: it may fall' doubt settled --only 'zero *'
claim "what is called harmless and noticed is out of date" answers 0 "out of date: .*dated.yaml:9: .*'zero force'" doubt dated --only 'zero force'
claim "a process asleep is noticed though the judge is not told" answers 0 'asleep controller +noticed +by activity' doubt sees --only 'asleep *'
claim "a doubt that comes too late is without effect, and no finding" answers 3 '0 noticed, 0 harmless, 0 PASSED, 1 without effect' \
    doubt sees --only 'frozen force' --at 1.9999
claim "a scenario that fails as it is cannot be doubted" answers 3 'wrong: the undisturbed trial is FAIL: pole-stays' doubt wrong
claim "a doubt after the end is refused" answers 3 'ends at 2.00 s, and doubts would begin at 2.50 s' doubt sees --at 2.5
for command in "doubt --list" check; do
    # shellcheck disable=SC2086 # two words
    claim "ukemi $command: a name that is no doubt's is refused, with its line" answers 2 'misnamed.yaml:9: harmless\[0\].doubt: zero forces: .*--list' \
        "$ukemi" $command "$folder/misnamed.yaml"
done
claim "a choice that fits no doubt is refused" answers 2 "'nothing' is no doubt of sees" doubt sees --only nothing
run "$ukemi" doubt --list 001
claim "doubts are listed" answered 0 '^late-10ms leg-command +channel-delay leg-command' '^asleep balance +stall' '^stuck JMC4 +encoder-stuck can0'
run "$ukemi" doubt --list 130
claim "so are the readings of each servo of a line" answered 0 '^stuck servos:1 +readings-stuck servos' '^stuck servos:19 +readings-stuck servos'
claim "and the frames of each host of a network; a node that repeats itself is noticed" answers 0 'stuck eth0:b1 +noticed +by none-is-lost' \
    "$ukemi" doubt 200 --quiet --db "$folder/d.db" --output "$folder/page-stuck" --only 'stuck eth0:b1'
claim "ground truth is not doubted" not grep -E '^[a-z0-9-]+ (truth|bus-log) ' "$folder/said"
claim "the writer of a doubted channel keeps its networks" answers 0 'silent cycle +noticed' "$ukemi" doubt 200 --quiet --db "$folder/d.db" \
    --output "$folder/page-200" --only 'silent cycle'
# A pole with two controllers, the second of which says the same on the same channel.
two() {
    mkdir -p "$folder/project/targets/two" "$folder/project/scenarios"
    : >"$folder/project/ukemi.yaml"
    cp targets/pendulum/*.msg "$folder/project/targets/two/"
    sed -e 's/^name: pendulum/name: two/' -e '/^channels:/i\  - { name: spare, component: Spare, run: [targets/pendulum/controller], priority: 39 }' \
        -e "s/writer: controller, /writer: controller, $1/" targets/pendulum/target.yaml >"$folder/project/targets/two/target.yaml"
    sed 's/^target: pendulum/target: two/' "$folder/sees.yaml" >"$folder/project/scenarios/sees.yaml"
    UKEMI_PATH=$folder/project "$ukemi" doubt "$folder/project/scenarios/sees.yaml" --quiet --db "$folder/two.db" --output "$folder/page-two" --only 'silent force'
}
claim "canary: of a channel whose second writer the target hides, silence is not silent" answers 3 'silent force +without effect: .*two sides' two ''
claim "what all writers of a channel put is doubted" answers 0 'silent force +noticed +by' two 'also: [spare], '
claim "another writer is a process" answers 2 'channels\[1\].also\[0\]: spear: no such process' two 'also: [spear], '
at_night "a program that knows no channels is doubted by its sockets" answers "0 1" 'silent sent-by:controller +noticed' \
    "$ukemi" doubt 095 --quiet --db "$folder/d.db" --output "$folder/page-095" --only 'silent *'
at_night "canary: a Control that says nothing to a robot at rest is noticed, and so is a Balance" answers 0 'zero leg-command +noticed +by answers-current' \
    "$ukemi" doubt 001 --quiet --db "$folder/d.db" --output "$folder/page-001" --only 'zero [rl]e*'
at_night "canaries: plans that put both feet in one place or are told again are noticed, and hands that rest" answers 0 '^6 doubts: 6 noticed' \
    "$ukemi" doubt 003 --quiet --db "$folder/d.db" --output "$folder/page-003" --only '[zf]* [ms][ae][gn]*'
at_night "canaries: plans of no motion, and states of no servo" answers 0 '^3 doubts: 3 noticed' \
    "$ukemi" doubt 131 --quiet --db "$folder/d.db" --output "$folder/page-131" --only 'zero [ms]*-[ps][lt]a*'
plan
