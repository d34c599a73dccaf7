#!/bin/bash
# The walking pattern generator on HUBO2: the first listing is walked, and generators broken on purpose are caught. The other scenarios are
# those of scenarios.sh.
# beside others: all trials are on the virtual clock, where a history depends on nothing outside
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap

trial() { "$ukemi" run "$@" --seed 1; }
# golden ROBOT LISTING...: a listing's CSV for a robot; walked twice it is the same, and has something in it.
golden() {
    local model=targets/walkgen/$1.xml listing
    for listing in "${@:2}"; do
        for run in a b; do
            "$BUILD/targets/walkgen/walkgen" --model "$model" "$listing" >"$folder/$run.csv" || return 1
        done
        cmp "$folder/a.csv" "$folder/b.csv" && [ "$(wc -l <"$folder/a.csv")" -gt 1000 ] || return 1
    done
}
listings=targets/walkgen/listings
# over.walk asks what the lookout has seen, which there is in a trial only.
mapfile -t all < <(find "$listings" -type f ! -name refused.walk ! -name over.walk | sort)
canary() { trial "tests/canaries/walkgen/$1.yaml"; }

claim "the first listing is walked as it is printed, twice in the same way" answers 0 'PASS +determinism' trial 160 --check-determinism
claim "each listing is the same motion twice" golden robot "${all[@]}"
claim "so are those that fit HRP-2's legs" golden hrp2 "$listings"/{listing1.cc,online.walk,velocity.walk}
claim "an impossible step ends a run with its reason" answers 2 'refused.walk:4: .*a step of' "$BUILD/targets/walkgen/walkgen" targets/walkgen/listings/refused.walk
claim "a sound generator keeps what the canaries break" answers 0 '^ *PASS +not-twice' canary sound-generator
claim "a generator that takes messages twice is failed" answers 1 '^ *FAIL +not-twice' canary heedless-generator
claim "a generator that leans is failed" answers 1 '^ *FAIL +stands' canary leaning-generator
claim "a generator that does not stop is failed" answers 1 '^ *FAIL +rests' canary endless-generator
claim "a generator without its second preview is failed" answers 1 '^ *FAIL +posture' canary unfiltered-generator
claim "a generator that looks half as far ahead is failed" answers 1 '^ *FAIL +pendulum' canary brief-generator
claim "a generator that pulls in jerks is failed" answers 1 '^ *FAIL +smooth' canary jerky-generator
run canary walking-generator
claim "a sound generator keeps what these canaries break" answered 0 '^ *PASS +pendulum' '^ *PASS +inside' '^ *PASS +both-feet' '^ *PASS +continuous' '^ *PASS +answers'
claim "a generator that leaves a sample out is failed" answers 1 '^ *FAIL +continuous' canary skipping-generator
claim "a generator with too little ahead is failed" answers 1 '^ *FAIL +continuous .*references missing' canary starved-generator
claim "a generator whose tick takes longer than its period is failed" answers 1 '^ *FAIL +budget' canary overrun-generator
claim "a generator that hears late is failed" answers 1 '^ *FAIL +answers' canary tardy-generator
claim "a generator that ends on one foot is failed" answers 1 '^ *FAIL +both-feet' canary stork-generator
claim "a generator whose ZMP goes to the edge is failed" answers 1 '^ *FAIL +inside' canary edging-generator
run canary deaf-generator
claim "a generator that takes everything and does nothing is failed" answered 1 '^ *FAIL +went' '^ *FAIL +refused' '^ *FAIL +on-the-spot'
claim "a robot that is pushed aside puts its foot farther out" answers 0 "^PASS" trial 180
claim "a box is seen and stepped over, untouched" answers 0 '^PASS' trial 316
claim "a robot that runs into a box is failed" answers 1 '^ *FAIL +untouched' canary short-sighted-operator
claim "a robot that stays before a box is failed" answers 1 '^ *FAIL +beyond' canary deaf-over
claim "a box that is seen 5 cm off is touched, and the fault is proven and undone" answers 0 '^PASS' trial 318
plan
