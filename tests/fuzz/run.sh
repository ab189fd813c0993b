#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh SECONDS TARGET...: fuzzes each target for SECONDS, from its corpus. New inputs and crashes stay in the build
# folder, below fuzz/NAME.
set -eu
. "$NEUTOP_SRCDIR/tests/fuzz/corpus.sh"

seconds=$1
shift
if [ $# -eq 0 ]; then
    echo 'no fuzz target'
fi
for target in "$@"; do
    name=${target##*/fuzz_}
    work=fuzz/$name
    mkdir -p "$work/new"
    dict=$NEUTOP_SRCDIR/tests/fuzz/$name.dict
    options=(-max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -artifact_prefix="$work/" -print_final_stats=1)
    if [ -f "$dict" ]; then
        options+=(-dict="$dict")
    fi
    mapfile -t dirs < <(corpus_dirs "$target")
    if ! "./$target" "${options[@]}" "$work/new" ${dirs[@]+"${dirs[@]}"} >"$work/log" 2>&1; then
        tail -n 60 "$work/log"
        echo "FAIL: fuzz_$name, input in $work/"
        exit 1
    fi
    echo "PASS: fuzz_$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log") inputs in ${seconds} s"
done
