#!/bin/bash
# Faults of load and interference, in real time: each has its effect and leaves nothing; one without effect is ERROR. No claim is about times.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap

# trial NAME [OPTION...]: runs a trial of tests/canaries.
trial() { run "$ukemi" run "tests/canaries/faults/$1.yaml" "${@:2}"; }

trial all-loads --allow-skip
claim "on the virtual clock a fault of load is skipped, with the reason" said '^ *SKIP +lab .*use --wall'
claim "... which is no failure" answered 0

# acts KIND...: these loads of the last trial did what they are for, and are gone.
acts() {
    for kind in "$@"; do
        claim "$kind is seen to act" said "^ .* effect +$kind [A-Za-z]+: "
        claim "$kind is undone" said "^ .* undone +$kind [A-Za-z]+: .*all is as before"
        claim "$kind stays undone" said "^ .* settled +$kind [A-Za-z]+: "
    done
}
why_not_run() { sed -n 's/^not run here: //p' "$folder/said"; }

trial cache-load --wall
if [ -n "$(why_not_run)" ]; then
    skip "cache-pressure on the wall clock" "$(why_not_run)"
else
    acts cache-pressure
fi
trial all-loads --wall
if [ -n "$(why_not_run)" ]; then
    skip "faults of load on the wall clock" "$(why_not_run)"
    plan
    exit 0
fi
acts cpu-hog affinity-collision memory-pressure interrupt-load disk-write-storm page-fault-storm
claim "priority-drop takes the priority" said "^ .* applied +priority-drop Control: .* have no real-time priority"
claim "... and gives it back" said "^ .* undone +priority-drop Control: all is as before"

trial idle-loads --wall
claim "loads with nothing to do are an error" answered 3
for kind in cpu-hog affinity-collision memory-pressure cache-pressure interrupt-load disk-write-storm page-fault-storm; do
    claim "$kind with nothing to do is not proven" said "^ .* effect +$kind [A-Za-z]+, NOT PROVEN"
done

export UKEMI_FAULTS=tests/canaries/faults/catalogue
trial boasting-loads --wall
claim "loads that only claim to be are an error" answered 3
claim "a load that left no process is not believed" said 'applied +boasting-load machine, NOT PROVEN: .*left no process'
claim "a load that does nothing is not believed" said 'effect +idle-load machine, NOT PROVEN: .*has not worked'
claim "a load that stays is not believed to be gone" said 'undone +clinging-load machine, NOT PROVEN: .*still there'
claim "a priority that was not taken is not believed" said 'applied +boasting-drop Planner, NOT PROVEN: .*has its real-time priority'
unset UKEMI_FAULTS

# The disk is that of the current folder.
memory=$(mktemp -d -p /dev/shm) || exit 3
trap 'rm -rf "$folder" "$memory"' EXIT
in_memory() { (cd "$memory" && UKEMI_ROOT=$OLDPWD "$ukemi" run "$OLDPWD/tests/canaries/faults/disk-load.yaml" --wall --allow-skip); }
run in_memory
claim "a load of the disk where there is none is no failure" answered 0
claim "... but skipped, with the reason" said '^ *SKIP +lab .*is in memory'

interference=("$ukemi" bench interference --db "$folder/ukemi.db" --output "$folder/report")
page=("$ukemi" report interference --db "$folder/ukemi.db" --output "$folder/report")
claim "there is no page of what was never measured" answers 2 'ukemi.db' "${page[@]}"
run "${interference[@]}" --row "hog above Control" --runs 1
claim "a row of the table of interference is measured" answered 0
for window in before during after; do
    claim "... with the deadlines $window the load" said "^  $window hardware state missed +[0-9.]+ " "^  $window balance command missed +[0-9.]+ " \
        "^  $window control reference missed +[0-9.]+ " "^  $window hardware send missed +[0-9.]+ "
done
# On any machine: four fifths of every core are gone.
claim "a daemon below a load is seen to miss deadlines" said '^  during control reference missed +[1-9]'
claim "... and what it should miss is computed" said '^  during hardware state expected +0 ' '^  during balance command expected +[1-9][0-9]' \
    '^  during control reference expected +[1-9][0-9]' '^  during hardware send expected +0 ' 
claim "the page has the row" grep -q '<th[^>]*>hog above Control</th>' "$folder/report/interference.html"
claim "... and its plot" grep -q 'hog above Control' "$folder/report/missed.svg"
rm -r "$folder/report"
claim "the page can be made again from the database" answers 0 'report/interference.html' "${page[@]}"
claim "the measurement is in the database" answers 0 'interference' "$ukemi" show --db "$folder/ukemi.db"
sed -E "s/, duration_s: 1, parameters: \[share=1e-6\]//; s/cpu-hog/kill/; s#([.][.]/)+scenarios#$(realpath --relative-to="$folder" scenarios)#" tests/canaries/faults/interference-idle.yaml >"$folder/never-undone.yaml"
for wrong in "--row nonsense" "--runs 0" "--duration 1" "--nonsense" "no-such-campaign" "interference more" "--output /proc/nowhere" "$folder/never-undone.yaml"; do
    # shellcheck disable=SC2086 # words
    claim "ukemi bench interference $wrong is bad input" answers 2 'error: ' "${interference[@]}" $wrong
done
plan
