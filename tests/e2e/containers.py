#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Containers and pods with the real program, on a captured tree with processes and runtimes' files of our own: names, both
PIDs, devices that were given with gaps, core sizes that are none (field cases F-06, F-24, F-25)."""
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile

NEUTOP = os.environ["NEUTOP_BIN"]
FIXTURES = os.environ["NEUTOP_FIXTURES"]
ID, OTHER = "0123456789abcdef" * 4, "fedcba9876543210" * 4
failed = []


def expect(what, got, wanted):
    if got != wanted:
        failed.append(f"{what}: {str(got)[:400]!r}, expected {str(wanted)[:400]!r}")


def expect_has(what, text, part):
    if part not in text:
        failed.append(f"{what}: {part!r} is not in {text[:2000]!r}")


class Host:
    def __init__(self, root, fixture):
        self.root = root
        with tarfile.open(os.path.join(FIXTURES, "sysfs", fixture + ".tar.gz")) as archive:
            archive.extractall(root, (member for member in archive if "/proc/" not in member.name))
        shutil.rmtree(os.path.join(root, "proc"), ignore_errors=True)
        self.write("proc/stat", "btime 1793180000\n")
        self.write("etc/passwd", "root:x:0:0::/root:/bin/sh\n")
        self.handles = 0

    def write(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def copy(self, path, name):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        shutil.copy(os.path.join(FIXTURES, "container_names", name), path)

    def process(self, pid, command, devices, cgroup, inside=None, environ=None):
        base = f"proc/{pid}"
        self.write(f"{base}/stat", f"{pid} (p) S 1 {pid} {pid} 0 -1 4194304 0 0 0 0 10 12 0 0 20 0 1 0 787 0 500 " + "0 " * 28 + "\n")
        self.write(f"{base}/status", f"Name:\tp\nUid:\t0\t0\t0\t0\nNSpid:\t{pid}" + (f"\t{inside}" if inside else "") + "\n")
        self.write(f"{base}/cmdline", command.replace(" ", "\0") + "\0")
        self.write(f"{base}/cgroup", cgroup)
        self.write(f"{base}/environ", "".join(f"{key}={value}\0" for key, value in (environ or {"HOME": "/"}).items()))
        os.makedirs(os.path.join(self.root, base, "fd"))
        for number, device in enumerate(devices):
            os.symlink(f"/dev/neuron{device}", os.path.join(self.root, base, "fd", str(number + 3)))
            self.write(f"{base}/fdinfo/{number + 3}", "pos:\t0\nflags:\t0100002\n")
            self.handles += 1
        self.write("sys/module/neuron/refcnt", f"{self.handles * 2}\n")

    def run(self, *arguments, text=None):
        done = subprocess.run([NEUTOP, "--no-config", "--root", self.root, "-S", "driver", *arguments], capture_output=True,
                              text=True, timeout=60, check=False, input=text)
        expect(f"standard error of {arguments}", done.stderr, "")
        return done.stdout

    def json(self, *arguments):
        return json.loads(self.run("--json", "-n", "1", *arguments))


def of_pid(host, pid):
    found = [process for process in host["processes"] if process["pid"] == pid]
    expect(f"processes with PID {pid}", len(found), 1)
    return found[0] if found else {}


def names(host):
    host.process(19047, "python3 serve.py", [0, 2], f"0::/kubepods.slice/kubepods-pod1.slice/cri-containerd-{ID}.scope\n", 8,
                 {"AWS_NEURON_VISIBLE_DEVICES": "0,2", "NEURON_LOGICAL_NC_CONFIG": "3"})
    host.process(20000, "python3 train.py", [5], f"4:cpu:/docker/{OTHER}\n")
    host.copy(f"run/containerd/io.containerd.runtime.v2.task/k8s.io/{ID}/config.json", "containerd.json")
    host.copy(f"var/lib/docker/containers/{OTHER}/config.v2.json", "docker.json")
    for device in (0, 2):
        host.write(f"proc/19047/root/dev/neuron{device}", "")
    document = host.json()
    first, second = of_pid(document, 19047), of_pid(document, 20000)
    expect("pod", [first.get(key) for key in ("container", "container_id", "pod", "namespace", "pid_inside")],
           ["server", ID[:12], "llama-70b-6d5f7c9b8d-x2x7q", "inference", 8])
    expect("devices", (first.get("visible_devices"), first.get("given_devices")), ("0,2", [0, 2]))
    expect("docker", [second.get(key) for key in ("container", "container_id", "pod", "namespace", "pid_inside")],
           ["eager_bell", OTHER[:12], None, None, None])
    text = host.run("--once")
    for part in ("pod llama-70b-6d5f7c9b8d-x2x7q, namespace inference, container server", "PID 8 inside its container",
                 "eager_bell"):
        expect_has("text", text, part)
    cores = host.run("cores")
    holders = [line.split()[:3] for line in cores.splitlines() if "python3" in line or "IN-PID" in line]
    expect("neutop cores", holders, [["PID", "IN-PID", "USER"], ["19047", "8", "root"], ["20000", "-", "root"]])
    for part in ("llama-70b-6", "eager_bell"):
        expect_has("neutop cores", cores, part)
    expect("both PIDs in the JSON of cores", json.loads(host.run("cores", "--json"))["pids_inside"],
           [{"pid": 19047, "pid_inside": 8, "container": "server", "pod": "llama-70b-6d5f7c9b8d-x2x7q"}])
    for part in ("llama-70b-6d5f7c9b8d-x2x7q/server", "eager_bell"):
        expect_has("neutop ls", host.run("ls", "-w", "-a"), part)


def findings(host):
    found = host.json()["findings"]
    given = [each for each in found if each["id"] == "visible-cores-invalid"]
    expect("F-25", [(each["summary"], each["evidence"][:2]) for each in given],
           [("PID 19047 (serve.py): devices 0,2 given: not contiguous",
             ["AWS_NEURON_VISIBLE_DEVICES=0,2 at its start", "in /dev of its container are the nodes of devices 0,2"])])
    sizes = [each for each in found if each["id"] == "lnc-mismatch"]
    expect("a core size that is none", [(each["summary"], each["evidence"][1]) for each in sizes],
           [("PID 19047 (serve.py): NEURON_LOGICAL_NC_CONFIG=3 is no logical core size",
             "its cores are counted here with LNC 1, the only one of this chip")])
    with open(os.path.join(FIXTURES, "field", "02-nrt-cores-not-available.txt"), encoding="utf-8") as file:
        sample = file.read()
    for log in (sample, "Could not open the nd1\n"):
        expect_has("neutop explain", " ".join(host.run("explain", text=log).split()),
                   "devices 0,2 given to PID 19047 (serve.py) of root, started")
        expect_has("neutop explain", " ".join(host.run("explain", text=log).split()), "x2x7q: not contiguous")


def without_files(host):
    shutil.rmtree(os.path.join(host.root, "run"))
    shutil.rmtree(os.path.join(host.root, "var"))
    document = host.json()
    expect("ids", [of_pid(document, pid).get("container") for pid in (19047, 20000)], [ID[:12], OTHER[:12]])
    # a file that nobody will ever write
    folder = os.path.join(host.root, f"var/lib/docker/containers/{OTHER}")
    os.makedirs(folder)
    os.mkfifo(os.path.join(folder, "config.v2.json"))
    expect("a pipe", of_pid(host.json(), 20000).get("container"), OTHER[:12])
    # names of the kubelet's links
    os.makedirs(os.path.join(host.root, "var/log/containers"))
    os.symlink("/nowhere", os.path.join(host.root, f"var/log/containers/bert-0_research_main-{ID}.log"))
    first = of_pid(host.json(), 19047)
    expect("links", [first.get(key) for key in ("container", "pod", "namespace")], ["main", "bert-0", "research"])


def renamed_node(host):
    """F-24: both names, and what is on the host and not here."""
    shutil.rmtree(os.path.join(host.root, "dev"), ignore_errors=True)
    os.makedirs(os.path.join(host.root, "dev"))
    with open(os.path.join(host.root, "sys/devices/virtual/neuron_device/neuron0/dev"), encoding="utf-8") as file:
        major = int(file.read().split(":")[0])
    try:
        os.mknod(os.path.join(host.root, "dev/neuron0"), 0o600 | 0o020000, os.makedev(major, 2))
    except OSError:
        return
    document = host.json()
    expect("F-24", [(chip["index"], chip.get("node")) for chip in document["chips"]], [(2, "neuron0")])
    details = [source["detail"] for source in document["sources"] if source["name"] == "sysfs"]
    expect_has("F-24", details[0], "1 device, 0-1,3-15 on host, not mapped here")
    expect_has("F-24, ls", host.run("ls"), "chip 2 is /dev/neuron0 here")
    expect_has("F-24, text", " ".join(host.run("--once").split()), "node here: /dev/neuron0")


with tempfile.TemporaryDirectory() as folder:
    tree = Host(folder, "running-driver-2.24.7-v2-16dev-busy")
    for test in (names, findings, without_files, renamed_node):
        before = len(failed)
        test(tree)
        print(test.__name__, "ok" if len(failed) == before else "FAILED")
for line in failed:
    print("FAILED:", line)
sys.exit(1 if failed else 0)
