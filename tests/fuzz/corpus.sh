# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Sourced by replay.sh and run.sh: the corpus folders of a fuzz target.

# corpus_dirs TARGET: prints the folders that exist, one a line
corpus_dirs() {
    local name=${1##*/fuzz_} dir
    local -a dirs=("$NEUTOP_SRCDIR/tests/fixtures/$name" "$NEUTOP_SRCDIR/tests/fuzz/corpus/$name")
    if [ "$name" = explain ]; then
        dirs+=("$NEUTOP_SRCDIR/tests/fixtures/field")
    fi
    for dir in "${dirs[@]}"; do
        if [ -d "$dir" ]; then
            printf '%s\n' "$dir"
        fi
    done
}
