#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Everything that is checked without running the program. All checks run; the exit status says whether one failed.
set -u
cd "$(dirname "$0")/../.." || exit 1

failed=0
# lint NAME COMMAND...
lint() {
    local name=$1
    shift
    if ! command -v "$1" >/dev/null && [ "$(type -t "$1")" != function ]; then
        echo "lint: $name: $1 is missing: ./bootstrap packages ci"
        failed=1
    elif "$@"; then
        echo "lint: $name: ok"
    else
        echo "lint: $name: FAILED"
        failed=1
    fi
}

# What no sources.am lists is missing from the tarball. A test's one source goes by the name of the test.
listed() {
    local file unlisted=0
    for file in "$@"; do
        if ! grep -qwF -e "$file" -e "${file%.c}" Makefile.am src/*/sources.am tests/*/sources.am; then
            echo "$file is in no sources.am"
            unlisted=1
        fi
    done
    return $unlisted
}

mapfile -t sources < <(find src tests -name '*.[ch]' -type f | sort)
mapfile -t scripts < <(find bootstrap .ci/run tests contrib screenshots -type f \
    \( -name '*.sh' -o -name bootstrap -o -name run -o -name make \) 2>/dev/null | sort)
mapfile -t manuals < <(find man -name '*.[1-9]' -type f | sort)

# libm takes more memory than all our code: base/number.h has the little of it that we need.
without_libm() {
    ! grep -nE '\b(fmin|fmax|fmod|round|lround|floor|ceil|nearbyint|l?rint|ldexp|pow|sqrt|exp|log)f?\(' "$@"
}

lint listed listed "${sources[@]}"
lint libm without_libm src/*/*.c src/*.c
lint shape bash tests/lint/shape.sh "${sources[@]}"
lint format clang-format --dry-run -Werror "${sources[@]}"
lint scripts bash -c 'for script in "$@"; do bash -n "$script" || exit 1; done' - "${scripts[@]}"
if command -v shellcheck >/dev/null; then
    lint shellcheck shellcheck -x -S warning "${scripts[@]}"
fi
if [ "${#manuals[@]}" -gt 0 ]; then
    lint manuals mandoc -T lint -W warning "${manuals[@]}"
fi
lint complete bash tests/lint/manual.sh
lint cppcheck cppcheck --quiet --std=c11 -j 2 --error-exitcode=1 --inline-suppr \
    --enable=warning,performance,portability --suppressions-list=.cppcheck-suppressions \
    --library=posix,gnu,bsd -Isrc -D__linux__ -D_GNU_SOURCE -DHAVE_INIH=1 -DHAVE_LIBARCHIVE=1 -DHAVE_LIBMD=1 \
    -DHAVE_CMOCKA=1 -DHAVE_VTERM=1 \
    -DPACKAGE_NAME='"neutop"' -DPACKAGE_VERSION='"0.0.0"' "${sources[@]}"
exit "$failed"
