#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the program has, the manual tells: every finding id of the rule tables, every option of the option tables.
set -u
cd "$(dirname "$0")/../.." || exit 1
missing=0
tell() {
    echo "man/neutop.1 says nothing of $1"
    missing=1
}
for id in $(sed -nE 's/^ *\{"([a-z0-9]+(-[a-z0-9]+)+)",.*/\1/p' src/check/*.c | sort -u); do
    grep -qF -- "$id" man/neutop.1 || tell "finding $id"
done
for option in $(sed -nE "s/^ *\{('.'|0), \"([a-z-]+)\", ARGUMENT.*/\2/p" src/cmd/*.c | sort -u); do
    grep -qE -- "Fl -$option\b" man/neutop.1 || tell "option --$option"
done
exit "$missing"
