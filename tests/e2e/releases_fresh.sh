#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The committed table of SDK releases is what data/releases.json makes.
set -eu
command -v python3 >/dev/null || exit 77
made=$(python3 "$NEUTOP_SRCDIR/data/releases-table.py" "$NEUTOP_SRCDIR/data/releases.json")
if [ "$made" != "$(cat "$NEUTOP_SRCDIR/src/host/releases_table.c")" ]; then
    echo 'src/host/releases_table.c is old: make releases-table'
    exit 1
fi
