#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The real program with the stand-in driver: it joins the driver's files and quiet calls, asks each device once, leaves
# nothing open between readings, and opens nothing at all on an UltraServer.
set -u

shim=$NEUTOP_BUILDDIR/tests/shim/neutop_shim.so
tree=$NEUTOP_FIXTURES/sysfs/running-driver-2.24.7-v3-16dev-busy.tar.gz
[ -r "$shim" ] && [ -r "$tree" ] || { echo "skipped: no $shim or no $tree"; exit 77; }
world=$(mktemp -d)
trap 'rm -rf "$world"' EXIT
failed=0

mkdir -p "$world/root/dev" "$world/root/proc"
tar xzf "$tree" -C "$world/root" --no-same-owner ./sys
printf 'Character devices:\n  1 mem\n246 neuron\n\nBlock devices:\n  7 loop\n' >"$world/root/proc/devices"
for minor in $(seq 0 15); do
    truncate -s "$minor" "$world/root/dev/neuron$minor"
    chmod 1666 "$world/root/dev/neuron$minor"
done
sleep 1.1 # a node in its first second is let alone

# run ARGUMENT...: the program under the stand-in; standard output in $world/out
run() {
    rm -f "$world/log" "$world/done"
    ASAN_OPTIONS=verify_asan_link_order=0 NEUTOP_SHIM_ROOT=$world/root NEUTOP_SHIM_LOG=$world/log \
        NEUTOP_SHIM_TRACE=$world/done LD_PRELOAD=$shim "$NEUTOP_BIN" --no-config "$@" >"$world/out" 2>"$world/err"
    touch "$world/log" "$world/done"
}

# expect WHAT COMMAND...
expect() {
    local what=$1
    shift
    if ! "$@"; then
        echo "FAILED: $what"
        head -c 600 "$world/out" "$world/err" "$world/log"
        failed=1
    fi
}

has() { grep -qF -- "$1" "$world/out"; }
count() { [ "$(grep -c "$1" "$world/done")" -eq "$2" ]; }
nothing_wrong() { [ ! -s "$world/log" ]; }

run -S driver -d 0.2 -n 3 --json
expect "nothing is done that a monitor must not do" nothing_wrong
expect "three documents" [ "$(wc -l <"$world/out")" -eq 3 ]
expect "each device is opened once" count '^open ' 16
expect "each device is closed" count '^close ' 16
expect "the host is asked once" count '^COMPATIBLE_VERSION ' 1
expect "range of runtime versions" has '"compat_min":10,"compat_max":11'
expect "PCI function of device 1" has '"pci":"0000:00:0c.0"'
expect "physical cores" has '"numbering":"physical","logical":3'

run -S driver -n 1
expect "text" nothing_wrong
expect "the device reader on the source lines" has 'device live'
expect "no finding about the order of cores" [ "$(grep -c index-order-unknown "$world/out")" -eq 0 ]

NEUTOP_SHIM_FAULTS='open=errno:13' run -S driver -n 1
expect "without rights: nothing wrong" nothing_wrong
expect "without rights: said" has 'no-permission'
expect "without rights: the order of cores is not known" has 'index-order-unknown'
expect "without rights: the driver's files are read all the same" has '16 chips, Trainium2'

echo trn2u.48xlarge >"$world/root/sys/class/dmi/id/product_name"
run -S driver -d 0.2 -n 3
expect "UltraServer: nothing wrong" nothing_wrong
expect "UltraServer: no device is opened" count . 0
expect "UltraServer: said why" has 'UltraServer'
exit $failed
