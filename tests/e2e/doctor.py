#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# `neutop doctor` on captured trees, on hosts built file by file (field cases F-02, F-04, F-05, F-13, F-14, F-27), on
# the demo, and on nothing: findings, what was not checked, exit status, schema.
import glob
import gzip
import json
import lzma
import os
import subprocess
import sys
import tempfile

SRCDIR = os.environ.get("NEUTOP_SRCDIR", ".")
BUILDDIR = os.environ.get("NEUTOP_BUILDDIR", "build")
NEUTOP = os.environ.get("NEUTOP_BIN", os.path.join(BUILDDIR, "neutop"))
FIXTURES = os.environ.get("NEUTOP_FIXTURES", os.path.join(SRCDIR, "tests/fixtures"))
failures = 0


def config(name):
    """Whether the build has NAME."""
    with open(os.path.join(BUILDDIR, "config.h"), encoding="utf-8") as header:
        return f"#define {name} 1" in header.read()


LIBARCHIVE = config("HAVE_LIBARCHIVE")

with open(os.path.join(SRCDIR, "data/neutop.doctor.schema.json"), encoding="utf-8") as file:
    SCHEMA = json.load(file)
try:
    import jsonschema
    VALIDATOR = jsonschema.Draft7Validator(SCHEMA)
    VALIDATOR.check_schema(SCHEMA)
except ImportError:
    VALIDATOR = None


def fail(what):
    global failures
    failures += 1
    print("FAIL:", what)


def run(*arguments):
    return subprocess.run([NEUTOP, "--no-config", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, check=False, timeout=60)


def doctor(name, *arguments):
    """The document, with the findings by id; checks that exit status, checks and findings go together."""
    result = run("doctor", "--json", *arguments)
    lines = result.stdout.decode("utf-8").split("\n")
    if len(lines) != 2 or lines[1] != "":
        fail(f"{name}: not one line: {result.stdout[:200]!r} {result.stderr[:200]!r}")
        return {}, {}, result.returncode
    document = json.loads(lines[0])
    if VALIDATOR is not None:
        for error in list(VALIDATOR.iter_errors(document))[:5]:
            fail(f"{name}: {list(error.absolute_path)}: {error.message[:200]}")
    checks = {check["id"]: check for check in document["checks"]}
    findings = {}
    for finding in document["findings"]:
        findings.setdefault(finding["id"], finding)
    told = {name for name, check in checks.items() if check["result"] == "finding"}
    if told != set(findings) & set(checks) or len(checks) != len(document["checks"]):
        fail(f"{name}: checks say {sorted(told)}, findings are {sorted(findings)}")
    order = [("critical", "warning", "info").index(finding["severity"]) for finding in document["findings"]]
    if order != sorted(order):
        fail(f"{name}: not worst first")
    expected = 0 if not order or order[0] == 2 else 1 if order[0] == 1 else 3
    if result.returncode not in (expected, 4) or (result.returncode == 4 and expected == 3):
        fail(f"{name}: exit status {result.returncode}, the worst finding asks for {expected}")
    text = run("doctor", *arguments)
    doctor.text = text.stdout.decode("utf-8")
    if text.returncode != result.returncode or text.stderr:
        fail(f"{name}: text: exit status {text.returncode}, {text.stderr[:200]!r}")
    for finding in document["findings"]:
        if finding["id"] not in text.stdout.decode("utf-8"):
            fail(f"{name}: {finding['id']} is not in the text")
    return checks, findings, result.returncode


def expect(name, found, **wanted):
    """FOUND is doctor()'s answer; keys: status, has (id: part of summary or remedy), hasnt, unchecked, fine."""
    checks, findings, status = found
    if "status" in wanted and status != wanted["status"]:
        fail(f"{name}: exit status {status}, expected {wanted['status']}")
    for key, part in wanted.get("has", {}).items():
        finding = findings.get(key)
        if finding is None:
            fail(f"{name}: no finding {key}, only {sorted(findings)}")
        elif part not in json.dumps(finding, ensure_ascii=False):
            fail(f"{name}: {key} does not say '{part}': {finding}")
    for key in wanted.get("hasnt", []):
        if key in findings:
            fail(f"{name}: finding {key}: {findings[key]['summary']}")
    for key in wanted.get("unchecked", []):
        if checks[key]["result"] != "not-checked":
            fail(f"{name}: {key} is {checks[key]['result']}")
    for key in wanted.get("fine", []):
        if checks[key]["result"] != "ok":
            fail(f"{name}: {key} is {checks[key]['result']}: {checks[key]['why']}")


class Tree:
    """A host, file by file."""

    def __init__(self, root):
        self.root = root
        self.write("proc/sys/kernel/osrelease", "6.8.0-1021-aws\n")
        self.write("sys/module/ext4/x", "")

    def write(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        mode = "wb" if isinstance(text, bytes) else "w"
        with open(path, mode) as out:
            out.write(text)
        return self

    def chips(self, count, device):
        for i in range(count):
            self.write(f"sys/bus/pci/devices/0000:{i:02x}:1f.0/vendor", "0x1d0f\n")
            self.write(f"sys/bus/pci/devices/0000:{i:02x}:1f.0/device", device + "\n")
        return self

    def driver(self, version):
        return self.write("sys/module/neuron/version", version + "\n")

    def module(self, version, kernel="6.8.0-1021-aws", end="", pack=bytes):
        self.write(f"lib/modules/{kernel}/modules.dep", f"updates/dkms/neuron.ko{end}:\n")
        module = b"ELF" + b"\0" * 200000 + b"\0version=" + version.encode() + b"\0"
        return self.write(f"lib/modules/{kernel}/updates/dkms/neuron.ko{end}", pack(module))

    def packages(self, **versions):
        names = {"runtime": "aws-neuronx-runtime-lib", "tools": "aws-neuronx-tools", "driver": "aws-neuronx-dkms",
                 "collectives": "aws-neuronx-collectives"}
        return self.write("var/lib/dpkg/status", "".join(
            f"Package: {names[key]}\nStatus: install ok installed\nVersion: {version}\n\n"
            for key, version in versions.items()))

    def compiler(self, version):
        return self.write(f"opt/aws_neuronx_venv_pytorch/lib/python3.10/site-packages/neuronx_cc-{version}.dist-info/METADATA",
                          f"Name: neuronx-cc\nVersion: {version}\n")


def on_tree(name, build, **wanted):
    with tempfile.TemporaryDirectory() as root:
        build(Tree(root))
        expect(name, doctor(name, "--root", root), **wanted)


def built_hosts():
    on_tree("no Neuron instance", lambda t: t.write("sys/bus/pci/devices/x", ""), status=4,
            has={"not-neuron-host": "not a Neuron instance"}, hasnt=["no-driver", "no-device"],
            unchecked=["no-driver", "no-device"])
    on_tree("F-14: no driver", lambda t: t.chips(1, "0x7164"), status=3, has={"no-driver": "modprobe neuron"})
    on_tree("F-27: no module for the kernel",
            lambda t: t.chips(16, "0x7164").write("proc/sys/kernel/osrelease", "5.19.0-1022-aws\n")
            .write("lib/modules/5.15.0-1019-aws/modules.dep", "updates/dkms/neuron.ko:\n")
            .write("usr/src/aws-neuronx-2.5.41.0/dkms.conf", ""), status=3,
            has={"no-driver": "no module for running kernel 5.19.0-1022-aws"})
    on_tree("F-14: no device node", lambda t: t.chips(1, "0x7264").driver("2.30.2.0").write("dev/null", "")
            .write("sys/class/neuron_device/neuron0/x", ""), status=3,
            has={"no-device": "no Neuron device is mapped here"})
    on_tree("F-05: Inferentia with a new driver", lambda t: t.chips(4, "0x7064").driver("2.30.2.0"),
            status=3, has={"inf1-driver-unsupported": "2.24", "no-device": "have lost Inferentia (inf1)"})
    on_tree("F-05: the documented set of Inferentia", lambda t: t.chips(4, "0x7064").driver("2.24.13.0")
            .write("sys/class/neuron_device/neuron0/x", "").write("dev/neuron0", "")
            .packages(runtime="2.12.23.0", tools="2.32.28.0", collectives="2.34.10.0"),
            hasnt=["sdk-mixed", "inf1-driver-unsupported", "inf1-runtime-unsupported", "runtime-too-old"])
    for version in ("2.21.37.0", "2.24.7.0", "2.24.13.0"):
        on_tree(f"F-05: Inferentia with driver {version}", lambda t, v=version: t.chips(4, "0x7064").driver(v),
                hasnt=["inf1-driver-unsupported"], fine=["inf1-driver-unsupported"])
    on_tree("F-02: reload pending", lambda t: t.chips(1, "0x7264").driver("2.29.0.0").module("2.30.2.0"),
            has={"driver-reload-pending": "driver 2.29.0.0 is loaded, 2.30.2.0 is on disk"})
    packers = {".xz": lzma.compress, ".gz": gzip.compress}
    for end, pack in packers.items():
        on_tree(f"F-02: {end}", lambda t, e=end, p=pack: t.chips(1, "0x7264").driver("2.29.0.0")
                .module("2.30.2.0", end=e, pack=p),
                has={"driver-reload-pending": f"neuron.ko{end}"} if LIBARCHIVE else {},
                unchecked=[] if LIBARCHIVE else ["driver-reload-pending"])
        on_tree(f"F-27: {end}, and not loaded", lambda t, e=end, p=pack: t.chips(1, "0x7264")
                .module("2.30.2.0", end=e, pack=p), status=3, has={"no-driver": "/lib/modules has neuron.ko for it"})
    on_tree("a damaged module", lambda t: t.chips(1, "0x7264").driver("2.29.0.0")
            .module("2.30.2.0", end=".xz", pack=lambda module: lzma.compress(module)[:40]),
            unchecked=["driver-reload-pending"])
    on_tree("nothing pending", lambda t: t.chips(1, "0x7264").driver("2.30.2.0").module("2.30.2.0"),
            fine=["driver-reload-pending"])
    for driver, runtime, finding in (("2.26.10.0", "2.32.31.0-1a2b3c4d5", "driver-too-old"),
                                     ("2.29.0.0", "2.32.31.0", "runtime-too-old"), ("2.29.0.0", "2.33.10.0", None)):
        on_tree(f"F-04: driver {driver}, runtime {runtime}",
                lambda t, d=driver, r=runtime: t.chips(1, "0x7364").driver(d).packages(runtime=r),
                has={finding: "is too old for"} if finding else {},
                hasnt=[each for each in ("driver-too-old", "runtime-too-old") if each != finding])
    on_tree("the compiler is ahead",
            lambda t: t.chips(1, "0x7364").driver("2.30.2.0").compiler("2.28.7631.0+abc")
            .packages(runtime="2.34.10.0", collectives="2.34.10.0"),
            has={"compiler-newer-than-runtime": "/opt/aws_neuronx_venv_pytorch"})
    on_tree("a mixed host",
            lambda t: t.chips(1, "0x7364").driver("2.30.2.0").packages(runtime="2.34.10.0", collectives="2.33.10.0"),
            has={"sdk-mixed": "collectives 2.33.10.0"})
    on_tree("one release", lambda t: t.chips(1, "0x7364").driver("2.30.2.0").compiler("2.27.5334.0+abc")
            .packages(runtime="2.34.10.0", collectives="2.34.10.0", tools="2.32.28.0"),
            fine=["sdk-mixed", "compiler-newer-than-runtime", "driver-too-old", "runtime-too-old", "kernel-too-old"],
            unchecked=["neff-unsupported", "ecc-uncorrected"])


def an_rpm_host():
    """The tools' version is in a database that neutop does not read: said, not passed over."""
    def build(tree):
        tree.chips(1, "0x7364").driver("2.30.2.0").write("var/lib/rpm/rpmdb.sqlite", "SQLite format 3")
        for path in ("lib/libnrt.so.2.34.10.0", "lib/libnccom.so.2.34.10.0", "bin/neuron-monitor"):
            tree.write("opt/aws/neuron/" + path, "")

    with tempfile.TemporaryDirectory() as root:
        build(Tree(root))
        checks, _, _ = found = doctor("rpm", "--root", root)
        expect("rpm", found, fine=["sdk-mixed"])
        if "RPM database" not in (checks["sdk-mixed"]["why"] or ""):
            fail(f"doctor does not say why the tools are not checked: {checks['sdk-mixed']}")


OLD, ORDER, REFUSED = ("counters-not-live", "info"), ("index-order-unknown", "info"), ("neff-unsupported", "info")
REPAIR, SICK = ("ecc-repairable", "warning"), ("chip-unhealthy", "warning")
INF2, TRN1 = "Inferentia2, NeuronCore-v2", "Trainium, NeuronCore-v2"
TRN2 = "16 chips, Trainium2, NeuronCore-v3, 128 physical / 64 logical cores, LNC 2"
TREES = {  # instance, hardware, SDK of the driver, all findings; what was planted is in the trees' files
    "inf2.xlarge-drv2.24.7-idle": ("inf2.xlarge", f"1 chip, {INF2}, 2 physical / 2 logical cores", "2.26.0, 2.26.1", [OLD]),
    "inf2.48xlarge-drv2.24.7-idle": ("inf2.48xlarge", f"12 chips, {INF2}, 24 physical / 24 logical cores", "2.26.0, 2.26.1",
                                     [REFUSED, OLD]),
    "trn1.2xlarge-drv2.7.15-oldlayout": ("trn1.2xlarge", f"1 chip, {TRN1}, 2 physical / 2 logical cores", "2.7.0", [OLD]),
    "trn1.32xlarge-drv2.24.7-idle": ("trn1.32xlarge", f"16 chips, {TRN1}, 32 physical / 32 logical cores", "2.26.0, 2.26.1",
                                     [OLD]),
    "running-driver-2.24.7-v2-16dev-busy": ("trn1.32xlarge", f"16 chips, {TRN1}", "2.26.0, 2.26.1", [OLD]),
    "running-driver-2.24.7-v2-16dev-idle": ("trn1.32xlarge", f"16 chips, {TRN1}", "2.26.0, 2.26.1", [OLD]),
    "running-driver-2.24.7-v3-16dev-busy": ("trn2.48xlarge", TRN2, "2.26.0, 2.26.1", [OLD, ORDER]),
    "running-driver-2.24.7-v3-16dev-idle": ("trn2.48xlarge", TRN2, "2.26.0, 2.26.1", [OLD, ORDER]),
    "trn2.48xlarge-drv2.24.7-idle": ("trn2.48xlarge", TRN2, "2.26.0, 2.26.1", [OLD, ORDER]),
    "trn2.48xlarge-drv2.24.7-busy": ("trn2.48xlarge", TRN2, "2.26.0, 2.26.1", [REPAIR, REFUSED, OLD, ORDER]),
    "trn2.48xlarge-drv2.30.2-idle": ("trn2.48xlarge", TRN2, "2.32.0", [ORDER]),
    "trn2.48xlarge-drv2.30.2-busy-t0": ("trn2.48xlarge", TRN2, "2.32.0", [SICK, REPAIR, REFUSED, ORDER]),
    "trn2.48xlarge-drv2.30.2-busy-t1": ("trn2.48xlarge", TRN2, "2.32.0", [SICK, REPAIR, REFUSED, ORDER]),
}


def captured_trees():
    """Every captured tree: the header, each finding and no other."""
    for name, (instance, hardware, sdk, right) in TREES.items():
        with tempfile.TemporaryDirectory() as root:
            subprocess.run(["tar", "-xzf", os.path.join(FIXTURES, f"sysfs/{name}.tar.gz"), "-C", root], check=True)
            status = 1 if any(severity == "warning" for _, severity in right) else 0
            checks, findings, _ = found = doctor(name, "--root", root, "-S", "driver")
            expect(name, found, status=status, unchecked=["runtime-too-old", "sdk-mixed", "kernel-too-old"],
                   fine=["no-driver", "no-device", "not-neuron-host", "memory-nearly-full"])
            told = sorted((key, finding["severity"]) for key, finding in findings.items())
            if told != sorted(right):
                fail(f"{name}: {told} instead of {sorted(right)}")
            for key in ("ecc-repairable", "chip-unhealthy"):
                if key in findings and "chip 11" not in findings[key]["summary"]:
                    fail(f"{name}: {findings[key]['summary']}")
            text = " ".join(doctor.text.split())
            for part in (f" {instance} i-0123456789abcdef0 ", f"hardware {hardware}", f"SDK {sdk} source"):
                if part not in text:
                    fail(f"{name}: '{part}' is not in the text: {text[:400]}")
    trees = {os.path.basename(path)[:-len(".tar.gz")] for path in glob.glob(os.path.join(FIXTURES, "sysfs/*.tar.gz"))}
    if trees != set(TREES):
        fail(f"trees without right values, or missing: {sorted(trees ^ set(TREES))}")


def busy_driver():
    """A driver that counts live: what it has counted before is said; without a reader of /proc nobody owns, and held it is."""
    with tempfile.TemporaryDirectory() as root:
        subprocess.run(["tar", "-xzf", os.path.join(FIXTURES, "sysfs/trn2.48xlarge-drv2.30.2-busy-t0.tar.gz"), "-C", root],
                       check=True)
        checks, _, _ = found = doctor("busy", "--root", root, "-S", "sysfs")
        expect("busy", found, unchecked=["holder-unseen"], fine=["exec-timeouts", "exec-errors"])
        for name, part in (("exec-timeouts", "1 timeout"), ("exec-errors", "2 failure")):
            if part not in (checks[name]["why"] or ""):
                fail(f"{name} does not tell what was counted: {checks[name]}")
        cores = run("cores", "--root", root, "-S", "sysfs").stdout.decode("utf-8")
        if "32 held" not in cores or "held by someone, no source tells who" not in cores:
            fail(f"cores with memory in use are not held: {cores[:300]}")


def other_sources():
    for demo in ("inf1.24xlarge", "inf2.48xlarge", "trn1.32xlarge", "trn2.48xlarge", "trn3"):
        expect(demo, doctor(demo, "--demo", demo), status=3, has={"memory-nearly-full": "%"},
               hasnt=["driver-too-old", "runtime-too-old", "sdk-mixed", "compiler-newer-than-runtime"])
    whole = os.path.join(FIXTURES, "monitor/errors-and-nulls.ndjson")
    expect("a recording, to its end", doctor("recording", "-i", whole), status=3,
           has={"ecc-uncorrected": "HBM uncorrected 1, SRAM uncorrected 2"})
    checks, _, _ = found = doctor("no source", "-S", "none")
    expect("no source", found, status=4, unchecked=["no-driver", "driver-too-old"])
    stream, _, _ = doctor("a stream", "-i", os.path.join(FIXTURES, "monitor/trn2-48xlarge-lnc2.ndjson"))
    for name, why in (("no source", checks), ("a stream", stream)):  # nobody looked: nothing is said to be missing
        for check in ("driver-too-old", "runtime-too-old", "driver-reload-pending"):
            if not (why[check]["why"] or "").startswith("no source tells of the driver"):
                fail(f"{name}: {check}: {why[check]}")
    neffs = sorted(glob.glob(os.path.join(FIXTURES, "neff/trn1-*.neff")))
    expect("a NEFF for another chip", doctor("neff", "--demo", "trn2.48xlarge", neffs[0]), status=3,
           has={"neff-wrong-chip": os.path.basename(neffs[0])})
    expect("a NEFF that fits", doctor("neff", "--demo", "trn1.32xlarge", *neffs),
           fine=["neff-wrong-chip", "neff-unreadable"], hasnt=["neff-unsupported"])
    expect("no NEFF", doctor("neff", "--demo", "trn1.32xlarge", "/dev/null"), has={"neff-unreadable": "/dev/null"})


def snapshot():
    """The snapshot tells the releases too."""
    document = json.loads(run("--demo", "trn2.48xlarge", "--json", "-n", "1").stdout)
    if document["versions"]["sdk"] != ["2.32.0"]:
        fail(f"sdk of the demo: {document['versions']['sdk']}")
    text = " ".join(run("--demo", "trn2.48xlarge", "--once").stdout.decode("utf-8").split())
    if "SDK 2.32.0, all but runtime 2.33.10.0 of PID 8412 (2.31.0, 2.31.1)" not in text:
        fail(f"the SDK line does not count what processes run: {text[:600]}")
    with tempfile.TemporaryDirectory() as root:
        subprocess.run(["tar", "-xzf", os.path.join(FIXTURES, "sysfs/trn2.48xlarge-drv2.30.2-busy-t0.tar.gz"), "-C", root],
                       check=True)
        Tree(root).packages(runtime="2.50.0.0").compiler("2.28.7631.0+1")  # nobody uses that compiler
        versions = json.loads(run("--root", root, "-S", "driver", "--json", "-n", "1").stdout)["versions"]
        if versions["sdk"] != ["2.32.0"] or versions["newer_than_known"] != [{"name": "runtime", "version": "2.50.0.0"}]:
            fail(f"newer than the table: {versions}")
    with tempfile.TemporaryDirectory() as root:
        Tree(root).chips(1, "0x7364").driver("2.24.7.0").compiler("2.21.33363.0+1").packages(tools="2.32.28.0")
        text = " ".join(run("doctor", "--root", root).stdout.decode("utf-8").split())
        for part in ("driver of 2.26.0, 2.26.1", "tools of 2.32.0", "compiler 2.21.33363.0+1"):
            if part not in text:
                fail(f"'{part}' is not in the text")


def ticket():
    """What a ticket needs: instance and chip without a driver, runtimes in use, what each file is."""
    trn2, missing = os.path.join(FIXTURES, "neff/trn2-lnc2-matmul.neff"), "/nonexistent.neff"
    with tempfile.TemporaryDirectory() as root:
        Tree(root).chips(1, "0x7264").write("sys/class/dmi/id/product_name", "inf2.xlarge\n") \
            .write("sys/class/dmi/id/sys_vendor", "Amazon EC2\n")
        # without blanks: where a line is broken depends on the length of the path
        text = "".join(run("doctor", "--root", root, trn2, missing).stdout.decode("utf-8").split())
        parts = ["inf2.xlarge", "1 Inferentia2 on the PCI bus", f"{missing}: cannot be read as a NEFF", f"file {trn2}: NEFF 2.0, "]
        if LIBARCHIVE:
            parts += ["Trainium2 (trn2; NeuronCore-v3), LNC 2, neuronx-cc 2.23.6484.0+3b612583, SDK 2.28.0, 2.28.1: does-not-fit"]
            expect("a NEFF for another chip than the PCI bus has", doctor("pci", "--root", root, trn2), status=3,
                   has={"neff-wrong-chip": "Inferentia2"})
        for part in parts:
            if part.replace(" ", "") not in text:
                fail(f"'{part}' is not in the text: {text[:900]}")
    text = " ".join(run("doctor", "--demo", "trn2.48xlarge").stdout.decode("utf-8").split())
    if "runtimes 2.33.10.0 in PID 8412, 2.34.10.0 in 35 processes" not in text:
        fail(f"the runtimes of processes are not told: {text[:900]}")


def wrong_use():
    for arguments in (["--releases", "/nonexistent"], ["--releases", os.devnull], ["--nonsense"]):
        result = run("doctor", *arguments)
        if result.returncode != 2 or result.stdout or result.stderr.count(b"\n") not in (1, 2):
            fail(f"{arguments}: {result.returncode} {result.stdout[:80]!r} {result.stderr[:200]!r}")
    with tempfile.TemporaryDirectory() as root:
        Tree(root).chips(1, "0x7364").driver("3.1.0.0").packages(runtime="3.2.0.0")
        with open(os.path.join(root, "new.json"), "w", encoding="utf-8") as out:
            json.dump({"releases": [{"sdk": "3.0.0", "components": {
                "driver": [{"version": "3.1.0.0"}], "runtime": [{"version": "3.3.0.0"}]}},
                {"sdk": "2.99.0", "components": {"runtime": [{"version": "3.2.0.0"}]}}]}, out)
        expect("newer than known", doctor("newer", "--root", root), unchecked=["sdk-mixed"])
        text = " ".join(run("doctor", "--root", root).stdout.decode("utf-8").split())
        for part in ("driver 3.1.0.0", "runtime 3.2.0.0"):
            if f"{part} is newer than this neutop knows (newest: SDK 2.33.0)" not in text:
                fail(f"{part}: newer is not said: {text[:600]}")
        expect("a newer table", doctor("table", "--root", root, "--releases", os.path.join(root, "new.json")),
               has={"sdk-mixed": "2.99.0"})
        with open(os.path.join(root, "new.json"), "w", encoding="utf-8") as out:
            json.dump({"releases": [{"sdk": "3.0.0", "components": {"driver": [{"version": "3.1.0.0"}]}}], "rules": [
                {"id": "rt3.2", "component": "runtime", "op": "==3.2.*", "version": "3.2", "requires": {"driver": ">=3.2"},
                 "applies": "all", "origin": "doc: notes"}]}, out)
        arguments = ("--root", root, "--releases", os.path.join(root, "new.json"))
        expect("a newer rule", doctor("rules", *arguments), status=3, has={"driver-too-old": "rule rt3.2 of the table"})
        text = " ".join(run("doctor", *arguments).stdout.decode("utf-8").split())
        if "with 1 rule of versions; all other rules are those of this neutop" not in text:
            fail(f"doctor does not say whose rules: {text[:600]}")


built_hosts()
an_rpm_host()
captured_trees()
busy_driver()
other_sources()
snapshot()
ticket()
wrong_use()
print(f"{failures} failures")
sys.exit(1 if failures else 0)
