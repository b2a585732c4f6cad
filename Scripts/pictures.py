#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""The picture of a terminal in README.md: pictures.py --bin DIR

Types a short session into a real shell on a pseudo-terminal, in a throw-away home, and writes docs/pictures/terminal.cast (asciicast v2, which
asciinema plays) and docs/pictures/terminal.svg, in which the screens of that recording follow each other. Where a viewer plays nothing, the last one is seen.
The pictures of the page in docs/web come from Tests/Web/browser.py --shots.
"""
import argparse, fcntl, html, json, os, pty, re, select, shutil, struct, subprocess, tempfile, termios, time
from pathlib import Path

import pyte

ROOT = Path(__file__).resolve().parent.parent
COLUMNS, ROWS = 76, 22
SESSION = [
    "vault new 'Buy milk and bread' +food",
    "printf '%s\\n' '# Garden' '- [x] dig' '- [ ] sow **beans**' '' '| bed | crop |' '|---|---|' '| 1 | beans |' | vault new -",
    "vault ls",
    "vault search BEAN",
    "vault show garden",
    "vault lock",
    "grep -r Garden ~/.local/share/notevault || echo 'not on the disk'",
]
PASSWORD = "corduroy bramble osprey teak nine"
CELL, LINE, PAD = 8.4, 18, 14
COLOURS = {"default": "#d7dae0", "black": "#5c6370", "red": "#e06c75", "green": "#98c379", "brown": "#e5c07b", "blue": "#61afef", "magenta": "#c678dd",
           "cyan": "#56b6c2", "white": "#ffffff"}


class Recording:
    """What a shell on a terminal wrote, and when."""

    def __init__(self, environment, home):
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.chdir(home)
            os.execvpe("/bin/bash", ["bash", "--norc", "--noprofile", "--noediting", "-i"], environment)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.begin, self.events, self.seen = time.monotonic(), [], ""

    def read(self, pattern, seconds=30):
        deadline = time.monotonic() + seconds
        while not re.search(pattern, self.seen):
            if time.monotonic() > deadline: raise RuntimeError(f"{pattern!r} did not come: {self.seen[-400:]!r}")
            if select.select([self.master], [], [], 0.2)[0]:
                text = os.read(self.master, 65536).decode(errors="replace")
                self.events.append((time.monotonic() - self.begin, text))
                self.seen += text
        self.seen = ""

    def type(self, text): os.write(self.master, text.encode())

    def end(self):
        self.type("exit\n")
        os.waitpid(self.pid, 0)
        os.close(self.master)


def record(programs):
    """Returns the events of a session and where a command's answer is complete."""
    home = Path(tempfile.mkdtemp(prefix="vault-picture-"))
    (home / "run").mkdir(mode=0o700)
    password = home / "password"
    password.write_text(PASSWORD)
    password.chmod(0o600)
    environment = {"HOME": str(home), "XDG_RUNTIME_DIR": str(home / "run"), "TERM": "xterm-256color", "LANG": "C.UTF-8", "PS1": "\\[\\e[32m\\]$\\[\\e[0m\\] ",
                   "PATH": f"{programs}:/usr/bin:/bin"}
    vault = [str(programs / "vault")]
    subprocess.run(vault + ["init", "--kdf-target", "0", "--no-recovery", "--password-file", password], env=environment, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(vault + ["unlock", "--password-file", password], env=environment, check=True, stdout=subprocess.DEVNULL)
    try:
        recording, stops = Recording(environment, home), []
        recording.read(r"\$\x1b\[0m $")
        for line in SESSION:
            recording.type(line + "\n")
            recording.read(r"\$\x1b\[0m $")
            stops.append(len(recording.events))
        recording.end()
    finally:
        subprocess.run(vault + ["lock"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        shutil.rmtree(home)
    return recording.events, stops


def paced(events, stops):
    """Gives each answer the time that a reader needs: the programs are quicker than eyes."""
    moved, at, begin = [], 0.5, 0
    for stop in stops:
        for _, text in events[begin:stop]: moved.append((round(at, 3), text))
        lines = sum(text.count("\n") for _, text in events[begin:stop])
        at += 1.4 + 0.25 * lines
        begin = stop
    return moved, at


def frame(screen):
    """The rows of a screen as SVG."""
    out = []
    for number in range(ROWS):
        row, at = screen.buffer[number], 0
        while at < COLUMNS:
            cell, end = row[at], at + 1
            while end < COLUMNS and (row[end].fg, row[end].bold) == (cell.fg, cell.bold): end += 1
            text = "".join(row[index].data for index in range(at, end))
            if text.strip():
                lead = len(text) - len(text.lstrip())
                text = text.strip()
                colour = COLOURS.get(cell.fg, f"#{cell.fg}" if re.fullmatch("[0-9a-f]{6}", cell.fg) else COLOURS["default"])
                weight = ' font-weight="bold"' if cell.bold else ""
                out.append(f'<text x="{PAD + (at + lead) * CELL:.1f}" y="{PAD + 14 + number * LINE}" fill="{colour}"{weight} textLength="{len(text) * CELL:.1f}" xml:space="preserve">{html.escape(text)}</text>')
            at = end
    return "".join(out)


def draw(events, length):
    screen = pyte.Screen(COLUMNS, ROWS)
    stream, frames = pyte.Stream(screen), []
    for at in sorted({at for at, _ in events}):
        for when, text in events:
            if when == at: stream.feed(text)
        frames.append((at, frame(screen)))
    width, height = 2 * PAD + COLUMNS * CELL, 2 * PAD + ROWS * LINE
    style, groups = [], []
    for number, (at, rows) in enumerate(frames):
        end = frames[number + 1][0] if number + 1 < len(frames) else length
        begin, until = 100 * at / length, 100 * end / length
        last = number + 1 == len(frames)
        hidden = "visible" if last else "hidden"
        style.append(f"@keyframes f{number}{{0%{{visibility:hidden}}{begin:.2f}%{{visibility:visible}}{min(until, 99.99):.2f}%{{visibility:{'visible' if last else 'hidden'}}}}}"
                     f"#f{number}{{visibility:{hidden};animation:f{number} {length:.1f}s step-end infinite}}")
        groups.append(f'<g id="f{number}">{rows}</g>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" role="img" '
            f'aria-label="A terminal: notes are written, listed, searched and shown, and the vault is locked">'
            f"<style>text{{font:14px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace}}{''.join(style)}"
            f"@media (prefers-reduced-motion:reduce){{g{{animation:none!important}}}}</style>"
            f'<rect width="100%" height="100%" rx="8" fill="#1e2127"/>{"".join(groups)}</svg>\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=Path, required=True)
    programs = parser.parse_args().bin.resolve()
    events, length = paced(*record(programs))
    folder = ROOT / "docs/pictures"
    folder.mkdir(exist_ok=True)
    header = {"version": 2, "width": COLUMNS, "height": ROWS, "title": "vault"}
    (folder / "terminal.cast").write_text("\n".join([json.dumps(header)] + [json.dumps([at, "o", text]) for at, text in events]) + "\n")
    (folder / "terminal.svg").write_text(draw(events, length))


if __name__ == "__main__":
    main()
