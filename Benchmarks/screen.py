#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""`vault tui` on a pseudo-terminal: the time to its first screen beside `vault ls` there, and from a key to what it draws.

A key has been answered when its bytes have come: the screen is complete when nothing follows for a while, and the time
is that of the last byte. Run: Benchmarks/screen.py --bin .build/release [--notes N] [--vault DIR]
"""
import argparse, json, os, pathlib, pty, select, statistics, struct, subprocess, sys, tempfile, termios, time
import fcntl

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import corpus  # noqa: E402

PASSWORD = "corduroy bramble osprey teak nine"
QUIET = 0.12


class Terminal:
    """A program on a pseudo-terminal of a size."""

    def __init__(self, words, environment, rows=24, columns=80):
        self.pid, self.line = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execve(words[0], words, environment)

    def answered(self, begun, needed=None, seconds=30):
        """Returns the seconds until the last byte of what comes, or until `needed` has come."""
        said, last, end = b"", None, begun + seconds
        while time.perf_counter() < end:
            ready, _, _ = select.select([self.line], [], [], QUIET)
            if not ready:
                if last is not None and needed is None: return last - begun
                continue
            try: piece = os.read(self.line, 1 << 16)
            except OSError: piece = b""
            if not piece: return (last or time.perf_counter()) - begun
            said, last = said + piece, time.perf_counter()
            if needed is not None and needed in said: return last - begun
        raise TimeoutError(said[-300:])

    def key(self, text):
        begun = time.perf_counter()
        os.write(self.line, text.encode())
        return self.answered(begun)

    def end(self):
        try: os.write(self.line, b"\x03")
        except OSError: pass
        os.close(self.line)
        os.waitpid(self.pid, 0)


def told(name, seconds):
    seconds = sorted(seconds)
    return f"{name}: median {statistics.median(seconds) * 1000:.1f} ms, p95 {seconds[len(seconds) * 95 // 100] * 1000:.1f} ms, n {len(seconds)}"


def first(words, environment, needed=None):
    begun = time.perf_counter()
    terminal = Terminal(words, environment)
    taken = terminal.answered(begun, needed)
    terminal.end()
    return taken


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=".build/release")
    parser.add_argument("--notes", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--vault", help="an open vault with a home beside it, instead of one that is made")
    chosen = parser.parse_args()
    vault = str(pathlib.Path(chosen.bin).resolve() / "vault")
    with tempfile.TemporaryDirectory() as scratch:
        home = pathlib.Path(chosen.vault).parent if chosen.vault else pathlib.Path(scratch)
        environment = {"HOME": str(home / "h"), "XDG_RUNTIME_DIR": str(home / "r"), "NOTEVAULT_DIR": chosen.vault or str(home / "vault"),
                       "PATH": "/usr/bin:/bin", "TERM": "xterm-256color", "LANG": "C.UTF-8", "TZ": "UTC"}
        if not chosen.vault:
            for name in "hr": (home / name).mkdir(mode=0o700)
            secret = home / "password"
            secret.write_text(PASSWORD)
            secret.chmod(0o600)
            corpus.Corpus().write(home / "notes", chosen.notes)
            for words in (["init", "--no-recovery", "--kdf-target", "0", "--password-file", str(secret)], ["unlock", "--password-file", str(secret)],
                          ["import", "markdown", str(home / "notes"), "--quiet"]):
                subprocess.run([vault, *words], env=environment, check=words[0] != "import", stdout=subprocess.DEVNULL)
        count = subprocess.run([vault, "ls", "--count"], env=environment, capture_output=True, text=True, check=True).stdout.strip()
        try:
            screens, lists = [], []
            for _ in range(chosen.rounds):
                # The keys are its last row; Markdown is laid out behind it.
                screens.append(first([vault, "tui"], environment, b"quit"))
                lists.append(first([vault, "ls"], environment))
            print(f"{count} notes, 80x24")
            print(told("vault tui, to its first screen", screens))
            print(told("vault ls on a terminal", lists))
            print(f"ratio: {statistics.median(screens) / statistics.median(lists):.2f} (target 2)")
            begun = time.perf_counter()
            terminal = Terminal([vault, "tui"], environment)
            terminal.answered(begun)
            keys = {"down": [terminal.key("j") for _ in range(60)], "a screen": [terminal.key(" ") for _ in range(20)]}
            keys["the last note, the first"] = [terminal.key(name) for _ in range(10) for name in "Gg"]
            keys["read and back"] = [terminal.key(name) for _ in range(10) for name in "\r\x1b"]
            typed = []
            for word in ("water", "the", "morning light", "zebra"):
                terminal.key("/")
                typed += [terminal.key(letter) for letter in word]
                terminal.key("\x15")
                terminal.key("\x1b")
            keys["a letter of a search"] = typed
            for name, seconds in keys.items(): print(told(name, seconds))
            everything = [one for seconds in keys.values() for one in seconds]
            print(told("all keys", everything) + " (target 30 ms)")
            terminal.end()
        finally:
            if not chosen.vault: subprocess.run([vault, "lock"], env=environment, stdout=subprocess.DEVNULL)
    return 0


if __name__ == "__main__":
    sys.exit(main())
