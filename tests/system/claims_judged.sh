#!/bin/bash
# What a shipped scenario claims is judged: by a promise of its own, or by the oracles of what it asks the robot for. Whether these judge enough
# is what `ukemi doubt` tells; that they are there can be read from the file.
# beside others: it only reads files
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap

# unjudged FILE...: prints the scenarios that have neither; a promise of the target's is none of theirs.
unjudged() {
    awk 'function end() { if (file != "" && !judged) print file }
         FNR == 1 { end(); file = FILENAME; judged = listed = 0 }
         /^[a-z_]+:/ { listed = /^promises:/ }
         listed && /^ *- *\{? *name:/ { judged = 1 }
         /^asked: *(goal|walk|stance)/ || /^must_stand: *true/ { judged = 1 }
         END { end() }' "$@"
}
none_unjudged() {
    [ "$#" -gt 380 ] && [ -z "$(unjudged "$@" | tee /dev/stderr)" ]
}
claim "each shipped scenario has a promise, or asks for what an oracle judges" none_unjudged scenarios/*/[0-9]*.yaml
printf 'name: a\nclaim: It stands.\ntarget: hubo2\nmust_complete: false\nobservations:\n  - { name: end_m, value: height_m, of: last }\n' >"$folder/a.yaml"
printf 'name: b\nclaim: It stands.\npromises:\n  - { name: stands, always: "height_m > 0.5" }\n' >"$folder/b.yaml"
printf 'name: c\nclaim: It stands.\npromises: []\nasked: stance\n' >"$folder/c.yaml"
claim "canary: one that has neither is found, and no other" [ "$(unjudged "$folder"/[abc].yaml)" = "$folder/a.yaml" ]
plan
