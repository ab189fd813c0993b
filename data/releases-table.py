#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes src/host/releases_table.c from data/releases.json: releases-table.py JSON > C

For maintainers only ("make releases-table"): the result is committed, and a test says when it is old.
"""
import json
import re
import sys

# As enum component (src/host/releases.h) and as the file names them.
COMPONENTS = """driver runtime collectives tools compiler torch_neuronx jax_neuronx libneuronxla nki nxd
nxd_inference nxd_training transformers_neuronx tensorflow_neuronx vllm_neuron libtorch_neuronx_lite nrtpy
torchneuron_beta observer_beta oci_hook compiler_inf1 torch_neuron_inf1 libnrt_inf1""".split()
FAMILIES = ["inf1", "inf2", "trn1", "trn2", "trn3"]
CORES = {"all": 0, "v1": 1, "v2": 2, "v3": 3, "v4": 4}
WIDTH = 100


def families(names):
    """Bits of enum generation_id; 0 where nothing or nothing known is said."""
    if not names or any(name not in FAMILIES for name in names):
        return 0
    return sum(1 << (FAMILIES.index(name) + 1) for name in names)


def version(text):
    if not re.fullmatch(r"[0-9]+(\.[0-9]+)*([ab][0-9]+)?", text) or len(text) > 23:
        raise SystemExit("releases-table: not a version: %r" % text)
    return text


def numbers(text):
    return [int(re.match("[0-9]+", part).group()) for part in text.split(".")]


def packed(rows):
    """Rows of a table, as many on a line as fit."""
    line, lines = "   ", []
    for row in rows:
        if len(line) + 1 + len(row) > WIDTH:
            lines.append(line)
            line = "   "
        line += " " + row
    return "\n".join(lines + [line])


def release_rows(releases):
    for release in releases:
        date = release["date"]
        if not re.fullmatch(r"\d{4}-\d\d-\d\d", date):
            raise SystemExit("releases-table: not a date: %r" % date)
        yield '{"%s", "%s", 0x%x},' % (version(release["sdk"]), date, families(release["instances"]))


def component_rows(releases):
    sets = {}
    for bit, release in enumerate(releases):
        for name, entries in release["components"].items():
            for entry in entries:
                text = version(entry["version"])
                key = (COMPONENTS.index(name), numbers(text), text, families(entry["instances"]))
                sets.setdefault(str(key), [key, 0])[1] |= 1 << bit
    for (component, _, text, bits), releases_bits in sorted(sets.values()):
        yield '{0x%x, %d, 0x%x, "%s"},' % (releases_bits, component, bits, text)


def window_rows(windows):
    for row in windows:
        for cores, window in row["window"].items():
            yield '{"%s", %d, %d, %d},' % (version(row["driver"]), CORES[cores], window["min"], window["max"])


def id_rows(ids):
    for row in ids:
        if not re.fullmatch(r"[0-9.]+", row["runtime"]):
            continue  # seen in a log, of no version that is known
        for cores in re.findall(r"v[1-4]", row["arch"]):
            low, high = row["checked_against_min"], row["checked_against_max"]
            yield '{"%s", %d, %d, %d},' % (version(row["runtime"]), CORES[cores], low, high)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        data = json.load(file)
    releases = data["releases"]
    if len(releases) > 64:
        raise SystemExit("releases-table: more than 64 releases: make enough room in release_set first")
    tables = [
        ("release", "rows", release_rows(releases)),
        ("release_component", "components", component_rows(releases)),
        ("compat_window", "windows", window_rows(data["driver_runtime_compat_windows"])),
        ("runtime_id", "ids", id_rows(data["runtime_compat_ids"])),
    ]
    print("// SPDX-License-Identifier: Apache-2.0")
    print("// Made by data/releases-table.py from data/releases.json: change that, then: make releases-table")
    print('#include "host/releases.h"')
    print("\n// clang-format off")
    for kind, name, rows in tables:
        print("static const struct %s %s[] = {\n%s\n};\n" % (kind, name, packed(rows)))
    print("static const struct releases builtin = {")
    for field, name in [("row_count", "rows"), ("component_count", "components"),
                        ("window_count", "windows"), ("id_count", "ids")]:
        print("    .%s = sizeof(%s) / sizeof(%s[0]), .%s = %s," % (field, name, name, name, name))
    print("};\n// clang-format on\n")
    print("const struct releases *releases_builtin(void)\n{\n    return &builtin;\n}")


main()
