#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The table of what neutop costs, each row against a peer that runs in turn with it on the same machine, medians of several
# short runs. A row that is over its budget says so; nothing fails, because a loaded machine is not a broken program.
#   BENCH_ROUNDS=3 BENCH_SECONDS=8
set -eu
rounds=${BENCH_ROUNDS:-3}
seconds=${BENCH_SECONDS:-8}
neutop=$NEUTOP_BIN
tools=$NEUTOP_BUILDDIR/tests/bench
fixtures=$NEUTOP_FIXTURES/monitor
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
over=0

# median < numbers, one a line
median() {
    sort -g | awk '{ v[NR] = $1 } END { print NR == 0 ? "nan" : NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# value NAME < lines of NAME=VALUE pairs: the median of NAME
value() {
    tr ' ' '\n' | sed -n "s/^$1=//p" | median
}

# row WHAT UNIT OURS PEER-NAME PEER BUDGET   budget: the largest ratio, or with PEER "-" the largest value; "-" none
row() {
    awk -v what="$1" -v unit="$2" -v ours="$3" -v name="$4" -v peer="$5" -v budget="$6" 'BEGIN {
        ratio = peer == "-" ? ours : peer > 0 ? ours / peer : 0
        measured = ours ~ /^[0-9.e+-]+$/ && ours >= 0
        verdict = !measured ? "NOT MEASURED" : budget == "-" ? "" : ratio <= budget ? "ok" : "OVER"
        printf "%-36s %-8s %10.6g  %-8s %10s %7s %8s  %s\n", what, unit, ours, name,
            peer == "-" ? "-" : sprintf("%.6g", peer), peer == "-" ? "-" : sprintf("%.2f", ratio),
            budget == "-" ? "-" : "<= " budget, verdict
        exit verdict ~ /OVER|NOT/
    }' || over=$((over + 1))
}

# A peer that is not there gives "-", and the row has no ratio and no budget.
have() {
    command -v "$1" >/dev/null
}

bench_screen() {
    local round
    for ((round = 0; round < rounds; round++)); do
        "$tools/termcost" -s "$seconds" -g 120x40 "$neutop" --no-config --demo --seed 1 -d 1 >>"$work/screen"
        if have htop; then
            HTOPRC=/dev/null "$tools/termcost" -s "$seconds" -g 120x40 htop -d 10 >>"$work/htop"
        fi
    done
    local cpu=- rss=-
    if have htop; then
        cpu=$(value steady_cpu_ms_s <"$work/htop")
        rss=$(value max_rss_kib <"$work/htop")
    fi
    row "screen, steady CPU" "ms/s" "$(value steady_cpu_ms_s <"$work/screen")" "htop" "$cpu" "$([ "$cpu" = - ] && echo - || echo 1)"
    row "screen, peak memory" "KiB" "$(value max_rss_kib <"$work/screen")" "htop" "$rss" "$([ "$rss" = - ] && echo - || echo 1)"
    row "screen, bytes to the terminal" "bytes/s" "$(value steady_bytes_s <"$work/screen")" "-" - 3000
    row "screen, first frame" "ms" "$(value first_frame_ms <"$work/screen")" "-" - 50
}

# allocations SIZE ITERATIONS: how often malloc and its relatives were called in all
allocations() {
    rm -f "$work/count"
    ALLOC_COUNT_FILE=$work/count "$tools/termcost" -s 60 -g "$1" env LD_PRELOAD="$tools/alloc_count.so" \
        "$neutop" --no-config --demo --seed 1 -d 0.1 -n "$2" >/dev/null
    tail -n 1 "$work/count" 2>/dev/null | cut -d ' ' -f 1
}

# Two runs of different length cancel what the start costs.
per_tick() {
    awk -v a="$(allocations "$1" 10)" -v b="$(allocations "$1" 30)" 'BEGIN { print (b >= a && a > 0) ? (b - a) / 20 : "nan" }'
}

# Two sizes cancel what a tick costs whatever is drawn.
bench_allocations() {
    local small large
    small=$(per_tick 80x24)
    large=$(per_tick 200x60)
    row "libc allocations a tick, 80x24" "" "$small" "-" - -
    row "libc allocations a tick, 200x60" "" "$large" "-" - -
    row "libc allocations a drawn cell" "" \
        "$(awk -v s="$small" -v l="$large" 'BEGIN {
            d = (l - s) / (200 * 60 - 80 * 24)
            print (s == "nan" || l == "nan") ? "nan" : ((d > 0) ? d : 0)
        }')" "-" - 0
}

bench_parse() {
    "$tools/bench_parse" "$fixtures/trn1n-32xlarge-32procs-captured.ndjson" >"$work/parse"
    row "parse and model, 444 KB report" "ms" "$(value ours_ms <"$work/parse")" "json-c" "$(value bare_ms <"$work/parse")" 1.5
    "$tools/bench_snapshot" >"$work/snapshot"
    row "arena of a demo snapshot" "bytes" "$(value arena_bytes <"$work/snapshot")" "-" - -
    row "snapshot and findings of the demo" "ms" "$(value snapshot_ms <"$work/snapshot")" "-" - -
}

# The driver's files of a busy instance, with files enough of it kept open.
bench_driver() {
    tar -xzf "$NEUTOP_FIXTURES/sysfs/trn2.48xlarge-drv2.30.2-busy-t0.tar.gz" -C "$work"
    local round
    for ((round = 0; round < rounds; round++)); do
        "$tools/bench_sysfs" "$work" >>"$work/driver"
    done
    row "driver, a tick of 16 chips, 128 cores" "ms" "$(value sysfs_ms <"$work/driver")" "pread" "$(value pread_ms <"$work/driver")" 2
    row "driver, files of a tick" "" "$(value reads <"$work/driver")" "-" - $((128 * 12 + 16 * 4))
    row "driver, first reading" "ms" "$(value first_ms <"$work/driver")" "-" - -
}

# timed NAME COMMAND...: wall seconds into NAME
timed() {
    local name=$1 from=$EPOCHREALTIME
    shift
    "$@" >/dev/null
    awk -v from="$from" -v to="$EPOCHREALTIME" 'BEGIN { print (to - from) * 1e3 }' >>"$work/$name"
}

bench_replay() {
    local round
    for ((round = 0; round < 30; round++)); do
        cat "$fixtures/trn2-48xlarge-lnc2.ndjson" "$fixtures/trn2-48xlarge-k8s-info.ndjson"
    done >"$work/stream.ndjson"
    for ((round = 0; round < rounds; round++)); do
        timed replay "$neutop" --no-config --json -i "$work/stream.ndjson"
        if have jq; then
            timed jq jq -c . "$work/stream.ndjson"
        fi
    done
    local megabytes
    megabytes=$(($(wc -c <"$work/stream.ndjson") / 1000000))
    row "replay --json, $megabytes MB stream" "ms" "$(median <"$work/replay")" "jq -c" \
        "$(if have jq; then median <"$work/jq"; else echo -; fi)" "$(if have jq; then echo 1; else echo -; fi)"
}

printf '%-36s %-8s %10s  %-8s %10s %7s %8s\n' "median of $rounds" unit neutop peer peer ratio budget
bench_screen
bench_parse
bench_driver
bench_replay
bench_allocations
if [ "$over" -gt 0 ]; then
    echo "$over not within budget"
fi
