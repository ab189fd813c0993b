#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Nobody reads what neutop writes: the signals that end a program must end it all the same."""
import fcntl
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import time

NEUTOP = os.environ["NEUTOP_BIN"]
ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)
PATIENCE = 10  # seconds; a program that is held back never ends


def until_blocked(pid):
    """Waits until the process sleeps in a write: its CPU time stands still for a while."""
    def ticks():
        with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return fields[0], fields[11], fields[12]

    deadline, last, since = time.monotonic() + PATIENCE, None, time.monotonic()
    while time.monotonic() < deadline:
        now = ticks()
        if now != last:
            last, since = now, time.monotonic()
        elif time.monotonic() - since > 1:
            return
        time.sleep(0.05)


def ends_by(process, number, what):
    process.send_signal(number)
    try:
        status = process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        print(f"FAIL: {what}: signal {number} was held back by a write that nobody reads")
        return 1
    if status != -number:
        print(f"FAIL: {what}: ended with {status}, not by signal {number}")
        return 1
    return 0


def pipe_nobody_reads(number):
    reader, writer = os.pipe()
    process = subprocess.Popen([NEUTOP, "--no-config", "--demo", "--json", "-d", "0.1"], stdout=writer)
    os.close(writer)
    until_blocked(process.pid)
    failed = ends_by(process, number, "pipe")
    os.close(reader)
    return failed


def terminal_nobody_reads(number):
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 200, 300, 0, 0))
    before = termios.tcgetattr(slave)
    process = subprocess.Popen([NEUTOP, "--no-config", "--demo", "-d", "0.1"], stdin=slave, stdout=slave)
    for _ in range(30):
        os.write(master, b"\x0c")  # draw all again
        time.sleep(0.02)
    until_blocked(process.pid)
    failed = ends_by(process, number, "terminal")
    if termios.tcgetattr(slave) != before:
        print("FAIL: terminal: its settings were not restored")
        failed = 1
    os.close(master)
    os.close(slave)
    return failed


def main():
    failed = sum(pipe_nobody_reads(number) for number in ENDING)
    failed += sum(terminal_nobody_reads(number) for number in ENDING[:3])
    return 1 if failed else 0


sys.exit(main())
