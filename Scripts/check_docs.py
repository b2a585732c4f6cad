#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""What readers, packagers and shells meet, checked by the tools of the field: check_docs.py --bin DIR

Links of all pages and their anchors, spelling (codespell), scripts (shellcheck), manual pages (mandoc), entries of desktops (desktop-file-validate),
AppArmor profiles (apparmor_parser), and completions in bash, zsh and fish, each loaded and asked for commands that begin with "ta".
"""
import argparse, os, pty, re, select, subprocess, sys, tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Words that are right: a part of a word in a search, a program, names in Swift, months and words of other languages.
WORDS = "gard,momento,inout,upto,keywork,inforce,iif,edn,tigger,limite,januar,februar,sie"


def tracked(*endings): return [ROOT / name for name in subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True, check=True).stdout.splitlines() if name.endswith(endings)]


def anchor(heading):
    """The name that forges give a heading: small letters, no signs, hyphens for spaces."""
    return re.sub(r"[^\w\- ]", "", re.sub(r"[`*]|\]\([^)]*\)|\[", "", heading).strip().lower()).replace(" ", "-")


def links():
    wrong, anchors = [], {}
    pages = tracked(".md")
    for page in pages:
        found = set()
        for heading in re.findall(r"^#{1,6} (.*)$", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S), re.M):
            name, number = anchor(heading), 0
            while (name if number == 0 else f"{name}-{number}") in found: number += 1
            found.add(name if number == 0 else f"{name}-{number}")
        found |= set(re.findall(r'<a (?:id|name)="([^"]+)"', page.read_text()))
        anchors[page] = found
    for page in pages:
        text = re.sub(r"^```.*?^```|^    .*$|`[^`\n]*`", "", page.read_text(), flags=re.M | re.S)
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if re.match(r"[a-z]+:", target): continue
            path, _, name = target.partition("#")
            place = (page.parent / path).resolve() if path else page
            if not place.exists(): wrong.append(f"{page.relative_to(ROOT)}: {target} is not there")
            elif name and place in anchors and name not in anchors[place]: wrong.append(f"{page.relative_to(ROOT)}: {target} has no such heading")
    return wrong


def tool(*words, quiet=""):
    found = subprocess.run([str(word) for word in words], capture_output=True, text=True, cwd=ROOT)
    said = [line for line in (found.stdout + found.stderr).splitlines() if line and not (quiet and re.search(quiet, line))]
    # Silence is good only of a program that has said so.
    if found.returncode < 0 or (found.returncode > 0 and not (found.stdout + found.stderr).strip()): said.append(f"{words[0]} ended with {found.returncode}")
    return said


def typed(command, lines, environment):
    """What a program on a terminal shows when lines are typed, each once it is quiet."""
    pid, master = pty.fork()
    if pid == 0: os.execvpe(command[0], command, environment)
    shown = b""
    for line in [None] + lines:
        if line is not None: os.write(master, line.encode())
        while select.select([master], [], [], 1.0)[0]:
            try: part = os.read(master, 65536)
            except OSError: break
            if not part: break
            shown += part
    os.kill(pid, 9)
    os.waitpid(pid, 0)
    os.close(master)
    return shown.decode(errors="replace")


def completions(programs):
    """Loads each shell's completion, and asks it what may follow `vault ta`."""
    wrong = []
    vault = programs / "vault"
    with tempfile.TemporaryDirectory() as folder:
        for shell in ("bash", "zsh", "fish"):
            (Path(folder) / f"_{shell}").write_bytes(subprocess.run([vault, "completion", shell], capture_output=True, check=True).stdout)
        environment = {"PATH": f"{programs}:/usr/bin:/bin", "HOME": folder, "TERM": "xterm"}
        bash = f". {folder}/_bash; COMP_WORDS=(vault ta); COMP_CWORD=1; COMP_LINE='vault ta'; COMP_POINT=8; $(complete -p vault | sed 's/.*-F \\([^ ]*\\).*/\\1/') vault ta vault; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        for shell, script in (("bash", bash), ("fish", f"source {folder}/_fish; complete -C 'vault ta'")):
            said = subprocess.run([shell, "-c", script], capture_output=True, text=True, env=environment)
            if "tag" not in said.stdout.split(): wrong.append(f"{shell} offers no 'tag' after 'vault ta': {said.stdout[:200]!r} {said.stderr[:300]!r}")
        (Path(folder) / "functions").mkdir()
        (Path(folder) / "_zsh").rename(Path(folder) / "functions/_vault")
        said = typed(["zsh", "-f", "-i"], [f"fpath=({folder}/functions $fpath); autoload -U compinit; compinit -D -d {folder}/dump; PS1='READY> '\n", "vault ta\t\t"], environment)
        if not re.search(r"\btag\b", said): wrong.append(f"zsh offers no 'tag' after 'vault ta' and Tab: {said[-400:]!r}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=Path, required=True)
    programs = parser.parse_args().bin.resolve()
    prose = tracked(".md", ".1", ".5", ".desktop", ".service", ".timer")
    swift = [path for path in tracked(".swift") if "Sources" in path.parts]
    checks = {
        "links": links,
        "spelling": lambda: tool("codespell", "-q", "3", "-L", WORDS, "--ignore-regex", r"`[^`\n]*`|\b[A-Z]{2,}\b", *prose, *swift),
        "scripts": lambda: tool("shellcheck", "-S", "warning", *tracked(".sh"), ".ci/run", "Support/debian/postinst", "Support/debian/prerm"),
        # A date would change each page without a change of what it says.
        "manual pages": lambda: tool("mandoc", "-T", "lint", "-W", "warning", *tracked(".1", ".5"), quiet="missing date"),
        # Dolphin's menus are desktop files of a kind of their own.
        "desktop files": lambda: tool("desktop-file-validate", *[path for path in tracked(".desktop") if "dolphin" not in path.parts], quiet=": hint: "),
        "AppArmor": lambda: tool("apparmor_parser", "--skip-kernel-load", "--skip-cache", "-Q", "Support/apparmor/notevault", quiet="^Cache read/write disabled"),
        "completions": lambda: completions(programs),
    }
    failed = 0
    for name, check in checks.items():
        wrong = check()
        print(f"{name}: " + (f"{len(wrong)} wrong" if wrong else "good"))
        for line in wrong: print("  " + line)
        failed += bool(wrong)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
