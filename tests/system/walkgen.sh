#!/bin/bash
# The walking pattern generator on HUBO2: the first listing is walked, and generators broken on purpose are caught. The other scenarios are
# those of scenarios.sh.
#
#   LONG=1   all canaries; part of `make nightly`
#
# beside others: all trials are on the virtual clock, where a history depends on nothing outside
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap

declare -A model=([robot]=targets/walkgen/robot.xml [hrp2]=targets/walkgen/hrp2.xml [toes]=targets/walkgen-toe/robot.xml)
trial() { "$ukemi" run "$@" --seed 1; }
# golden ROBOT LISTING...: a listing's CSV for a robot; walked twice it is the same, and has something in it.
golden() {
    local listing
    for listing in "${@:2}"; do
        for run in a b; do
            "$BUILD/targets/walkgen/walkgen" --model "${model[$1]}" "$listing" >"$folder/$run.csv" || return 1
        done
        cmp "$folder/a.csv" "$folder/b.csv" && [ "$(wc -l <"$folder/a.csv")" -gt 1000 ] || return 1
    done
}
listings=targets/walkgen/listings
# over.walk asks what the lookout has seen, which there is in a trial only.
mapfile -t all < <(find "$listings" -type f ! -name refused.walk ! -name over.walk | sort)
# knees ROBOT LENGTH COMMAND...: the least angle of a knee and its range, in degrees, in steps of a length with the hips 0.575 m over the
# ankles, which they have come to after 2.5 s.
knees() {
    local length=$2 side="" steps="0 -0.0885 0"
    for _ in 1 2 3 4 5 6; do
        steps+=" $length ${side}0.177 0"
        side=$([ "$side" = "" ] && echo - || echo "")
    done
    printf '%s\n' ':comheight 0.695' ':doublesupporttime 0.1' "${@:3}" ":stepseq $steps 0 0.177 0" >"$folder/knees.walk"
    "$BUILD/targets/walkgen/walkgen" --model "${model[$1]}" "$folder/knees.walk" 2>"$folder/knees.err" |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /KN$/) k[i] = 1 }
            NR > 1 && $1 > 2.5 { for (i in k) { if (n++ == 0 || $i < least) least = $i; if ($i > most) most = $i } }
            END { printf "%.4f %.4f\n", least * 57.2958, (most - least) * 57.2958 }'
    ! grep -q 'too short' "$folder/knees.err"
}
# Steps on toes against such of 0.17 m on flat feet: of 0.25 m, with knees bent no less; of 0.23 m, which are 1.35 times as far, over a smaller
# range, too; of 0.17 m, over 0.85 of the range at most.
toes_spare_knees() {
    local flat long goal same toes=(':ToeParameters 0 0.03 0.6' ':SetAlgoForZmpTrajectory Toe')
    flat=$(knees robot 0.17) && long=$(knees toes 0.25 "${toes[@]}") && same=$(knees toes 0.17 "${toes[@]}") &&
        goal=$(knees toes 0.23 "${toes[@]}") || return 1
    echo "flat $flat, on toes 0.25 m $long, 0.23 m $goal, 0.17 m $same: least angle and range of the knees in degrees"
    echo "$flat $long $same $goal" | awk '{ exit !($1 > 15 && $3 > $1 && $6 < 0.85 * $2 && $7 > $1 && $8 < $2) }'
}
flat_steps_end() {
    knees robot 0.18
    grep -q 'longer than the legs allow' "$folder/knees.err"
}
# budget LATE WORK HELD MISSED: its oracle on 100 ticks of 0.1 ms and this one, all in ms.
budget() {
    cat >"$folder/ukemi_history.py" <<END
def messages(topic):
    for tick in range(101):
        late, work, held, missed = ($1, $2, $3, $4) if tick == 50 else (0, 0.1, 0, $4 * (tick > 50))
        yield topic, 0.005 * tick, {"late_ns": late * 1e6, "work_ns": work * 1e6, "held_up_ns": held * 1e6, "missed": missed}
END
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$folder targets/walkgen/oracles/budget
}
canary() { trial "tests/canaries/walkgen/$1.yaml"; }

claim "the first listing is walked as it is printed, twice in the same way" answers 0 'PASS +determinism' trial 160 --check-determinism
at_night "each listing is the same motion twice" golden robot "${all[@]}"
claim "so are those that fit HRP-2's legs" golden hrp2 "$listings"/{listing1.cc,online.walk,velocity.walk}
claim "an impossible step ends a run with its reason" answers 2 'refused.walk:4: .*a step of' "$BUILD/targets/walkgen/walkgen" targets/walkgen/listings/refused.walk
claim "a sound generator keeps what the canaries break" answers 0 '^ *PASS +not-twice' canary sound-generator
claim "a generator that takes messages twice is failed" answers 1 '^ *FAIL +not-twice' canary heedless-generator
claim "a generator that leans is failed" answers 1 '^ *FAIL +stands' canary leaning-generator
claim "a generator that does not stop is failed" answers 1 '^ *FAIL +rests' canary endless-generator
at_night "a generator without its second preview is failed" answers 1 '^ *FAIL +posture' canary unfiltered-generator
at_night "a generator that looks half as far ahead is failed" answers 1 '^ *FAIL +pendulum' canary brief-generator
at_night "a generator that pulls in jerks is failed" answers 1 '^ *FAIL +smooth' canary jerky-generator
run canary walking-generator
claim "a sound generator keeps what these canaries break" answered 0 '^ *PASS +pendulum' '^ *PASS +inside' '^ *PASS +both-feet' '^ *PASS +continuous' '^ *PASS +answers'
at_night "a generator that leaves a sample out is failed" answers 1 '^ *FAIL +continuous' canary skipping-generator
at_night "a generator with too little ahead is failed" answers 1 '^ *FAIL +continuous .*references missing' canary starved-generator
claim "a generator whose tick takes longer than its period is failed" answers 1 '^ *FAIL +budget' canary overrun-generator
claim "ticks within their period pass" answers 0 '^PASS 4.9 ms 101 ticks, 0 left out' budget 0 0.1 0 0
claim "what the machine held up does not count, nor do the ticks that it left out" \
    answers 0 '^PASS 4.7 ms 101 ticks, 0 left out; .* held up 1 ticks for a period and left out 2$' budget 12 0.3 12 2
claim "what the generator was late by itself counts" answers 0 '^FAIL -10 ms 101 ticks, 2 left out' budget 12 0.3 0 2
claim "so do ticks that no hold explains" answers 0 '^FAIL -5 ms 101 ticks, 1 left out' budget 12 0.3 12 3
at_night "a generator that hears late is failed" answers 1 '^ *FAIL +answers' canary tardy-generator
at_night "a generator that ends on one foot is failed" answers 1 '^ *FAIL +both-feet' canary stork-generator
at_night "a generator whose ZMP goes to the edge is failed" answers 1 '^ *FAIL +inside .* 1 feet carrying' canary edging-generator
at_night "so is one whose ZMP does while both feet carry" answers 1 '^ *FAIL +inside .* 2 feet carrying' canary bowing-generator
run canary deaf-generator
claim "a generator that takes everything and does nothing is failed" answered 1 '^ *FAIL +went' '^ *FAIL +refused' '^ *FAIL +on-the-spot'
claim "toes lengthen the longest step 1.47 times at equal hips and knees; in equal steps the knees move less" toes_spare_knees
claim "without toes the knees would be stretched farther in a longer one" flat_steps_end
claim "HUBO2 walks on passive toes" answers 0 '^ *PASS +on-toes' trial 360
run canary stiff-generator
claim "a generator that leaves the toes straight and says otherwise is failed" answered 1 '^ *FAIL +bends' '^ *FAIL +on-toes' '^ *FAIL +as-planned'
claim "a robot that is pushed aside puts its foot farther out" answers 0 "^PASS" trial 180
at_night "one whose foot is nearly down holds it up, and puts it farther out, too" answers 0 "^PASS" trial 420
at_night "a robot whose roll is noisy walks on; the fault is proven and undone" answers 0 '^PASS' trial 421
sed 's/value=0.005/&, share=0.000001/' scenarios/walkgen/421-*.yaml >"$folder/noiseless.yaml"
claim "canary: noise of nothing has no effect" answers 3 '^ *ERROR fault-effective' trial "$folder/noiseless.yaml"
claim "a tick that takes 12 ms is walked over; the fault is proven and undone" answers 0 '^PASS' trial 410
budgeted() { sed "$1"'$a\  - { name: budget, program: oracles/budget }' scenarios/walkgen/410-*.yaml >"$folder/overrun.yaml"; }
budgeted '' && at_night "canary: with it the budget is not kept" answers 1 '^ *FAIL +budget .* 1 left out' trial "$folder/overrun.yaml"
budgeted 's/busy_s=0.012/busy_s=1e-12/;' && at_night "canary: an overrun of nothing has no effect" answers 3 '^ *ERROR fault-effective' trial "$folder/overrun.yaml"
claim "a box is seen and stepped over, untouched" answers 0 '^PASS' trial 316
at_night "a robot that runs into a box is failed" answers 1 '^ *FAIL +untouched' canary short-sighted-operator
at_night "a robot that stays before a box is failed" answers 1 '^ *FAIL +beyond' canary deaf-over
at_night "a robot that walks before it has seen the way is failed" answers 1 '^ *FAIL +waits' canary hasty-operator
at_night "a box that is seen 5 cm off is touched, and the fault is proven and undone" answers 0 '^PASS' trial 318
plan
