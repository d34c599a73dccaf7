#!/bin/bash
# Faults of load and interference, in real time: each has its effect and leaves nothing; one without effect is ERROR. No claim is about times.
set -u
cd "$(dirname "$0")/../.." || exit 3
ukemi=${BUILD:-build}/bin/ukemi
folder=$(mktemp -d) || exit 3
trap 'rm -rf "$folder"' EXIT
n=0

ok() {
    n=$((n + 1))
    echo "ok $n - $1"
}
not_ok() {
    n=$((n + 1))
    echo "not ok $n - $1"
    sed 's/^/# /' "$folder/output"
}

# trial NAME [OPTION...]: runs a trial of tests/canaries; its output is in $folder/output, its exit status in $code.
trial() {
    local name=$1
    shift
    "$ukemi" run "tests/canaries/$name.yaml" "$@" >"$folder/output" 2>&1
    code=$?
}
# says TEXT PATTERN: the last trial's output has a line with PATTERN.
says() {
    if grep -qE "$2" "$folder/output"; then
        ok "$1"
    else
        not_ok "$1"
    fi
}
# ended TEXT CODE: the last trial ended so.
ended() {
    if [ "$code" -eq "$2" ]; then
        ok "$1"
    else
        not_ok "$1 (exit status $code, expected $2)"
    fi
}

trial all-loads
says "on the virtual clock a fault of load is skipped, with the reason" '^ *SKIP +lab .*use --wall'
ended "... which is no failure" 0

trial all-loads --wall
if grep -q '^not run here' "$folder/output"; then
    echo "ok 3 - faults of load on the wall clock # SKIP $(sed -n 's/^not run here: //p' "$folder/output")"
    echo "1..3"
    exit 0
fi
for kind in cpu-hog affinity-collision memory-pressure cache-pressure interrupt-load disk-write-storm page-fault-storm; do
    says "$kind is seen to act" "^ .* effect +$kind [A-Za-z]+: "
    says "$kind is undone" "^ .* undone +$kind [A-Za-z]+: .*all is as before"
    says "$kind stays undone" "^ .* settled +$kind [A-Za-z]+: "
done
says "priority-drop takes the priority" "^ .* applied +priority-drop Control: .* have no real-time priority"
says "... and gives it back" "^ .* undone +priority-drop Control: all is as before"

trial idle-loads --wall
ended "loads with nothing to do are an error" 3
for kind in cpu-hog affinity-collision memory-pressure cache-pressure interrupt-load disk-write-storm page-fault-storm; do
    says "$kind with nothing to do is not proven" "^ .* effect +$kind [A-Za-z]+, NOT PROVEN"
done

export UKEMI_FAULTS=tests/canaries/catalogue
trial boasting-loads --wall
ended "loads that only claim to be are an error" 3
says "a load that left no process is not believed" 'applied +boasting-load machine, NOT PROVEN: .*left no process'
says "a load that does nothing is not believed" 'effect +idle-load machine, NOT PROVEN: .*has not worked'
says "a load that stays is not believed to be gone" 'undone +clinging-load machine, NOT PROVEN: .*still there'
says "a priority that was not taken is not believed" 'applied +boasting-drop Planner, NOT PROVEN: .*has its real-time priority'
unset UKEMI_FAULTS

# The disk is that of the present folder.
memory=$(mktemp -d -p /dev/shm) || exit 3
trap 'rm -rf "$folder" "$memory"' EXIT
here=$PWD
(cd "$memory" && UKEMI_ROOT=$here "$(realpath "$here/$ukemi" 2>/dev/null || echo "$ukemi")" run "$here/tests/canaries/disk-load.yaml" --wall) \
    >"$folder/output" 2>&1
code=$?
ended "a load of the disk where there is none is no failure" 0
says "... but skipped, with the reason" '^ *SKIP +lab .*lies in memory'

"$ukemi" bench interference --row "hog above Control" --runs 1 --db "$folder/ukemi.db" >"$folder/output" 2>&1
code=$?
ended "a row of the table of interference is measured" 0
for window in before during after; do
    says "... with the deadlines $window the load" "$window +([0-9]+ of [0-9]+ +){4}"
done
# On any machine: four fifths of every core are gone.
says "a daemon below a load is seen to miss deadlines" 'during +[0-9]+ of [0-9]+ +[0-9]+ of [0-9]+ +[1-9][0-9]* of'
"$ukemi" show --db "$folder/ukemi.db" >"$folder/output" 2>&1
says "the measurement is in the database" 'interference'
for wrong in "--row nonsense" "--runs 0" "--duration 1" "no-such-campaign"; do
    # shellcheck disable=SC2086 # words
    "$ukemi" bench interference $wrong --db "$folder/ukemi.db" >"$folder/output" 2>&1
    code=$?
    ended "ukemi bench interference $wrong is bad input" 2
done
echo "1..$n"
