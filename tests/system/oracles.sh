#!/bin/bash
# Oracle programs: what judges a promise in a language of its own, in a cell of its own, twice.
# beside others: trials are on the virtual clock; the one time limit is for a program that waits for ever
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
export UKEMI_ROOT=$PWD
scenario=scenarios/pendulum/090-motor-energy.yaml
history=$folder/pole.mcap
chmod 755 "$folder" # programs beside a scenario are run as another user

claim "a promise may be a program of the target's folder, in Python: its margin is the verdict's" \
    answers 0 '^  PASS  energy +\+0\.04[0-9]* J +0\.00. J in all' "$ukemi" run "$scenario" --keep "$history"
claim "a kept history is judged again by it, with the same words" \
    answers 0 '^  PASS  energy +\+0\.04[0-9]* J +0\.00. J in all' "$ukemi" judge "$history" "$scenario"
sed -e 's/restart_after_s: 0.3/restart_after_s: 2/' -e '/name: pole-settles/d' "$scenario" >"$folder/late.yaml"
claim "canary: it fails the trial that costs too much" answers 1 '^  FAIL  energy +-[0-9.]+ J' "$ukemi" run "$folder/late.yaml"

# judged SCRIPT [KEYS]: judges the kept history by a shell script beside its scenario, which gets the history on standard input.
judged() {
    printf '#!/bin/sh\n%s\n' "$1" >"$folder/oracle"
    chmod 755 "$folder/oracle"
    sed -e "s/name: energy,.*/name: ours, program: oracle${2-} }/" -e '/^  - { name: pole-/d' "$scenario" >"$folder/ours.yaml"
    "$ukemi" judge "$history" "$folder/ours.yaml"
}
# shellcheck disable=SC2016 # expanded by the script
{
    claim "a program beside the scenario judges, in shell; it sees arguments, target and the history's topics" \
        answers 0 '^  PASS  ours +\+2 topics +a  b' judged \
        '[ -f "$UKEMI_TARGET/target.yaml" ] && topics=$(grep -aoE "(pole|force)\.msg" | sort -u | wc -l)
echo "PASS $topics topics $1  $2"' ', arguments: [a, b]'
    claim "FAIL is the target's" answers 1 '^  FAIL  ours +-0.5 +too fast' judged 'echo FAIL -0.5 - too fast'
    claim "SKIP has words and no margin; alone it judges nothing" answers 3 '^  SKIP  ours +nothing to judge' judged 'echo SKIP nothing to judge'
    claim_where "a wall" "both runs begin alike: nothing stays of the first" answers 0 '^  PASS  ours' judged \
        '[ ! -e /tmp/been ] && [ ! -e /dev/shm/been ] && touch /tmp/been /dev/shm/been && wc -c >/tmp/size && echo PASS 1 -'
    claim_where "a wall" "it sees no files of the machine's user, and no network but its own" answers 0 '^  PASS  ours' judged \
        "[ ! -e $PWD/Makefile ] && ! grep -q ^www-data: /etc/passwd && [ \$(grep -c : /proc/net/dev) -eq 1 ] && echo PASS 1 -"
    claim_where "a wall" "it changes neither the target nor the history" answers 0 '^  PASS  ours' judged \
        'if touch "$UKEMI_TARGET/x" 2>/dev/null || echo x 2>/dev/null >&0; then echo FAIL 0 -; else echo PASS 1 -; fi'

    error() { answers 3 "^  ERROR ours +.*$1" judged "${@:2}"; }
    claim "error: two answers that differ" error "two runs give two answers: 'PASS [0-9]+ - ' and 'PASS [0-9]+ - '" \
        'echo "PASS $(od -An -N4 -tu4 /dev/urandom | tr -d " ") -"'
    claim "error: a crash, with the last lines of standard error" error 'exit status 7: almost \| no such field' \
        'printf "first\nalmost\nno such field\n" >&2; echo PASS 1 -; exit 7'
    claim "error: a signal" error 'ended by signal 11' 'kill -SEGV $$'
    claim "error: no answer in time" error 'no answer within 0.2 s' 'sleep 100' ', timeout_s: 0.2'
    claim "error: an answer in time of a program that does not end" error 'no answer within 0.2 s' \
        'echo PASS 1 -; sleep 100' ', timeout_s: 0.2'
    of_little_time() { # no trial, judging or campaign waits for an oracle longer than wall_s
        mkdir -p "$folder/targets/hasty"
        cp -r targets/pendulum/. "$folder/targets/hasty"
        sed -i 's/^name: .*/name: hasty/' "$folder/targets/hasty/target.yaml"
        printf 'limits: { wall_s: 2 }\n' >>"$folder/targets/hasty/target.yaml"
        judged 'sleep 1; echo PASS 1 -' >/dev/null
        printf '#!/bin/sh\nsleep 100\n' >"$folder/oracle"
        sed -i 's/^target: .*/target: hasty/' "$folder/ours.yaml"
        UKEMI_PATH=$folder answers 3 '^  ERROR lab +judging took more than 2 s' "$ukemi" judge "$history" "$folder/ours.yaml"
    }
    claim "error: judging that takes longer than a trial may" of_little_time
    claim "error: no answer" error "its answer is ''; print one line: PASS" 'true'
    claim "error: two lines" error "more than one line|its answer is" 'echo PASS 1 -; echo FAIL 0 -'
    claim "error: a long line" error 'more than one line, or 511 bytes' 'printf "PASS 1 - %0600d\n" 7'
    claim "error: what is no verdict" error "its answer is 'GOOD 1 m fine'" 'echo GOOD 1 m fine'
    claim "error: a margin that is no number" error "its answer is 'PASS nan m fine'" 'echo PASS nan m fine'
    claim "error: a margin that says the opposite" error 'PASS with a margin of -1' 'echo PASS -1 m'

    refused() { answers 2 "ours.yaml:[0-9]+: promises\[0\]$1" judged "${@:2}"; }
    claim "input: a formula and a program in one promise are refused" refused ': 1 formulas and a program' '' ', always: lean_rad < 1'
    claim "input: a program has no window" refused '.from: only for a promise with a formula' '' ', from: fault'
    claim "input: time without bound is refused" refused '.timeout_s: ' '' ', timeout_s: 0'
}
# named PROGRAM: a scenario whose promise names it.
named() {
    sed "s|program: oracles/energy, arguments.*|program: $1 }|" "$scenario" >"$folder/ours.yaml"
    "$ukemi" judge "$history" "$folder/ours.yaml"
}
claim "input: a program may not lead out of its folder" answers 2 'ours.yaml:9: promises\[0\].program: ../x: leads out' named ../x
claim "input: a program that is not there is refused" answers 2 'ours.yaml:9: program: nothing: there is no such program' named nothing
claim "input: nor is a text file one" answers 2 'ours.yaml:9: program: .*pole.msg: this is not a program' named pole.msg
not_a_formula_has_no_arguments() {
    sed 's/program: oracles.energy/always: lean_rad < 1/' "$scenario" >"$folder/ours.yaml"
    answers 2 'promises\[0\].arguments: only for a promise with a program' "$ukemi" run "$folder/ours.yaml"
}
claim "input: a formula has no arguments" not_a_formula_has_no_arguments
own_rights() { # of a folder that nobody else can enter
    judged 'echo PASS 1 -' >/dev/null
    chmod 700 "$folder"
    answers 3 'ERROR ours .*only its owner can read it; chmod' "$ukemi" judge "$history" "$folder/ours.yaml" &&
        answers 0 '^  PASS  ours' "$ukemi" judge "$history" "$folder/ours.yaml" --no-wall
}
if [ "$(id -u)" -eq 0 ]; then
    claim_where "a wall" "a program that only its owner can read needs --no-wall" own_rights
    chmod 755 "$folder"
fi
others_may_write() {
    judged 'echo PASS 1 -' >"$folder/said" || return 1
    chmod 777 "$folder/oracle"
    answers 2 'oracle: others may write it' "$ukemi" judge "$history" "$folder/ours.yaml"
}
claim "input: a program that others may write is not run" others_may_write
plan
