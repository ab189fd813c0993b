#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One numbering of cores for a job, wherever it is printed: the logical core size of host, caller and process, chips that
a container was given under other names and with gaps, and what --free offers (field cases F-24, F-25, F-28)."""
import json
import os
import shutil
import sys

from cores import SHIM, Driver, Host, expect, expect_has, run_tests

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


def two_variables():
    """Both names of the size, and two sizes: which one counts is not documented."""
    with Host(V3) as host:
        both = {"NEURON_RT_VIRTUAL_CORE_SIZE": "1", "NEURON_LOGICAL_NC_CONFIG": "2"}
        host.process(30, "python3 one.py", [0], both)
        host.process(31, "python3 two.py", [1], {**both, "NEURON_RT_VIRTUAL_CORE_SIZE": "2"})
        document = json.loads(host.run("--json", "-n", "1")[1])
        found = [one for one in document["findings"] if one["id"] == "lnc-mismatch"]
        expect("finding", [(one["severity"], one["summary"]) for one in found],
               [("warning", "PID 30 (one.py): two variables give it two logical core sizes")])
        expect("both are named", found[0]["evidence"][:2] if found else None,
               ["NEURON_LOGICAL_NC_CONFIG=2 at its start", "NEURON_RT_VIRTUAL_CORE_SIZE=1 at its start, the older name"])
        expect("of the caller", host.run("cores", "--free", "4", **both),
               (0, "8-11\n", "neutop: NEURON_LOGICAL_NC_CONFIG=2 and NEURON_RT_VIRTUAL_CORE_SIZE=1 differ; counted with LNC 2\n"))


def devices_with_a_gap():
    """F-25: /dev/neuron0 is device 2 and /dev/neuron1 device 5: no job can have cores of both."""
    with Driver({"neuron0": 2, "neuron1": 5}) as driver:
        expect("one chip", driver.run("--free", "4"), (0, "0-3\n", ""))
        expect("both", driver.run("--free", "8"),
               (3, "", "neutop: requested 8, free 8; the longest run is 4: NC 0-3; no run goes over a gap: devices 2 and 5 "
                "are not adjacent\n"))
        status, out, err = driver.run("0-7")
        expect("asked for", (status, err), (1, ""))
        expect_has("asked for", out, "NC 0-7 free: requested 8, free 8\n  A job over them fails: devices 2 and 5 are not adjacent.")
        expect("on one side", driver.run("4-7")[0], 0)
        document = json.loads(driver.run("3-4", "--json")[1])
        expect("in JSON", document["asked"]["problem"], "a job over them fails: devices 2 and 5 are not adjacent")
        expect("runs", document["free_runs"], [{"first": 0, "count": 4}, {"first": 4, "count": 4}])
        expect_has("of all", driver.run()[1], "no job can have cores on both sides of the\nstart of NC 4.")
    with Driver({"neuron0": 2, "neuron1": 3}) as driver:
        expect("without a gap", driver.run("--free", "8"), (0, "0-7\n", ""))
        expect("and asked for", driver.run("0-7")[0], 0)


def one_numbering():
    """F-24: ls, cores and the snapshot count the devices that are given, and show both names."""
    with Driver({"neuron0": 2, "neuron1": 5}) as driver:
        chips = json.loads(driver.neutop("ls", "--json")[1])["chips"]
        expect("names", [(chip["index"], chip["node"]) for chip in chips], [(2, "neuron0"), (5, "neuron1")])
        rows = {2: [3, 3, 2, 2, 0, 0, 1, 1], 5: [6, 6, 7, 7, 5, 5, 4, 4]}  # of the driver's core map
        for chip in chips:
            expect(f"logical cores of {chip['index']}", [core["logical"] for core in chip["cores"]], rows[chip["index"]])
        out = driver.neutop("ls")[1]
        expect("NC of ls", [line.split()[3] for line in out.splitlines() if line.split()[:2] in (["2", "8"], ["5", "8"])],
               ["0-3", "4-7"])
        descriptors = json.loads(driver.neutop("ls", "--cores", "--json")[1])["descriptors"]
        expect("descriptors", [(one["chip"], one["logical"]) for one in descriptors],
               [(2, 0), (2, 1), (2, 2), (2, 3), (5, 4), (5, 5), (5, 6), (5, 7)])
        for what, text in (("ls", out), ("once", driver.neutop("--once")[1]), ("cores", driver.run()[1])):
            expect_has(f"name of the node in {what}", text, "/dev/neuron0")
        expect_has("the others", driver.neutop("--once")[1], "on host, not mapped here")
        expect_has("the others in ls", driver.neutop("ls", "-a")[1], "on host, not mapped here: chips 0-1,3-4,6-15")


def memory_is_proof():
    """Without a source of owners, memory in use still proves that a core is held; an idle core is unknown, and why is said."""
    with Host("inf2.xlarge-drv2.24.7-idle") as host:
        host.use(0, 0, 5 << 30)
        shutil.rmtree(os.path.join(host.root, "proc"))
        cores = host.json("cores")["chips"][0]["cores"]
        expect("states", [core["state"] for core in cores], ["held", "unknown"])
        expect("nobody to name", cores[0]["held_by"], [None])
        expect_has("why in JSON", cores[1].get("why", ""), "no source of owners: ")
        status, out, _ = host.run("cores", "0")
        expect("held", status, 3)
        expect_has("held", out, "NC 0 held by someone, no source tells who")
        status, out, _ = host.run("cores", "1")
        expect("unknown", status, 1)
        expect_has("why in text", out, "\n  NC 1 unknown (no source of owners: ")
        expect_has("why of all", host.run("cores")[1], "Why cores are unknown: no source of owners: ")
        os.makedirs(os.path.join(host.root, "proc"))


def parts_of_chips():
    """One core or whole chips is a rule of NEURON_RT_NUM_CORES; --free answers for NEURON_RT_VISIBLE_CORES."""
    with Host(V3) as host:
        host.process(29, "python3 other.py", [])
        for wanted, range_ in ((1, "0"), (2, "0-1"), (3, "0-2"), (4, "0-3"), (6, "0-5"), (64, "0-63")):
            expect(f"{wanted} of an idle host", host.run("cores", "--free", str(wanted)), (0, range_ + "\n", ""))
        host.process(30, "python3 a.py", [0], None)
        host.use(0, 4, 1 << 30)
        for wanted, range_ in ((2, "4-5"), (6, "4-9"), (60, "4-63")):
            expect(f"{wanted} beside a chip of unknown order", host.run("cores", "--free", str(wanted)), (0, range_ + "\n", ""))


TESTS = [size_of_the_host, two_variables, memory_is_proof, parts_of_chips]
if __name__ == "__main__":
    sys.exit(run_tests(TESTS + ([devices_with_a_gap, one_numbering] if os.path.exists(SHIM) else [])))
