#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# shape.sh FILE...: the rules that no other tool checks: licence line, length, and that no floor includes a higher one.
set -u
exec awk '
function complain(text) {
    printf "%s:%d: %s\n", FILENAME, FNR, text
    bad = 1
}
function floor_of(path) {
    return path ~ /^base\// ? 0 : path ~ /^(host|joblog|neff)\// ? 1 : path ~ /^source\// ? 2 : \
        path ~ /^check\// ? 3 : path ~ /^(print|ui)\// ? 4 : path ~ /^cmd\// ? 5 : 6
}
function folder_of(path) {
    sub(/\/.*/, "", path)
    return path
}
FNR == 1 {
    in_src = FILENAME ~ /^src\//
    own = FILENAME
    sub(/^src\//, "", own)
    start = 0
    if ($0 != "// SPDX-License-Identifier: Apache-2.0")
        complain("the first line is not the licence line")
}
/\t/ { complain("a tab") }
/[ ]$/ { complain("a blank at the end of the line") }
/^\{$/ { start = FNR - 1 }
/^\}/ && start {
    if (in_src && FNR - start + 1 > 60)
        complain("a function of " FNR - start + 1 " lines; the limit is 60")
    start = 0
}
in_src && /^#include "/ {
    split($0, part, "\"")
    other = part[2]
    if (other ~ /\// && folder_of(other) != folder_of(own) && floor_of(other) >= floor_of(own))
        complain(other " is not on a floor below " folder_of(own) "/")
    if (own ~ /^(check|print|ui)\// && other ~ /^source\//)
        complain(folder_of(own) "/ takes facts from host/, never from source/")
}
in_src && FNR == 601 { complain("a file of more than 600 lines: split it") }
END { exit bad }
' "$@"
