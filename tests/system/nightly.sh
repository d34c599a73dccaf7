#!/bin/bash
# scripts/nightly, which `make nightly` is: a campaign that fails neither hides the others nor is hidden. With a stand-in for ukemi, so that
# nothing takes long.
# beside others: stand-ins that are waited for
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
mkdir -p "$folder/build/bin"
# The campaign nightly ends with $nightly, stalls with $stalls, which may be a signal to who called it: then it goes on until it is interrupted
# itself. can ends well.
cat >"$folder/build/bin/ukemi" <<'END'
#!/bin/bash
echo "ran $*"
[ "$1" = show ] && [ -n "${left:-}" ] && echo '  3  stalls  2026-01-01T00:00:00Z  seed 1  2 trials, 2 passed  (not finished: 136 of 138 trials to do; go on with: ukemi campaign x --resume)'
[[ "$*" = *--resume ]] && [ -n "${other:-}" ] && exit 2
case $2 in
*/nightly.yaml) exit "${nightly:-0}" ;;
*/stalls.yaml)
    trap 'exit 130' TERM
    [[ ${stalls:-0} != [A-Z]* ]] && exit "${stalls:-0}"
    kill -"$stalls" $PPID
    for _ in {1..1000}; do sleep 0.01; done
    ;;
esac
END
chmod +x "$folder/build/bin/ukemi"
nightly() { env BUILD="$folder/build" JOBS=3 "$@"; }
ran=('ran campaign scenarios/campaigns/nightly.yaml ' 'ran campaign scenarios/campaigns/stalls.yaml ' 'ran campaign scenarios/campaigns/can.yaml ')

run nightly scripts/nightly
claim "all campaigns are run" answered 0 "${ran[@]}"
claim "... with as many trials at once as asked for, and anew: the last night's are finished" said 'can.yaml --jobs 3 --output report/can$'
run nightly left=yes scripts/nightly stalls can
claim "one that was interrupted goes on where it was, and no other" said 'stalls.yaml --jobs 3 .*--resume$' 'can.yaml --jobs 3 --output report/can$'
run nightly left=yes other=yes scripts/nightly stalls
claim "one that has changed since is begun anew" answered 0 'stalls.yaml .*--resume$' 'stalls.yaml --jobs 3 --output report/stalls$' 'begins anew'
run nightly scripts/nightly
claim "... each with its own report" said '^nightly .* all passed .* report/nightly/index.html$' '^can .* report/can/index.html$' 'ran .* --output report/can$'

run nightly stalls=1 scripts/nightly
claim "a campaign with a trial that fails is told, and the others are run" answered 1 '^stalls .* FAIL' "${ran[@]}"
claim "a seventh of the scenarios is doubted, which a machine may skip" said 'ran doubt --allow-skip scenarios/.*yaml --jobs 3 --output report/doubt$'
doubted() { nightly DOUBT_DAY="$1" scripts/nightly doubt | grep -oE 'scenarios/[^ ]*/[0-9][^ ]*yaml'; }
a_week() { cmp <(for day in {0..6}; do doubted "$day"; done | sort) <(printf '%s\n' scenarios/*/[0-9]*.yaml | sort) && cmp <(doubted all) <(printf '%s\n' scenarios/*/[0-9]*.yaml); }
claim "... so that in a week all are, each once" a_week
run nightly nightly=3 stalls=1 scripts/nightly
claim "the worst decides the exit status" answered 3 '^nightly .* ERROR' '^stalls .* FAIL' '^can .* all passed'
for signal in INT TERM HUP; do
    run nightly left=yes stalls=$signal scripts/nightly
    claim "$signal ends it, and the campaign that is being run" answered 130 "${ran[1]}"
    claim "... and says how far that came" said '^nightly .* all passed' '^stalls .* interrupted: 136 of 138 trials to do +$'
    claim "... and runs no more" not said "${ran[2]}"
    claim "... and says so, and how to go on" said '^can +-:-- +not begun' '^Go on with: make nightly$'
done
run nightly left=yes stalls=TERM scripts/nightly stalls can
claim "those that were chosen are what to go on with" said "^Go on with: make nightly NIGHTLY='stalls can'\$"
run nightly left=yes stalls=130 scripts/nightly
claim "a campaign that alone is interrupted is no error of the lab, and the others are run" answered 130 '^stalls .* interrupted: 136' "${ran[2]}"
run nightly left=yes stalls=75 scripts/nightly
claim "... nor is one that is told to end" answered 130 '^stalls .* interrupted: 136' "${ran[2]}"
run nightly scripts/nightly can
claim "campaigns can be chosen" answered 0 "${ran[2]}"
claim "... without the others" not said "${ran[1]}"
claim "a campaign that there is not is bad input" answers 2 'nonsense: no such campaign; there are nightly' nightly scripts/nightly nonsense
plan
