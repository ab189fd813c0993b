#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What it costs to tell of a NEFF of 2 GiB, against inflating the first 64 MiB of its payload, which is as far as neutop goes.
# Two files: one with its metadata first, as small models have it, and one with more than 64 MiB of debug data before it.
#   BENCH_ROUNDS=3
set -eu
rounds=${BENCH_ROUNDS:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$NEUTOP_SRCDIR/tests/e2e python3 - "$work" <<'END'
import os
import sys

import neff_files as make

SIZE = 2 << 30
debug = make.member("debug_info/large", os.urandom(40 << 20).hex().encode())
for name, members in (("early", []), ("late", [debug])):
    payload = make.zip_tar(make.tar(*members, make.info_json(), make.kelf_json()), level=1)
    with open(os.path.join(sys.argv[1], name + ".neff"), "wb") as file:
        file.write(make.header(payload, data_size=SIZE - make.HEADER) + payload)
        file.truncate(SIZE)
END

median() {
    sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# seconds COMMAND...: prints the seconds that it takes
seconds() {
    local start=$EPOCHREALTIME
    "$@" >/dev/null
    awk -v start="$start" -v end="$EPOCHREALTIME" 'BEGIN { print end - start }'
}

# gzip complains of what follows its data, and of being cut off.
inflate() {
    head -c 64M "$1" | tail -c +1025 | gzip -dc 2>/dev/null | head -c 64M || true
}

for name in early late; do
    file=$work/$name.neff
    cat "$file" >/dev/null # into the page cache, for both
    for ((round = 0; round < rounds; round++)); do
        seconds "$NEUTOP_BIN" neff --no-config -S none "$file" >>"$work/ours"
        seconds inflate "$file" >>"$work/peer"
    done
    awk -v name="$name" -v ours="$(median <"$work/ours")" -v peer="$(median <"$work/peer")" 'BEGIN {
        printf "%-36s %-8s %10.4g  %-8s %10.4g %7.2f %8s  %s\n", "NEFF of 2 GiB, metadata " name, "s", ours, "gzip",
            peer, ours / peer, "<= 2", ours <= 2 * peer ? "ok" : "OVER"
    }'
    rm -f "$work/ours" "$work/peer" "$file"
done
