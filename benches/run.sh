#!/usr/bin/env bash
# Times each program of benches/scalar against the same program in C at -O2, in one run.
#
# usage: benches/run.sh [NAME..]      with NEURC=path for another neurc than the release build, REPEAT=n for more rounds
#
# A time is the least of several rounds, in which both programs take turns. Both must print the same.
set -eu
cd "$(dirname "$0")/scalar"
neurc=${NEURC:-}
if [ -z "$neurc" ]; then
    cargo build --release --quiet -p neurc
    neurc=$(cargo metadata --no-deps --format-version=1 | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/release/neurc
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
names=("$@")
[ ${#names[@]} -gt 0 ] || for file in *.nr; do names+=("${file%.nr}"); done

# Seconds of processor time that a command takes.
seconds() {
    local TIMEFORMAT='%U'
    { time "$1" >"$2"; } 2>&1
}

for name in "${names[@]}"; do
    "$neurc" build -O2 "$name.nr" -o "$folder/$name" 2>/dev/null
    cc -O2 "$name.c" -o "$folder/$name-c" -lm
    for _ in $(seq "${REPEAT:-5}"); do
        echo "$name $(seconds "$folder/$name" "$folder/out") $(seconds "$folder/$name-c" "$folder/out-c")"
        cmp -s "$folder/out" "$folder/out-c" || { echo "$name prints something else than its C" >&2; exit 1; }
    done
done | awk '
    !($1 in neuro) { order[++count] = $1; neuro[$1] = $2; c[$1] = $3 }
    { if ($2 < neuro[$1]) neuro[$1] = $2; if ($3 < c[$1]) c[$1] = $3 }
    END {
        printf "%-10s %10s %10s %8s\n", "", "neuro", "C -O2", "ratio"
        for (at = 1; at <= count; at++) {
            name = order[at]; ratio = neuro[name] / c[name]; sum += log(ratio)
            printf "%-10s %8.3f s %8.3f s %8.2f\n", name, neuro[name], c[name], ratio
        }
        printf "%-10s %31.2f  geometric mean\n", "", exp(sum / count)
    }'
