#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Thirteen tasks of every day, typed on a terminal into vault, pass, nb and jrnl: steps, characters and seconds of each.

A step is a line that is typed or a question that is answered. Characters are those of the lines and answers with their Enter; the text of a note and
its name count with every tool, a password does not. Seconds are of the commands, from Enter to their end, without anybody's thinking: the median of
--repeat rounds, each in a home of its own. Where a tool has no way, the row has a dash and says so. pass has a key without a passphrase, which it is
quicker with; jrnl and nb write in the clear, which is what they do unless they are told otherwise. Two rows ask for the vault's password, so pass and
jrnl do these once more with a password of theirs.

    keystrokes.py --bin .build/release [--nb FILE] [--jrnl FILE] [--repeat 3] [--json FILE]
"""
import argparse, json, os, pty, re, select, shutil, statistics, subprocess, tempfile, time
from pathlib import Path

TEXT, MORE, NAME, SECRET = "buy milk and bread", "and salt", "github", "marmot-7781"
PASSWORD = "a long pass phrase 88"
TASKS = ["a fresh account to the first note", "jot", "the latest", "read the top one", "edit it", "add a line", "search", "jot with a tag",
         "delete", "take it back", "a secret to the clipboard", "a line in today's journal", "a line in yesterday's", "after the idle time"]


class Terminal:
    """One shell on a terminal of its own."""

    def __init__(self, environment, folder):
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(["/bin/bash", "--norc", "--noprofile"], stdin=slave, stdout=slave, stderr=slave, env=environment, cwd=folder,
                                        start_new_session=True, preexec_fn=lambda: __import__("fcntl").ioctl(0, __import__("termios").TIOCSCTTY, 0))
        os.close(slave)
        self.shown = ""
        self.type("stty -echo; PS1='READY> '\n")
        self.wait(r"READY> $")

    def type(self, text): os.write(self.master, text.encode())

    def wait(self, pattern, seconds=60):
        deadline, found = time.monotonic() + seconds, None
        while not (found := re.search(pattern, self.shown)):
            if time.monotonic() > deadline: raise RuntimeError(f"{pattern!r} is not in {self.shown[-600:]!r}")
            if select.select([self.master], [], [], 0.2)[0]:
                self.shown += re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>()][AB0]?", "", os.read(self.master, 65536).decode(errors="replace")).replace("\r", "")
        self.shown = self.shown[found.end():]

    def run(self, line, answers):
        """Types a line, answers what is asked, and returns the seconds until the prompt is back."""
        begin, thinking = time.monotonic(), 0.0
        self.type(line + "\n")
        for prompt, answer in answers:
            self.wait(prompt)
            asked = time.monotonic()
            time.sleep(0.15)
            self.type(answer + "\n")
            thinking += time.monotonic() - asked
        self.wait(r"READY> $")
        seconds = time.monotonic() - begin - thinking
        self.type("echo code-$?\n")
        self.wait(r"code-\d+\nREADY> $")
        return seconds

    def end(self):
        self.type("exit\n")
        try: self.process.wait(5)
        except subprocess.TimeoutExpired: self.process.kill()
        os.close(self.master)


class Tool:
    """What is typed for each task: lines, each with what it asks and what is answered; None where there is no way."""
    name = ""

    def __init__(self, home, tools):
        self.home, self.tools = home, tools

    def environment(self): return {}
    def before(self, terminal, task): """What a task needs, which is not counted."""


class Vault(Tool):
    """By the second name that `make install SHORT=nv` links, and the letters of `vault help`."""
    name = "vault"
    tasks = [
        [(f"nv n {TEXT}", [("New password: ", PASSWORD), ("Repeat it: ", PASSWORD)])],
        [(f"nv n {TEXT}", [])], [("nv", [])], [("nv 1", [])], [("nv e 1", [])], [(f"nv a 1 {MORE}", [])],
        [("nv s milk", [])], [(f"nv n {TEXT} +food", [])], [("nv rm -", [])], [("nv undo", [])],
        [(f"nv c {NAME}", [])], [(f"nv d {TEXT}", [])], [(f"nv d yesterday: {TEXT}", [])],
        [("nv", [("Password: ", PASSWORD)])],
    ]

    def environment(self): return {"VISUAL": "vim"}

    def before(self, terminal, task):
        if task == "a secret to the clipboard": terminal.run(f"nv new --title {NAME} {SECRET}", [])
        if task == "after the idle time": terminal.run("nv lock", [])


class Pass(Tool):
    name = "pass"
    tasks = [
        [("gpg --batch --passphrase '' --quick-gen-key me", []), ("pass init me", []), (f"pass insert -e note", [("note: ", TEXT)])],
        [("pass insert -e jot", [("jot: ", TEXT)])], [("pass", [])], [("pass jot", [])], [("pass edit jot", [])], None,
        [("pass grep milk", [])], [("pass insert -e food/jot", [("jot: ", TEXT)])], [("pass rm food/jot", [(r"\[y/N\] ", "y")])],
        [("pass git revert --no-edit HEAD", [])], [(f"pass -c {NAME}", [])], None, None, [("pass", [])],
    ]

    def environment(self):
        return {"GNUPGHOME": f"{self.home}/gnupg", "PASSWORD_STORE_DIR": f"{self.home}/store", "EDITOR": "vim"}

    def before(self, terminal, task):
        if task == TASKS[0]: (Path(self.home) / "gnupg").mkdir(mode=0o700)
        if task == "jot": terminal.run("pass git init", [])
        if task == "a secret to the clipboard": terminal.run(f"pass insert -e {NAME}", [(f"{NAME}: ", SECRET)])


class Nb(Tool):
    name = "nb"
    tasks = [
        [(f"nb add \"{TEXT}\"", [])], [(f"nb add \"{TEXT}\"", [])], [("nb ls", [])], [("nb show 1 -p", [])], [("nb edit 1", [])],
        [(f"nb edit 1 --content \"{MORE}\"", [])], [("nb search milk", [])], [(f"nb add \"{TEXT}\" --tags food", [])],
        [("nb delete 2", [(r"\[y/N\] ", "y")])], None, None, None, None, [("nb ls", [])],
    ]

    def environment(self): return {"EDITOR": "vim", "NB_COLOR_THEME": "blacklight"}


class Jrnl(Tool):
    name = "jrnl"
    tasks = [
        [(f"jrnl {TEXT}", [("Path to your journal file", ""), ("encrypt your journal", "n"), ("colors", "n")])],
        [(f"jrnl {TEXT}", [])], [("jrnl -n 10", [])], [("jrnl -1", [])], [("jrnl -1 --edit", [])], None, [("jrnl -contains milk", [])],
        [(f"jrnl {TEXT} @food", [])], [("jrnl -1 --delete", [("Delete entry", "y")])], None, None, [(f"jrnl {TEXT}", [])],
        [(f"jrnl yesterday: {TEXT}", [])], [("jrnl -n 10", [])],
    ]

    def environment(self): return {"EDITOR": "vim", "VISUAL": "vim"}


class SealedPass(Pass):
    """With a passphrase on its key, as vault has one: what then asks for it."""
    name = "pass, sealed"
    tasks = [[("gpg --quick-gen-key me", [("Continue\\? \\(Y/n\\) ", "y"), ("Passphrase: ", PASSWORD), ("Repeat: ", PASSWORD)]), ("pass init me", []),
              ("pass insert -e note", [("note: ", TEXT)])], *[None] * 12, [("pass note", [("Passphrase: ", PASSWORD)])]]

    def before(self, terminal, task):
        super().before(terminal, task)
        terminal.run("export GPG_TTY=$(tty)", [])
        if task == TASKS[0]: (Path(self.home) / "gnupg/gpg-agent.conf").write_text("pinentry-program /usr/bin/pinentry-tty\n")
        if task == TASKS[-1]: terminal.run("gpgconf --reload gpg-agent", [])


class SealedJrnl(Jrnl):
    """With its journal encrypted."""
    name = "jrnl, sealed"
    tasks = [[(f"jrnl {TEXT}", [("Path to your journal file", ""), ("encrypt your journal", "y"), ("colors", "n"), ("Enter password", PASSWORD),
                                ("Enter password again", PASSWORD), ("keychain", "n")])], *[None] * 12, [("jrnl -n 10", [("[Pp]assword", PASSWORD)])]]


def typed(lines):
    """Steps and characters; of an answer that is a password only its Enter."""
    steps = sum(1 + len(answers) for _, answers in lines)
    characters = sum(len(line) + 1 + sum((0 if answer == PASSWORD else len(answer)) + 1 for _, answer in answers) for line, answers in lines)
    return steps, characters


def leave_editor(terminal): terminal.type(":wq\n")


def round_of(kind, tools, clipboard):
    """Does all tasks once in a new home, and returns their seconds."""
    home = Path(tempfile.mkdtemp(prefix="keystrokes-"))
    (home / "run").mkdir(mode=0o700)
    tool = kind(home, tools)
    environment = {"HOME": str(home), "XDG_RUNTIME_DIR": str(home / "run"), "TERM": "xterm", "LANG": "C.UTF-8", "PATH": f"{home}/bin:/usr/bin:/bin",
                   "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b",
                   **({"DISPLAY": clipboard} if clipboard else {}), **tool.environment()}
    (home / "bin").mkdir()
    (home / ".gitconfig").write_text("[user]\n name = a\n email = a@b\n")
    for name, path in tools.items(): (home / "bin" / name).symlink_to(path)
    terminal, seconds = Terminal(environment, home), []
    try:
        for task, lines in zip(TASKS, kind.tasks):
            if lines is None or (task == "a secret to the clipboard" and not clipboard):
                seconds.append(None)
                continue
            tool.before(terminal, task)
            if "edit" in task:
                begin = time.monotonic()
                terminal.type(lines[0][0] + "\n")
                terminal.wait(r"bread")
                shown = time.monotonic() - begin
                time.sleep(0.4)
                leave_editor(terminal)
                begin = time.monotonic()
                terminal.wait(r"READY> $")
                seconds.append(shown + time.monotonic() - begin)
                continue
            seconds.append(sum(terminal.run(line, answers) for line, answers in lines))
    finally:
        if kind is Vault: terminal.type("nv lock\n")
        terminal.end()
        if issubclass(kind, Pass): subprocess.run(["gpgconf", "--homedir", str(home / "gnupg"), "--kill", "all"], check=False)
        time.sleep(0.2)
        shutil.rmtree(home, ignore_errors=True)
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--nb", type=Path)
    parser.add_argument("--jrnl", type=Path)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    tools = {"nv": (chosen.bin / "vault").resolve()}
    kinds = [Vault] + ([Pass] if shutil.which("pass") else []) + ([SealedPass] if shutil.which("pinentry-tty") else [])
    for kind, path in ((Nb, chosen.nb), (Jrnl, chosen.jrnl)):
        if path:
            tools[kind.name] = path.resolve()
            kinds += [kind, SealedJrnl] if kind is Jrnl else [kind]
    screen, display = None, None
    if shutil.which("Xvfb"):
        display = f":{50 + os.getpid() % 900}"
        screen = subprocess.Popen(["Xvfb", display, "-screen", "0", "64x64x8", "-nolisten", "tcp"], stderr=subprocess.DEVNULL)
        time.sleep(1)
    rows = {}
    try:
        for kind in kinds:
            rounds = [round_of(kind, tools, display) for _ in range(chosen.repeat)]
            for number, task in enumerate(TASKS):
                times = [one[number] for one in rounds if one[number] is not None]
                lines = kind.tasks[number]
                rows.setdefault(task, {})[kind.name] = None if lines is None or not times else (*typed(lines), round(statistics.median(times), 3))
    finally:
        if screen:
            screen.terminate()
            screen.wait(5)
    print("| task | " + " | ".join(f"{kind.name}: steps, characters, s" for kind in kinds) + " |")
    print("|---|" + "---|" * len(kinds))
    behind = []
    for task, found in rows.items():
        cells = ["–" if found[kind.name] is None else "{}, {}, {:.3f}".format(*found[kind.name]) for kind in kinds]
        print(f"| {task} | " + " | ".join(cells) + " |")
        mine, theirs = found["vault"], [one for name, one in found.items() if name != "vault" and one]
        for at, what in enumerate(("steps", "characters", "seconds")):
            if mine and theirs and mine[at] > min(one[at] for one in theirs) * (1.0 if at < 2 else 1.05): behind.append(f"{task}: {what}")
    print("\nbehind the best: " + ("; ".join(behind) or "nowhere"))
    if chosen.json: chosen.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
