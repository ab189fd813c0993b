# SPDX-License-Identifier: Apache-2.0
"""Makes NEFF files for tests, good ones and broken ones, without any of AWS's tools.

Layout: src/neff/header.h. As a program: neff_files.py FOLDER writes one file of each kind into FOLDER.
"""
import gzip
import hashlib
import io
import json
import os
import struct
import sys
import tarfile
import zlib

HEADER = 1024
BLOCK = 10240
BUILT = 1782166602  # 2026-06-22 22:16:42 UTC


def member(name, data, **fields):
    """A tar member: header, data, padding. FIELDS overrides header fields of tarfile.TarInfo."""
    info = tarfile.TarInfo(name)
    info.size = len(data)
    for field, value in fields.items():
        setattr(info, field, value)
    return info.tobuf(tarfile.USTAR_FORMAT) + data + bytes(-len(data) % 512)


def raw_header(name, size_field):
    """A tar header whose 12 bytes of size are SIZE_FIELD, with a right checksum."""
    block = bytearray(tarfile.TarInfo(name).tobuf(tarfile.USTAR_FORMAT))
    block[124:136] = size_field
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


def info_json(compiler="2.23.6484.0+3b612583"):
    return member("info.json", json.dumps({"tool_version": compiler, "name": "file.neff"}, indent=2).encode())


def kelf_json(target="cayman", name="kelf-0.json"):
    return member(name, json.dumps({"graphs": [], "version": "0.5", "target": target}).encode())


def tar(*members):
    return b"".join(members) + bytes(1024)


def zip_tar(data, built=BUILT, level=9):
    stream = io.BytesIO()
    with gzip.GzipFile(fileobj=stream, mode="wb", mtime=built, filename="", compresslevel=level) as packed:
        packed.write(data)
    return stream.getvalue()


def padded(payload):
    return payload + bytes(-len(payload) % BLOCK)


def swapped(digest):
    return b"".join(digest[at:at + 4][::-1] for at in range(0, len(digest), 4))


def header(payload, packaging=2, header_size=HEADER, data_size=None, major=2, minor=0, cores=1, features=0x209c00,
           lnc=2, name=b"file.neff", digest=None, uuid=bytes(range(1, 17))):
    if digest is None:
        digest = swapped(hashlib.md5(payload).digest()) if packaging != 1 else hashlib.sha256(payload).digest()
    size = len(payload) if data_size is None else data_size
    block = struct.pack("<QQQQQ128sI32s16s256sI64sQI", packaging, header_size, size, major, minor, b"", cores, digest,
                        uuid, name, cores, b"\1", features, lnc)
    return block.ljust(HEADER, b"\0")


def neff(payload=None, **fields):
    """A whole file; without PAYLOAD a good one for Trainium2 with LNC 2, of SDK 2.28."""
    if payload is None:
        payload = padded(zip_tar(tar(info_json(), kelf_json())))
    return header(payload, **fields) + payload


def bomb(mebibytes):
    """A gzip of a tar whose first member is MEBIBYTES of zeros."""
    size = mebibytes << 20
    pack = zlib.compressobj(9, zlib.DEFLATED, 31)
    parts = [pack.compress(raw_header("debug_info/large", b"%011o\0" % size))]
    zeros = bytes(1 << 20)
    parts += [pack.compress(zeros) for _ in range(mebibytes)]
    parts += [pack.compress(tar(info_json(), kelf_json())), pack.flush()]
    return b"".join(parts)


def many_members(count):
    return tar(*[member("sg00/part%06d.bin" % i, b"x") for i in range(count)], info_json(), kelf_json())


def good():
    """name: (bytes, what JSON must say)"""
    usual = {"compiler": "2.23.6484.0+3b612583", "target": "cayman", "lnc": 2, "hash": "ok"}
    return {
        "good": (neff(), dict(usual, built="2026-06-22T22:16:42.000Z", compiler_sdk=["2.28.0", "2.28.1"])),
        "order-kelf-first": (neff(padded(zip_tar(tar(kelf_json(), member("a/b.bin", b"z" * 9000), info_json())))), usual),
        "order-info-last": (neff(padded(zip_tar(many_members(300)))), usual),
        "kelf-a": (neff(zip_tar(tar(info_json(), kelf_json("sunda", "kelf-a.json"))), lnc=0),
                   {"target": "sunda", "lnc": 1}),
        "dot-slash": (neff(zip_tar(tar(member("./info.json", b'{"tool_version": "2.21.18209.0"}'),
                                       kelf_json("*", "./kelf-0.json")))), {"compiler": "2.21.18209.0", "target": "*"}),
        "raw-tar": (neff(tar(info_json(), kelf_json())), dict(usual, built=None)),
        "raw-tar-sha256": (neff(tar(info_json(), kelf_json()), packaging=1), dict(usual, packaging=1)),
        "gzip-sha256": (neff(zip_tar(tar(info_json(), kelf_json())), packaging=1), dict(usual, packaging=1)),
        "no-built": (neff(zip_tar(tar(info_json(), kelf_json()), built=0)), dict(usual, built=None)),
        "all-features": (neff(features=(1 << 64) - 1), {"features": "0xffffffffffffffff"}),
        "newer-compiler": (neff(zip_tar(tar(info_json("9.99.1.0+abc"), kelf_json()))),
                           {"compiler": "9.99.1.0+abc", "compiler_sdk": []}),
        "empty-target": (neff(zip_tar(tar(info_json(), kelf_json("")))), {"target": ""}),
        "hostile-name": (neff(name=b"\x1b]0;owned\x07" + b"\xff" * 245), usual),
        "nested-kelf-is-none": (neff(zip_tar(tar(member("x/kelf-0.json", b'{"target": "sunda"}'), info_json(),
                                                 kelf_json()))), usual),
        "plain-order-hash": (neff(digest=hashlib.md5(neff()[HEADER:]).digest() + b"0" * 16), usual),
    }


def damaged():
    """name: (bytes, severity, what the finding must say): the header is good, the payload is not."""
    packed = zip_tar(tar(info_json(), kelf_json()))
    return {
        "gzip-cut": (neff(packed[:60]), "critical", "damaged"),
        "gzip-header-only": (neff(packed[:10]), "critical", "damaged"),
        "gzip-three-bytes": (neff(b"\x1f\x8b\x08"), "critical", "damaged"),
        "gzip-garbage": (neff(packed[:10] + b"\xff" * 500), "critical", "damaged"),
        "gzip-of-text": (neff(zip_tar(b"no tar at all\n" * 100)), "critical", "damaged"),
        "tar-cut": (neff(zip_tar(info_json()[:700])), "critical", "damaged"),
        "tar-huge-size": (neff(zip_tar(raw_header("debug", b"777777777777"))), "critical", "damaged"),
        "tar-negative-size": (neff(zip_tar(raw_header("debug", b"\xff" * 12))), "critical", "damaged"),
        "tar-2^63-size": (neff(zip_tar(raw_header("info.json", b"\x80" + b"\0" * 3 + b"\x7f" + b"\xff" * 7))), "critical",
                          "damaged"),
        "tar-bad-checksum": (neff(zip_tar(bytes(257) + b"ustar" + bytes(250) + b"x" * 512)), "critical", "damaged"),
        "tar-empty": (neff(zip_tar(bytes(10240))), "warning", "no info.json"),
        "no-info": (neff(zip_tar(tar(kelf_json()))), "warning", "no info.json"),
        "no-kelf": (neff(zip_tar(tar(info_json()))), "warning", "no kelf"),
        "info-no-json": (neff(zip_tar(tar(member("info.json", b"tool_version: 1"), kelf_json()))), "warning", "tool_version"),
        "info-array": (neff(zip_tar(tar(member("info.json", b"[1]"), kelf_json()))), "warning", "tool_version"),
        "info-number": (neff(zip_tar(tar(member("info.json", b'{"tool_version": 2}'), kelf_json()))), "warning",
                        "tool_version"),
        "info-empty": (neff(zip_tar(tar(info_json(""), kelf_json()))), "warning", "tool_version"),
        "info-deep": (neff(zip_tar(tar(member("info.json", b"[" * 100000), kelf_json()))), "warning", "tool_version"),
        "info-too-large": (neff(zip_tar(tar(member("info.json", b" " * (1 << 20)), kelf_json()))), "warning", "more than 256 KiB"),
        "info-link": (neff(zip_tar(tar(member("info.json", b"", type=tarfile.SYMTYPE, linkname="/etc/passwd"),
                                       kelf_json()))), "warning", "no info.json"),
        "bomb": (neff(bomb(256)), "info", "64 MiB"),
    }


def refused():
    """name: (bytes, what the one line must say)"""
    whole = neff()
    return {
        "empty": (b"", "empty"),
        "one-byte": (b"\x02", "1 bytes"),
        "short-header": (whole[:1023], "1023 bytes"),
        "truncated": (whole[:-1], "truncated"),
        "only-header": (whole[:HEADER], "truncated"),
        "no-payload": (neff(b""), "no payload"),
        "gzip-one-byte": (neff(b"\x1f"), "neither gzip nor tar"),
        "text": (b"hello, world\n" * 500, "not a NEFF"),
        "zeros": (bytes(20000), "header size of 0"),
        "ones": (b"\xff" * 20000, "header size of 18446744073709551615"),
        "elf": (b"\x7fELF" + bytes(2000), "not a NEFF"),
        "header-size-0": (neff(header_size=0), "header size of 0"),
        "header-size-2^64": (neff(header_size=(1 << 64) - 1), "header size of 18446744073709551615"),
        "data-size-2^64": (neff(data_size=(1 << 64) - 1), "truncated"),
        "data-size-wraps": (neff(data_size=(1 << 64) - HEADER), "truncated"),
        "data-size-2^63": (neff(data_size=1 << 63), "truncated"),
        "packaging-0": (neff(packaging=0), "packaging 0"),
        "packaging-2^64": (neff(packaging=(1 << 64) - 1), "packaging 18446744073709551615"),
        "major-2^64": (neff(major=(1 << 64) - 1), "version 18446744073709551615.0"),
        "random-payload": (neff(bytes(range(256)) * 40), "neither gzip nor tar"),
    }


def main():
    folder = sys.argv[1]
    for name, case in {**good(), **damaged(), **refused()}.items():
        with open(os.path.join(folder, name + ".neff"), "wb") as file:
            file.write(case[0])


if __name__ == "__main__":
    main()
