#!/bin/bash
# The Hardware daemon at 100, 200 and 250 Hz: what the buses carry, beside what its frames cost by computation, and when it is too much for
# them; and who else sends.
# beside others: all trials are on the virtual clock, where a history depends on nothing outside
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap

for scenario in 001-stand 030-rate-200-hz 031-rate-250-hz 037-slow-bus 046-babbling-idiot 059-a-stranger-babbles; do
    "$ukemi" run "$scenario" --seed 1 >"$folder/$scenario.out" 2>&1
done

# peak SCENARIO BUS: load in per cent; incomplete SCENARIO: how many states lack a reading.
peak() { sed -n "s/^ *can$2 .*fullest second \([0-9.]*\) %.*/\1/p" "$folder/$1.out"; }
incomplete() { sed -n 's/^ *\([0-9]*\) of [0-9]* states lack a reading/\1/p' "$folder/$1.out"; }
holds() { echo "$1" && awk "BEGIN { exit !($1) }"; }

# computed RATE_HZ STUFFED: load of bus 0 in per cent without (0) or with the most (1) stuff bits. A frame with n bytes of data takes 47 + 8 n
# bits with intermission, and at most (33 + 8 n) / 4 stuff bits. Per cycle: 9 references, 9 encoder requests and replies (4 boards
# with two channels, 5 with one, whose replies are as long but at 250 Hz), IMU, two force-torque and two tilt sensors, status or current of one board.
computed() {
    awk -v rate="$1" -v stuffed="$2" '
        function bits(count, n) { return count * (47 + 8 * n + stuffed * int((33 + 8 * n) / 4)) }
        BEGIN { health = (4 * bits(1, 8) + 5 * bits(1, 4)) / 9; if (!stuffed) health = bits(1, 4)
                cycle = bits(9, 6) + bits(9, 3) + bits(4, 8) + bits(5, rate == 250 ? 4 : 8) + bits(1, 3) + bits(1, 8) \
                        + bits(4, 2) + bits(4, 6) + bits(1, 2) + health
                printf "%.1f", cycle * rate / 1e4 }'
}

# within SCENARIO RATE_HZ: what bus 0 carried is what was computed.
within() {
    echo "# bus 0 at $2 Hz: measured $(peak "$1" 0) %, computed $(computed "$2" 0) to $(computed "$2" 1) % by the bits that are stuffed"
    holds "$(peak "$1" 0) + 0 >= $(computed "$2" 0) && $(peak "$1" 0) + 0 <= $(computed "$2" 1)"
}

claim "at 100 Hz bus 0 carries what the frames of a cycle are computed to cost" within 001-stand 100
claim "at 200 Hz it carries what they are computed to cost at that rate" within 030-rate-200-hz 200
claim "and that is twice the load of 100 Hz" \
    holds "$(peak 030-rate-200-hz 0) > 1.8 * $(peak 001-stand 0) && $(peak 030-rate-200-hz 0) < 2.2 * $(peak 001-stand 0)"
claim "at 100 Hz no state lacks a reading" holds "$(incomplete 001-stand) + 0 <= 1"
claim "at 200 Hz hardly any does" holds "$(incomplete 030-rate-200-hz) + 0 <= 16"
claim "at 250 Hz bus 0 carries what they are computed to cost at that rate" within 031-rate-250-hz 250
claim "and hardly any state lacks a reading" holds "$(incomplete 031-rate-250-hz) + 0 <= 20"
claim "on buses of half the bit rate replies miss the end of their cycle" holds "$(incomplete 037-slow-bus) + 0 >= 100"
acted=$(sed -n 's/.*settled babbling-idiot can0: .*, on \([0-9]*\) now$/\1/p' "$folder/046-babbling-idiot.out")
claim "a babbling idiot's frames are counted as a stranger's, all of them: ${acted:-none}" \
    holds "${acted:-0} > 0 && ${acted:-0} == $(sed -n 's/^ *can0 .*; \([0-9]*\) from strangers$/\1/p' "$folder/046-babbling-idiot.out") + 0"
dropped=$(sed -n 's/^ *\([0-9]*\) more frames of strangers were dropped: .*/\1/p' "$folder/059-a-stranger-babbles.out")
# In 1 s 20000 frames of 50 us are offered to a bus that is free for two thirds and takes one in 114 us.
claim "what a stranger sends faster than the bus carries is told: ${dropped:-nothing} dropped" holds "${dropped:-0} > 10000 && ${dropped:-0} < 16000"
claim "no other trial's is" holds "! $(cat "$folder"/0[034]*.out | grep -c 'were dropped')"
claim "nobody else's are" holds "! $(cat "$folder"/0[03]*.out | grep -c 'from strangers')"
plan
