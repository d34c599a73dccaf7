#!/bin/bash
# The page of one trial: what it holds, that it is small and always the same, and what a browser that nobody here wrote shows of it.
# beside others: all trials are on the virtual clock
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap

browser=$(command -v chromium-headless-shell || command -v chromium)
drawing=(--disable-gpu)
at_once=(--virtual-time-budget=2000) # of the browser's own virtual time, which can stand still for ever where it draws in 3-D
# in_browser OPTION... ADDRESS: what the browser prints. As root it has no sandbox.
in_browser() {
    timeout 300 "$browser" --headless --no-sandbox --user-data-dir="$folder/profile" "${drawing[@]}" --hide-scrollbars \
        --window-size=1500,1200 "$@" 2>"$folder/browser"
}
# shown TIME PATTERN...: the page at that time has these in its document.
shown() {
    in_browser "${at_once[@]}" --dump-dom "file://$page#t=$1" >"$folder/said"
    code=$?
    answered 0 "${@:2}"
}
with_browser() {
    if [ -n "$browser" ]; then claim "$@"; else skip "$1" "no chromium: see scripts/deps"; fi
}

# ---- a target with quantities and promises ------------------------------------------------------------------------
claim "a history is kept" answers 0 '^PASS$' "$ukemi" run 070 --seed 2 --keep "$folder/pole.mcap"
page=$folder/pole.html
claim "its page is written" answers 0 "^page: $page$" "$ukemi" view "$folder/pole.mcap" 070 --output "$page"
same() { "$ukemi" view "$folder/pole.mcap" 070 --output "$folder/again.html" && cmp "$page" "$folder/again.html"; }
claim "the same trial gives the same page" same
killed=$(sed -n 's/.*"kind":"kill".*"from":\([0-9.]*\).*/\1/p' "$page")
with_browser "the address sets the time, and the values are those of then" shown 1 '<output id="time">1.000 s' \
    '>promise pole-stays \[margin\]<' '>lean_rad \[rad\]<' '>200 /s<' '<title>controller: ran from 0.000 to'
with_browser "while the controller is dead its channel carries nothing" shown "$(awk -v t="$killed" 'BEGIN { print t + 0.15 }')" \
    '>force \[frames/s\]</text><text [^>]*>[0-9]+</text><text [^>]*>0</text><text [^>]*>0 /s<' 'killed by signal 9'
value_at() { in_browser "${at_once[@]}" --dump-dom "file://$page#t=$1&s=quantity:drift_m" | grep -o '>[^<]* m</text>'; }
differs() { [ -n "$(value_at 1)" ] && [ "$(value_at 1)" != "$(value_at 9)" ]; }
with_browser "another time has other values" differs
with_browser "the address chooses signals" shown "2&s=field:none,pole.angle_rate_rad_s" '>pole.angle_rate_rad_s \[rad/s\]<' '>1 of [0-9]+ signals'

# ---- a robot ------------------------------------------------------------------------------------------------------
claim "a walk is kept" answers 0 '^PASS$' "$ukemi" run 013 --seed 3 --keep "$folder/fall.mcap"
page=$folder/fall.html
claim "its page is written" answers 0 "^page: $page$" "$ukemi" view "$folder/fall.mcap" 013 --output "$page"
small() { [ "$(stat -c %s "$page")" -lt 5000000 ]; }
claim "it is smaller than 5 MB" small
with_browser "it shows the tracks of a robot, its buses and its body" shown 9 '>tilt_deg \[°\]<' '>can0 \[CAN frames/s\]<' \
    '>balance</text>' 'The robot is not drawn: this browser has no WebGL'
drawing=(--use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader)
# The pictures of a robot that stands and of one that lies differ, and not only in the slider.
pictures() {
    local t
    for t in 1 10.5; do in_browser --timeout=10000 --screenshot="$folder/$t.png" "file://$page#t=$t" || return 1; done
    ! cmp -s "$folder/1.png" "$folder/10.5.png"
}
with_browser "it is drawn, and moves" pictures

# ---- films --------------------------------------------------------------------------------------------------------
# brief SCENARIO SECONDS: the history of its first seconds, which is enough to be seen; its verdict says nothing.
brief() {
    sed -e "s/^duration_s: .*/duration_s: $2/" -e 's/^watch_s: .*/watch_s: 0/' -e '/^promises:/,$d' -e "s/^name: .*/name: $1/" scenarios/*/"$1"-*.yaml >"$folder/$1.yaml"
    "$ukemi" run "$folder/$1.yaml" --seed 1 --keep "$folder/$1.mcap" >"$folder/ran" 2>&1
    [ -s "$folder/$1.mcap" ]
}
film() { answers 0 "^film: $folder/$1.webp$" "$ukemi" export "$folder/$1.mcap" "$folder/$1.yaml" --format film -o "$folder/$1.webp"; }
# seen FILE FRAMES: so many frames; in each the robot's own colour is seen, and it moves.
seen() {
    "$BUILD/tests/system/film_frames" "$1" >"$folder/frames" || return 1
    awk -v frames="$2" '/^frames/ { found = $2 == frames ","; next }
        $2 < 0.002 { dark = 1 }
        NR > 1 && $3 > 0.001 { moved++ }
        END { exit !(found && !dark && moved > frames / 4) }' "$folder/frames"
}
claim "the beginning of a servo robot's wave is kept" brief 136 1
if film 136; then
    claim "a film of it has 25 frames a second; they show the robot, and it moves" seen "$folder/136.webp" 26
    claim "a humanoid's steps are kept" brief 003 0.6
    claim "a film of them is made" film 003
    claim "the robot is in it, and moves" seen "$folder/003.webp" 16
    blind() { __EGL_VENDOR_LIBRARY_FILENAMES=/dev/null "$ukemi" export "$folder/136.mcap" "$folder/136.yaml" --format film -o "$folder/none.webp"; }
    claim "a machine without OpenGL is told what it needs" answers 3 'pictures: .*apt-get install' blind
    claim "... and has no film" not test -e "$folder/none.webp"
elif grep -q 'pictures: ' "$folder/said"; then
    skip "a film" "$(grep 'pictures: ' "$folder/said")"
else
    claim "a film is made" false
fi
claim "a target without a body has no film" answers 2 'target pendulum has no body.*target.yaml' "$ukemi" export "$folder/pole.mcap" 070 --format film -o "$folder/no.webp"
claim "a film needs a file's name" answers 2 'name a file with -o' "$ukemi" export "$folder/pole.mcap" 070 --format film

# ---- what is wrong ------------------------------------------------------------------------------------------------
claim "a page that cannot be written is named, with a remedy" answers 3 "$folder/none/x.html: cannot be written: .*--output" \
    "$ukemi" view "$folder/pole.mcap" 070 --output "$folder/none/x.html"
head -c 5000 "$folder/pole.mcap" >"$folder/cut.mcap"
claim "a history that is cut off is refused" answers 2 'cut.mcap' "$ukemi" view "$folder/cut.mcap" 070 --output "$folder/cut.html"
claim "... and leaves no page" not test -e "$folder/cut.html"
plan
