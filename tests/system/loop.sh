#!/bin/bash
# The loop of the stack, instant by instant, on the virtual clock: when a state's answer is where, in both modes and at every rate.
# beside others: all trials are on the virtual clock, where a history depends on nothing outside
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
stages=$BUILD/tests/bench/loop_stages

# trial NAME [OPTION...]: runs a scenario, keeps what loop_stages makes of it: NAME.stages, NAME.chains.
trial() {
    local name=$1 history=$folder/$1.mcap
    shift
    "$ukemi" run "${scenario:-$name}" --seed 1 --keep "$history" "$@" >"$folder/$name.out" 2>&1
    "$stages" targets/hubo2/target.yaml "$history" >"$folder/$name.stages" &&
        "$stages" targets/hubo2/target.yaml "$history" --chains >"$folder/$name.chains"
    rm -f "$history"
}

# Columns of a chain's line: cycle, publication in us, then since that publication: 3 oldest reading, 4 state published, 5 at Balance,
# 6 command, 7 at Control, 8 reference, 9 at Hardware, 10 queued, 11 frames ended, 12 boards read, 13 acquired; 14 what was missed.
# all NAME CONDITION: it holds for every chain but the first 20, when the daemons have just come up, and the last 3, which have no answer
# any more; there are at least 500.
all() {
    head -n -3 "$folder/$1.chains" | awk -F '\t' -v OFMT=%.3f "NR > 20 { n++; if (!($2)) { print; bad = 1 } }
        END { print n + 0, \"chains\"; exit bad || n < 500 }"
}

# missed NAME: what the daemons missed, the first cycles and the last included.
missed() { awk -F '\t' 'NF == 4 && $4 ~ /^[0-9]+$/ { n += $4 } END { print n + 0 }' "$folder/$1.stages"; }

for name in 001-stand 003-walk-dynamic 030-rate-200-hz 032-one-period-walk 033-one-period-balance-restarted 034-rate-500-hz 035-rate-1-khz; do
    trial "$name"
done
sed 's/^environment: .*/environment: [probes=off, goal_x_m=5.0]/' scenarios/motion/003-walk-dynamic.yaml >"$folder/silent.yaml"
scenario=$folder/silent.yaml trial silent

# A state is published 6 ms after its cycle began, at 16, 26 ...
for name in 001-stand 003-walk-dynamic; do
    claim "$name: states are published 6 ms after the start of a cycle" all $name '($2 - 6000) % 10000 == 0'
    claim "$name: Balance answers at once, Control 2 ms later, Hardware another 2 ms later" \
        all $name '$5 == 0 && $6 == 0 && $7 == 2000 && $8 == 2000 && $9 == 4000 && $10 == 4000'
    claim "$name: the references are off the buses 1 ms after that" all $name '$11 > 4000 && $11 <= 5000'
    claim "$name: the next state shows the answer, a period later" all $name '$12 > $11 && $12 < 10000 && $13 == 10000'
    claim "$name: so the loop takes less than two periods from the oldest reading on" all $name '$13 - $3 < 20000'
done
claim "in one period the state is published after 4 ms, and the answer goes out at once" \
    all 032-one-period-walk '($2 - 4000) % 10000 == 0 && $7 == 0 && $9 == 0 && $11 > 0 && $11 <= 1000 && $13 == 10000'
# shellcheck disable=SC2016 # awk's
claim "from the oldest reading to the boards it takes less than half as long" \
    all 032-one-period-walk "\$11 - \$3 < 0.5 * $(awk -F '\t' '$1 == "sensor to board" { print $4 }' "$folder/003-walk-dynamic.stages")"
claim "without Balance Control answers all the same, in time" \
    awk -F '\t' '$1 == "control" { seen = 1; if ($4 != 0) bad = 1 }
                 $1 == "balance" && $4 != 5 { bad = 1 } { print } END { exit bad || !seen }' "$folder/033-one-period-balance-restarted.stages"
claim "and Hardware sends it in time" \
    awk -F '\t' '$1 == "hardware" && $4 != 0 { bad = 1 } { print } END { exit bad }' "$folder/033-one-period-balance-restarted.stages"
claim "at 200 Hz Control answers at once, and the loop takes one period of 5 ms" all 030-rate-200-hz '$8 == 0 && $9 == 1000 && $13 == 5000'
claim "at 500 Hz one of 2 ms" all 034-rate-500-hz '$8 == 0 && $9 == 1200 && $13 == 2000'
claim "at 1 kHz one of 1 ms" all 035-rate-1-khz '$8 == 0 && $9 == 600 && $13 == 1000'
for name in 001-stand 003-walk-dynamic 032-one-period-walk; do
    claim "$name: no daemon misses a deadline" [ "$(missed $name)" = 0 ]
done
claim "without stamps the rest of every chain is the same" \
    diff <(cut -f 1-4,6,8,11-14 "$folder/003-walk-dynamic.chains") <(cut -f 1-4,6,8,11-14 "$folder/silent.chains")
claim "and the stamps are not there" all silent '$5 == "-" && $7 == "-" && $9 == "-" && $10 == "-"'

targets=$BUILD/targets
claim "a rate that is not there is refused with those that are" answers 2 'give 100, 200, 250' "$targets/hubo2/hardware" --rate-hz 300
claim "250 Hz in one period is refused" answers 2 'with --one-period not 250' "$targets/hubo2/hardware" --one-period --rate-hz 250
for program in balance manipulation perception planner operator_stand example; do
    claim "$program, which has no options, refuses an argument" answers 2 '^.*: error: --rate-hz: takes no argument; remove it$' "$targets/hubo2/$program" --rate-hz 300
done
claim "an argument that Control has not is refused" answers 2 'the only one is --triggered' "$targets/hubo2/control" --one-period
claim "a step of real time that makes no sense is refused" answers 2 'from 50 to 10000' "$targets/simulator/simulator" --wall-period-us 5
claim "boards that take no time are refused" answers 2 'from 1000 to 100000' "$targets/simulator/simulator" --interpolation-us 0
plan
