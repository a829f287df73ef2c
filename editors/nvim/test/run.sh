#!/usr/bin/env bash
# Drives a real Neovim without a screen: diagnostics, hover, lenses, gradients, the derivative view, a run.
# Exits with 77 when no Neovim 0.11 is installed.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
nvim=${NVIM:-}
for candidate in "${NEURO_TOOLS:-}/nvim/bin/nvim" "$(command -v nvim)"; do
    [ -n "$nvim" ] || { [ -x "$candidate" ] && nvim=$candidate; }
done
if [ -z "$nvim" ] || ! "$nvim" --clean --headless -c 'if !has("nvim-0.11") | cquit | endif' -c qa 2>/dev/null; then
    echo "neovim: no Neovim 0.11 or newer here (NEURO_TOOLS, NVIM or PATH)"
    exit 77
fi
cargo build --quiet -p neurc || exit 1
target=${CARGO_TARGET_DIR:-$root/target}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/project" && touch "$work/project/neuro.toml"
export XDG_STATE_HOME=$work/state XDG_DATA_HOME=$work/data XDG_CACHE_HOME=$work/cache
export NEURC=$target/debug/neurc NEURO_PLUGIN=$root/editors/nvim NEURO_PROJECT=$work/project NEURO_REPORT=$work/report
timeout 120 "$nvim" --headless --clean --cmd "set rtp^=$NEURO_PLUGIN" -l "$here/session.lua"
status=$?
cat "$work/report" 2>/dev/null
exit $status
