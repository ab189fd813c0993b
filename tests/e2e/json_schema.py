#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Every JSON document that neutop prints keeps to data/neutop.host.schema.json: hosts built by hand, the demo of each
# chip, the recorded streams among the fixtures. And the schema can fail: broken documents are refused.
import copy
import glob
import json
import os
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    print("SKIP: python3-jsonschema is not installed (Debian, Ubuntu, Fedora: python3-jsonschema)")
    sys.exit(77)

SRCDIR = os.environ.get("NEUTOP_SRCDIR", ".")
BUILDDIR = os.environ.get("NEUTOP_BUILDDIR", "build")
NEUTOP = os.environ.get("NEUTOP_BIN", os.path.join(BUILDDIR, "neutop"))
DEMOS = ["inf1.xlarge", "inf2.48xlarge", "trn1.32xlarge", "trn2.48xlarge"]
KEYS = {  # what scripts rely on: fixed by name
    "": "schema time sources instance hardware host versions chips processes findings",
    "instance": "id type name region availability_zone ultraserver_id",
    "hardware": "chip neuroncore chips physical_cores_per_chip logical_cores_per_chip lnc device_memory_bytes_per_chip",
    "host": "cpu_user_percent cpu_system_percent cpus memory_total_bytes memory_used_bytes swap_total_bytes "
            "swap_used_bytes",
    "versions": "driver driver_installed compat_min compat_max runtime_installed collectives tools compiler sdk",
    "sources": "name state age_seconds detail",
    "chips": "index pci numa_node cpu_affinity serial connected memory_total_bytes memory_used_bytes power_percent "
             "health ecc cores",
    "chips.cores": "index numbering physical utilization_percent flops_per_second memory_used_bytes memory owners "
                   "physical_utilization_percent",
    "processes": "pid tag user command state started cores chips memory_device_bytes memory_host_bytes "
                 "cpu_user_percent cpu_system_percent utilization_percent idle_seconds runtime_version visible_cores "
                 "container pod namespace latency_seconds executions_per_second errors_per_second models",
    "processes.models": "name uuid model_id running memory_device_bytes cores",
    "findings": "id severity subject summary evidence remedy",
}
failures = 0


def fail(what):
    global failures
    failures += 1
    print("FAIL:", what)


def refuse_constant(word):
    raise ValueError(word + " is no JSON")


def documents(name, command):
    run = subprocess.run(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False)
    if run.returncode != 0:
        fail(f"{name}: exit status {run.returncode}")
    lines = run.stdout.decode("utf-8").split("\n")
    if lines.pop() != "":
        fail(f"{name}: the last line is cut off")
    return [json.loads(line, parse_constant=refuse_constant) for line in lines]


def each(value, path):
    """The objects at PATH, through arrays."""
    found = [value]
    for step in filter(None, path.split(".")):
        found = [f[step] for f in found]
        found = [x for f in found for x in (f if isinstance(f, list) else [f])]
    return found


def check(name, validator, found, least):
    if len(found) < least:
        fail(f"{name}: {len(found)} documents, expected at least {least}")
    for number, document in enumerate(found):
        for error in list(validator.iter_errors(document))[:5]:
            where = "/".join(str(step) for step in error.absolute_path)
            fail(f"{name} document {number}: {where}: {error.message[:300]}")
        for path, keys in KEYS.items():
            for item in each(document, path):
                missing = set(keys.split()) - set(item)
                if missing:
                    fail(f"{name} document {number}: {path or 'top'} lacks {sorted(missing)}")
    print(f"{name}: {len(found)} documents")


def breaks(document):
    """Documents that must be refused."""
    def changed(change):
        broken = copy.deepcopy(document)
        change(broken)
        return broken

    def core(broken):
        return broken["chips"][0]["cores"][0]

    yield "a wrong schema name", changed(lambda d: d.update(schema="neutop.host/2"))
    yield "a local time", changed(lambda d: d.update(time="2026-10-28 12:31:07"))
    yield "a key without its unit", changed(lambda d: core(d).update(memory_used=1))
    yield "a number as text", changed(lambda d: core(d).update(utilization_percent="57"))
    yield "a negative size", changed(lambda d: core(d).update(memory_used_bytes=-1))
    yield "a missing key", changed(lambda d: d.pop("findings"))
    yield "an unknown state", changed(lambda d: core(d).update(state="idle"))


def check_listings(schema):
    """`neutop ls --json` is a part of the snapshot's document: the same keys keep to the same schema."""
    shared = ["time", "demo", "instance", "hardware", "versions", "chips", "processes"]
    part = {key: schema[key] for key in schema if key not in ("properties", "required", "additionalProperties")}
    part["properties"] = {key: schema["properties"][key] for key in shared}
    part["required"] = ["schema"] + shared
    validator = jsonschema.Draft7Validator(part)
    for demo in DEMOS + ["trn3"]:
        command = [NEUTOP, "--no-config", "--demo", demo, "ls", "--json", "--cores"]
        for document in documents("ls of " + demo, command):
            for error in list(validator.iter_errors(document))[:5]:
                fail(f"ls of {demo}: {list(error.absolute_path)}: {error.message[:300]}")
            cores = sum(len(chip["cores"]) for chip in document["chips"])
            if document["schema"] != "neutop.ls/1" or len(document["descriptors"]) != cores:
                fail(f"ls of {demo}: not one descriptor for each core")


def check_cores():
    """`neutop cores --json`: its own schema, and the keys that scripts rely on."""
    with open(os.path.join(SRCDIR, "data/neutop.cores.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    questions = [[], ["0-3"], ["0,2"], ["--free", "1"], ["--free", "999"]]
    sources = [["--demo", demo] for demo in DEMOS + ["trn2.48xlarge:lnc1", "trn3"]]
    sources += [["-i", stream] for stream in sorted(glob.glob(os.path.join(SRCDIR, "tests/fixtures/monitor/trn*-[34]*.ndjson")))]
    for source in sources:
        for question in questions:
            name = f"cores {source[1].split('/')[-1]} {question}"
            run = subprocess.run([NEUTOP, "--no-config", *source, "cores", "--json", *question],
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
            lines = run.stdout.count(b"\n")
            if run.returncode not in (0, 1, 3) or lines != 1:
                fail(f"{name}: exit status {run.returncode}, {lines} lines")
                continue
            document = json.loads(run.stdout, parse_constant=refuse_constant)
            for error in list(validator.iter_errors(document))[:5]:
                fail(f"{name}: {list(error.absolute_path)}: {error.message[:300]}")
            free = [core["index"] for chip in document["chips"] for core in chip["cores"] if core["state"] == "free"]
            runs = [core for each in document["free_runs"] for core in range(each["first"], each["first"] + each["count"])]
            if document["logical_cores"] is not None and sorted(free) != runs:
                fail(f"{name}: free cores {sorted(free)} but runs {runs}")
    broken = copy.deepcopy(document)
    broken["chips"][0]["cores"][0]["state"] = "idle"
    if validator.is_valid(broken):
        fail("the schema of cores lets through an unknown state")


def check_explain():
    """`neutop explain --json`: its own schema, on all field samples, with a host and without."""
    with open(os.path.join(SRCDIR, "data/neutop.explain.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    samples = sorted(glob.glob(os.path.join(SRCDIR, "tests/fixtures/field/*.txt")))
    samples.append(os.path.join(SRCDIR, "tests/fuzz/corpus/explain/messages"))
    for sample in samples:
        for how in (["--offline"], ["--demo", "trn2.48xlarge"], ["-S", "none"]):
            name = f"explain {os.path.basename(sample)} {how[-1]}"
            for document in documents(name, [NEUTOP, "--no-config", "explain", "--json", *how, sample]):
                for error in list(validator.iter_errors(document))[:5]:
                    fail(f"{name}: {list(error.absolute_path)}: {error.message[:300]}")
                if (document["host"] is None) != (how[-1] == "--offline"):
                    fail(f"{name}: the host is {document['host']}")
    for what, change in (("a role", {"role": "bad"}), ("a count of 0", {"count": 0}), ("a number as text", {"first_line": "1"})):
        broken = copy.deepcopy(document)
        broken["errors"][0].update(change)
        if validator.is_valid(broken):
            fail("the schema of explain lets through " + what)


def main():
    with open(os.path.join(SRCDIR, "data/neutop.host.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)

    built = documents("built by hand", [os.path.join(BUILDDIR, "tests/e2e/json_documents")])
    check("built by hand", validator, built, 3)
    for what, broken in breaks(built[1]):
        if validator.is_valid(broken):
            fail("the schema lets through " + what)
    for demo in DEMOS:
        check("demo " + demo, validator, documents(demo, [NEUTOP, "--no-config", "--demo", demo, "--json", "-n", "1"]), 1)
    for stream in sorted(glob.glob(os.path.join(SRCDIR, "tests/fixtures/monitor/*.ndjson"))):
        name = os.path.basename(stream)
        check(name, validator, documents(name, [NEUTOP, "--no-config", "-i", stream, "--json"]), 1)
    check_listings(schema)
    check_cores()
    check_explain()
    return 1 if failures else 0


sys.exit(main())
