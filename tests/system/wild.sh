#!/bin/bash
# A wild pointer bends nothing: a daemon that writes where it must not, somewhere, once, is no ERROR, hangs nothing, and passes nothing false.
# limit: 2400 s
# The daemon is a sound one into which tests/canaries/lab/wild.c is loaded. What is drawn for variant N is the same in every run.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
export UKEMI_PATH=$folder
chmod 755 "$folder"
mkdir -p "$folder/scenarios" "$folder/kept"
acts=(clock-word clock-bit clock-zero clock-noise clock-now clock-skew clock-alive clock-deadline clock-turn own-word own-bit own-zero own-noise
    other-word other-bit other-zero other-noise memory-word memory-bit memory-zero)
library=/dev/shm/build/tests/canaries/lab/wild.so
user=(setpriv --reuid=65534 --regid=65534 --clear-groups)

# wild NAME TARGET PROGRAM: the target under another name, in which this program goes wild; ACT, SEED and AT are still to be said.
wild() {
    mkdir -p "$folder/targets"
    cp -r "targets/$2" "$folder/targets/$1"
    sed -i -E "s/^name: .*/name: $1/; s#run: \[($3)\]#run: [/usr/bin/env, LD_PRELOAD=$library, WILD_AT=AT, WILD_ACT=ACT, WILD_SEED=SEED, /dev/shm/build/\1]#" \
        "$folder/targets/$1/target.yaml"
    mv "$folder/targets/$1/target.yaml" "$folder/$1.yaml"
    grep -q "WILD_AT" "$folder/$1.yaml"
}
# struck NAME ACT SEED AT: that target, to go so.
struck() { sed "s/ACT,/$2,/; s/SEED,/$3,/; s/AT=AT/AT=$4/" "$folder/$1.yaml" >"$folder/targets/$1/target.yaml"; }

# scenario NAME TARGET DURATION_S [LINE...]
scenario() {
    printf '%s\n' "name: $1" 'claim: c' "target: $2" "duration_s: $3" 'watch_s: 2' "${@:4}" >"$folder/scenarios/$1.yaml"
}
kill_of() { echo "  - { kind: kill, component: $1, at: { time_s: [$2] }, parameters: [signal=KILL] }"; }
wild pole pendulum targets/pendulum/controller
result $? "a controller can be made to go wild"
scenario pole-falls pole 6 faults: "$(kill_of Controller 2)" promises: '  - { name: pole-stays, always: lean_rad < 0.2, from: fault, for_s: 1.9 }'
scenario pole-stands pole 4 promises: '  - { name: pole-stays, always: lean_rad < 0.2, from: start }'

# trial SCENARIO OPTION...: its exit status, output and history in files.
trial() {
    timeout 120 "${as[@]}" "$ukemi" run "$folder/scenarios/$1.yaml" --seed 1 "${@:2}" >"$folder/out" 2>&1
    code=$?
}
hash_of() { sed -n 's/^history //p' "$1"; }
hash() { hash_of "$folder/out"; }

as=()
declare -A sound
# alone SCENARIO TARGET CODE: unstruck.
alone() {
    struck "$2" none 0 0
    trial "$1"
    sound[$1]=$(hash)
    [ $code -eq "$3" ] && [ -n "${sound[$1]}" ]
    result $? "sound, $1 ends as it should ($3)" "$folder/out"
}
alone pole-falls pole 1
alone pole-stands pole 0

declare -A tally
# judge_variant ACT SCENARIO NUMBER: 0 if what the lab said is true.
judge_variant() {
    local said
    if [ $code -eq 124 ]; then
        said=hung
    elif [ $code -gt 1 ] || grep -qE '^ *ERROR|lab error' "$folder/out"; then
        said=error
    elif [ $code -eq 1 ]; then
        said=fail
    elif [[ $2 = *-falls* ]]; then
        said=false
    elif [ "$(hash)" = "${sound[$2]:-}" ]; then
        said=equal
    else
        said=other # a PASS whose promise held in the world, which is not the writer's to write
    fi
    tally[$1 $said]=$((${tally[$1 $said]:-0} + 1))
    case $said in hung | error | false)
        echo "# variant $3 ($1, $2): $said, exit $code" >>"$folder/bad"
        grep -E 'ERROR|FAIL|lab error' "$folder/out" | head -n3 | sed 's/^/#   /' >>"$folder/bad"
        ;;
    esac
}
# variants FROM TO NAME CALLS OPTION...: as many, each of another act and instant, of the scenarios NAME-falls and NAME-stands.
variants() {
    local k act scenario
    : >"$folder/bad"
    for ((k = $1; k < $2; k++)); do
        act=${acts[k % ${#acts[@]}]}
        scenario=$3-stands
        [ $(((k + k / ${#acts[@]}) % 2)) -eq 1 ] || [ ! -e "$folder/scenarios/$3-falls.yaml" ] || scenario=$3-falls
        struck "$3" "$act" "$k" $(($4 + k * 37 % $4))
        trial "$scenario" "${@:5}"
        judge_variant "$act" "$scenario" "$k"
    done
    ! [ -s "$folder/bad" ]
    result $? "$(($2 - $1)) wild writes of $3 ${as[0]:+as an ordinary user }${5:+(${*:5}) }hang nothing, are no ERROR, and pass nothing false" "$folder/bad"
}
table() {
    local act said
    printf '# %-16s %6s %6s %6s %6s %6s %6s\n' act FAIL 'PASS =' 'PASS' ERROR hung false
    for act in "${acts[@]}"; do
        printf '# %-16s' "$act"
        for said in fail equal other error hung false; do printf ' %6s' "${tally[$act $said]:-}"; done
        echo
    done
}

if [ -z "${LONG:-}" ]; then
    variants 0 13 pole 300
    variants 15 20 pole 300
else
    variants 0 100 pole 300
    variants 100 130 pole 100 --wall
    if [ "$(id -u)" -eq 0 ] && "${user[@]}" unshare -Upnim --fork true 2>/dev/null && "${user[@]}" test -x "$ukemi"; then
        as=("${user[@]}")
        variants 130 170 pole 300
        as=()
    else
        skip "wild writes as an ordinary user" "not root, or an ordinary user has no cell here"
    fi
    wild robot hubo2 'targets/hubo2/(control|balance)'
    scenario robot-stands robot 3 'must_stand: true' 'operator: { program: targets/hubo2/operator_stand }'
    alone robot-stands robot 0
    variants 170 200 robot 200
fi
table
plan
