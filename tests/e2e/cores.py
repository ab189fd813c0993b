#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""neutop cores with the real program: exit statuses and ranges for scripts, the field cases about held cores on scripted
hosts (F-06, F-08, F-09, F-24, F-25, F-28), and --ask-driver with the stand-in driver, which must never mark a core."""
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile

NEUTOP = os.environ["NEUTOP_BIN"]
FIXTURES = os.path.join(os.environ["NEUTOP_FIXTURES"], "sysfs")
SHIM = os.path.join(os.environ["NEUTOP_BUILDDIR"], "tests/shim/neutop_shim.so")
failed = []


def expect(what, got, wanted):
    if got != wanted:
        failed.append(f"{what}: {str(got)[:400]!r}, expected {str(wanted)[:400]!r}")


def expect_has(what, text, part):
    if part not in text:
        failed.append(f"{what}: {part!r} is not in {text[:900]!r}")


def run(*arguments, **variables):
    environment = {key: value for key, value in os.environ.items()
                   if key not in ("NEURON_LOGICAL_NC_CONFIG", "NEURON_RT_VIRTUAL_CORE_SIZE")}
    done = subprocess.run([NEUTOP, "--no-config", *arguments], capture_output=True, text=True, timeout=60, check=False,
                          stdin=subprocess.DEVNULL, env={**environment, **variables})
    return done.returncode, done.stdout, done.stderr


TREES = {}


def tree_of(fixture):
    """Unpacked once: thousands of files."""
    if fixture not in TREES:
        TREES[fixture] = tempfile.mkdtemp(prefix="neutop-cores-")
        with tarfile.open(os.path.join(FIXTURES, fixture + ".tar.gz")) as archive:
            archive.extractall(TREES[fixture], (member for member in archive if "/proc/" not in member.name))
        shutil.rmtree(os.path.join(TREES[fixture], "proc"), ignore_errors=True)
    return TREES[fixture]


class Host:
    """A captured host: the driver's files of a fixture, and processes of our own."""

    def __init__(self, fixture):
        self.root = tree_of(fixture)
        self.handles = 0
        self.write("proc/stat", "btime 1793180000\n")
        for folder, _, files in os.walk(os.path.join(self.root, "sys/devices/virtual/neuron_device")):
            if "memory_usage/device_mem" in folder and "total" in files:
                self.write(os.path.join(folder, "total"), "0\n")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(os.path.join(self.root, "proc"))

    def write(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def use(self, device, core, size):
        base = f"sys/devices/virtual/neuron_device/neuron{device}/neuron_core{core}/stats/memory_usage/device_mem"
        self.write(f"{base}/total", f"{size}\n")
        self.write(f"{base}/tensors/total", f"{size}\n")

    def process(self, pid, command, devices, environ=None, cgroup="", state="S", parent=1):
        base = f"proc/{pid}"
        self.write(f"{base}/stat", f"{pid} (p) {state} {parent} {pid} {pid} 0 -1 4194304 0 0 0 0 10 12 0 0 20 0 1 0 787 0 500 "
                                   + "0 " * 28 + "\n")
        self.write(f"{base}/status", "Name:\tp\nUid:\t1000\t1000\t1000\t1000\n")
        self.write(f"{base}/cmdline", command.replace(" ", "\0") + "\0")
        self.write(f"{base}/cgroup", cgroup)
        if environ is not None:
            self.write(f"{base}/environ", "".join(f"{key}={value}\0" for key, value in {"HOME": "/", **environ}.items()))
        os.makedirs(os.path.join(self.root, base, "fd"))
        for number, device in enumerate(devices):
            os.symlink(f"/dev/neuron{device}", os.path.join(self.root, base, "fd", str(number + 3)))
            self.write(f"{base}/fdinfo/{number + 3}", "pos:\t0\nflags:\t0100002\n")
            self.handles += 1
        self.write("sys/module/neuron/refcnt", f"{self.handles}\n")

    def run(self, *arguments, **variables):
        return run("--root", self.root, "-S", "driver", *arguments, **variables)

    def json(self, *arguments):
        return json.loads(self.run(*arguments, "--json")[1])

    def findings(self, name):
        host = json.loads(self.run("--json", "-n", "1")[1])
        return [finding["summary"] for finding in host["findings"] if finding["id"] == name]


def for_scripts():
    expect("a free range", run("--demo", "cores", "--free", "4"), (0, "56-59\n", ""))
    expect("one core", run("--demo", "cores", "--free", "1"), (0, "55\n", ""))
    expect("two whole chips", run("--demo", "cores", "--free", "8"), (0, "56-63\n", ""))
    expect("too many", run("--demo", "cores", "--free", "16"),
           (3, "", "neutop: requested 16, free 9; the longest run is 9: NC 55-63\n"))
    expect("F-28, cores", run("--demo", "inf2.48xlarge", "cores", "--free", "32"),
           (3, "", "neutop: requested 32, but this instance has 24 logical cores (12 chips of 2)\n"))
    expect("a part of a chip", run("--demo", "cores", "--free", "2"), (0, "56-57\n", ""))
    expect("more than a chip, and no whole ones", run("--demo", "cores", "--free", "9"), (0, "55-63\n", ""))
    script = 'NEURON_RT_VISIBLE_CORES=$("$0" --no-config --demo cores --free 4) sh -c "echo got \\$NEURON_RT_VISIBLE_CORES"'
    done = subprocess.run(["sh", "-c", script, NEUTOP], capture_output=True, text=True, timeout=60, check=False)
    expect("in a command line", (done.returncode, done.stdout, done.stderr), (0, "got 56-59\n", ""))
    for spec, wanted in (("55", 0), ("56-63", 0), ("0-3", 3), ("54-55", 3), ("63,55-56", 1)):
        status, out, err = run("--demo", "cores", spec)
        expect(f"status of {spec}", (status, err), (wanted, ""))
        expect_has(f"state of {spec}", out, " held" if wanted == 3 else " free")
    expect_has("a set with gaps", run("--demo", "cores", "55,57")[1], "not contiguous")
    status, out, _ = run("--demo", "cores", "30-33")
    for part in ("NC 30-33 held: requested 4, free 0", "NC 32-33 held by 8412 vllm-llama-70b", "torchrun, 2 workers"):
        expect_has("who blocks", out, part)


def wrong_use():
    for arguments, message in (
            (["0-"], "'0-': byte 3: a number is missing"),
            (["x"], "'x': byte 1: this is not a number"),
            ([""], "'': byte 1: a number is missing"),
            (["0\x1b[31m"], "'0"),
            (["64"], "there is no core 64: this instance has 64 logical cores (0-63)"),
            (["0", "1"], "unexpected operand '1'"),
            (["0", "--free", "1"], "--free looks for cores itself: '0' cannot be given with it"),
            (["--free", "0"], "bad value '0' for --free"),
            (["--free", "4097"], "bad value '4097' for --free"),
            (["--free", "two"], "bad value 'two' for --free"),
            (["--free", "+1"], "bad value '+1' for --free"),
            (["--free", " 1"], "bad value ' 1' for --free"),
            (["--free", "1 "], "bad value '1 ' for --free")):
        status, out, err = run("--demo", "cores", *arguments)
        expect(f"status of {arguments}", (status, out, err.count("\n")), (2, "", 2))
        expect_has(f"message of {arguments}", err, message)
        expect(f"escapes in the message of {arguments}", "\x1b" in err, False)
    expect("nothing to read", run("--root", "/nonexistent", "cores", "--free", "1")[:2], (4, ""))


def lnc_of_the_caller():
    """The numbers are those of the job that is started with the same environment."""
    expect("LNC 2", json.loads(run("--demo", "cores", "--json")[1])["logical_cores"], 64)
    of_one = json.loads(run("--demo", "cores", "--json", NEURON_LOGICAL_NC_CONFIG="1")[1])
    expect("LNC 1", (of_one["logical_cores"], of_one["lnc"]), (128, 1))
    expect("a chip for LNC 1", run("--demo", "cores", "--free", "8", NEURON_LOGICAL_NC_CONFIG="1")[1], "112-119\n")
    expect("an older name", json.loads(run("--demo", "cores", "--json", NEURON_RT_VIRTUAL_CORE_SIZE="1")[1])["lnc"], 1)
    expect("no choice there", json.loads(run("--demo", "inf2.xlarge", "cores", "--json",
                                             NEURON_LOGICAL_NC_CONFIG="2")[1])["lnc"], 1)
    for value in ("3", "0", "x", "", " 1", "2\x1b[31m"):
        expect(f"LNC {value!r} is said, and what stands in for it", run("--demo", "cores", "--free", "4",
               NEURON_LOGICAL_NC_CONFIG=value),
               (0, "56-59\n", f"neutop: NEURON_LOGICAL_NC_CONFIG='{value.replace(chr(27), chr(0xfffd))}': 1 or 2 is expected; "
                "counted with LNC 2\n"))
    expect("the older name counts in its place", run("--demo", "cores", "--free", "8", NEURON_LOGICAL_NC_CONFIG="3",
           NEURON_RT_VIRTUAL_CORE_SIZE="1")[1:],
           ("112-119\n", "neutop: NEURON_LOGICAL_NC_CONFIG='3': 1 or 2 is expected; counted with LNC 1\n"))


def one_core_of_two_is_held():
    """F-06: nc0 held by pid P (command, container id), nc1 free, and 'requested k, free m'."""
    with Host("inf2.xlarge-drv2.24.7-idle") as host:
        container = "4f3c2b1a09876543210fedcba98765432100112233445566778899aabbccddee"
        host.process(19047, "python3 serve.py", [0], {"NEURON_RT_VISIBLE_CORES": "0"},
                     f"0::/kubepods.slice/cri-containerd-{container}.scope\n")
        host.use(0, 0, 5 << 30)
        status, out, err = host.run("cores")
        expect("F-06", (status, err), (0, ""))
        for part in ("0 held by 19047, 1 free", "python3 serve.py", container[:12], "1 free, 1 held"):
            expect_has("F-06", out, part)
        document = host.json("cores", "0-1")
        cores = document["chips"][0]["cores"]
        expect("F-06 states", [core["state"] for core in cores], ["held", "free"])
        expect("F-06 holders", [core["held_by"] for core in cores], [[19047], []])
        expect("F-06 since", cores[0]["since"][:19], "2026-10-28T09:33:27")
        expect("F-06 asked", document["asked"], {"spec": "0-1", "state": "held", "blockers": [19047]})
        expect("F-06 runs", document["free_runs"], [{"first": 1, "count": 1}])
        expect("F-06 two", host.run("cores", "--free", "2"),
               (3, "", "neutop: requested 2, free 1; the longest run is 1: NC 1\n"))
        expect("F-06 one", host.run("cores", "--free", "1"), (0, "1\n", ""))


def holder_is_not_seen():
    """F-06: who cannot be seen is listed all the same."""
    with Host("inf2.xlarge-drv2.24.7-idle") as host:
        host.write("sys/module/neuron/refcnt", "2\n")
        host.write("proc/1/stat", "1 (init) S 0 1 1 0 -1 4194304 0 0 0 0 1 1 0 0 20 0 1 0 1 0 5 " + "0 " * 28 + "\n")
        os.makedirs(os.path.join(host.root, "proc/1/fd"))
        host.use(0, 0, 5 << 30)
        status, out, err = host.run("cores", "0")
        expect("status of an unseen holder", (status, err), (3, ""))
        expect_has("an unseen holder", out, "held by someone not visible from here")
        document = host.json("cores")
        expect("holders without a PID", [core["held_by"] for core in document["chips"][0]["cores"]], [[None], []])
        expect("the other core may be theirs", document["chips"][0]["cores"][1]["state"], "unknown")
        expect("status of unknown", host.run("cores", "1")[0], 1)


def all_taken_by_one():
    """F-08: 'pid P holds n cores, uses 2; NEURON_RT_VISIBLE_CORES unset'."""
    with Host("running-driver-2.24.7-v2-16dev-busy") as host:
        host.process(4711, "python3 serve.py", range(16), {})
        host.use(0, 0, 6 << 30)
        host.use(0, 1, 6 << 30)
        expect("F-08", host.findings("takes-all-cores"),
               ["PID 4711 (serve.py) holds 32 cores, uses 2; NEURON_RT_VISIBLE_CORES unset"])
        expect("F-08 status of an unused core", host.run("cores", "30")[0], 1)
        expect_has("F-08 who may hold it", host.run("cores", "30")[1], "unknown (chip open by 4711 serve.py)")
        document = host.json("cores")
        expect("F-08 in JSON", document["chips"][15]["cores"][0]["chip_open_by"], [4711])


def asked_in_vain():
    """F-25 and the overlap of two environments."""
    with Host("running-driver-2.24.7-v2-16dev-busy") as host:
        host.process(10, "python3 a.py", [0, 1], {"NEURON_RT_VISIBLE_CORES": "0-3"})
        host.process(11, "python3 b.py", [1], {"NEURON_RT_VISIBLE_CORES": "2,3"})
        host.process(12, "python3 c.py", [5], {"NEURON_RT_VISIBLE_CORES": "0,2"})
        host.process(13, "python3 d.py", [6], {"NEURON_RT_VISIBLE_CORES": "12-40"})
        host.process(14, "python3 e.py", [7], {"NEURON_RT_VISIBLE_CORES": "14.15"})
        expect("overlap", host.findings("cores-overlap"), ["NC 2-3 asked for by PID 10 (a.py) and PID 11 (b.py)"])
        expect("invalid", host.findings("visible-cores-invalid"), [
            "PID 12 (c.py): NEURON_RT_VISIBLE_CORES: NC 0,2 are not contiguous",
            "PID 13 (d.py): NEURON_RT_VISIBLE_CORES names NC 32-40, but the last one here is 31",
            "PID 14 (e.py): NEURON_RT_VISIBLE_CORES='14.15': byte 3: a comma is expected"])


def many_workers_are_one_job():
    with Host("running-driver-2.24.7-v2-16dev-busy") as host:
        host.process(100, "python3 /usr/bin/torchrun --nproc_per_node 30 train.py", [])
        for i in range(30):
            host.process(200 + i, f"python3 train.py --rank {i}", [i // 2], {"NEURON_RT_VISIBLE_CORES": str(i)}, parent=100)
            host.use(i // 2, i % 2, 1 << 30)
        document = host.json("cores", "28-31")
        expect("workers", document["chips"][3]["cores"][1]["held_by"], [207])
        expect("by environment", document["chips"][3]["cores"][1]["certainty"], "environment")
        expect("blockers", document["asked"], {"spec": "28-31", "state": "held", "blockers": [228, 229]})
        expect("what is left", document["free_runs"], [{"first": 30, "count": 2}])
        out = host.run("cores")[1]
        for part in ("held by torchrun 100: 206 207", "torchrun, 30 workers", "100 1000 0-29 "):
            expect_has("one job", out, part)
        expect("the last chip", host.run("cores", "--free", "2"), (0, "30-31\n", ""))


SLICE = "0::/kubepods.slice/kubepods-pod1.slice/cri-containerd-" + "3f2a9c81d0e4" + "0" * 52 + ".scope"


def jobs_of_each_kind():
    """64 processes each: one finding, one block and one line whatever holds them together."""
    kinds = (("launcher", "64 workers of PID 100 torchrun", {"parent": 100}),
             ("parent", "63 workers of PID 200 train.py", {"parent": 200}),
             ("tag", "64 processes tagged night", {"tag": "night"}),
             ("service", "64 processes of service vllm.service", {"cgroup": "0::/system.slice/vllm.service"}),
             ("container", "64 processes of container 3f2a9c81d0e4", {"cgroup": SLICE}))
    for kind, words, how in kinds:
        with Host("running-driver-2.24.7-v2-16dev-busy") as host:
            host.process(100, "python3 /usr/bin/torchrun --nproc_per_node 64 train.py", [])
            for i in range(64):
                core = i if i < 32 else 1 + i % 31  # none has the environment of the first: it would be its fork
                environ = {"NEURON_RT_VISIBLE_CORES": str(core)}
                if "tag" in how:
                    environ["NEURON_PROCESS_TAG"] = how["tag"]
                parent = how.get("parent", 1) if kind != "parent" or i > 0 else 1
                host.process(200 + i, f"python3 train.py --rank {i}", [core // 2], environ, cgroup=how.get("cgroup", ""),
                             state="T", parent=parent)
                host.use(core // 2, core % 2, 1 << 30)
            expect(f"{kind}: findings", host.findings("holder-stopped"), [f"{words} are stopped and hold NC 0-31"])
            document = host.json("-n", "1")
            expect(f"{kind}: in JSON", {json.dumps(process.get("job"), sort_keys=True) for process in document["processes"]},
                   {json.dumps({"kind": kind, "name": words.split()[-1], "processes": 64,
                                **({"pid": how["parent"]} if "parent" in how else {})}, sort_keys=True)})
            held = [finding for finding in document["findings"] if finding["id"] == "cores-held"]
            expect(f"{kind}: all by one", [finding["summary"] for finding in held], [f"all 32 cores are held, by {words}"])
            expect(f"{kind}: one line", len(held[0]["evidence"]), 1)
            out = host.run("--once")[1]
            expect(f"{kind}: one block", out.count("PID 200-263, " + words), 1)
            expect(f"{kind}: its command", out.count("--rank"), 1)
            status, out, _ = host.run("cores")
            expect(f"{kind}: a list is no judgement", status, 0)
            expect(f"{kind}: one row", out.count(" 0-31 "), 1)


def thousands_of_holders():
    """What is said of a chip is bounded in text; JSON has all."""
    with Host("inf2.xlarge-drv2.24.7-idle") as host:
        for i in range(1000):
            host.process(1000 + i, "python3 serve.py", [0], {}, parent=1)
        host.use(0, 0, 5 << 30)
        out = host.run("cores")[1]
        lines = out[out.index("HOLDER"):out.index("PID")]
        expect("bounded", len(lines) < 1000, True)
        expect_has("and the rest", lines, "994 more")
        cores = host.json("cores")["chips"][0]["cores"]
        expect("all of them", len(cores[1].get("chip_open_by", [])), 1000)


def stats_that_say_nothing():
    """A holder whose stat cannot be parsed, and one that is its own parent: never free."""
    for stat in ("garbage", "20 (p) S 20 20 20 0 -1 4194304 0 0 0 0 10 12 0 0 20 0 1 0 787 0 500 " + "0 " * 28 + "\n"):
        with Host("inf2.xlarge-drv2.24.7-idle") as host:
            host.process(20, "python3 serve.py", [0])
            host.write("proc/20/stat", stat)
            expect("not free", host.run("cores", "0")[0], 1)
            expect_has("by whom", host.run("cores", "0")[1], "chip open by 20 serve.py")
            expect("no range", host.run("cores", "--free", "2")[:2], (3, ""))


def a_zombie_and_a_stopped_one():
    with Host("inf2.xlarge-drv2.24.7-idle") as host:
        host.process(20, "python3 serve.py", [0], {"NEURON_RT_VISIBLE_CORES": "0"}, state="T")
        host.use(0, 0, 5 << 30)
        expect("stopped", host.findings("holder-stopped"), ["PID 20 (serve.py) is stopped and holds NC 0"])
        expect("still held", host.run("cores", "0")[0], 3)
        shutil.rmtree(os.path.join(host.root, "proc/20"))
        host.handles = 0
        host.process(20, "python3 serve.py", [0], {"NEURON_RT_VISIBLE_CORES": "0"}, state="Z")
        expect("zombie", host.findings("holder-stopped"), ["PID 20 (serve.py) is a zombie and holds NC 0"])
        expect("a zombie is there", host.findings("holder-gone"), [])
        expect("held by a zombie", host.run("cores", "0")[0], 3)


def without_the_core_map():
    """On Trainium2 the driver counts in another order: only whole chips can be told below --root."""
    with Host("running-driver-2.24.7-v3-16dev-busy") as host:
        host.process(30, "python3 a.py", [0], None)
        host.use(0, 4, 1 << 30)
        expect("the next chips", host.run("cores", "--free", "16"), (0, "16-31\n", ""))
        expect("a core of that chip", host.run("cores", "0")[0], 1)
        expect_has("why", host.run("cores")[1], "core map")
        status, out, err = host.run("cores", "--free", "64")
        expect("all", (status, out), (3, ""))
        expect_has("all, why", err, "order of cores in it is not known")


class Driver:
    """The stand-in driver, with the driver's files of a fixture."""

    def __init__(self, devices):
        self.root = tree_of("running-driver-2.24.7-v3-16dev-busy")
        os.makedirs(os.path.join(self.root, "dev"))
        os.makedirs(os.path.join(self.root, "proc"))
        with open(os.path.join(self.root, "proc/devices"), "w", encoding="utf-8") as file:
            file.write("Character devices:\n  1 mem\n246 neuron\n\nBlock devices:\n  7 loop\n")
        for name, minor in devices.items():
            node = os.path.join(self.root, "dev", name)
            with open(node, "w", encoding="utf-8") as file:
                file.truncate(minor)
            os.chmod(node, 0o1666)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(os.path.join(self.root, "proc"))
        shutil.rmtree(os.path.join(self.root, "dev"))

    def say(self, path, text):
        with open(os.path.join(self.root, path), "w", encoding="utf-8") as file:
            file.write(text)

    def text(self, name):
        path = os.path.join(self.root, name)
        if not os.path.exists(path):
            return ""
        with open(path, encoding="utf-8") as file:
            return file.read()

    def run(self, *arguments, **variables):
        return self.neutop("cores", *arguments, **variables)

    def neutop(self, *arguments, **variables):
        for name in ("log", "trace"):
            if os.path.exists(os.path.join(self.root, name)):
                os.remove(os.path.join(self.root, name))
        result = run("-S", "driver", *arguments, ASAN_OPTIONS="verify_asan_link_order=0", LD_PRELOAD=SHIM,
                     NEUTOP_SHIM_ROOT=self.root, NEUTOP_SHIM_LOG=os.path.join(self.root, "log"),
                     NEUTOP_SHIM_TRACE=os.path.join(self.root, "trace"), **variables)
        trace = self.text("trace")
        expect(f"violations of {arguments}", self.text("log"), "")
        expect(f"F-09: what is opened is closed, {arguments}", trace.count("open "), trace.count("close "))
        return result

    def marks(self):
        return self.text("trace").count("CRWL_NC_RANGE_MARK_EXT0 ")


def ask_driver():
    claims = " ".join(f"nd{i}={'XXXXXXXX' if i < 12 else '........'}" for i in range(16)).replace("nd13=.", "nd13=X")
    with Driver({f"neuron{i}": i for i in range(16)}) as driver:
        driver.run()
        expect("not asked without the option", driver.marks(), 0)
        status, out, err = driver.run("--ask-driver", "--json", NEUTOP_SHIM_ALLOW="ask", NEUTOP_SHIM_CLAIMS=claims)
        expect("asked", (status, err, driver.marks()), (0, "", 128))
        document = json.loads(out)
        expect("runs by the driver", document["free_runs"], [{"first": 48, "count": 4}, {"first": 53, "count": 11}])
        expect("held, and nobody is seen", document["chips"][13]["cores"][0],
               {"index": 52, "state": "held", "held_by": [None], "since": None, "idle_seconds": None})
        expect("a range by the driver", driver.run("--ask-driver", "--free", "8", NEUTOP_SHIM_ALLOW="ask",
                                                   NEUTOP_SHIM_CLAIMS=claims), (0, "56-63\n", ""))
        granted = driver.run("--ask-driver", "--free", "8", NEUTOP_SHIM_ALLOW="ask",
                             NEUTOP_SHIM_FAULTS="CRWL_NC_RANGE_MARK_EXT0=mark:0")
        expect("a driver that grants it is asked once", driver.marks(), 1)
        expect("and gets it back", driver.text("trace").count("CRWL_NC_RANGE_UNMARK_EXT0 0 0"), 1)
        expect_has("and it is said", granted[2], "--ask-driver: no answer")
        driver.say("sys/class/dmi/id/product_name", "trn2u.48xlarge\n")
        refused = driver.run("--ask-driver", NEUTOP_SHIM_ALLOW="ask")
        expect("never on an UltraServer", driver.text("trace"), "")
        expect_has("and it is said", refused[2], "UltraServer")
        driver.say("sys/class/dmi/id/product_name", "trn2.48xlarge\n")
        driver.say("sys/module/neuron/version", "2.31.7.0\n")
        refused = driver.run("--ask-driver", NEUTOP_SHIM_ALLOW="ask")
        expect("not of a driver that is not known", driver.marks(), 0)
        expect_has("and it is said", refused[2], "2.20 to 2.30 only")
        driver.say("sys/module/neuron/version", "2.24.7.0\n")


def renamed_nodes():
    """F-24, F-25: the minor number is the device, the name is what a job counts by."""
    with Driver({"neuron0": 2, "neuron1": 3}) as driver:
        status, out, err = driver.run()
        expect("F-24", (status, err), (0, ""))
        expect_has("F-24", out, "   2  0-3       /dev/neuron0: ")
        expect_has("F-24", out, "   3  4-7       /dev/neuron1: ")
    with Driver({"neuron0": 0, "neuron2": 2}) as driver:
        status, out, err = driver.run("--free", "4")
        expect("F-25", (status, out), (3, ""))
        expect_has("F-25", err, "gaps")


def run_tests(tests):
    """Each in turn; the exit status."""
    for test in tests:
        before = len(failed)
        test()
        print(test.__name__, "ok" if len(failed) == before else "FAILED")
    for root in TREES.values():
        shutil.rmtree(root)
    for line in failed:
        print("FAILED:", line)
    return 1 if failed else 0


TESTS = [for_scripts, wrong_use, lnc_of_the_caller, one_core_of_two_is_held, holder_is_not_seen, all_taken_by_one,
         asked_in_vain, many_workers_are_one_job, jobs_of_each_kind, thousands_of_holders,
         stats_that_say_nothing, a_zombie_and_a_stopped_one, without_the_core_map]
if __name__ == "__main__":
    sys.exit(run_tests(TESTS + ([ask_driver, renamed_nodes] if os.path.exists(SHIM) else [])))
