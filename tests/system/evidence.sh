#!/bin/bash
# A run of a benchmark that is judged FAIL or ERROR keeps its evidence, as such a trial of a campaign does; one that passes keeps its figures
# alone. In real time, with targets that fail on any machine.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
needs "real-time priority"

database=$folder/e.db
bench() { run "$ukemi" bench "$@" --db "$database"; }
latency() { bench latency --runs 1 --duration 3 --no-cost --output "$folder/report" "$@"; }
# rows SQL: what the database says.
rows() { sqlite3 "$database" "$1"; }
# newest: number of the trial that was judged last.
newest() { rows "SELECT max(trial_id) FROM judging"; }

latency --scenario tests/canaries/hubo2/reckless-control.yaml=reckless --scenario 001-stand=sound
claim "bench latency says which run was judged FAIL, and why" answered "0 1" '^judged FAIL or ERROR' '^  reckless, run 1: FAIL: (nominal-)?acceleration(-limit)?: '
claim "... and which command shows it" said "^    ukemi show $(newest) --db $database; its history: $folder/e.db-histories/[0-9a-f]{32}\.mcap$"
history=$folder/$(rows "SELECT history_path FROM trial WHERE trial_id = $(newest)")
claim "the history is there" test -s "$history"
claim "... as the database has it" answers 0 '^FAIL\|e.db-histories/[0-9a-f]{32}.mcap$' rows "SELECT verdict, history_path FROM trial_view"
claim "the run that passed has figures and no history" answers 0 '^1\|0\|[1-9][0-9]*$' \
    rows "SELECT count(DISTINCT trial_id), count(history_path), count(metric) FROM trial JOIN figure USING (trial_id) JOIN square USING (square_id) WHERE row_name = 'sound'"
claim "the run that failed has figures, too" answers 0 'balance computes median' "$ukemi" show "$(newest)" --db "$database"
claim "... and its verdicts are shown with them" said 'FAIL +acceleration-limit' "history_path +e.db-histories/[0-9a-f]{32}.mcap"
claim "the history can be judged again" answers 1 '^ *FAIL +acceleration-limit' "$ukemi" judge "$history" tests/canaries/hubo2/reckless-control.yaml
claim "its frames can be exported" answers 0 '^\([0-9.]+\) can0 ' "$ukemi" export "$(newest)" --format candump --db "$database"
claim "its time series can be printed" answers 0 '^[0-9. -]+' "$ukemi" series "$(newest)" --db "$database"
claim "ukemi show lists the run" answers 0 "$(newest) .*FAIL.* reckless  seed 1" "$ukemi" show --db "$database"
claim "to judge it by its number is bad input, with a way that works" answers 2 "ukemi judge $history SCENARIO" "$ukemi" judge "$(newest)" --db "$database"
claim "to run it by its number is bad input, with a way that works" answers 2 'ukemi run reckless-control --wall --seed 1' \
    "$ukemi" run --trial "$(newest)" --db "$database"
claim "ukemi diff reads its figures as those of any run" answers "0 1 2" 'balance wakes median' \
    "$ukemi" diff 1 1 --squares reckless,sound --db "$database"

UKEMI_FAULTS=tests/canaries/faults/catalogue latency --duration 6 --scenario tests/canaries/faults/idle-fault.yaml
claim "a run judged ERROR keeps its evidence as well" answered 3 '^  idle-fault, run 1: ERROR: fault-effective: ' "its history: $folder/e.db-histories/[0-9a-f]{32}\.mcap$"
claim "... and no figures" answers 0 '^0$' rows "SELECT count(*) FROM figure WHERE trial_id = $(newest)"

bench daemons --runs 1 --duration 3 --scenario tests/canaries/hubo2/reckless-control.yaml
claim "bench daemons keeps it" answered 0 '^  reckless-control, run [1-3]: FAIL: (nominal-)?acceleration(-limit)?: ' "its history: $folder/e.db-histories/[0-9a-f]{32}\.mcap$"

bench interference tests/canaries/faults/interference-idle.yaml --runs 2 --duration 5 --output "$folder/report"
claim "bench interference keeps it" answered 3 '^  idle load, run 2: ERROR: fault-effective: ' "its history: $folder/e.db-histories/[0-9a-f]{32}\.mcap$"
claim "no file is left that no run names" diff <(rows "SELECT history_path FROM trial WHERE history_path IS NOT NULL ORDER BY 1") \
    <(cd "$folder" && printf '%s\n' e.db-histories/* | sort)
plan
