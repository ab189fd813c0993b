#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which NEFF a process runs: the real program on a captured host, a compile cache in the root of its processes, and a
neuron-monitor played by a script (versions reference, sections 1.6, 5.1, 5.2, 5.5)."""
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile

neutop = os.environ["NEUTOP_BIN"]
fixtures = os.environ["NEUTOP_FIXTURES"]
CACHE = "var/tmp/neuron-compile-cache"
OLD, NEW = "neuronxcc-2.23.6484.0+3b612583", "neuronxcc-2.27.5334.0+0f1e2d3c"
TRN2_OLD = "MODULE_7c055c4ac6e2851a63bb+839ddec0"  # under both compilers
TRN2 = "MODULE_18108742649528384371+839ddec0"
TRN1 = "MODULE_1004305494572282285+e30acd3a"
UUIDS = {TRN2: "d3fdc77e954f4d61b8f4d8e221d36294", TRN1: "49dc9b34eae3432db8c115d69a1f7aa5",
         TRN2_OLD: "59ec68e5656048c2a8c4d4dd19990f5d"}
ENTRIES = 2000
failed = []


def expect(what, got, wanted):
    if got != wanted:
        failed.append(f"{what}: {str(got)[:600]}, expected {str(wanted)[:300]}")


class Host:
    """A busy trn2 of 16 chips; both of its processes see the same root folder."""

    def __init__(self, folder):
        self.root = os.path.join(folder, "root")
        self.bin = os.path.join(self.root, "opt/aws/neuron/bin")
        os.makedirs(self.bin)
        name = "running-driver-2.24.7-v3-16dev-busy.tar.gz"
        with tarfile.open(os.path.join(fixtures, "sysfs", name)) as archive:
            archive.extractall(self.root)
        for pid in (167, 168):
            os.symlink("/", os.path.join(self.root, f"proc/{pid}/root"))
            self.environment(pid)
        os.makedirs(os.path.join(self.root, "var/tmp"))
        with tarfile.open(os.path.join(fixtures, "cache", "compile-cache.tar.gz")) as archive:
            archive.extractall(os.path.join(self.root, "var/tmp"))

    def environment(self, pid, *items):
        items = ("HOME=/root", "NEURON_LOGICAL_NC_CONFIG=2") + items
        with open(os.path.join(self.root, f"proc/{pid}/environ"), "wb") as file:
            file.write(b"".join(item.encode() + b"\0" for item in items))

    def open_file(self, pid, path):
        os.symlink(path, os.path.join(self.root, f"proc/{pid}/fd/77"))

    def forget(self):
        """As it was before a test: no NEFF is open, the environment is that of the start."""
        for pid in (167, 168):
            self.environment(pid)
            if os.path.lexists(os.path.join(self.root, f"proc/{pid}/fd/77")):
                os.unlink(os.path.join(self.root, f"proc/{pid}/fd/77"))

    def models(self, **lists):
        """models(p167=[(name, uuid), ...]): what neuron-monitor tells from now on."""
        runtimes = []
        for key, models in lists.items():
            told = [{"name": name, "uuid": uuid, "model_id": 10001 + i, "is_running": True, "subgraphs": {}}
                    for i, (name, uuid) in enumerate(models)]
            memory = {"period": 1.0, "error": "", "loaded_models": told,
                      "neuron_runtime_used_bytes": {"host": 1, "neuron_device": 1}}
            runtimes.append({"pid": int(key[1:]), "neuron_runtime_tag": key[1:], "error": "",
                             "report": {"memory_used": memory}})
        line = json.dumps({"neuron_runtime_data": runtimes, "system_data": {}, "instance_info": {},
                           "neuron_hardware_info": {}})
        path = os.path.join(self.bin, "neuron-monitor")
        with open(path, "w", encoding="utf-8") as script:
            script.write(f"#!/bin/sh\nwhile :; do\ncat <<'EOF'\n{line}\nEOF\nsleep 0.3\ndone\n")
        os.chmod(path, 0o755)

    def command(self, name, *arguments):
        return [neutop, *name, "--no-config", "--root", self.root, "-S", "monitor,driver", *arguments]

    def run(self, *command):
        return subprocess.run(self.command(*command), capture_output=True, text=True, timeout=60, check=False)

    def snapshot(self):
        """The first snapshot in which all processes have been looked at, by PID."""
        host = {"processes": [], "findings": []}
        with subprocess.Popen(self.command((), "--json", "-d", "0.3", "-n", "60"), stdout=subprocess.PIPE, text=True) as running:
            for line in running.stdout:
                host = json.loads(line)
                found = host["processes"]
                if any(process["models"] for process in found) and all("neffs" in process for process in found):
                    break
            running.terminate()
        self.findings = {finding["id"]: finding for finding in host["findings"]}
        return {process["pid"]: process for process in host["processes"]}


def cached(compiler, entry):
    return f"/{CACHE}/{compiler}/{entry}/model.neff"


def work_dir(entry):
    return f"/tmp/user1/neuroncc_compile_workdir/u/model.{entry}.neff"


def paths(process):
    return [neff["path"] for neff in process.get("neffs", [])]


def good_host(host):
    host.models(p167=[(work_dir(TRN2), UUIDS[TRN2])], p168=[("file.neff", UUIDS[TRN2])])
    found = host.snapshot()
    expect("NEFF of 167", paths(found[167]), [cached(NEW, TRN2)])
    expect("NEFF of 168", paths(found[168]), [cached(NEW, TRN2)])
    neff = found[167]["neffs"][0]
    expect("how it is known", neff["known_by"], ["uuid", "name"])
    expect("by the uuid alone", found[168]["neffs"][0]["known_by"], ["uuid"])
    expect("what it is", [neff[key] for key in ("lnc", "features", "target", "target_from", "compiler", "models")],
           [2, "0x209c00", "cayman", "compile_flags.json", NEW[10:], 1])
    expect("its models", neff["model_ids"], [10001])
    expect("the cache", found[167]["compile_cache"], "/" + CACHE)
    expect("silence", [each for each in host.findings if "neff" in each or "lnc" in each or "cache" in each], [])
    text = host.run((), "--once", "-d", "0.5").stdout
    expect("text", "uuid (plausible, unverified)" in text and TRN2 in text, True)


def unknown_ones(host):
    host.models(p167=[(work_dir(TRN2_OLD), "0" * 32)], p168=[("file.neff", "1" * 32)])
    found = host.snapshot()
    expect("an ambiguous name", [paths(found[167]), found[167].get("models_without_neff")], [[], 1])
    expect("why", "several NEFFs fit" in found[167]["neffs_unknown"], True)
    expect("why there is none", "no NEFF in its compile cache" in found[168]["neffs_unknown"], True)
    host.environment(167, "NEURON_COMPILE_CACHE_URL=s3://bucket/cache")
    host.environment(168, "NEURON_COMPILE_CACHE_URL=s3://b/c", f"NEURON_CC_FLAGS=-O1 --cache_dir=/{CACHE}")
    host.models(p167=[(work_dir(TRN2), UUIDS[TRN2])], p168=[(work_dir(TRN2), UUIDS[TRN2])])
    found = host.snapshot()
    expect("a cache in S3", "object store" in found[167]["neffs_unknown"], True)
    expect("--cache_dir wins", paths(found[168]), [cached(NEW, TRN2)])
    done = json.loads(host.run(["doctor"], "--json").stdout)
    check = {check["id"]: check for check in done["checks"]}["neff-wrong-chip"]
    expect("doctor", [check["result"], "object store" in check["why"]], ["not-checked", True])


def findings(host):
    host.environment(167, "NEURON_CC_FLAGS=--cache_dir=/" + CACHE)
    host.models(p167=[(work_dir(TRN1), UUIDS[TRN1])], p168=[(cached(NEW, TRN2_OLD), UUIDS[TRN2_OLD])])
    found = host.snapshot()
    expect("NEFFs", paths(found[167]) + paths(found[168]), [cached(OLD, TRN1), cached(NEW, TRN2_OLD)])
    wrong = host.findings.get("neff-wrong-chip", {})
    expect("a join is no alarm", [wrong.get("severity"), "PID 167" in wrong.get("subject", "")], ["warning", True])
    expect("and says what it is", "plausible, unverified" in json.dumps(wrong), True)
    lnc = host.findings.get("lnc-mismatch", {})
    expect("LNC", [lnc.get("severity"), "compiled for LNC 1" in lnc.get("summary", "")], ["warning", True])
    mixed = host.findings.get("cache-mixed-compilers", {})
    expect("two compilers", [mixed.get("severity"), OLD[10:] in json.dumps(mixed)], ["info", True])
    host.open_file(168, cached(OLD, TRN1))
    host.models(p168=[(cached(NEW, TRN2_OLD), UUIDS[TRN2_OLD])])
    host.snapshot()
    expect("an open file is", host.findings["neff-wrong-chip"]["severity"], "critical")
    host.environment(168, "NEURON_RT_ALLOW_LEGACY_NEFF=1")
    host.snapshot()
    expect("but for older ones that are allowed", host.findings["neff-wrong-chip"]["severity"], "warning")
    done = host.run(["doctor"])
    expect("doctor", ["neff-wrong-chip" in done.stdout, done.returncode], [True, 3])  # its LNC stays wrong


def hostile(host):
    folder = os.path.join(host.root, CACHE)
    entry = os.path.join(folder, NEW, TRN2)
    with open(os.path.join(entry, "model.neff"), "r+b") as file:
        file.truncate(700)
    os.mkfifo(os.path.join(folder, NEW, "MODULE_aa+00000000"))
    os.makedirs(os.path.join(folder, NEW, "MODULE_bb+00000000"))
    os.mkfifo(os.path.join(folder, NEW, "MODULE_bb+00000000", "model.neff"))
    os.symlink(".", os.path.join(folder, "neuronxcc-1.0"))
    os.symlink("/dev/neuron0", os.path.join(folder, NEW, "MODULE_bb+00000000", "compile_flags.json"))
    evil = "/models/\033]0;x\007\033[2J.neff"
    os.makedirs(os.path.join(host.root, "models"))
    shutil.copy(os.path.join(folder, NEW, TRN2_OLD, "model.neff"), host.root + evil)
    host.open_file(167, evil)
    host.models(p167=[(work_dir(TRN2), UUIDS[TRN2]), (work_dir("MODULE_bb+00000000"), "2" * 32), (evil, "3" * 32)],
                p168=[])
    found = host.snapshot()
    expect("none of them", [paths(found[167]), found[167]["models_without_neff"]], [[], 3])
    for text in (host.run((), "--once", "-d", "0.5").stdout, host.run(["doctor"]).stdout):
        expect("escape bytes", "\033" in text or "\007" in text, False)
    shutil.rmtree(folder)
    os.mkfifo(folder)
    found = host.snapshot()
    expect("a FIFO for a cache", found[167]["models_without_neff"], 3)


def huge(host):
    """Many entries: the first look reads all their headers."""
    folder = os.path.join(host.root, CACHE, NEW)
    with open(os.path.join(folder, TRN2, "model.neff"), "rb") as file:
        header = bytearray(file.read(11264))
    for i in range(ENTRIES):
        header[204:220] = (i + 1).to_bytes(16, "big")
        header[220:476] = bytes(256)
        os.mkdir(os.path.join(folder, f"MODULE_{i}+00000000"))
        with open(os.path.join(folder, f"MODULE_{i}+00000000", "model.neff"), "wb") as file:
            file.write(header)
    host.models(p167=[("file.neff", f"{ENTRIES:032x}")], p168=[("file.neff", "f" * 32)])
    found = host.snapshot()
    expect("one of many", paths(found[167]), [cached(NEW, f"MODULE_{ENTRIES - 1}+00000000")])
    expect("none of many", "no NEFF in its compile cache" in found[168]["neffs_unknown"], True)


with tempfile.TemporaryDirectory() as directory:
    captured = Host(directory)
    for test in (good_host, unknown_ones, findings, huge, hostile):
        captured.forget()
        test(captured)
for failure in failed:
    print("FAILED:", failure)
sys.exit(1 if failed else 0)
