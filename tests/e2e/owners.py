#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The real program on the tree that a running driver left: who holds which chips and cores, and what is said when the
holder cannot be seen (driver reference, section 11; field cases F-06, F-08)."""
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile

neutop = os.environ["NEUTOP_BIN"]
fixtures = os.path.join(os.environ["NEUTOP_FIXTURES"], "sysfs")
failed = []


def expect(what, got, wanted):
    if got != wanted:
        failed.append(f"{what}: {str(got)[:300]}, expected {str(wanted)[:300]}")


def run(root, *arguments):
    command = [neutop, "--no-config", "--root", root, "-S", "driver", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    expect(f"status of {arguments}", (done.returncode, done.stderr), (0, ""))
    return done.stdout


def snapshot(root):
    return json.loads(run(root, "--json", "-n", "1"))


def states(host, chip):
    return [core["state"] for core in host["chips"][chip]["cores"]]


def of_pid(host, pid):
    found = [process for process in host["processes"] if process["pid"] == pid]
    expect(f"processes with PID {pid}", len(found), 1)
    return found[0] if found else {}


def as_captured(root, per_chip):
    host = snapshot(root)
    expect("PIDs", [process["pid"] for process in host["processes"]], [167, 168])
    first, second = of_pid(host, 167), of_pid(host, 168)
    expect("chips of 167", first["chips"], list(range(8)))
    expect("cores of 167", first["cores"], list(range(8 * per_chip)))
    expect("certainty of 167", first["certainty"], "exact")
    used = [core["memory_used_bytes"] for chip in host["chips"][:8] for core in chip["cores"]]
    expect("memory of 167", first["memory_device_bytes"], sum(used))
    expect("command of 168", second["command"], "/bin/fakeworkload 8 4 1 2.22.19000 0.6 1.0 nolock")
    expect("chips of 168, which only asked on chip 0", second["chips"], [8, 9, 10, 11])
    expect("cores of 168", second["cores"], [chip * per_chip for chip in range(8, 12)])
    expect("chip 8", states(host, 8), ["held"] + ["unknown"] * (per_chip - 1))
    expect("chip 12", states(host, 12), ["free"] * per_chip)
    expect("handles not seen", host["unseen_handles"], 0)
    expect("owners of core 1", host["chips"][0]["cores"][1]["owners"], [167])
    text = run(root, "--once")
    expect("text names the owner", "fakeworkload" in text, True)


def explained(root, per_chip):
    """Who holds the very core that a log asks for, and whether the process with that PID is the one that wrote it."""
    log = os.path.join(root, "job.log")
    with open(log, "w", encoding="utf-8") as file:
        file.write("2022-Sep-08 23:00:05.0667 168:168 ERROR NRT:nrt_allocate_neuron_cores Logical Neuron Core(s) not "
                   "available - Requested:lnc1-lnc1 Available:0 Logical Core size:1\n")
    here = json.loads(run(root, "explain", "--json", log))["errors"][0]["here"]
    held = [line for line in here if " held by " in line]
    expect("holders of NC 1", held,
           [f"NC 1 held by PID 167 (fakeworkload) of user 0; NC 0-{8 * per_chip - 1} in all"])
    expect("a start that the tree does not tell", [line for line in here if "PID 168" in line],
           ["a process with PID 168 is here; whether it is the one that failed is not known: PID 168 (fakeworkload) of "
            "user 1000"])


def holder_not_visible(root, per_chip):
    shutil.rmtree(os.path.join(root, "proc", "167"))
    host = snapshot(root)
    expect("PIDs without 167", [process["pid"] for process in host["processes"]], [168])
    expect("handles of 167", host["unseen_handles"], 9)
    expect("chips", [chip["index"] for chip in host["chips"] if chip.get("held_unseen")], list(range(8)))
    expect("chip 3", states(host, 3), ["held"] * per_chip)
    expect("chip 12, which one of the unseen handles may be of", states(host, 12), ["unknown"] * per_chip)
    finding = [each for each in host["findings"] if each["id"] == "holder-unseen"]
    expect("summaries", [each["summary"] for each in finding],
           ["chips 0-7 held by someone not visible from here"])
    expect("text", "someone not visible from here" in run(root, "--once"), True)


for name, per_chip in (("running-driver-2.24.7-v3-16dev-busy", 8), ("running-driver-2.24.7-v2-16dev-busy", 2)):
    with tempfile.TemporaryDirectory() as root:
        with tarfile.open(os.path.join(fixtures, name + ".tar.gz")) as archive:
            archive.extractall(root)
        as_captured(root, per_chip)
        explained(root, per_chip)
        holder_not_visible(root, per_chip)
for line in failed:
    print("FAILED:", line)
sys.exit(1 if failed else 0)
