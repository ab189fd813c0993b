#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# neutop neff as people and scripts use it: files of every kind, verdicts, exit statuses, JSON, bounded time and memory.
import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import neff_files  # noqa: E402

SRCDIR = os.environ.get("NEUTOP_SRCDIR", ".")
BUILDDIR = os.environ.get("NEUTOP_BUILDDIR", "build")
NEUTOP = os.environ.get("NEUTOP_BIN", os.path.join(BUILDDIR, "neutop"))
FIXTURES = os.path.join(SRCDIR, "tests/fixtures/neff")
SAMPLES = [os.path.join(FIXTURES, name) for name in
           ("trn1-lnc1-csa-a.neff", "trn1-lnc1-csa-b.neff", "trn2-lnc2-matmul.neff")]
TRN1, TRN2 = SAMPLES[0], SAMPLES[2]
KEYS = ["file", "ok", "format_version", "packaging", "compiler", "compiler_sdk", "built", "chip", "target", "lnc", "cores",
        "features", "feature_names", "uuid", "name", "hash", "verdict", "not_judged", "findings"]
SECONDS = 20  # no file may take longer, on a slow and busy machine
MEBIBYTES = 300 if "asan" in os.path.basename(BUILDDIR) else 64
failures = 0
try:
    import jsonschema
except ImportError:
    jsonschema = None


def config(name):
    with open(os.path.join(BUILDDIR, "config.h"), encoding="utf-8") as file:
        return "#define " + name + " 1" in file.read()


ARCHIVE, MD = config("HAVE_LIBARCHIVE"), config("HAVE_LIBMD")
SANITIZED = b"__asan_init" in open(NEUTOP, "rb").read()


def fail(what):
    global failures
    failures += 1
    print("FAIL:", what)


def expect(what, value, right):
    if value != right:
        fail(f"{what}: {value!r} instead of {right!r}")


class Run:
    def __init__(self, *args, env=None):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        start = time.monotonic()
        clean = {key: value for key, value in os.environ.items() if not key.startswith("NEURON_")}
        run = subprocess.run([NEUTOP, "neff", "--no-config", *args], stdin=subprocess.DEVNULL, timeout=SECONDS * 2,
                             capture_output=True, env={**clean, **(env or {})}, check=False)
        self.seconds = time.monotonic() - start
        self.status, self.out, self.err = run.returncode, run.stdout.decode(), run.stderr.decode()
        self.rss = max(before, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)  # of all children so far
        if run.returncode not in (0, 1, 2, 3):
            fail(f"neff {args}: status {run.returncode}: {self.err[-2000:]}")

    def documents(self):
        return [json.loads(line) for line in self.out.splitlines()]


def one_line(what, text):
    lines = text.splitlines()
    if len(lines) != 1 or not lines[0].startswith("neutop: ") or not lines[0].isprintable():
        fail(f"{what}: standard error is not one clear line: {text!r}")


def ids(document):
    """The findings' ids; without libarchive each file has one that says so."""
    return [f["id"] for f in document["findings"] if ARCHIVE or f["id"] != "neff-unreadable"]


def samples():
    """What tests/fixtures/neff/INDEX.md says."""
    right = {
        SAMPLES[0]: ("sunda", 1, "0x9000", "cdbfcde6-b4ad-4a8f-bbd9-92ea1e450b76", "2026-03-16T07:35:26.000Z",
                     ["DGE", "DGE_cast"]),
        SAMPLES[1]: ("sunda", 1, "0x9000", "b48d755c-4c23-4990-b8ba-a1168c00f5af", "2026-03-16T07:35:22.000Z",
                     ["DGE", "DGE_cast"]),
        SAMPLES[2]: ("cayman", 2, "0x209c00", "00a04c53-5fd9-4f07-bffd-d5eacdefc852", "2026-06-22T22:16:42.000Z",
                     ["vnc", "DVE perf mode", "DGE", "DGE_cast", "hardware_DGE"]),
    }
    run = Run("--json", "--verify", "-S", "none", *SAMPLES)
    expect("samples: status", run.status, 0)
    expect("samples: standard error", run.err, "")
    for document in run.documents():
        target, lnc, features, uuid, built, names = right[document["file"]]
        name = os.path.basename(document["file"])
        for key, value in (("ok", True), ("format_version", "2.0"), ("packaging", 2), ("cores", 1), ("lnc", lnc),
                           ("features", features), ("feature_names", names), ("uuid", uuid), ("built", built)):
            expect(f"{name}: {key}", document[key], value)
        expect(name + ": findings", ids(document), [])
        if MD:
            expect(name + ": hash", document["hash"], "ok")
        if ARCHIVE:
            expect(name + ": compiler", document["compiler"], "2.23.6484.0+3b612583")
            expect(name + ": compiler_sdk", document["compiler_sdk"], ["2.28.0", "2.28.1"])
            expect(name + ": target", document["target"], target)
    if ARCHIVE:
        expect("samples: name", run.documents()[0]["name"].endswith(
            "/model.MODULE_1004305494572282285+e30acd3a.neff"), True)


def text_block():
    run = Run("-S", "none", "--color", "never", TRN2)
    expect("block: status", run.status, 0)
    for line in ("format    NEFF 2.0, packaging 2 (gzip)", "built     2026-06-22 22:16:42 UTC", "LNC       2", "cores     1",
                 "features  0x209c00: vnc, DVE perf mode, DGE, DGE_cast, hardware_DGE", "name      file.neff",
                 "uuid      00a04c53-5fd9-4f07-bffd-d5eacdefc852"):
        if line not in run.out.splitlines():
            fail(f"block: no line {line!r} in {run.out}")
    for line in run.out.splitlines():
        if len(line) > 80:
            fail(f"block: a line of {len(line)} columns: {line}")
    expect("block: no escapes", "\x1b" in Run("--color", "never", "--chip", "trn1", TRN2).out, False)
    expect("block: colours", "\x1b[" in Run("--color", "always", "--chip", "trn1", TRN2).out, True)
    expect("two blocks", Run("-S", "none", TRN1, TRN2).out.count("\nformat "), 2)


def verdicts():
    """Options that describe a host, file, exit status, ids in order."""
    fits = ["--chip", "trn2", "--lnc", "2", "--runtime", "2.30.51.0", "--driver", "2.26.10.0"]
    rows = [
        (fits, TRN2, 0, []),
        (["--chip", "trn1", "--runtime", "2.30.51.0"], TRN1, 0, []),
        (["--chip", "inf2"], TRN1, 0, []),
        (["--chip", "trn2", "--lnc", "1"], TRN2, 3, ["lnc-mismatch"]),
        (["--lnc", "1"], TRN2, 3, ["lnc-mismatch"]),
        (["--runtime", "2.35.30.0"], TRN2, 0, []),
        (["--driver", "2.24.7.0"], TRN2, 0, []),
        # known issues in the release notes of SDK 2.30.0 and 2.31.0
        (["--driver", "2.26.10.0", "--runtime", "2.32.31.0"], TRN2, 3, ["driver-too-old"]),
        (["--driver", "2.29.0.0", "--runtime", "2.32.31.0"], TRN2, 3, ["runtime-too-old"]),
        (["--driver", "2.29.0.0", "--runtime", "2.33.10.0"], TRN2, 0, []),
    ]
    if ARCHIVE:
        rows += [
            (["--chip", "inf1", "--driver", "2.24.13.0", "--runtime", "2.32.31"], TRN1, 3,
             ["neff-wrong-chip", "driver-too-old", "inf1-runtime-unsupported"]),
            (["--chip", "trn1"], TRN2, 3, ["neff-wrong-chip"]),
            (["--chip", "trn2"], TRN1, 3, ["neff-wrong-chip"]),
            (["--chip", "trn1", "--lnc", "1"], TRN2, 3, ["neff-wrong-chip", "lnc-mismatch"]),
            (["--chip", "trn2", "--runtime", "2.28.23.0"], TRN2, 1, ["compiler-newer-than-runtime"]),
            (["--demo", "trn2.48xlarge"], TRN2, 0, []),
            (["--demo", "trn2.48xlarge:lnc1"], TRN2, 3, ["lnc-mismatch"]),
            (["--demo", "trn1.32xlarge"], TRN2, 3, ["neff-wrong-chip"]),
        ]
    for options, file, status, wanted in rows:
        what = " ".join(options) + " " + os.path.basename(file)
        text, run = Run(*options, file), Run("--json", *options, file)
        expect(what + ": status", run.status, status)
        expect(what + ": status of text", text.status, status)
        expect(what + ": standard error", run.err + text.err, "")
        if not run.out:
            continue
        document = run.documents()[0]
        expect(what + ": ids", ids(document), wanted)
        expect(what + ": ok", document["ok"], status == 0)
        for finding in document["findings"]:
            if not finding["remedy"] or not finding["evidence"]:
                fail(f"{what}: {finding['id']} has no remedy or no evidence")
            if finding["id"] not in text.out:
                fail(f"{what}: the text does not tell of {finding['id']}")


def judged():
    """The verdict in JSON is the text's, and both say what could not be judged."""
    pair = ["--driver", "2.26.10.0", "--runtime", "2.30.51.0"]
    none = "nothing found that would stop it from loading"
    rows = [
        (["-S", "none"], "unknown", ["chip", "lnc", "features", "runtime", "driver"], "none"),
        (["--driver", "2.24.7.0"], "unknown", ["chip", "lnc", "features", "runtime", "driver"], "none"),
        (["--chip", "trn2"], "partly-judged", ["features", "runtime", "driver"], none),
        (["--chip", "trn2", *pair], "fits", [], none),
        (["--chip", "trn2", "--lnc", "1", *pair], "does-not-fit", [], "it will not load"),
        (["--chip", "trn2", "--runtime", "2.28.23.0"], "may-not-fit", ["driver"], "it may not load, or not as it should"),
    ]
    for options, verdict, missing, words in rows if ARCHIVE else []:
        what, document = " ".join(options), Run("--json", *options, TRN2).documents()[0]
        expect(what + ": verdict", (document["verdict"], document["not_judged"]), (verdict, missing))
        text = Run(*options, TRN2).out
        if f"\nverdict   {words}\n" not in text:
            fail(f"{what}: the text's verdict is not {words!r}: {text}")
        if verdict == "unknown":
            expect(what + ": unjudged", "\nunjudged  no Neuron chip or runtime is known here" in text, True)
        elif missing:
            expect(what + ": unjudged", f"\nunjudged  {', '.join(missing)}\n" in text, True)
        else:
            expect(what + ": all judged", "unjudged" in text, False)
    text = " ".join(Run("--driver", "2.26.10", "--runtime", "2.32.31", "--chip", "trn2", TRN2).out.split())
    for part in ("driver 2.26.10: given, ", "runtime 2.32.31: given"):
        expect("given: " + part, part in text, True)
    for part in (": loaded", ": installed", "on disk"):
        expect("given: " + part, part in text, False)


def environment():
    if not ARCHIVE:
        return
    demo = ["--demo", "trn2.48xlarge", "--json"]
    run = Run(*demo, TRN2, env={"NEURON_LOGICAL_NC_CONFIG": "1"})
    expect("LNC of the environment", ids(run.documents()[0]), ["lnc-mismatch"])
    run = Run(*demo, TRN2, env={"NEURON_RT_VIRTUAL_CORE_SIZE": "1"})
    expect("LNC by its older name", ids(run.documents()[0]), ["lnc-mismatch"])
    run = Run(*demo, TRN2, env={"NEURON_LOGICAL_NC_CONFIG": "2", "NEURON_RT_VIRTUAL_CORE_SIZE": "1"})
    expect("two sizes", (run.status, run.err),
           (0, "neutop: NEURON_LOGICAL_NC_CONFIG=2 and NEURON_RT_VIRTUAL_CORE_SIZE=1 differ; judged with LNC 2\n"))
    run = Run(*demo, TRN2, env={"NEURON_LOGICAL_NC_CONFIG": "3"})
    expect("no LNC", (run.status, run.err),
           (0, "neutop: NEURON_LOGICAL_NC_CONFIG='3': 1 or 2 is expected; judged with LNC 2\n"))
    run = Run(*demo, TRN1, env={"NEURON_RT_ALLOW_LEGACY_NEFF": "1", "NEURON_LOGICAL_NC_CONFIG": "1"})
    expect("legacy: a warning", (run.status, ids(run.documents()[0])), (1, ["neff-wrong-chip"]))


def installed():
    """A container without a device: the runtime that is installed there counts."""
    with tempfile.TemporaryDirectory() as root:
        os.makedirs(os.path.join(root, "var/lib/dpkg"))
        with open(os.path.join(root, "var/lib/dpkg/status"), "w", encoding="utf-8") as file:
            file.write("Package: aws-neuronx-runtime-lib\nStatus: install ok installed\nVersion: 2.28.23.0-0b044f4ce\n\n")
        run = Run("--json", "--root", root, TRN2)
        expect("installed runtime", ids(run.documents()[0]), ["compiler-newer-than-runtime"])
        if "(installed)" not in run.out:
            fail("installed runtime: the finding does not say whose runtime it is")


def features():
    """Issue 820 of the AWS Neuron SDK, from the log lines."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.neff")
        with open(path, "wb") as file:
            file.write(neff_files.neff(neff_files.zip_tar(neff_files.tar(
                neff_files.info_json("2.12.54.0"), neff_files.kelf_json("sunda"))), features=0x100, lnc=1))
        run = Run("--json", "--chip", "inf2", "--runtime", "2.18.15.0", path)
        expect("features: status", run.status, 1)
        evidence = run.documents()[0]["findings"][0]["evidence"] if run.out else []
        for text in ("needed 0x100", "supported 0x80000000000000ff by runtime 2.18.15.0",
                     "missing 0x100: bit 8 indirect_memcpy_bound_check"):
            if text not in evidence:
                fail(f"features: no {text!r} in {evidence}")


def checks(folder):
    """A file made for each check: what it is judged against, exit status, finding."""
    good = neff_files.neff
    packed = neff_files.zip_tar(neff_files.tar(neff_files.info_json(), neff_files.kelf_json()))
    newest = ["--runtime", "2.31.24.0", "--chip", "trn2"]
    rows = [
        ("fits", good(), newest, 0, []),
        ("bit-26", good(features=1 << 26), newest, 0, []),
        ("bit-27", good(features=1 << 27), newest, 1, ["neff-unsupported"]),
        ("bit-27-newer-runtime", good(features=1 << 27), ["--runtime", "2.32.31.0"], 0, []),
        ("major-3", good(major=3), newest, 1, ["neff-unsupported"]),
        ("major-1", good(major=1), newest, 0, []),
        ("lnc-1", good(lnc=1), newest, 3, ["lnc-mismatch"]),
        ("lnc-0", good(lnc=0), newest, 1, ["lnc-mismatch"]),
        ("lnc-0-is-1", good(lnc=0), newest + ["--lnc", "1"], 0, []),
        ("bad-hash", good(packed + b"\0", digest=b"\1" * 32), newest + ["--verify"], 1, ["neff-hash-mismatch"]),
        ("no-hash", good(digest=bytes(32)), newest + ["--verify"], 0, []),
    ]
    for word, on, status in (("sunda", "trn2", 3), ("cayman", "trn2", 0), ("mariana", "trn3", 0), ("mariana", "trn2", 1),
                             ("cayman", "trn3", 3), ("*", "trn1", 0), ("v2", "inf2", 0), ("", "trn1", 0), ("x", "trn1", 0)):
        wanted = ["neff-wrong-chip"] if status or word == "x" else []
        data = good(neff_files.zip_tar(neff_files.tar(neff_files.info_json(), neff_files.kelf_json(word))),
                    lnc=2 if on in ("trn2", "trn3") else 1)
        rows.append((f"target-{word}-on-{on}", data, ["--chip", on], status, wanted))
    for name, data, options, status, wanted in rows:
        if name == "bad-hash" and not MD:
            continue
        run = Run("--json", *options, write(folder, "check", data))
        expect(name + ": status", run.status, status)
        expect(name + ": ids", ids(run.documents()[0]), wanted)


def write(folder, name, data):
    path = os.path.join(folder, name + ".neff")
    with open(path, "wb") as file:
        file.write(data)
    return path


def kinds(folder):
    """Every kind of file, one run each; then all in one."""
    paths = []
    for name, (data, right) in neff_files.good().items():
        path = write(folder, name, data)
        paths.append(path)
        run = Run("--json", "--verify", "-S", "none", path)
        expect(name + ": status", run.status, 0)
        document = run.documents()[0]
        for key, value in right.items():
            if (key == "hash" and not MD) or (key in ("compiler", "compiler_sdk", "target") and not ARCHIVE):
                continue
            expect(f"{name}: {key}", document[key], value)
        if not run.out.rstrip("\n").isprintable():
            fail(name + ": unprintable output")
    for name, (data, severity, named) in neff_files.damaged().items():
        path = write(folder, name, data)
        paths.append(path)
        if not ARCHIVE:
            continue
        run, text = Run("--json", "-S", "none", path), Run("-S", "none", path)
        expect(name + ": status", run.status, {"info": 0, "warning": 1, "critical": 3}[severity])
        findings = run.documents()[0]["findings"]
        expect(name + ": finding", [(f["id"], f["severity"]) for f in findings], [("neff-unreadable", severity)])
        if named not in findings[0]["summary"]:
            fail(f"{name}: {findings[0]['summary']!r} does not say {named!r}")
        if "LNC       2" not in text.out:
            fail(name + ": the header is not told of")
        bounded(name, run)
    for name, (data, named) in neff_files.refused().items():
        path = write(folder, name, data)
        paths.append(path)
        run, document = Run(path, "-S", "none"), Run("--json", "-S", "none", path).documents()[0]
        expect(name + ": status", run.status, 2)
        expect(name + ": standard output", run.out, "")
        one_line(name, run.err)
        if named not in run.err or path not in run.err:
            fail(f"{name}: {run.err!r} does not say {named!r}")
        expect(name + ": JSON", (document["ok"], document["findings"][0]["id"]), (False, "neff-unreadable"))
        bounded(name, run)
    return paths


def bounded(name, run):
    if run.seconds > SECONDS:
        fail(f"{name}: {run.seconds:.1f} s")
    if not SANITIZED and run.rss > MEBIBYTES * 1024:
        fail(f"{name}: {run.rss} KiB of memory")


def special_files(folder):
    """What is no file at all: never opened, never waited for."""
    fifo, bound, denied = (os.path.join(folder, name) for name in ("fifo", "socket", "denied"))
    os.mkfifo(fifo)
    sock = socket.socket(socket.AF_UNIX)
    sock.bind(bound)
    write(folder, "denied", neff_files.neff())
    os.chmod(denied + ".neff", 0)
    rows = [(folder, "a directory"), (fifo, "a FIFO"), (bound, "a socket"), ("/dev/zero", "a device"),
            (os.path.join(folder, "missing"), "No such file"), (TRN1 + "/x", "Not a directory"), ("", "No such file"),
            ("x" * 300, "too long")]
    if os.getuid() != 0:
        rows.append((denied + ".neff", "Permission denied"))
    for path, named in rows:
        run = Run("-S", "none", path)
        expect(path + ": status", run.status, 2)
        one_line(path, run.err)
        if named not in run.err:
            fail(f"{path}: {run.err!r} does not say {named!r}")
    hostile = Run("-S", "none", os.path.join(folder, "no\x1b[31m\nsuch"))
    one_line("hostile file name", hostile.err)
    sock.close()


def mixed(folder, paths):
    """All that could be read is told of, and so is what could not."""
    run = Run("--json", "-S", "none", *paths)
    documents = run.documents()
    expect("all: documents", [d["file"] for d in documents], paths)
    expect("all: status", run.status, 3)
    expect("all: lines on standard error", len(run.err.splitlines()), len(neff_files.refused()))
    for document in documents:
        expect("keys", list(document), KEYS)
    bounded("all", run)
    run = Run("-S", "none", os.path.join(folder, "missing"), TRN1)
    expect("one missing: status", run.status, 3)
    one_line("one missing", run.err)
    if "0x9000" not in run.out:
        fail("one missing: the other is not told of")
    if jsonschema is None:
        print("the schema is not checked: python3-jsonschema is not installed")
        return
    with open(os.path.join(SRCDIR, "data/neutop.neff.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    documents += Run("--json", "--chip", "trn1", "--runtime", "2.20.0", *SAMPLES).documents()
    for document in documents:
        for error in validator.iter_errors(document):
            fail(f"schema: {document['file']}: {error.message[:300]}")
    for change in ({"ok": None}, {"lnc": 0}, {"hash": "fine"}, {"features": 4096}, {"more": 1}):
        if validator.is_valid({**documents[0], **change}):
            fail(f"the schema lets through {change}")


def wrong_use():
    for args, named in (((), "FILE"), (("--chip", "trn9", TRN1), "trn9"), (("--lnc", "3", TRN1), "3"),
                        (("--runtime", "new", TRN1), "new"), (("--driver", "", TRN1), "driver"), (("--nope", TRN1), "nope")):
        run = Run(*args)
        expect(f"{args}: status", run.status, 2)
        expect(f"{args}: standard output", run.out, "")
        if named not in run.err or "Try 'neutop --help'." not in run.err:
            fail(f"{args}: {run.err!r}")
    help_text = Run("--help").out
    for option in ("--verify", "--chip", "--lnc", "--runtime", "--driver", "--json"):
        if option not in help_text:
            fail("--help does not tell of " + option)


def main():
    samples()
    text_block()
    verdicts()
    judged()
    environment()
    if ARCHIVE:
        features()
        installed()
    wrong_use()
    with tempfile.TemporaryDirectory() as folder:
        if ARCHIVE:
            checks(folder)
        paths = kinds(folder)
        special_files(folder)
        mixed(folder, paths)
        print(f"{len(paths)} kinds of files; {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss} KiB at most")
    return 1 if failures else 0


sys.exit(main())
