#!/bin/bash
# Histograms beside programs that nobody here wrote: HdrHistogram in Java makes of the same samples the same text and bytes, to the letter,
# and reads ours; cyclictest's own text has the form and the figures of ours. Those that are not installed are skipped (scripts/deps --peers).
# beside others: texts and bytes of the same samples are compared, however they came out
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
texts=$BUILD/tests/system/histogram_texts
java=/usr/share/java
export LC_ALL=C

hdrhistogram() { java -Xshare:auto -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp $java/bsh.jar:$java/hdrhistogram.jar bsh.Interpreter tests/system/hdr_histogram.bsh "$@"; }
[ -r $java/bsh.jar ] && [ -r $java/hdrhistogram.jar ] && command -v java >/dev/null || unset -f hdrhistogram

# ---- HdrHistogram -----------------------------------------------------------------------------------------------

# same FILE FILE: as long as more than the head of a text, and equal; the first differences are shown.
same() {
    [ "$(wc -l <"$1")" -ge 5 ] || echo "$1 has $(wc -l <"$1") lines"
    diff "$1" "$2" | head -20
    [ "$(wc -l <"$1")" -ge 5 ] && cmp -s "$1" "$2"
}
same_text() { # same_text SAMPLES
    "$texts" hgrm <"$1" >"$1.ours" && hdrhistogram record <"$1" >"$1.theirs" && same "$1.ours" "$1.theirs"
}
same_bytes() {
    "$texts" code <"$1" >"$1.code" && hdrhistogram code <"$1" >"$1.their_code" && [ -s "$1.code" ] && cmp "$1.code" "$1.their_code"
}
read_there() { hdrhistogram decode <"$1.code" >"$1.decoded" && same "$1.decoded" "$1.ours"; }
logged_there() { hdrhistogram log <"$1.code" >"$1.logged" && same "$1.logged" "$1.ours"; }
read_here() { "$texts" decoded <"$1.their_code" >"$1.decoded" && same "$1.decoded" "$1.theirs"; }
at_their_ranks() { # no quantile that the peer puts elsewhere
    "$texts" quantiles <"$1" >"$1.quantiles" && [ "$(wc -l <"$1.quantiles")" = 11 ] && hdrhistogram check "$1" <"$1.quantiles" >"$1.wrong" &&
        cat "$1.wrong" && [ ! -s "$1.wrong" ]
}
a_wrong_value_is_noticed() { # the comparison can fail: one of a hundred samples is 1 % higher
    awk '{ printf "%.0f\n", NR % 100 == 0 ? $1 * 1.01 : $1 }' "$folder/decades" >"$folder/other" && "$texts" hgrm <"$folder/other" >"$folder/other.ours" &&
        ! same "$folder/decades.theirs" "$folder/other.ours" >/dev/null
}
a_wrong_rank_is_noticed() { # 1 % of it
    awk '{ printf "%s %.0f\n", $1, $1 == 90 ? $2 * 1.01 : $2 }' "$folder/stalls.quantiles" >"$folder/moved" &&
        hdrhistogram check "$folder/stalls" <"$folder/moved" | grep -q '^90 '
}

"$texts" sample decades 1 20000 >"$folder/decades"
"$texts" sample stalls 2 20000 >"$folder/stalls"
"$texts" sample edges 3 342 >"$folder/edges"
"$texts" sample one 4 1 >"$folder/one"
claim_with hdrhistogram "makes the same percentile text of values from 1 ns to 126 s" same_text "$folder/decades"
claim_with hdrhistogram "makes the same text of values beside the ends of every bucket's size" same_text "$folder/edges"
claim_with hdrhistogram "makes the same text of a single value" same_text "$folder/one"
claim_with hdrhistogram "makes the same text of a loop that stalls" same_text "$folder/stalls"
claim_with hdrhistogram "encodes it with the same bytes" same_bytes "$folder/stalls"
claim_with hdrhistogram "reads our bytes, and prints our text" read_there "$folder/stalls"
claim_with hdrhistogram "takes our bytes through its own log" logged_there "$folder/stalls"
claim_with hdrhistogram "counts our quantiles at the ranks that we say" at_their_ranks "$folder/stalls"
claim_with hdrhistogram "encodes values from 1 ns to 126 s with the same bytes" same_bytes "$folder/decades"
claim_with hdrhistogram "writes bytes that we read" read_here "$folder/decades"
claim_with hdrhistogram "makes another text if one sample of a hundred is 1 % off (canary)" a_wrong_value_is_noticed
claim_with hdrhistogram "counts a quantile that is 1 % off at another rank (canary)" a_wrong_rank_is_noticed

# What a run stored, and what is exported of it.
"$ukemi" bench floor --runs 1 --duration 1 --db "$folder/u.db" >"$folder/said" 2>&1
exported_as_stored() {
    "$ukemi" export 1 --format hgrm --metric wakes --db "$folder/u.db" >"$folder/floor.ours" && sqlite3 "$folder/u.db" \
        "SELECT lower(hex(buckets)) FROM histogram WHERE trial_id = 1 AND metric = 'wakes'" >"$folder/floor.code" &&
        hdrhistogram decode <"$folder/floor.code" >"$folder/floor.theirs" && same "$folder/floor.ours" "$folder/floor.theirs"
}
text="reads what a run of ukemi bench has stored, and prints what ukemi export does"
if has "real-time priority"; then # without, the bench has nothing to compare with
    claim_with hdrhistogram "$text" exported_as_stored
else
    skip "hdrhistogram $text" "$lacking"
fi

# ---- cyclictest ---------------------------------------------------------------------------------------------------

# What two threads of it counted; the samples, at the beginning of their microsecond, where its figures put them, and in the middle, as ours.
threads=2
cyclictest -q -t$threads -i 1000 -D 1 -h 200000 >"$folder/cyclictest" 2>"$folder/refusal"
code=$?
why=
command -v cyclictest >/dev/null || why="not installed: scripts/deps --peers"
[ -n "$why" ] || [ $code -eq 0 ] || why="cyclictest may not run here: $(head -1 "$folder/refusal")"
[ -n "$why" ] || grep -q '^# Histogram Overflows: 00000 00000$' "$folder/cyclictest" || why="a stall of more than 200 ms, which it does not count"
if [ -z "$why" ]; then
    for offset_ns in 0 500; do
        for thread in $(seq $threads); do
            awk -v column=$((thread + 1)) -v offset_ns=$offset_ns '/^[0-9]/ { for (i = 0; i < $column; i++) print $1 * 1000 + offset_ns }' \
                "$folder/cyclictest" >"$folder/thread.$offset_ns.$thread"
        done
        "$texts" cyclictest "$folder"/thread.$offset_ns.[0-9] >"$folder/ours.$offset_ns"
    done
fi
# form FILE: its lines but for digits, of the histogram each kind once; without what we have not: what it did to power management, at which
# cycles it counted nothing.
form() { grep -vE '^# /dev|^# Histogram Overflow at|^# Thread |^$' "$1" | sed -E '/^[0-9]/ s/[0-9]/9/g' | awk '!/^9/ || !seen[$0]++ { print }' | sed 's/[0-9]/9/g'; }
same_form() { diff <(form "$folder/cyclictest") <(form "$folder/ours.0") && form "$folder/ours.0" | grep -q '^999999 999999	999999$'; }
closing() { grep -E '^# (Total|Min|Avg|Max|Histogram Overflows)' "$1"; }
same_closing() { # totals, minima, means, maxima, overflows: to the letter
    diff <(closing "$folder/cyclictest") <(closing "$folder/ours.0") && [ "$(closing "$folder/ours.0" | wc -l)" = 5 ]
}
# Below a millisecond our buckets are finer than a microsecond: the same counts. Above, a value may lie 1/1000 beside: what is counted up to
# there lies between theirs a little before and a little after.
same_counts() {
    awk -v threads=$threads 'FNR == 1 { file++ }
        /^[0-9]/ { for (t = 1; t <= threads; t++) count[file, t, $1 + 0] = $(t + 1); if ($1 + 0 > last) last = $1 + 0 }
        END {
            for (t = 1; t <= threads; t++) for (us = 0; us <= last; us++) for (f = 1; f <= 2; f++) sum[f, t, us] = sum[f, t, us - 1] + count[f, t, us]
            for (t = 1; t <= threads; t++) for (us = 0; us <= last; us++) {
                off = us < 1024 ? 0 : 1 + int(us / 1000); after = us + off > last ? last : us + off
                if (sum[2, t, us] < sum[1, t, us - off] || sum[2, t, us] > sum[1, t, after]) { print t, us, sum[1, t, us], sum[2, t, us]; bad = 1 }
            }
            print sum[1, 1, last] " values"
            exit bad || sum[1, 1, last] < 100
        }' "$folder/cyclictest" "$folder/ours.500"
}
claim_of_cyclictest() {
    if [ -n "$why" ]; then skip "cyclictest $1" "$why"; else claim "cyclictest $1" "${@:2}"; fi
}
claim_of_cyclictest "writes lines of our form, in our order" same_form
claim_of_cyclictest "closes with the same totals, minima, means and maxima" same_closing
claim_of_cyclictest "counts the same values in every microsecond" same_counts
plan
