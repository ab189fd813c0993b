#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# summary.sh BUILDDIR: after "make check": the closing lines of the test programs, and as the last line the number of
# test cases. A cmocka program counts with its cases; any other test as one. A program that failed without saying
# which case (a crash, a leak found at exit) counts as one more failure.
set -eu
cd "$1"

passed=0 failed=0 skipped=0
while IFS= read -r -d '' trs; do
    result=$(sed -n 's/^:global-test-result: //p' "$trs")
    log=${trs%.trs}.log
    good=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test(s).*/\1/p' "$log" | awk '{n += $1} END {print n + 0}')
    bad=$(sed -n 's/^\[  FAILED  \].* \([0-9]*\) test(s), listed below.*/\1/p' "$log" | awk '{n += $1} END {print n + 0}')
    if grep -q '^\[==========\]' "$log"; then
        echo "${trs%.trs}: $(sed -n '/^\[  PASSED  \]/p' "$log" | tail -n 1)"
    else
        echo "${trs%.trs}: $result"
    fi
    case $result in
    PASS) [ "$good" -gt 0 ] || good=1 ;;
    SKIP) skipped=$((skipped + 1)) good=0 bad=0 ;;
    *) [ "$bad" -gt 0 ] || bad=1 ;;
    esac
    passed=$((passed + good))
    failed=$((failed + bad))
done < <(find tests -name '*.trs' -print0 | sort -z)
echo "$passed passed, $failed failed, $skipped skipped"
