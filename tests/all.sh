#!/usr/bin/env bash
# Runs every check of the project and prints how long each phase took.
#
# usage: tests/all.sh [PHASE..]
#
# Phases: format lint docs test neovim vscode. Without arguments, all of them. A phase whose editor is not
# installed is reported as "not run", never as passed; with NEURO_REQUIRE_ALL=1 it counts as a failure.
set -u
cd "$(dirname "$0")/.." || exit 2

phases=("$@")
[ ${#phases[@]} -gt 0 ] || phases=(format lint docs test neovim vscode)
table=()
failed=0

format() { cargo fmt --all -- --check; }
lint() { cargo clippy --workspace --all-targets --quiet -- -D warnings; }
docs() { RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --quiet; }
test() { cargo test --workspace --no-fail-fast --quiet; }
neovim() { editors/nvim/test/run.sh; }
vscode() { editors/vscode/test/run.sh; }

for phase in "${phases[@]}"; do
    printf '\n== %s\n' "$phase"
    start=$(date +%s.%N)
    "$phase"
    status=$?
    seconds=$(echo "$(date +%s.%N) - $start" | bc)
    case $status in
        0) word=passed ;;
        77) word="not run"; [ "${NEURO_REQUIRE_ALL:-}" = 1 ] && failed=1 ;;
        *) word=FAILED; failed=1 ;;
    esac
    table+=("$(printf '%-8s %8.1f s  %s' "$phase" "$seconds" "$word")")
done

printf '\n%s\n' "phase      seconds  result"
printf '%s\n' "${table[@]}"
exit $failed
