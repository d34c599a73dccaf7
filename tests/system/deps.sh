#!/bin/bash
# scripts/deps says what apt-get will install before it does, and installs nothing if DEPS=no. A dpkg-query without spin and an apt-get
# that only notes how it is called stand in for the system's.
#
# beside others: nothing is installed or run
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap

mkdir "$folder/bin"
cat >"$folder/bin/dpkg-query" <<'END'
#!/bin/sh
for package in $(sed -n '/^packages=/,/"$/p' scripts/deps | tr -d '"' | sed 's/^packages=//'); do
    [ "$package" = spin ] || echo "installed $package:amd64"
done
END
cat >"$folder/bin/apt-get" <<END
#!/bin/sh
case "\$*" in
*install\ -s*) printf 'Inst spin (6.5)\nInst libsomething (1.0)\n' ;;
*) echo "\$*" >>"$folder/called" && cat "$folder/said" >>"$folder/before" ;;
esac
END
printf '#!/bin/sh\nexec "$@"\n' >"$folder/bin/sudo"
chmod +x "$folder"/bin/*
deps() {
    rm -f "$folder/called" "$folder/before"
    PATH="$folder/bin:$PATH" scripts/deps "$@" >"$folder/said" 2>&1
}
refused() { DEPS=no deps && return 1 || [ $? -eq 2 ] && [ ! -e "$folder/called" ]; }
claim "with DEPS=no nothing is installed, which is an error" refused
claim "... that says what would be" grep -q 'DEPS=no forbids.*' "$folder/said"
claim "... and how" grep -q 'apt-get install --no-install-recommends spin$' "$folder/said"
claim "otherwise it is installed" deps
claim "... alone" grep -q ' spin$' "$folder/called"
claim "... and was printed before apt-get was called" grep -q 'will now install.*: spin$' "$folder/before"
claim "... with what it needs" grep -q 'these need: libsomething$' "$folder/before"
missing() { deps --check && return 1 || [ ! -e "$folder/called" ] && grep -q 'missing: spin$' "$folder/said"; }
claim "what is missing can be asked for alone" missing
plan
