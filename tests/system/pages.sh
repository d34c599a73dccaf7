#!/bin/bash
# What the pages of doc/ name is there: files, functions and members, scenarios by number, other pages and their sections, make's targets.
#
# Words in capitals stand for what a reader chooses (targets/NAME/target.yaml); files of a first project are made as doc/start.md tells.
#
# beside others: it reads sources alone
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap

mapfile -t pages < <(find doc README.md CONTRIBUTING.md -name '*.md' | sort)
find src harness targets faults tests scripts scenarios reports doc Makefile ./*.mk ./*.md -not -path '*/corpus/*' |
    sed -E 's,^\./,,; p; s,\.[a-z]+$,,' | sort -u >"$folder/there" # a program, or a fault, by its source
find src harness targets faults tests scripts Makefile ./*.mk -type f -not -path '*/corpus/*' -not -name pages.sh -print0 |
    xargs -0 cat | grep -aoE '[A-Za-z_][A-Za-z0-9_]*' | sort -u >"$folder/words"
# A scenario says in small letters what a program reads from its environment.
grep -E '^[A-Z_]+$' "$folder/words" | sed 's/^UKEMI_ENV_//' | tr '[:upper:]' '[:lower:]' >"$folder/environment"
find tests -name '*_test.c' -o -path '*/fuzz/*.c' | sed 's,.*/,,; s/\.c$//' | sort -u - "$folder/words" "$folder/environment" >"$folder/known"

# quoted PATTERN: PAGE WORD of all words in backquotes that match, outside listings.
quoted() {
    awk -v pattern="^($1)\$" '
        /^ *```/ { listing = !listing }
        !listing { n = split($0, part, "`"); for (i = 2; i < n; i += 2) if (part[i] ~ pattern) print FILENAME, part[i] }
        ENDFILE { listing = 0 }' "${pages[@]}" | sort -u
}
# all_known LIST < PAGE WORD...: prints what is not in the list, and that nothing was looked at.
all_known() {
    awk -v list="$1" 'BEGIN { while ((getline word < list) > 0) known[word] }
        { looked++; word = $2; sub(/\(\)$/, "", word); sub(/\/$/, "", word); if (!(word in known)) { print; wrong = 1 } }
        END { if (looked < 20) { print "only " looked + 0 " looked at"; wrong = 1 } exit wrong }'
}
files() {
    quoted '(src|harness|targets|faults|tests|scripts|scenarios|doc|reports)/[A-Za-z0-9_./-]+' |
        grep -vE '[A-Z]{4}|scenarios/campaigns/night|^doc/start.md ' | all_known "$folder/there"
}
names() {
    quoted '[a-z][a-z0-9]*(_[a-z0-9]+)+(\(\))?' | grep -vE ' (io_getevents|receive_loop)$' |
        all_known "$folder/known"
}
scenarios() {
    find scenarios targets -name '[0-9]*.yaml' | sed -E 's,.*/([0-9]+)-.*,\1,' | sort -u >"$folder/numbers"
    grep -oHE '\b[Ss]cenarios? [0-9]{3}\b' "${pages[@]}" | sed -E 's/:.* /  /' | awk '{ print $1, $2 }' | sort -u | all_known "$folder/numbers"
}
targets() {
    grep -hoE '^[a-z][a-z0-9-]*:' Makefile ./*.mk tests/fuzz/fuzz.mk | tr -d : | sort -u >"$folder/targets"
    quoted 'make [a-z][a-z0-9-]*( .*)?' | awk '{ print $1, $3 }' | sort -u | all_known "$folder/targets"
}
# Links between pages, and to a section of one.
links() {
    local page to anchor wrong=0 looked=0
    while IFS=: read -r page to; do
        anchor=${to#*#}
        [[ $to == *#* ]] || anchor=
        to=${to%%#*}
        to=${to:+$(realpath -m --relative-to=. "$(dirname "$page")/$to")}
        to=${to:-$page} looked=$((looked + 1))
        [ -e "$to" ] || { echo "$page: $to is not there" && wrong=1 && continue; }
        [ -z "$anchor" ] || sed -nE 's/^#+ +//p' "$to" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g' | grep -qx -- "$anchor" ||
            { echo "$page: $to has no section #$anchor" && wrong=1; }
    done < <(grep -oE '\]\([^)]+\)' "${pages[@]}" | sed -E 's/:\]\(/:/; s/\)$//' | grep -vE ':(https?|mailto):')
    [ $looked -gt 50 ] && [ $wrong -eq 0 ]
}
claim "files that pages name are there" files
claim "functions, members and programs that pages name are there" names
claim "scenarios that pages name by number are there" scenarios
claim "what pages tell make to do, it does" targets
gone() { { quoted '[a-z]+_[a-z_]+' && echo "a.md no_such_function()"; } | all_known "$folder/known"; }
claim "canary: a function that is not there is named" answers 1 '^a.md no_such_function' gone
claim "pages and sections that pages lead to are there" links
plan
