#!/bin/bash
# Nothing is executed that somebody else has put where the lab might look: above a database or a scenario, in the current folder, in
# a folder that others may write. As root another user plants it; what an ordinary user plants is his own, and not looked for either.
# beside others: what it claims is which files are used, and its trials pass or not by that alone
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
shared=$folder/shared proof=$folder/proof
mkdir -m 1777 "$shared" && mkdir -m 777 "$proof"
chmod 755 "$folder"
other=()
[ "$(id -u)" -ne 0 ] || other=(setpriv --reuid=65534 --regid=65534 --clear-groups)

# planted COMMAND: by another user, in the shared folder.
planted() { "${other[@]}" sh -c "cd $shared && lab=$PWD proof=$proof shared=$shared && $1"; }

mkdir "$shared/own"
sed 's/^duration_s:.*/duration_s: 1.5/; s/^watch_s:.*/watch_s: 0.5/' tests/kill/stand.yaml >"$shared/own/stand.yaml"
sed '/^faults:/,$d' "$shared/own/stand.yaml" >"$shared/own/s.yaml"
echo 'faults: [{kind: kill, component: Planner, at: {time_s: [0.5, 0.5]}, restart_after_s: 0.2}]' >>"$shared/own/s.yaml"
cat >"$shared/own/c.yaml" <<CAMPAIGN
name: c
target: hubo2
seed: 4
fault: { kind: kill, parameters: [signal=KILL], restart_after_s: 0.15 }
columns:
  - { title: Static, scenario: stand.yaml, trials: 1, at: { time_s: [0.2, 0.5] } }
rows:
  - { component: Planner, expected: [No Effect] }
CAMPAIGN
unused() { [ -z "$(ls "$proof")" ] || { cat "$proof"/* && false; }; }

# ---- nothing planted is used ----------------------------------------------------------------------
from() { (cd "$1" && shift && "$@"); } # FOLDER COMMAND...
claim "another user plants report templates in a shared folder" planted \
    'cp -r $lab/reports . && sed -i "1isystem(\"id >$proof/plot\")" reports/common/style.gp'
claim "a campaign whose files lie below it passes" answers 0 '1 passed' "$ukemi" campaign "$shared/own/c.yaml" --db "$shared/own/u.db" --output "$shared/own/first"
claim "its report has the lab's plots" grep -q '<svg' "$shared/own/first/index.html"
claim "nothing planted was executed for it" unused
claim "a report is made where the plant is in the current folder" answers 0 'index.html' from "$shared" "$ukemi" report --db own/u.db --output own/second
claim "nothing planted was executed for that" unused
claim "faults and a target are planted, too" planted \
    'mkdir faults targets && cp $lab/faults/*.yaml faults/ && cp -r $lab/targets/hubo2 targets/ &&
     printf "#!/bin/sh\nid >$proof/program\n" >f.sh && chmod 755 f.sh && cp f.sh targets/hubo2/ &&
     sed -i "s|^program: .*|program: ../../..$shared/f.sh|" faults/*.yaml &&
     sed -i "s|run: .targets/hubo2/perception|run: [../target/f.sh|" targets/hubo2/target.yaml'
claim "a scenario below them runs with the lab's" answers 0 '^PASS$' from "$shared" "$ukemi" run own/s.yaml
run from "$shared" "$ukemi" run own/s.yaml --wall
claim "so it does in real time" answered "0 1 3" 'fault +kill|kill of Planner|kill +Planner' # whatever that machine's cycles miss
claim "a campaign, too" answers 0 '1 passed' from "$shared" "$ukemi" campaign own/c.yaml --db own/u.db --output own/first
claim "nothing planted was executed for them" unused

# ---- what others may write is refused, by name ------------------------------------------------------
place() { # FOLDER: an empty place with these folders
    mkdir -p "$1/reports" "$1/faults" "$1/targets/mine"
}
stack() { # FOLDER: a target of one's own in it
    place "$1"
    rm -r "$1/reports" "$1/faults"
    cp tests/system/standin/targets/standin/target.yaml targets/hubo2/hubo2.xml targets/hubo2/*.msg "$1/targets/mine/"
    sed -i 's/^name: .*/name: mine/' "$1/targets/mine/target.yaml"
    {
        printf 'name: s\nclaim: c\ntarget: mine\nduration_s: 1\nwatch_s: 0.5\n'
        printf 'operator: {program: tests/system/standin_process, arguments: tick balance-command}\n'
    } >"$1/s.yaml"
}
with() { UKEMI_PATH=$1 "${@:2}"; } # PLACES COMMAND...
place "$folder/loose"
rm -r "$folder/loose/faults"
chmod 777 "$folder/loose/reports"
claim "a folder of templates that others may write is refused by name" answers 2 "loose/reports: others may write it .*chmod -R go-w" \
    with "$folder/loose" "$ukemi" report --db "$shared/own/u.db" --output "$shared/own/third"
claim "nothing is written then" test ! -e "$shared/own/third"
stack "$folder/open"
chmod 666 "$folder/open/targets/mine/target.yaml"
claim "so is a target" answers 2 "mine/target.yaml: others may write it" with "$folder/open" "$ukemi" run "$folder/open/s.yaml"
stack "$folder/way"
mkdir "$folder/way/free" && mv "$folder/way/targets" "$folder/way/free/" && chmod 777 "$folder/way/free"
ln -s free/targets "$folder/way/targets"
claim "so is one behind a link, below a folder that others may write" answers 2 "way/free: others may write it" \
    with "$folder/way" "$ukemi" run "$folder/way/s.yaml"
mkdir -m 777 "$folder/catalogue" && cp tests/canaries/faults/catalogue/*.yaml "$folder/catalogue/"
claim "so is a fault catalogue" answers 2 "catalogue: others may write it" env UKEMI_FAULTS="$folder/catalogue" "$ukemi" list faults
install -m 666 scenarios/motion/001-stand.yaml "$folder/anybodys.yaml"
claim "so is a scenario" answers 2 "anybodys.yaml: others may write it" "$ukemi" run "$folder/anybodys.yaml"
claim="what belongs to another user is refused by name"
if [ "$(id -u)" -eq 0 ]; then
    claim "$claim" answers 2 "shared/faults: belongs to user 65534" with "$shared" "$ukemi" list faults
    mkdir "$shared/own/sub"
    claim "a project file that another user plants above is refused" planted 'echo "format: 1" >ukemi.yaml'
    claim "... by name, and nothing runs" answers 2 'shared/ukemi.yaml: belongs to user 65534' from "$shared/own/sub" "$ukemi" run ../s.yaml
    rm "$shared/ukemi.yaml"
else
    skip "$claim" "not root: nobody else's files to be had"
fi

# ---- nothing leads out of where it belongs ----------------------------------------------------------
refuses() { # FILE LINE-PATTERN SED-EXPRESSION: a fresh target with this mistake
    rm -rf "$folder/out"
    stack "$folder/out"
    sed -i "$3" "$folder/out/$1"
    answers 2 "$2" with "$folder/out" "$ukemi" run "$folder/out/s.yaml"
}
claim "a program beyond .. is refused with file and line" refuses targets/mine/target.yaml \
    'target.yaml:10: processes\[1\].run\[0\]: ../x: leads out' '10s|run: [^],]*|run: [../x|'
claim "so is one in the middle of a path" refuses targets/mine/target.yaml 'a/../../x: leads out' '10s|run: [^],]*|run: [a/../../x|'
claim "so is a whole path that no cell shows" refuses targets/mine/target.yaml '/home/x: a cell does not show it' '10s|run: [^],]*|run: [/home/x|'
claim "even by way of one that is shown" refuses targets/mine/target.yaml '/usr/../home/x: a cell does not show it' '10s|run: [^],]*|run: [/usr/../home/x|'
claim "so is a description" refuses targets/mine/target.yaml 'target.yaml:5: description: ../d.xml: leads out' '5s|description: [^ ]*|description: ../d.xml|'
claim "so is an operator's program" refuses s.yaml 's.yaml:6: operator.program: ../x: leads out' '6s|program: [^,]*|program: ../x|'
claim "so is a program in place of another" refuses s.yaml 'programs\[0\].program: ../x: leads out' '$a programs: [{component: Sink, program: ../x}]'
mkdir "$folder/family"
sed 's|^program: .*|program: ../x|' faults/process.yaml >"$folder/family/mine.yaml"
sed -i 's/name: \(kill\|stall\|restart\)$/name: my-\1/' "$folder/family/mine.yaml"
claim "so is a fault's program" answers 2 'mine.yaml:[0-9]+: program: ../x: leads out' env UKEMI_FAULTS="$folder/family" "$ukemi" list faults

# ---- a project file marks a root ----------------------------------------------------------------------
mkdir -p "$folder/project/work/deep" "$folder/project/scenarios"
stack "$folder/project"
mv "$folder/project/s.yaml" "$folder/project/scenarios/project-s.yaml"
deep=$folder/project/work/deep
claim "without a project file nothing above is looked at" answers 2 'project-s: there is no such file' from "$deep" "$ukemi" check project-s
echo "format: 1" >"$folder/project/ukemi.yaml"
claim "with one its scenarios and targets are found from below" answers 0 '^mine ' from "$deep" "$ukemi" list targets
claim "... by name" answers 0 'project-s: sound' from "$deep" "$ukemi" check project-s
mkdir "$folder/project/work/scenarios"
echo "format: 1" >"$folder/project/work/ukemi.yaml"
claim "the nearest one counts" answers 2 'project-s: there is no such file' from "$deep" "$ukemi" check project-s
echo "format: 2" >"$folder/project/work/ukemi.yaml"
claim "one of a later format is refused" answers 2 'work/ukemi.yaml:1: format: 2: a format of later versions' from "$deep" "$ukemi" list targets

# ---- so is a fault of one's own, whose program is a script ------------------------------------------------
frozen=$folder/frozen/cart
mkdir "$folder/frozen"
run from "$folder/frozen" "$ukemi" new cart --language sockets
mkdir "$frozen/faults"
cat >"$frozen/faults/freeze.yaml" <<'FAMILY'
program: freeze
faults:
  - { name: freeze, summary: The process is stopped by a script., colour: "#ff7f0e", look: process, halts: stopped, undo: program }
FAMILY
cat >"$frozen/faults/freeze" <<'SCRIPT'
#!/bin/sh
for word; do case $word in pid=*) pid=${word#pid=} ;; esac; done
case $1 in apply) kill -STOP "$pid" ;; undo) kill -CONT "$pid" ;; esac
state() { sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' "/proc/$pid/status"; }
while [ "$1" = apply ] && [ "$(state)" != T ]; do :; done
echo "proven=1 evidence=a script: $1"
SCRIPT
sed 's/kind: kill/kind: freeze/; s/restart_after_s: 0.3, parameters: .*\]/duration_s: 0.2/' "$frozen/scenarios/controller-killed.yaml" >"$frozen/scenarios/frozen.yaml"
claim "a fault's program that cannot be executed is told with its place" answers 2 'frozen/cart/faults/freeze: this is not a program' \
    from "$frozen" "$ukemi" check faults/freeze.yaml
chmod 755 "$frozen/faults/freeze"
claim "a fault of one's own is listed" answers 0 '^freeze ' from "$frozen" "$ukemi" list faults
if [ -x /usr/bin/python3 ]; then
    claim "it strikes, and the lab confirms it" answers 0 'applied freeze Controller: a script: apply' from "$frozen" "$ukemi" run frozen --seed 3
else
    skip "it strikes, and the lab confirms it" "no /usr/bin/python3"
fi
chmod 775 "$frozen/faults/freeze" && chgrp 65534 "$frozen/faults/freeze" 2>/dev/null || chmod 757 "$frozen/faults/freeze"
claim "a fault's program that others may write is refused" answers 2 'faults/freeze: others may write it' from "$frozen" "$ukemi" list faults

# ---- a stranger's own is found ------------------------------------------------------------------------
stack "$folder/mine"
cp "$BUILD/tests/system/standin_process" "$folder/mine/targets/mine/tick"
sed -i 's|run: .tests/system/standin_process|run: [tick|' "$folder/mine/targets/mine/target.yaml"
claim "a target of UKEMI_PATH runs, with programs of its own folder" answers 0 'simulated 1\.' with "$folder/mine" "$BUILD/tests/bench/trial_run" "$folder/mine/s.yaml" 3
claim "it is listed" answers 0 '^mine +3 processes' with "$folder/mine" "$ukemi" list targets
stack "$folder/second"
claim "two targets of one name are refused" answers 2 'second/targets/mine/target.yaml: .*mine has one of this name' \
    with "$folder/mine:$folder/second" "$ukemi" run "$folder/mine/s.yaml"
mkdir "$folder/mine/reports"
printf 'A page: {{>mine}}\n' >"$folder/mine/reports/mine.md"
printf "SELECT 1 AS x, 2 AS y" >"$folder/mine/reports/mine.sql"
cat >"$folder/mine/reports/mine.gp" <<SCRIPT
eval start
system("id >$proof/system")
words = "\`id >$proof/backticks\`"
print words
plot '< id >$proof/pipe; echo 1 2' using 1:2 notitle, data using 1:2 with points notitle
SCRIPT
run with "$folder/mine" "$ukemi" report --db "$shared/own/u.db" --output "$folder/page"
claim "templates of UKEMI_PATH make pages beside the lab's" grep -q '^A page' "$folder/page/mine.md"
claim "a plot's system(), backticks and pipes start nothing" unused
printf 'eval start\nplot data using 1:2 with points notitle\n' >"$folder/mine/reports/mine.gp"
with "$folder/mine" "$ukemi" report --db "$shared/own/u.db" --output "$folder/page" >/dev/null 2>&1
claim "a plot of its own is made, in the style of all" grep -q '<svg' "$folder/page/mine.svg"
mkdir "$folder/mine/reports/campaign"
mv "$folder/mine/reports"/mine.* "$folder/mine/reports/campaign/"
with "$folder/mine" "$ukemi" report --db "$shared/own/u.db" --output "$folder/other" >/dev/null 2>&1
claim "so is it from a folder of the page" cmp "$folder/page/mine.svg" "$folder/other/mine.svg"
cp reports/walking/table1.md "$folder/mine/reports/"
claim "a template of the lab's name is refused" answers 2 'mine/reports/table1.md: .*has one of this name' \
    with "$folder/mine" "$ukemi" report --db "$shared/own/u.db" --output "$folder/page"
plan
