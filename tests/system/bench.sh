#!/bin/bash
# scripts/bench, which `make bench` is: a part that fails, or misses its bound, neither hides the others nor is hidden. With a stand-in for
# ukemi, so that nothing is measured.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
mkdir -p "$folder/build/bin"
# "bench latency ..." ends with $latency, "bench store channels" with $channels, all else well.
cat >"$folder/build/bin/ukemi" <<'END'
#!/bin/bash
echo "ran $*"
case $2 in
latency) exit "${latency:-0}" ;;
store) [ "$3" != channels ] || exit "${channels:-0}" ;;
esac
END
chmod +x "$folder/build/bin/ukemi"
bench() { env BUILD="$folder/build" "$@"; }

run bench scripts/bench
claim "all parts are run" answered 0 'ran bench floor' 'ran bench latency' 'ran bench store channels' 'ran bench interference' 'ran bench store speed'
claim "each is in the table at the end" answered 0 '^floor .* measured' '^latency .* measured' '^channels .* measured' '^interference .* measured' '^speed .* measured'
claim "... which says how to compare with the last nights what has runs enough" said 'diff floor --last 7$' 'diff latency --last 7 --metric' 'diff channels --last 7 --metric .ukemi per \*. --together$' 'diff speed --last 7$'
claim "... and does not, what has not" not said 'diff interference'

run bench latency=1 scripts/bench
claim "a bound that is not met is no failure" answered 0 '^latency .* a bound is NOT MET'
claim "... and the others go on" said '^speed .* measured'

run bench channels=3 scripts/bench
claim "a part that was not measured is one" answered 3 '^channels .* NOT MEASURED: the lab failed'
claim "... and the others go on, too" said '^interference .* measured'

run bench BENCH_INTERFERENCE='--runs 1 --row hog' scripts/bench interference
claim "parts can be chosen, with their arguments" answered 0 '1 of 1: interference' 'ran bench interference --runs 1 --row hog$'
claim "a part that there is not is bad input" answers 2 'nonsense: no such part; there are floor' bench scripts/bench nonsense
plan
