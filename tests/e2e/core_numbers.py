#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One numbering of cores for a job, wherever it is printed: the logical core size of host, caller and process, chips that
a container was given under other names and with gaps, and what --free offers (field cases F-24, F-25, F-28)."""
import json
import os
import shutil
import sys

from cores import Host, expect, expect_has, run_tests

V3 = "running-driver-2.24.7-v3-16dev-busy"


class Setting:
    """The host's own logical core size, for the time of a test."""

    def __init__(self, host, size):
        self.path = os.path.join(host.root, "opt/aws/neuron")
        host.write("opt/aws/neuron/logical_nc_config", f"NEURON_LOGICAL_NC_CONFIG={size}\n")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path)


def size_of_the_host():
    """The caller's variable, then the host's setting, then the chip's default; never that of some process."""
    with Host(V3) as host:
        host.process(30, "python3 one.py", [0], {"NEURON_RT_VISIBLE_CORES": "0-7", "NEURON_LOGICAL_NC_CONFIG": "1"})
        for core in range(8):
            host.use(0, core, 1 << 30)
        hardware = json.loads(host.run("--json", "-n", "1")[1])["hardware"]
        expect("default", (hardware["lnc"], hardware["logical_cores_per_chip"]), (2, 4))
        expect("free with the default", host.run("cores", "--free", "60"), (0, "4-63\n", ""))
        expect("what the process holds", host.json("cores", "0-3")["asked"]["blockers"], [30])
        with Setting(host, 2):
            expect("free with the setting", host.run("cores", "--free", "60"), (0, "4-63\n", ""))
            expect("free with the caller's", host.run("cores", "--free", "120", NEURON_LOGICAL_NC_CONFIG="1"),
                   (0, "8-127\n", ""))
            expect("two sizes at work", host.findings("lnc-mismatch"),
                   ["a process runs with LNC 1, but the host is set to LNC 2"])
        with Setting(host, 1):
            expect("another setting", host.run("cores", "--free", "120"), (0, "8-127\n", ""))
            expect("against it", host.run("cores", "--free", "60", NEURON_LOGICAL_NC_CONFIG="2"), (0, "4-63\n", ""))
        host.process(31, "python3 two.py", [1], {"NEURON_RT_NUM_CORES": "4"})
        expect("whole chips of the host's size", host.findings("visible-cores-invalid"), [])


TESTS = [size_of_the_host]
if __name__ == "__main__":
    sys.exit(run_tests(TESTS))
