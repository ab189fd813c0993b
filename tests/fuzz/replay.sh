#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs each fuzz target once over the files of its corpus: a crash found once stays found.
set -u
. "$NEUTOP_SRCDIR/tests/fuzz/corpus.sh"

if [ -z "$NEUTOP_FUZZ_TARGETS" ]; then
    echo 'SKIP: no fuzz target'
    exit 77
fi
failed=0
for target in $NEUTOP_FUZZ_TARGETS; do
    mapfile -t dirs < <(corpus_dirs "$target")
    files=()
    if [ "${#dirs[@]}" -gt 0 ]; then
        mapfile -d '' -t files < <(find "${dirs[@]}" -type f -print0)
    fi
    if output=$("$NEUTOP_BUILDDIR/$target" ${files[@]+"${files[@]}"} 2>&1); then
        echo "PASS: ${target##*/}: ${output##*$'\n'}"
    else
        echo "FAIL: ${target##*/}: $output"
        failed=1
    fi
done
exit "$failed"
