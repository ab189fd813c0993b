#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bootstrap installs exactly what is missing, in each of the ways a host may offer it, and never asks. It runs in a
# world of its own: a PATH in which the package managers, pkg-config, id and sudo are scripts that write down how they
# were called.
set -u

world=$(mktemp -d)
trap 'rm -rf "$world"' EXIT
bin=$world/bin
failed=0

# tool NAME TEXT: a command of this world
tool() {
    printf '#!/bin/bash\n%s\n' "$2" >"$bin/$1"
    chmod +x "$bin/$1"
}

# new_world MANAGER ID: all libraries but json-c are there
new_world() {
    local name
    rm -rf "${world:?}"/*
    mkdir -p "$bin" "$world/tree"
    cp "$NEUTOP_SRCDIR/bootstrap" "$world/tree/"
    for name in bash cat dirname env find grep mkdir nproc sort tail touch true; do
        ln -s "$(type -P "$name")" "$bin/$name"
    done
    for name in cc make autoreconf automake; do
        tool "$name" 'exit 0'
    done
    tool id "echo $2"
    tool pkg-config "[ \"\$2\" != json-c ] || [ -e '$world/installed' ]"
    tool sudo "echo \"sudo \$*\" >>'$world/calls'; [ \"\$1\" != -n ] || shift; exec \"\$@\""
    # "list" and "repolist" are questions, not installs
    tool "$1" "
        case \" \$* \" in *' list '*) exit 0 ;; *' repolist '*) echo 'crb Rocky'; exit 0 ;; esac
        echo \"$1 \$* frontend=\${DEBIAN_FRONTEND-}\" >>'$world/calls'
        case \" \$* \" in *' install '*json-c*) touch '$world/installed' ;; esac"
    : >"$world/calls"
}

run() {
    env -u DEBIAN_FRONTEND PATH="$bin" "$bin/bash" "$world/tree/bootstrap" "$@" >"$world/out" 2>"$world/err" </dev/null
    status=$?
}

# expect WHAT CONDITION...
expect() {
    local what=$1
    shift
    if "$@"; then
        echo "ok: $what"
    else
        echo "FAIL: $what (status $status)"
        sed 's/^/    calls: /' "$world/calls"
        sed 's/^/    err: /' "$world/err"
        failed=1
    fi
}

says() {
    grep -q -e "$1" "$world/err"
}

called() {
    grep -q -e "$1" "$world/calls"
}

uncalled() {
    [ ! -s "$world/calls" ]
}

new_world apt-get 0
run packages
expect 'apt-get: succeeds' [ "$status" = 0 ]
expect 'apt-get: says what it installs, and only that' says '^neutop: installing with apt-get: libjson-c-dev$'
expect 'apt-get: installs it without a question' called 'apt-get .*-y install .*libjson-c-dev frontend=noninteractive'
expect 'apt-get: nothing on standard output' [ ! -s "$world/out" ]
: >"$world/calls"
run packages
expect 'apt-get: the second run does nothing' uncalled
expect 'apt-get: the second run says nothing' [ ! -s "$world/err" ]

for manager in dnf yum; do
    new_world $manager 0
    run packages
    expect "$manager: succeeds" [ "$status" = 0 ]
    expect "$manager: installs the package of its distributions" called "$manager .*-y install --enablerepo=crb json-c-devel"
done

new_world apt-get 1000
run packages
expect 'sudo: used when not root' called '^sudo -n env DEBIAN_FRONTEND=noninteractive apt-get'
expect 'sudo: succeeds' [ "$status" = 0 ]

new_world apt-get 1000
rm "$bin/sudo"
run demo
expect 'no sudo: fails' [ "$status" = 1 ]
expect 'no sudo: says the command to run' says 'apt-get install -y libjson-c-dev$'
expect 'no sudo: calls nothing' uncalled

new_world apt-get 1000
tool sudo 'exit 1'
run demo
expect 'sudo refused: fails' [ "$status" = 1 ]
expect 'sudo refused: says the command to run' says 'sudo apt-get install -y libjson-c-dev$'

new_world apt-get 0
rm "$bin/apt-get"
run demo
expect 'no package manager: fails' [ "$status" = 1 ]
expect 'no package manager: names what is missing' says 'no apt-get, dnf or yum here.*libjson-c-dev\|json-c-devel'

new_world apt-get 0
tool apt-get "echo \"apt-get \$*\" >>'$world/calls'; case \" \$* \" in *' install '*) exit 100 ;; esac"
run demo
expect 'install fails: fails' [ "$status" = 1 ]
expect 'install fails: says the command to run' says 'apt-get install -y libjson-c-dev$'

new_world apt-get 0
touch "$world/installed"
tool pkg-config '[ "$2" != inih ]'
tool apt-get "echo \"apt-get \$*\" >>'$world/calls'; case \" \$* \" in *' install '*) exit 100 ;; esac"
run packages
expect 'optional library not to be had: goes on' [ "$status" = 0 ]
expect 'optional library not to be had: says so' says 'libinih-dev is not to be had here'
: >"$world/calls"
run packages
expect 'optional library not to be had: not asked for again' uncalled

run nonsense
expect 'unknown command: status 2' [ "$status" = 2 ]
run help
expect 'help: on standard output' grep -q '^Usage:' "$world/out"

exit "$failed"
