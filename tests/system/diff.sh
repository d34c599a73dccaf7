#!/bin/bash
# Benchmarks as data: what a program prints is stored, shown, compared and exported. A program that is 20 % slower is found at 8 runs,
# and twenty pairs without a difference raise no alarm. The noise is seeded, so the figures are the same wherever this runs.
# beside others: its figures come from a seeded program, not from a clock
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
blind=$BUILD/tests/canaries/lab/blind_diff
# store NAME FACTOR RUNS [OPTION...]
store() { "$ukemi" bench store "$1" --runs "$3" --db "$folder/u.db" "${@:4}" -- tests/system/noisy_figures "$folder/$1" "$2"; }
diff_of() { "$ukemi" diff "$@" --db "$folder/u.db"; }

# ---- storing ------------------------------------------------------------------------------------------------

claim "what a program prints is stored as a benchmark" answers 0 "^campaign 1 'before': all 8 runs" store before 1 8
claim "and listed" answers 0 "1  before .*noisy_figures  8 runs of 2 configurations, trials 1 to 16" "$ukemi" show --db "$folder/u.db"
claim "a run shows its figures" answers 0 '^ +[0-9.]+ us +loop p99 \(less is better\)' "$ukemi" show 1 --db "$folder/u.db"
claim "every figure of every run and square is in the database" [ "$(sqlite3 "$folder/u.db" "SELECT count(*), count(DISTINCT square), sum(metric = 'missed' AND value = 0) FROM figure_view")" = "32|2|8" ]

mkdir "$folder/bad"
printf '#!/bin/bash\nprintf "a\\tb\\tus\\tless\\t1\\na\\tb\\tus\\tfewer\\t2\\n"\n' >"$folder/bad/word"
printf '#!/bin/bash\nprintf "a\\tb\\tus\\tless\\tfast\\n"\n' >"$folder/bad/number"
printf '#!/bin/bash\nprintf "a\\tb\\tus\\tless\\t1\\t0\\n"\n' >"$folder/bad/round"
printf '#!/bin/bash\nprintf "a\\tb\\tus\\tless\\t1\\na\\tb\\tus\\tless\\t2\\n"\n' >"$folder/bad/twice"
printf '#!/bin/bash\necho "latency: 7 us"\n' >"$folder/bad/line"
printf '#!/bin/bash\nprintf "a\\tb\\tus\\tless\\t1\\n"; exit 4\n' >"$folder/bad/end"
chmod +x "$folder/bad/"*
bad() { "$ukemi" bench store bad --db "$folder/u.db" -- "$folder/bad/$1"; }
claim "a line's mistake is named with program, line, value and remedy" answers 2 "bad/word:2: 'fewer' is not less, more" bad word
claim "so is a value that is no number" answers 2 "bad/number:1: 'fast' is not a finite number" bad number
claim "so is a metric measured twice" answers 2 "bad/twice:2: 'b' was printed for this square before" bad twice
claim "so is a line that is no figure" answers 2 "bad/line:1: 'latency: 7 us' is not a figure: print SQUARE" bad line
claim "so is a round that is none" answers 2 "bad/round:1: '0' is not a round from 1 to 64" bad round
claim "so is a program that prints nothing" answers 2 "printed no figures" "$ukemi" bench store bad --db "$folder/u.db" -- true
claim "so is one that cannot be run" answers 2 "bad/none: cannot be run" bad none
claim "a program that fails is an error of the lab's" answers 3 "bad/end: ended with status 4; this run is not stored" bad end
claim "none of them left anything in the database" [ "$(sqlite3 "$folder/u.db" "SELECT count(*) FROM campaign")" = 1 ]

# ---- comparing ----------------------------------------------------------------------------------------------

# finds_it PROGRAM: this diff finds that times are 20 % up and rates down, and that nothing is missed as before.
finds_it() {
    answers 1 '^3 worse, 0 better, 0 different, 1 without a difference, 0 with too few runs' "$1" diff before slower --alpha 0.05 --db "$folder/u.db" &&
        [ "$(grep -cE 'WORSE +loop p99 .* \+(1[5-9]|2[0-5])[.0-9]* % +\[+' "$folder/said")" = 2 ]
}
store slower 1.2 8 >/dev/null
claim "20 % slower is found at 8 runs, in every metric" finds_it "$ukemi"
claim "the table has a head" said '^ +unit +before +after +change +95 % interval +p +adjusted +runs *$'
claim "... its columns are as wide as what is in them" [ "$(awk '/ runs *$/ { at = index($0, " runs") } / pairs$/ && substr($0, at, 5) !~ /^ [0-9]/ { wrong++ } END { print (at > 0), wrong + 0 }' "$folder/said")" = "1 0" ]
claim "... and a legend, which names test and limits" said '^  p  +of so much by chance: signed-rank test$' '^  WORSE, better  p adjusted for all metrics is at most 0.05, and the change at least 5 %'
claim "a diff that never sees a difference is found out (canary)" not finds_it "$blind"
claim "one metric alone needs no other level" answers 1 '^1 worse' diff_of before slower --metric '100 Hz: loop p99'
claim "the other way around it is better" answers 0 '^0 worse, 1 better' diff_of slower before --metric '100 Hz: loop p99'
claim "a difference that is not relevant is none" answers 0 '^0 worse, 0 better' diff_of before slower --metric '100*99' --relevant 40
claim "metrics that do not match are left out" answers 0 '^0 worse, 0 better, 0 different, 1 without' diff_of before slower --metric missed
claim "only what differs is listed, if asked for" answers 1 '^1 worse, 0 better, 0 different, 1 without' diff_of before slower --metric '100 Hz: loop*' --alpha 0.05 --changed --relevant 19
claim "... and counted with the rest" [ "$(grep -cE '(8 pairs|no difference  )' "$folder/said")" = 1 ]
claim "for scripts there are lines with tabs" answers 1 $'^100 Hz\tloop p99\tus\tless\tWORSE\t[0-9.]+\t[0-9.]+\tratio\t0\\.[0-9]+\t0\\.[0-9]+\t0\\.[0-9]+\t0\\.0078125\t[0-9.]+\t1\t8\t8\t$' \
    diff_of before slower --alpha 0.05 --format tsv
"$ukemi" diff before slower --alpha 0.05 --format tsv --db "$folder/u.db" >"$folder/tsv" 2>/dev/null
claim "... all of as many fields as the first line names" [ "$(awk -F '\t' '{ print NF }' "$folder/tsv" | sort | uniq -c | tr -s ' ')" = " 5 17" ]
claim "another format is bad input" answers 2 "--format: 'json' is not text or tsv" diff_of before slower --format json
claim "squares can be taken together, by geometric means of each run" answers 1 'WORSE +loop p99 .* \+1[0-9][.0-9]* % .* 8 pairs' diff_of before slower --together --alpha 0.05
claim "... where there are" said '^all squares, geometric means of 2$' '^all squares, geometric means of 1$' '^not compared: 1 metrics with values of 0 or less' '^2 worse'
mean=$(sqlite3 "$folder/u.db" "SELECT exp(avg(ln(value))) FROM figure_view WHERE campaign = 'before' AND metric = 'loop p99' GROUP BY run" | sort -g | awk '{ v[NR] = $1 } END { printf "%.5g", (v[4] + v[5]) / 2 }')
claim "... as SQLite has them ($mean)" said "loop p99 +us +$mean "
claim "where there is none that is bad input" answers 2 '--together: no metric has a geometric mean' diff_of before slower --together --metric missed
store few 1.2 5 >/dev/null
store fewer 1.2 5 >/dev/null
claim "too few runs say how many are needed" answers 2 'store 8 of each, or choose fewer metrics' diff_of fewer few --metric '100*99'
claim "runs of unequal number are compared without pairs" answers 1 'WORSE +loop p99 .* 8 and 5 runs' diff_of before few --metric '100*99'

# Three tests a pair at the level 0.01: by chance alone 1 - 0.99^20 = 18 % of such twenties would have an alarm at the most. The
# difference must also be 5 %, which is four standard deviations of the median of ten pairs here: one twenty in a thousand or so.
alarms=0
for pair in $(seq 20); do
    "$ukemi" bench store "a$pair" --runs 10 --beside "b$pair" --db "$folder/u.db" -- tests/system/noisy_figures "$folder/a$pair" 1 \
        -- tests/system/noisy_figures "$folder/b$pair" 1 >"$folder/said" 2>&1
    diff_of "a$pair" "b$pair" >>"$folder/said" 2>&1 || alarms=$((alarms + 1))
    grep -q '^0 worse, 0 better, 0 different, 4 without a difference, 0 with too few runs' "$folder/said" || alarms=$((alarms + 1))
done
claim "twenty pairs of the same program, run in turns, raise no alarm ($alarms did)" [ $alarms -eq 0 ]

# ---- against the last ones ----------------------------------------------------------------------------------

for _ in 1 2 3 4 5 6; do store nightly 1 10 >/dev/null; done
claim "a night like the last ones is no alarm" answers 0 '^0 worse' diff_of nightly --last 5
store nightly 1.25 10 >/dev/null
claim "a night that is worse than the last ones is found" answers 1 'WORSE +loop p99 .* 60 and 10 runs' diff_of nightly --last 6
claim "... by the nights, too" said 'rank-sum test, or, if larger, of one more campaign so unlike the 6$'
claim "more nights than there are is bad input" answers 2 "only 6 finished benchmarks 'nightly' are older" diff_of nightly --last 9

# A program that measures in six rounds: noisy_figures six times, and a figure of all rounds together.
in_rounds='for round in 1 2 3 4 5 6; do tests/system/noisy_figures "$0" "$1" | sed "/^#/d; s/$/\t$round/"; done; printf "100 Hz\twhole\tus\tless\t%s\n" "$1"'
store_rounds() { "$ukemi" bench store "$1" --runs "$3" --db "$folder/u.db" -- bash -c "$in_rounds" "$folder/$1" "$2"; }
claim "a program that measures in rounds has a run for each" answers 0 "'rounds': all 2 runs of bash, in 12 rounds" store_rounds rounds 1 2
claim "... with its figures" [ "$(sqlite3 "$folder/u.db" "SELECT count(*), count(DISTINCT run), max(run) FROM figure_view WHERE campaign = 'rounds' AND metric = 'loop p99'")" = "24|12|11" ]
claim "... those of all rounds once for each time the program ran" [ "$(sqlite3 "$folder/u.db" "SELECT group_concat(run) FROM figure_view WHERE campaign = 'rounds' AND metric = 'whole'")" = "0,6" ]
for _ in 1 2 3 4 5 6; do store_rounds rounds 1 1 >/dev/null; done
claim "one run a night of such a program is enough to be compared with the last ones" answers 0 '^0 worse, 0 better, 0 different' diff_of rounds --last 5
store_rounds rounds 1.25 1 >/dev/null
claim "... and to be found worse" answers 1 'WORSE +loop p99 .* 36 and 6 runs' diff_of rounds --last 6

# ---- squares of one benchmark ---------------------------------------------------------------------------------

claim "squares of one benchmark are compared, measured in turns" answers 0 "^100 Hz -> 200 Hz$" diff_of before --squares '100 Hz,200 Hz'
claim "run with run" grep -qE 'better +loop p99 .* -3[5-9][.0-9]* % .* 8 pairs' "$folder/said"
claim "a square that is not there is bad input" answers 2 "has no square '300 Hz'" diff_of before --squares '100 Hz,300 Hz'
claim "a comma within a name has a blank after it" answers 2 "has no square '300 Hz, cold'" diff_of before --squares '100 Hz,300 Hz, cold'
claim "three squares are bad input" answers 2 "does not name two squares" diff_of before --squares '100 Hz,200 Hz,300 Hz'
claim "so is a square alone" answers 2 "write BEFORE,AFTER" diff_of before --squares '100 Hz'

# ---- histograms ---------------------------------------------------------------------------------------------

# 1 ns once, 5 ns 1000 times, 8 ns 3 times (tests/unit/bench/histogram_export_test.c has these bytes from the values).
bytes=1c84931300000007000000000000000300000000000000010000001fffffffff3ff0000000000000000205d00f0306
for metric in loop other; do
    sqlite3 "$folder/u.db" "INSERT INTO histogram VALUES (1, '$metric', 'ns', 1, 1004, 0, 0, 1, 5.005, 5, 5, 5, 5, 8, x'$bytes')"
done
export_of() { "$ukemi" export "$@" --db "$folder/u.db"; }
claim "a run shows its histograms" answers 0 'loop, corrected: 1004 values, .* p99.9 0.0, max 0.0' "$ukemi" show 1 --db "$folder/u.db"
claim "a histogram is exported as HdrHistogram's text" answers 0 '^       0.008 1.000000000000       1004$' export_of 1 --format hgrm --metric loop
grep -q '^#\[Mean    =        0.005, StdDeviation   =        0.000\]$' "$folder/said" && grep -q '^ *Value ' "$folder/said"
result $? "with its head and its foot" "$folder/said"
claim "histograms are exported as cyclictest's text, a column each" answers 0 $'^000000 001004\t001004$' export_of 1 --format cyclictest
claim "into a file, too" export_of 1 --format hgrm --metric l* -o "$folder/loop.hgrm"
claim "which is whole" [ "$(grep -c . "$folder/loop.hgrm")" -gt 10 ]
claim "the text that holds one histogram asks which" answers 2 "has 2 such histograms, and hgrm holds one: choose with --metric 'loop', 'other'" export_of 1 --format hgrm
claim "a histogram that is not there is bad input" answers 2 "trial 1 has no uncorrected histogram of a metric loop" export_of 1 --format hgrm --metric loop --uncorrected
sqlite3 "$folder/u.db" "UPDATE histogram SET counts = 1005 WHERE metric = 'loop'"
claim "so is one that contradicts itself" answers 2 "u.db: the histogram 'loop' is damaged" export_of 1 --format hgrm --metric loop

# ---- bad input ----------------------------------------------------------------------------------------------

claim "a benchmark that is not there is bad input" answers 2 "later: no finished benchmark of this name is in .*ukemi show" diff_of before later
claim "so is one against itself" answers 2 "both are number 1" diff_of before 1
claim "so is a pattern that nothing matches" answers 2 "no square and metric in common that matches p50" diff_of before slower --metric p50
claim "so is one benchmark with nothing to compare it with" answers 2 'before: name what it is compared with: another benchmark, --last N' \
    "$ukemi" diff before --db "$folder/u.db"
claim "and two where --last wants one" answers 2 "--last: compares one benchmark with those before it; leave out 'before'" \
    "$ukemi" diff before after --last 2 --db "$folder/u.db"
claim "so is a run where a trial is wanted" answers 2 "trial 1 is a run of a benchmark: it has figures and no history" "$ukemi" series 1 --db "$folder/u.db"
claim "so is a share that is none" answers 2 "--alpha: '2' is not a number from 1e-06 to 0.5" diff_of before slower --alpha 2
sqlite3 "$folder/u.db" "UPDATE figure SET unit = 'ms' WHERE metric = 'loop p99' AND trial_id = 1"
claim "so are figures of another unit" answers 2 "100 Hz: loop p99: is in 'ms' .* and in 'us'" diff_of before slower
plan
