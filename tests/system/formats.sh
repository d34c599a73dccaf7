#!/bin/bash
# A campaign's trials as pages, and as JUnit's XML, TAP and annotations, as programs that nobody here wrote read them.
# beside others: all trials are on the virtual clock
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap

# One square each of PASS, FAIL, ERROR and SKIP: a fault without effect, and one that takes real time.
export UKEMI_FAULTS=tests/canaries/faults/catalogue
for name in wide narrow; do
    sed -e "s/^name: .*/name: $name/" -e 's/^claim: .*/claim: "It stays, \& \\"comes <back>\\"."/' -e '/^faults:/d' -e '/kind: kill/d' \
        -e 's/from: fault-over, after_s: \([0-9]\)/from: fault, after_s: \1.3/' \
        scenarios/pendulum/070*.yaml >"$folder/$name.yaml"
done
sed -i 's/0.2094/0.0001/' "$folder/narrow.yaml"
cat >"$folder/pole.yaml" <<'YAML'
name: pole
target: pendulum
seed: 1
recheck_share: 0
columns:
  - { title: Wide,   scenario: wide.yaml,   trials: 1, at: { time_s: [4, 5] } }
  - { title: Narrow, scenario: narrow.yaml, trials: 1, at: { time_s: [4, 5] }, claim: "It stays, & \"comes <back>\"." }
rows:
  - { component: Controller, title: killed, fault: { kind: kill, parameters: [signal=KILL], restart_after_s: 0.3 }, expected: [no effect, Falls] }
  - { component: Controller, title: "idle: 100%, <a> & b#c", fault: { kind: idle } }
  - { component: Controller, title: cannot, fault: { kind: priority-drop, duration_s: 1 } }
YAML
database=$folder/r.db
claim "a campaign has trials of every verdict" answers 3 '6 trials, 1 passed, 1 failed, 2 errors, 2 skipped; 1 of 2 squares as expected; ' \
    "$ukemi" campaign "$folder/pole.yaml" --db "$database" --output "$folder/report" --quiet
has_own_rows() {
    grep -qE '^ +Wide +Narrow' "$folder/report/table.txt" && grep -qE '^killed +1 PASS +1 FAIL' "$folder/report/table.txt" &&
        grep -qE '^ +1/1 No effect +1/1 No effect' "$folder/report/table.txt" && grep -qE 'lean_max_rad +median +[0-9.]+' "$folder/report/table.txt" &&
        not grep -rq 'Quasi-Static' "$folder/report"
}
claim "its report has its own rows and columns, with what was observed" has_own_rows
made='With the fault kill (Controller): pole-stays, pole-returns, pole-settles hold; no other process dies.'
claims_shown() {
    local trial
    trial=$(sqlite3 "$database" "SELECT trial_id FROM trial_view WHERE verdict = 'PASS'")
    "$ukemi" show "$trial" --db "$database" | grep -qE "^  claim +${made//[()]/.}" && "$ukemi" show "$trial" --db "$database" | grep -qE '^  observed +behaviour: No effect' &&
        "$ukemi" run --trial "$trial" --db "$database" | grep -qF "$made" &&
        [ "$(grep -c "Claim</b> .*It stays, &amp; .* <b>Observed</b> behaviour: No effect" "$folder/report/index.html")" -ge 2 ] &&
        grep -qF "<td>$made</td><td>1 × No effect <span class=\"soft\">(expected: no effect)</span></td><td class=\"good\">1 PASS</td>" "$folder/report/index.html" &&
        "$ukemi" report --format junit --db "$database" | grep -qF "name=\"claim\" value=\"$made\"" &&
        "$ukemi" report --format junit --db "$database" | grep -qF "<system-out>observed: behaviour: No effect" &&
        "$ukemi" report --format tap --db "$database" | grep -qF "  claim: \"$made\"" && "$ukemi" report --format tap --db "$database" | grep -qF '  observed: "behaviour: No effect"' &&
        "$ukemi" view "$trial" --db "$database" --output "$folder/trial.html" && grep -qF "\"claim\":\"$made\"" "$folder/trial.html" &&
        grep -qF '"observed":[{"value":null,"name":"behaviour","unit":"","text":"No effect"' "$folder/trial.html"
}
claim "wherever a trial is shown, so are the claim of its square and what was observed" claims_shown
drawn() { [ "$(grep -c '<title>tracks</title>' "$folder/report/index.html")" -ge 3 ] && grep -q 'lean_rad</text>' "$folder/report/index.html"; }
claim_with gnuplot "... and examples, whose tracks are the target's quantities" drawn
own() {
    grep -qE '>killed</th><td class="number">2<' "$folder/report/lean.html" && grep -q '<a href="lean.html">Lean</a>' "$folder/report/index.html"
}
claim "a page of the target's own folder is made and linked" own
claim_with gnuplot "... with its plot" grep -q '<title>lean</title>' "$folder/report/lean.html"
claim "terms are printed over the whole trial" answers 0 '^time_s.abs\(lean_rad\).pole.angle_rad' "$ukemi" series 1 'abs(lean_rad)' pole.angle_rad --db "$database"
claim "... and no title of them is a formula to a spreadsheet, while numbers stay" answers 0 "^time_s.'-lean_rad\$" "$ukemi" series 1 --db "$database" -- -lean_rad
claim "what is no term is refused" answers 2 "'pole.angle' is not a term of target" "$ukemi" series 1 pole.angle --db "$database"
claim "the same tracks are printed" answers 0 '^time_s.lean_rad.drift_m' "$ukemi" series 1 --db "$database"
# Trials 1, 3 and 6, in the order in which they were stored; those that passed or were skipped have no page.
linked() {
    local links
    links=$(grep -o '<a href="trials/[0-9]*.html"' "$folder/report/index.html" | grep -o '[0-9]*' | sort -u)
    [ "$(wc -w <<<"$links")" -eq 3 ] && [ "$links" = "$(find "$folder/report/trials" -name '*.html' -printf '%f\n' | cut -d. -f1 | sort -u)" ]
}
claim "the report links a page of each trial that is FAIL or ERROR" linked
touch "$folder/report/trials/99.html" "$folder/report/trials/mine.html"
claim "it is written again" answers 0 '^report: ' "$ukemi" report --db "$database" --output "$folder/report"
stale() { [ ! -e "$folder/report/trials/99.html" ] && [ -e "$folder/report/trials/mine.html" ]; }
claim "... and leaves no page of another trial, but whatever is not its own" stale
rm "$folder/report/trials/mine.html"
expected='1 PASS, 1 FAIL, 2 ERROR, 2 SKIP; 1 of 2 squares as expected'
counted() {
    grep -q "<span>6 trials: $expected</span>" "$folder/report/index.html" && grep -q "^Trials: $expected\." "$folder/report/table.txt" &&
        grep -q "^Trials: $expected\." "$folder/report/table.md" && "$ukemi" show --db "$database" | grep -q '2 skipped; 1 of 2 squares as expected' &&
        "$ukemi" report --db "$database" --format tap | grep -q "^# 6 trials: $expected" &&
        "$ukemi" report --db "$database" --format github | grep -q '^::notice .*2 skipped; 1 of 2 squares as expected'
}
claim "wherever its trials are counted, so are the squares that did what was expected" counted
format() { "$ukemi" report --db "$database" --format "$@"; }
claim "junit is written, and bad trials are no error of the report" format junit --output "$folder/junit.xml"
claim_with xmllint "finds it well-formed" xmllint --noout "$folder/junit.xml"
cat >"$folder/read.py" <<'PYTHON'
import sys
import xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
suites = root.findall("testsuite")
cases = root.findall("testsuite/testcase")
kinds = {kind: len(root.findall("testsuite/testcase/" + kind)) for kind in ("failure", "error", "skipped")}
assert len(suites) == 6 and len(cases) == int(root.get("tests")) == 6, len(cases)
assert kinds == {"failure": 1, "error": 2, "skipped": 2}, kinds
assert [int(root.get(name)) for name in ("failures", "errors", "skipped")] == [1, 2, 2]
failed = next(case for case in cases if case.find("failure") is not None)
assert failed.get("line") == sys.argv[2] and failed.get("file").endswith("narrow.yaml"), failed.attrib
words = failed.find("failure").text
assert "pole-stays: broken at" in words and 'claim: It stays, & "comes <back>".' in words, words
assert any(suite.get("name") == "idle: 100%, <a> & b#c, Wide" for suite in suites)
print(words)
PYTHON
line=$(grep -n pole-stays "$folder/narrow.yaml" | cut -d: -f1)
claim_with python3 "reads suites, cases and words, with the promise's line" python3 "$folder/read.py" "$folder/junit.xml" "$line"
again() { eval "\"$ukemi\" $(sed -n 's/^again: ukemi //p' "$folder/junit.xml" | head -1)"; }
claim "the command that it names runs the trial again" answers 1 'FAIL +pole-stays' again
run format tap
claim "tap is written to standard output" answered 0 '^TAP version 14$' '^1\.\.6$' '^not ok 3 - idle: 100%, <a> & b\\#c, Wide: wide seed ' \
    '^ok 5 - cannot, Wide: .* # SKIP priority-drop takes real time'
cp "$folder/said" "$folder/trials.tap"
points() { awk '/^(not )?ok/ { n++; sub(/^not /, ""); if ($2 != n) exit 1 } /^  ---/ { open++ } /^  \.\.\./ { open-- } END { exit n != 6 || open }' "$folder/trials.tap"; }
claim "its points are in order and its blocks are closed" points
prove_counts() {
    run prove --exec cat "$folder/trials.tap"
    answered 1 'Tests: 6 Failed: 3\)' 'Failed tests: +2-4'
}
claim_with prove "counts them" prove_counts
run format github
claim "annotations point at the promise" answered 0 \
    "^::error file=$folder/narrow.yaml,line=$line,title=FAIL%3A killed%2C Narrow%2C narrow seed [0-9]+::pole-stays: broken at .*%0Aagain: ukemi run --trial " \
    '^::error .*title=ERROR%3A idle%3A 100%25%2C <a> & b#c%2C Wide' '^::notice .*title=SKIP%3A cannot' \
    '^::notice title=Ukemi::campaign pole: 1 of 6 trials passed'
# The same file with its rows the other way round, all trials at once: other numbers, other order.
{ sed '/^rows:/q' "$folder/pole.yaml" && sed '1,/^rows:/d' "$folder/pole.yaml" | tac; } >"$folder/other.yaml"
claim "a campaign is run in another order" answers 3 '6 trials, 1 passed, 1 failed, 2 errors, 2 skipped' \
    "$ukemi" campaign "$folder/other.yaml" --jobs 6 --db "$folder/o.db" --output "$folder/other" --quiet
junit_names() { "$ukemi" report --format junit --db "$1" | grep -o 'classname="[^"]*" name="[^"]*"' | sort; }
tap_names() { "$ukemi" report --format tap --db "$1" | sed -nE 's/^(not )?ok [0-9]+ - //; T; s/ # SKIP .*//; p' | sort; }
names_stay() {
    "$1" "$database" >"$folder/names" && "$1" "$folder/o.db" | diff "$folder/names" - && [ "$(sort -u "$folder/names" | wc -l)" -eq 6 ] &&
        [ "$(sqlite3 "$database" "SELECT group_concat(seed) FROM trial")" != "$(sqlite3 "$folder/o.db" "SELECT group_concat(seed) FROM trial")" ]
}
claim "names in junit are those of the night before, each once" names_stay junit_names
claim "names in tap, too" names_stay tap_names
rm "$folder/narrow.yaml"
claim "without the scenario's file they point at the campaign's" answers 0 "^::error file=$folder/pole.yaml,line=1,title=FAIL" format github
claim "a format that there is not is bad input" answers 2 "--format: 'xml' is not junit, tap or github" format xml
claim "--to is the former name of --output, still taken" format junit --to "$folder/former.xml"
same_file() { format junit --output "$folder/present.xml" && cmp "$folder/former.xml" "$folder/present.xml"; }
claim "... and writes the same" same_file
claim "a file that cannot be written is named" answers 3 "$folder/none/x: No such file" format tap --output "$folder/none/x"

# ---- nothing judged ---------------------------------------------------------------------------------------------
sed '/killed\|idle/d' "$folder/pole.yaml" | sed -e 's/^name: .*/name: blind/' -e '/Narrow/d' >"$folder/blind.yaml"
blind() { "$ukemi" "$@" --db "$folder/blind.db"; }
claim "a campaign in which nothing was judged is no success" answers 3 'error: nothing was judged.*--allow-skip' \
    blind campaign "$folder/blind.yaml" --output "$folder/blind" --quiet
claim "... unless that is allowed" answers 0 '1 trial, 0 passed.*1 skipped' blind campaign "$folder/blind.yaml" --output "$folder/blind" --quiet --allow-skip
not_green() {
    grep -q 'class="bad">Nothing judged<' "$folder/blind/index.html" && grep -q '<strong>Nothing was judged:</strong> all 1 trial' "$folder/blind/index.html" &&
        not grep -q 'class="good"' "$folder/blind/index.html" && grep -q 'Nothing was judged' "$folder/blind/table.txt" && grep -q 'Nothing was judged' "$folder/blind/table.md"
}
claim "its page and tables say so, and nothing there is green" not_green
claim "... as does the list of campaigns" answers 0 '1 skipped: nothing was judged' blind show
claim "junit has an error" answers 0 'tests="2" failures="0" errors="1" skipped="1"' blind report --format junit
claim "tap has a point that fails" answers 0 '^not ok 2 - something was judged' blind report --format tap
claim "github has an error" answers 0 '^::error title=.*nothing was judged' blind report --format github
claim "... unless that is allowed" not answers 0 '^not ok' blind report --format tap --allow-skip
sed -e '/^duration_s/a faults: [{ kind: priority-drop, component: Controller, at: { time_s: [1, 1] }, duration_s: 1 }]' "$folder/wide.yaml" >"$folder/real.yaml"
claim "a trial that is skipped is no success" answers 3 'error: nothing was judged' "$ukemi" run "$folder/real.yaml"
claim "... unless that is allowed" answers 0 '^SKIP$' "$ukemi" run "$folder/real.yaml" --allow-skip
plan
