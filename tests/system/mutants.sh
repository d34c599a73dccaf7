#!/bin/bash
# Files wrong in every way: at least 2,500 mutants of targets, scenarios, campaigns, fault families and robot files, each refused with
# file, line and remedy or accepted; some of the accepted are run, some of the refused go through the command line.
#
#   MUTANTS_EVERY=N   of all mutants every Nth is made (16); of XML files' every 6 Nth
#   MUTANTS_KEEP=N    of those accepted every Nth is run (20)
#
# beside others: all trials are on the virtual clock, and what is waited for may take its time
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
parts=$(nproc)
every=${MUTANTS_EVERY:-16} keep=${MUTANTS_KEEP:-20}
files="targets/hubo2/target.yaml targets/strangers/target.yaml scenarios/stand.yaml scenarios/restarted.yaml scenarios/campaigns/table1.yaml
    scenarios/campaigns/stalls.yaml faults/process.yaml faults/can.yaml targets/tap/target.yaml scenarios/energy.yaml targets/hubo2/robot.xml targets/hubo2/hubo2.xml"
chmod 755 "$folder"

short() { sed 's/^duration_s: .*/duration_s: 1.5/; s/^watch_s: .*/watch_s: 0.5/; s/time_s: .*/time_s: [0.4, 0.6]}/' "$1"; }
# root NUMBER: a project of its own, with scenarios so short that many can be run.
root() {
    mkdir -p "$folder/$1/kept"
    cp -r targets faults scenarios "$folder/$1"
    mkdir "$folder/$1/targets/strangers"
    cp tests/fuzz/corpus/target/strangers.yaml "$folder/$1/targets/strangers/target.yaml"
    short scenarios/motion/001-stand.yaml >"$folder/$1/scenarios/stand.yaml"
    short scenarios/process/012-hardware-restarted.yaml >"$folder/$1/scenarios/restarted.yaml"
    sed 's/^duration_s: .*/duration_s: 1.5/; s/^watch_s: .*/watch_s: 0.5/; s/time_s: [^}]*/time_s: [0.4, 0.6] /; /pole-settles/d' \
        scenarios/pendulum/090-motor-energy.yaml >"$folder/$1/scenarios/energy.yaml"
    cp -r tests/shim/targets/tap "$folder/$1/targets"
    printf 'name: tap\nclaim: c\ntarget: tap\nduration_s: 0.5\nwatch_s: 0.5\npromises:\n  - { name: leans, always: lean_rad < 1 }\n' \
        >"$folder/$1/scenarios/tap.yaml"
}

for ((i = 0; i < parts; i++)); do
    root $i
    # shellcheck disable=SC2086 # words
    "$BUILD/tests/mutants/mutants" "$folder/$i" "$BUILD" $i "$parts" "$every" "$keep" $files >"$folder/$i.log" 2>&1 &
done
wait
cat "$folder"/?*.log >"$folder/log"
tail -qn 1 "$folder"/?*.log | awk 'NF == 4 { for (i = 1; i <= 4; i++) n[i] += $i; parts++ } END { print parts + 0, n[1] + 0, n[2] + 0, n[3] + 0, n[4] + 0 }' >"$folder/sum"
read -r ended mutants accepted refused failed <"$folder/sum"
[ "$ended" -eq "$parts" ] && [ "$mutants" -ge 2500 ]
result $? "at least 2500 mutants were judged ($mutants: $accepted accepted, $refused refused)" "$folder/log"
[ "$failed" -eq 0 ]
result $? "each is accepted, or refused with file, line and remedy: none hangs, none dies" "$folder/log"
[ "$accepted" -ge 150 ] && [ "$refused" -ge 1500 ]
result $? "... and there are many of both" "$folder/sum"

# ---- accepted: run -----------------------------------------------------------------------------------------------

# try_kept ROOT FILE: one of the accepted as a trial; prints what is wrong with how it ends. A family may lack the fault of the
# scenario, and a target the signal of its promise.
try_kept() {
    local root=$1 mutant=$2 file scenario code
    file=$(basename "$mutant") file=${file#*.} file=${file//+//}
    case $file in
    *campaigns* | *strangers*) return ;; # of the same trials as others; of programs that are there to be named
    scenarios/*) scenario=$file ;;
    faults/*) scenario=scenarios/restarted.yaml ;;
    targets/tap/*) scenario=scenarios/tap.yaml ;;
    *) scenario=scenarios/stand.yaml ;;
    esac
    cp "$root/$file" "$root/sound"
    cp "$mutant" "$root/$file"
    (cd "$root" && UKEMI_ROOT=$root timeout 120 "$ukemi" run "$scenario") >"$root/said" 2>&1 </dev/null
    code=$?
    echo run
    if [ $code -gt 3 ] || { [ $code -eq 2 ] && [[ $file != faults/* ]] && ! grep -q 'there is no signal' "$root/said"; } || grep -qE '^ *ERROR +lab|^lab error' "$root/said"; then
        echo "BAD $(basename "$mutant"): exit $code"
        diff "$root/sound" "$root/$file" | cut -c1-200
        head -20 "$root/said" | cut -c1-300
    fi
    cp "$root/sound" "$root/$file"
}
for ((i = 0; i < parts; i++)); do
    for mutant in "$folder/$i"/kept/*; do
        [ -f "$mutant" ] && try_kept "$folder/$i" "$mutant"
    done >"$folder/$i.run" 2>&1 &
done
wait
cat "$folder"/?*.run >"$folder/runs"
runs=$(grep -c '^run' "$folder/runs")
sed -i '/^run$/d' "$folder/runs"
[ "$runs" -ge 10 ] && ! grep -q '^BAD' "$folder/runs"
result $? "no accepted one that was run ($runs) ended as a lab error, a hang or a crash" "$folder/runs"

# ---- refused: nothing is left behind --------------------------------------------------------------------------------

mkdir "$folder/here"
cd "$folder/here" || exit 3
export UKEMI_ROOT=$folder/0
leaves_nothing() { # leaves_nothing FILE SED PATTERN COMMAND...: FILE so changed is refused, and no file is made
    local file=$folder/0/$1
    cp "$file" "$folder/sound"
    sed -i "$2" "$file"
    cmp -s "$file" "$folder/sound" && echo "(nothing changed)" && return 1
    run "${@:4}"
    cp "$folder/sound" "$file"
    answered 2 "$3" && [ -z "$(find . -mindepth 1)" ]
}
campaign=("$ukemi" campaign "$folder/0/scenarios/campaigns/table1.yaml" --db db/u.db --output rep)
stand=("$ukemi" run "$folder/0/scenarios/motion/001-stand.yaml")
claim "a negative seed of a campaign is refused, and leaves nothing" leaves_nothing scenarios/campaigns/table1.yaml 's/^seed: .*/seed: -1/' \
    'table1.yaml:[0-9]+: seed: -1: not a whole number' "${campaign[@]}"
claim "... so is a program that is not there" leaves_nothing targets/hubo2/target.yaml 's/hubo2.control\]/hubo2\/contrl]/' \
    'target.yaml:[0-9]+: run: targets/hubo2/contrl: there is no such program' "${campaign[@]}"
claim "... an operator that is not there" leaves_nothing scenarios/motion/001-stand.yaml 's/operator_stand/operator_stnd/' \
    '001-stand.yaml:[0-9]+: program: .*operator_stnd: there is no such program' "${stand[@]}"
claim "... a fault's program that is not there" leaves_nothing faults/process.yaml 's/^program: .*/program: faults\/nothing/' \
    'process.yaml:[0-9]+: program: faults/nothing: there is no such program' "${campaign[@]}"
claim "... a target without a bus of the robot's boards" leaves_nothing targets/hubo2/target.yaml 's/name: can1/name: can7/' \
    'target.yaml:[0-9]+: buses: .* on can1, which is not among them' "${stand[@]}"
claim "... without a channel that the robot writes" leaves_nothing targets/hubo2/target.yaml 's/name: camera,/name: camer,/' \
    'target.yaml:[0-9]+: channels: .* writes camera, which is not among them' "${stand[@]}"
# A promise upon that channel would be refused first.
sed -i '/truth/d' "$folder/0/scenarios/motion/001-stand.yaml"
claim "... without a channel that a pack reads" leaves_nothing targets/hubo2/target.yaml 's/name: truth,/name: trut,/' \
    'target.yaml:[0-9]+: channels: pack robot reads truth, which is not among them' "${stand[@]}"
claim "... with another message than a pack reads" leaves_nothing targets/hubo2/target.yaml 's/message: truth.msg,/message: camera.msg,/' \
    'target.yaml:[0-9]+: message: hubo2/camera.msg: not what pack robot reads on truth: joint_count is not uint32 at byte 8' "${stand[@]}"
claim "... surroundings that are no numbers" leaves_nothing scenarios/motion/001-stand.yaml 's/^operator: /environment: [goal_x_m=far]\noperator: /' \
    '001-stand.yaml:[0-9]+: environment: ' "${stand[@]}"
claim "... a robot with numbers that are none" leaves_nothing targets/hubo2/robot.xml 's/solref="0.006 1"/solref="nan nan"/' \
    'robot.xml:19: <geom>: solref: .nan nan.: is not a finite number' "${campaign[@]}"
claim "... one that MuJoCo does not compile" leaves_nothing targets/hubo2/robot.xml 's/type="capsule"/type="capsul"/' \
    'robot.xml:[1-9][0-9]+: .*capsul' "${stand[@]}"
claim "... one that the physics does not bear" leaves_nothing targets/hubo2/robot.xml 's/mass="8.7896"/mass="8e30"/' \
    'robot.xml:1: (MuJoCo warns|body_invweight0 holds a number that is not finite)' "${campaign[@]}"
claim "... a description that is not there" leaves_nothing targets/hubo2/target.yaml 's/^description: .*/description: none.xml/' \
    'none.xml:1: ' "${campaign[@]}"
claim "check says the same without a trial" leaves_nothing targets/hubo2/target.yaml 's/hubo2.control\]/hubo2\/contrl]/' \
    'target.yaml:[0-9]+: run' "$ukemi" check "$folder/0/targets/hubo2/target.yaml"
# Scenarios are claims.sh's.
claim "check has nothing against the project's own files" answers 0 'can.yaml: sound' \
    "$ukemi" check "$folder"/0/scenarios/*.yaml "$folder"/0/scenarios/*/[!0-9]*.yaml "$folder"/0/faults/*.yaml "$folder/0/targets/hubo2/target.yaml"
nested() { printf 'name: %s' "$(printf '%0100000d' 0 | tr 0 '[')" >"$folder/deep.yaml" && answers 2 'deep.yaml:1: nested too deeply' timeout 20 "$ukemi" run "$folder/deep.yaml"; }
claim "a hundred thousand brackets are refused" nested
plan
