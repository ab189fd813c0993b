# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Sourced by replay.sh and run.sh: the corpus folders of a fuzz target.

# corpus_dirs TARGET: prints the folders that exist, one a line
corpus_dirs() {
    local name=${1##*/fuzz_} dir
    for dir in "$NEUTOP_SRCDIR/tests/fixtures/$name" "$NEUTOP_SRCDIR/tests/fuzz/corpus/$name"; do
        if [ -d "$dir" ]; then
            printf '%s\n' "$dir"
        fi
    done
}
