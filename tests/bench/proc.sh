#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a reading of /proc costs on a host with thousands of processes that have nothing to do with Neuron, against a tick of
# htop on the same host. The budget is twice htop's CPU. Twice measured: with a use count of the driver that tells of
# handles still to be found, and without one (then all processes are gone through every two seconds).
#   BENCH_PROCESSES=2000 BENCH_SECONDS=8
set -eu
processes=${BENCH_PROCESSES:-2000}
seconds=${BENCH_SECONDS:-8}
tools=$NEUTOP_BUILDDIR/tests/bench
work=$(mktemp -d)
strangers=()
cleanup() {
    if [ "${#strangers[@]}" -gt 0 ]; then
        kill "${strangers[@]}" 2>/dev/null || true
    fi
    rm -rf "$work"
}
trap cleanup EXIT

for ((i = 0; i < processes; i++)); do
    sleep 600 >/dev/null 2>&1 &
    strangers+=($!)
done
disown -a

# value NAME FILE
value() {
    tr ' ' '\n' <"$2" | sed -n "s/^$1=//p"
}

mkdir -p "$work/sys/module/neuron"
ln -s /proc "$work/proc"
echo 10 >"$work/sys/module/neuron/refcnt"
"$tools/bench_proc" "$seconds" >"$work/blind"
"$tools/bench_proc" "$seconds" "$work" >"$work/counted"
peer=-
if command -v htop >/dev/null; then
    HTOPRC=/dev/null "$tools/termcost" -s "$((seconds + 4))" -w 4 -g 120x40 htop -d 10 >"$work/htop"
    peer=$(value steady_cpu_ms_s "$work/htop")
fi
for kind in counted blind; do
    awk -v kind="$kind" -v n="$processes" -v ours="$(value tick_cpu_ms "$work/$kind")" -v peer="$peer" \
        -v first="$(value first_cpu_ms "$work/$kind")" 'BEGIN {
        verdict = peer == "-" ? "" : ours <= 2 * peer ? "ok" : "OVER"
        printf "%-36s %-8s %10.4g  %-8s %10s %7s %8s  %s (first reading %.4g)\n",
            "owners, " n " processes, " kind, "ms/tick", ours, "htop", peer,
            peer == "-" ? "-" : sprintf("%.2f", ours / peer), "<= 2", verdict, first
    }'
done
