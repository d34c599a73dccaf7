#!/bin/bash
# The command line: exit codes, help, and messages that say what is wrong and what to do.
#
#   ONCE=1   nothing is run a second time, which only its result is asked for
#
# beside others: all trials are on the virtual clock, where a history depends on nothing outside, and what it waits for may take two minutes
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap

claim "help lists the commands" answers 0 '^  campaign ' "$ukemi" --help
claim "no command is bad input, and shows the help" answers 2 '^usage: ukemi COMMAND' "$ukemi"
claim "an unknown command is named, with the one that is meant" answers 2 "there is no command 'runn' [(]did you mean run[?][)]" "$ukemi" runn
claim "... also if letters are swapped" answers 2 "did you mean campaign[?]" "$ukemi" camapign
claim "... but none is meant by a word that is like none" answers 2 "there is no command 'frobnicate'; " "$ukemi" frobnicate
news=$(sed -n 's/^## \([0-9.]*\).*/\1/p' NEWS.md | head -1)
claim "the version is that of NEWS.md, with the revision and the libraries" answers 0 "^ukemi $news \(.*MuJoCo.*SQLite" "$ukemi" --version
for command in $("$ukemi" help complete '' | cut -f1); do
    [ "$command" = help ] || claim "$command explains itself" answers 0 "^usage: ukemi $command" "$ukemi" $command --help
done
claim "... as help COMMAND does, too" answers 0 '^usage: ukemi bench latency' "$ukemi" help bench latency
keys_page() { "$ukemi" help files | diff doc/reference/keys.md -; }
claim "the reference page of keys is what the tables say (else: make keys)" keys_page
run "$ukemi" run 001-stand --fast
claim "an unknown option is bad input" answered 2 "^ukemi: error: unrecognized option '--fast'" '`ukemi run --help` says what may be given'
claim "... with the one that is meant" answers 2 'did you mean --seed[?] `ukemi run --help`' "$ukemi" run 001-stand --seeed 4
claim "... by its present name" answers 2 'did you mean --output[?] `ukemi campaign --help`' "$ukemi" campaign smoke --repotr x
claim "... of a benchmark, too" answers 2 'did you mean --duration[?] `ukemi bench floor --help`' "$ukemi" bench floor --durration=2
claim "so is a benchmark" answers 2 'no benchmark .latancy. [(]did you mean latency[?][)]' "$ukemi" bench latancy
claim "so is a word of a choice" answers 2 "^ukemi: error: --format: 'junti' is not junit, tap or github [(]did you mean junit[?][)]" "$ukemi" report --format junti
man_page() { scripts/man "$ukemi" <doc/man/ukemi.1 | diff doc/man/ukemi.1 -; }
claim "the man page's options are what the table says (else: make keys)" man_page
# What a shell offers for the words that stand there; the last one is the one that is written.
offered() {
    COMP_WORDS=("$ukemi" "$@") COMP_CWORD=$#
    _ukemi
    printf '%s\n' "${COMPREPLY[@]}"
}
# shellcheck source=scripts/completion/ukemi.bash
. scripts/completion/ukemi.bash
claim "bash completes commands" answers 0 '^campaign$' offered cam
claim "... options of the command" answers 0 '^--seed$' offered run 001-stand --se
claim "... of a benchmark those that it takes" answers 0 '^--scenario$' offered bench latency --sc
none_offered() { [ -z "$(offered "$@")" ]; }
claim "... and no others" none_offered bench floor --sc
claim "... words of a choice" answers 0 '^cyclictest$' offered export 1 --format cy
claim "... scenarios by name, also behind options with values" answers 0 '^001-stand$' offered run --seed 4 001
claim "... campaigns" answers 0 '^table1$' offered campaign table
claim "... targets" answers 0 '^pendulum$' offered plant pen
zsh_offers() { # in a function's own place: words, CURRENT, and what the completion system would show
    # shellcheck disable=SC2016 # zsh's
    zsh -f -c 'words=("$@"); CURRENT=$#; _describe() { print -rl -- "${(@P)2}"; }; _files() { print files; }; . scripts/completion/_ukemi' - "$@"
}
claim_with zsh "zsh completes commands, with what they do" answers 0 '^campaign:run a campaign' zsh_offers "$ukemi" cam
claim_with zsh "... options, whose words may hold a colon" answers 0 '^--format:candump\\: a log' zsh_offers "$ukemi" export 1 --fo
claim_with zsh "... and files, where one is to be named" answers 0 '^files$' zsh_offers "$ukemi" check x
too_many() { for words in "show 1 2" "view 1 2 3" "judge 1 2 3" "report a b" "run 001 002" "campaign a b" "export 1 2" "list oracles now" "doctor now"; do
    # shellcheck disable=SC2086 # words
    answers 2 "is one word too many; .ukemi ${words%% *} --help" "$ukemi" $words || return 1
done; }
claim "a word too many is named by every command" too_many
claim "a list that there is not is named" answers 2 "'frogs' is not targets, scenarios, campaigns, storms, nights, faults or oracles" "$ukemi" list frogs
claim "there is no trial 0" answers 2 "TRIAL: '0' is not a whole number from 1 up" "$ukemi" show 0
claim "... nor can it be run again" answers 2 "--trial: '0' is not a whole number from 1 up" "$ukemi" run --trial 0
claim "... nor is a name one, and it says what takes names" answers 2 '.ukemi show. alone lists what there is, .ukemi report NAME' \
    "$ukemi" show latency
claim "a seed that is no number is bad input" answers 2 "--seed: 'seven' is not a whole number" "$ukemi" run 001-stand --seed seven
claim "a negative seed is bad input" answers 2 "--seed: '-1' is not a whole number" "$ukemi" run 001-stand --seed=-1
claim "a core that there is not is named, with those that there are" answers 2 "--core: '1023': this process may not use .* name some of [0-9]" "$ukemi" run 001-stand --core 1023
claim "... to a campaign, too" answers 2 "--core: 'one': is neither auto, nor none, nor a list" "$ukemi" campaign smoke --core one
claim "a scenario that does not exist is bad input" answers 2 'no such file.*ukemi list scenarios' "$ukemi" run 999-fly
claim "the beginning of several names is bad input, which are named" answers 2 \
    'more than one file in .* begins with this: 001-stand, 002-walk-quasi-static, 003-walk-dynamic [.]{3};' "$ukemi" run 0
claim "a mistyped name leads to the name" answers 2 'do you mean 003-walk-dynamic[?]' "$ukemi" run 003-walk-dinamic
claim "... of a campaign, too" answers 2 'do you mean table1[?]' "$ukemi" campaign tabel1
claim "the end of a name leads to the name" answers 2 'do you mean 003-walk-dynamic[?]' "$ukemi" run walk-dynamic
mkdir -p "$folder/two/scenarios/one" "$folder/two/scenarios/other"
touch "$folder"/two/scenarios/one/{twin,twin-more}.yaml "$folder/two/scenarios/other/twin.yaml"
claim "one name in two families is bad input" answers 2 '2 files of .*/scenarios have this name; name one by its path' env UKEMI_ROOT="$folder/two" "$ukemi" run twin
claim "... but a whole name goes before its beginnings" answers 2 'one/twin-more.yaml:1' env UKEMI_ROOT="$folder/two" "$ukemi" run twin-more
claim "plant: a target without CAN buses is bad input" answers 2 'pendulum: the world of this target is not a robot on CAN buses' "$ukemi" plant pendulum --can can0,can1
claim "plant: it needs two interfaces" answers 2 '--can can0: is not two interfaces' "$ukemi" plant hubo2 --can can0
claim "plant: interfaces must be named" answers 2 '--can is missing' "$ukemi" plant hubo2
claim "wall clock and determinism exclude each other" answers 2 'leave out --wall' "$ukemi" run 001-stand --wall --check-determinism
printf 'name: broken\nclaim: none\ntarget: hubo2\nduration_s: -4\nwatch_s: 3\noperator: {program: x}\n' >"$folder/broken.yaml"
claim "a scenario's error has file and line" answers 2 'broken.yaml:4: duration_s' "$ukemi" run "$folder/broken.yaml"
claim "the beginning of a scenario's name is enough" answers 0 '^PASS$' "$ukemi" run 001 --keep "$folder/stand.mcap"
claim "a kept history is judged the same" answers 0 '^PASS$' "$ukemi" judge "$folder/stand.mcap" 001-stand
head -c 100000 "$folder/stand.mcap" >"$folder/cut.mcap"
claim "a history that is cut off is refused" answers 2 'cut.mcap' "$ukemi" judge "$folder/cut.mcap" 001-stand
[ -n "${ONCE:-}" ] || claim "two runs with one seed give one history" answers 0 'PASS.*determinism' "$ukemi" run 001-stand --check-determinism
for what in targets scenarios campaigns faults oracles; do
    claim "list $what lists something" answers 0 . "$ukemi" list $what
    cp "$folder/said" "$folder/$what"
done
families() { awk '{ print "scenarios/" $2 "/" $1 ".yaml" }' "$folder/scenarios" | diff - <(ls scenarios/*/[0-9]*.yaml | sort -t / -k 3); }
claim "every scenario is listed once, in the order of their numbers, with its family" families
echo "no database, but longer than nothing" >"$folder/text.db"
sqlite3 "$folder/newer.db" <harness/store/schema.sql
sqlite3 "$folder/newer.db" 'PRAGMA user_version = 99'
sqlite3 "$folder/empty.db" <harness/store/schema.sql
for command in show report; do
    claim "$command: a database that does not exist is bad input" answers 2 'there is no such database; run a campaign' "$ukemi" $command --db "$folder/none.db"
    claim "$command: a folder is no database" answers 2 'name another file with --db' "$ukemi" $command --db "$folder"
    claim "$command: a file that is no database is refused" answers 2 'name another file with --db' "$ukemi" $command --db "$folder/text.db"
    claim "$command: a database of a newer version is refused, with both" answers 2 'schema version 99, this ukemi knows version [0-9]+; use the ukemi it is of' \
        "$ukemi" $command --db "$folder/newer.db"
done
claim "a database without a campaign has no report" answers 2 'holds no campaign of trials yet; run one first' "$ukemi" report --db "$folder/empty.db"
claim "a campaign that is not there has none, either" answers 2 "no campaign 'frog' in the database; .ukemi show. lists" "$ukemi" report frog --db "$folder/empty.db"
cat >"$folder/tiny.yaml" <<CAMPAIGN
name: tiny
target: hubo2
seed: 3
recheck_share: 1
fault: { kind: kill, parameters: [signal=KILL], restart_after_s: 5 }
columns:
  - { title: Static, scenario: $PWD/scenarios/motion/001-stand.yaml, trials: 1, at: { time_s: [4, 5] } }
rows:
  - { component: Planner, expected: [No Effect] }
CAMPAIGN
claim "a campaign prints its table and its report" answers 0 '^report: ' \
    "$ukemi" campaign "$folder/tiny.yaml" --db "$folder/r/u.db" --output "$folder/report"
claim "a stored trial can be shown" answers 0 'No Effect' "$ukemi" show 1 --db "$folder/r/u.db"
if [ -z "${ONCE:-}" ]; then
    run "$ukemi" campaign "$folder/tiny.yaml" --db "$folder/r/u.db" --output "$folder/report"
    claim "... and the next time what has changed since" answered 0 '^Since campaign 1 of .*, of 1 trial: 0 broken, ' ' 1 the same bit for bit.$'
    cp "$folder/r/u.db" "$folder/r/bad one.db"
    sqlite3 "$folder/r/bad one.db" "UPDATE judging SET verdict = 'FAIL' WHERE trial_id = 2"
    run "$ukemi" report --db "$folder/r/bad one.db" --output "$folder/bad"
    claim "a trial that is broken since is told in the report" answers 0 '^FAIL  Planner, Static: 1 of 1; trial 2 passed last in campaign 1 of ' cat "$folder/bad/table1.txt"
    named() { eval "$(sed -n "s|^ *ukemi run|$ukemi run|p" "$folder/bad/table1.txt") --check-determinism"; }
    claim "... and the command that it names runs the trial again" answers 0 'PASS.*determinism' named
fi
campaigns_claim() { [ "$("$ukemi" list campaigns | grep -cE '^[a-z0-9-]+ +[0-9]+ squares? +[0-9]+ trials? +[A-Z].*[.]$')" = "$(ls scenarios/campaigns/*.yaml | wc -l)" ]; }
claim "every campaign says in a sentence what it claims" campaigns_claim
claim "the campaigns can be listed" answers 0 'tiny.*1 passed, 0 failed' "$ukemi" show --db "$folder/r/u.db"
cp "$folder/r/u.db" "$folder/foreign.db"
sqlite3 "$folder/foreign.db" "UPDATE campaign SET name = 'ti' || char(27) || ']0;ny'"
claim "what a foreign database says does not speak to the terminal" answers 0 'ti[?]]0;ny' "$ukemi" show --db "$folder/foreign.db"
claim "a trial that is not there is bad input" answers 2 'there is no trial 77' "$ukemi" show 77 --db "$folder/r/u.db"
claim "an example can be judged again" answers 0 '^PASS$' "$ukemi" judge 1 --db "$folder/r/u.db"
claim "judging again added to the database" answers 0 '^2$' sqlite3 "$folder/r/u.db" 'SELECT count(*) FROM judging WHERE trial_id = 1'
[ -n "${ONCE:-}" ] || claim "a stored trial can be run again and is the same" answers 0 'PASS.*determinism' \
    "$ukemi" run --trial 1 --check-determinism --db "$folder/r/u.db"
claim "... with its own seed and on its own clock, so that others are refused" answers 2 '--seed: has no meaning with --trial' \
    "$ukemi" run --trial 1 --seed 2 --db "$folder/r/u.db"
claim "... as is a database where nothing is stored" answers 2 '--db: has no meaning without --trial: nothing is stored; .*ukemi campaign' \
    "$ukemi" run 001-stand --db "$folder/r/u.db"
claim "the time series of an example can be printed" answers 0 'pelvis_m' "$ukemi" series 1 --db "$folder/r/u.db"
claim "the traffic of an example can be exported" answers 0 'traffic.log: [0-9]+ frames of can0, [0-9]+ of can1' \
    "$ukemi" export 1 --db "$folder/r/u.db" -o "$folder/traffic.log"
claim "a report can be written again" answers 0 'index.html' "$ukemi" report tiny --db "$folder/r/u.db" --output "$folder/again"
sqlite3 "$folder/r/u.db" "UPDATE trial SET history_path = '' WHERE trial_id = 1"
claim "a history that was not kept: the message says how to make it again" answers 2 \
    "ukemi run --trial 1 --db $folder/r/u.db --keep FILE.mcap" "$ukemi" export 1 --db "$folder/r/u.db"
claim "the DBC of a trial needs no history" answers 0 '^BO_ 16 JMC0_reference: 6 Host' "$ukemi" export 1 --format dbc --db "$folder/r/u.db"
stored() { [ "$(sqlite3 "$folder/r/i.db" 'SELECT count(*) FROM trial' 2>/dev/null)" -gt 0 ] 2>/dev/null; }
set -m # a process group, which Ctrl-C strikes as a whole
"$ukemi" campaign table1 --db "$folder/r/i.db" --output "$folder/report" --quiet >"$folder/interrupted" 2>&1 &
set +m
await 120 stored
kill -INT -- "-$!"
wait $!
claim "a campaign that is interrupted is neither the target's fault nor the lab's" [ $? -eq 130 ]
claim "... and listed with what is left to do" answers 0 'not finished: 2[0-9][0-9] of 270 trials to do; go on with: ukemi campaign .*table1.yaml --resume' \
    "$ukemi" show --db "$folder/r/i.db"
claim "Ctrl-C says how to go on" answers 0 'go on with: ukemi campaign table1.*--resume' cat "$folder/interrupted"
claim "what is stored after Ctrl-C is whole" answers 0 '^0$' sqlite3 "$folder/r/i.db" \
    'SELECT count(*) FROM trial WHERE trial_id NOT IN (SELECT trial_id FROM judging)'
plan
