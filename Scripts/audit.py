#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Everything that an auditor would run, one after the other: audit.py [--seconds N] [--minutes N] [--only PART ...] [--collect]

Prints what each part counted and writes docs/AUDIT-RESULTS.md. Each part leaves its figures in bench-out/audit; with --only the others count as they
did when they were run last, and a part that was never run is said to be missing. Exit code 1 when a part failed or is missing.
"""
import argparse, datetime, json, os, pathlib, re, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
AUDIT, RESULTS, PYTHON = ROOT / "bench-out/audit", ROOT / "docs/AUDIT-RESULTS.md", sys.executable

HEAD = """<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- SPDX-FileCopyrightText: The vault authors -->
# Audit results

Written by `make audit`; what each part does and how to run it alone is in AUDIT.md. A figure is of the
last run of its part.
"""


def run(*command, log=None, **more):
    """Shows what a command prints while it runs, keeps it, and returns it with the exit code."""
    print(f"== {' '.join(str(part) for part in command)}", flush=True)
    process = subprocess.Popen([str(part) for part in command], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **more)
    lines = []
    for line in process.stdout:
        lines.append(line)
        if not line.startswith(("◇", "✔ Test ", "[")): print(line, end="", flush=True)
    text = "".join(lines)
    if log: log.write_text(text)
    return process.wait(), text


def write(part, name, ok, figures, failures=()):
    (AUDIT / f"{part}.json").write_text(json.dumps({"name": name, "ok": ok, "figures": figures, "failures": list(failures)[:20]}))


def tests(chosen):
    """All tests; then which rows of the threat model they stand for."""
    log = AUDIT / "tests.log"
    if chosen.tests_log:
        log.write_text(chosen.tests_log.read_text(errors="replace"))
        text = log.read_text()
        code = 0 if re.search(r"^(✔ Test run with [1-9]|== unsteady, passed alone)", text, re.MULTILINE) else 1
    else:
        code, text = run("Scripts/test.sh", log=log)
    count = re.search(r"Test run with (\d+) tests", text)
    failures = re.findall(r"^✘ Test (\w+)\(.* failed after", text, re.MULTILINE)
    unsteady = re.search(r"^== unsteady, passed alone: (.*)$", text, re.MULTILINE)
    figures = [["tests", int(count[1]) if count else 0], ["failed", len(set(failures)) if code else 0],
               ["failed beside others and passed alone", len(unsteady[1].split()) if unsteady else 0]]
    write("tests", "tests", code == 0 and bool(count), figures, failures if code else ())
    run(PYTHON, "Scripts/threat_tests.py", log)


def vectors(_): run("make", "vectors")


def mutations(_): run(PYTHON, "Scripts/mutate.py")


def fuzzing(chosen): run(PYTHON, "Scripts/fuzz.py", "--seconds", chosen.seconds)


def injected(part, name, what, arguments):
    run("swift", "build", "--product", "vault-faults")
    # In memory: what fails is a call, not a disk, and a disk would make an hour of it.
    place = {"TMPDIR": "/dev/shm"} if os.access("/dev/shm", os.W_OK) else {}
    code, text = run(".build/debug/vault-faults", *arguments, env={**os.environ, **place})
    total = re.search(r"^all: (\d+) [a-z ]+, (\d+) survived", text, re.MULTILINE)
    counted = [[line.split(":")[0], line.split(":", 1)[1].strip()] for line in text.splitlines() if " survived" in line and not line.startswith("all")]
    figures = [[what, int(total[1]) if total else 0], ["survived", int(total[2]) if total else 0]] + counted
    write(part, name, code == 0 and bool(total), figures, re.findall(r"^  lost: (.*)$", text, re.MULTILINE))


def faults(chosen):
    injected("faults", "faults at system calls", "faults injected", ["--seconds", str(chosen.fault_seconds)] if chosen.fault_seconds else [])


def crash(_): injected("crash", "power cuts", "states of a power cut", ["--power"])


def load(chosen):
    for product in ("vault", "vault-agent", "vault-parse"):
        run("swift", "build", "--sanitize=thread", "--product", product, "--scratch-path", ".build-tsan")
    run(PYTHON, "Scripts/load.py", "--bin", ".build-tsan/debug", "--thread-sanitizer", "--seconds", 60 * chosen.minutes)


def damages(part, *more):
    # The programs as they are used: thousands of trials with those for debugging would take hours.
    run("make", "build")
    run(PYTHON, "-B", "Tests/Rot/rot.py", "--bin", ".build/release", "--audit", AUDIT / f"{part}.json", "--keep", "bench-out/rot", *more)


def rot(_): damages("rot")


def rot_backups(_): damages("rot-backups", "--backups", "--trials", "600")


def fresh(_):
    run(PYTHON, "-B", "Tests/Fresh/fresh.py", "--bin", ".build/debug", "--audit", str(AUDIT / "fresh.json"))


def moved(_):
    run(PYTHON, "-B", "Tests/Moved/moved.py", "--bin", ".build/debug", "--audit", str(AUDIT / "moved.json"))


def homes(_):
    run("Scripts/setup.sh", "stores")
    run(PYTHON, "-B", "Tests/Homes/homes.py", "--bin", ".build/debug", "--kills", "40", "--segments", "500", "--full", "--audit", str(AUDIT / "homes-by-store.json"))
    found = json.loads((AUDIT / "homes-by-store.json").read_text())
    total = lambda name: sum(one["counts"].get(name, 0) for one in found.values())
    faults = [f"{kind}: {fault}" for kind, one in found.items() for fault in one["faults"]]
    write("homes", "three homes over each kind of store", not faults, [["stores", ", ".join(found)], ["acknowledged writes looked for", total("acknowledged")], ["processes killed", total("killed vault-agent") + total("killed vault-sync")], ["bytes of stores looked through", total("bytes in the store")], ["faults", len(faults)]], faults)


def clusters(_):
    """Three devices over real clusters of which a part fails, and a history of it that is judged."""
    run("Scripts/setup.sh", "clusters")
    run(PYTHON, "-B", "Tests/Clusters/clusters.py", "--bin", ".build/debug", "--full", "--audit", str(AUDIT / "clusters-by-store.json"))
    found = json.loads((AUDIT / "clusters-by-store.json").read_text())
    total = lambda name: sum(one["counts"].get(name, 0) for one in found.values())
    faults = [f"{store}: {kind}: {text}" for store, one in found.items() for kind, text in one["faults"]]
    figures = [["clusters", ", ".join(found)], *([name, total(name)] for name in ("acknowledged", "refused", "lost", "resurrected", "false alarm", "syncs ended by a deadline"))]
    write("clusters", "three devices over clusters with faults", len(found) == 3 and not faults, figures, faults)


def firefox(_):
    run("Scripts/setup.sh", "firefox")
    code, text = run(ROOT / "bench-out/venv/bin/python3", "-B", "Tests/Web/firefox.py", "--bin", ".build/debug")
    scanned = re.search(r"([\d,]+) bytes", text)
    write("firefox", "the page in Firefox", code == 0, [["bytes of the profile searched after a kill", scanned[1] if scanned else 0]], re.findall(r"^FAILED.*", text, re.MULTILINE))


def stores(_):
    """Every kind of remote over every server that can be had, one test a claim and a server."""
    code, text = run("swift", "test", "--skip-build", "--filter", "ConformanceTests", env={**os.environ, "VAULT_STORES": "all"})
    cases = [int(count) for count in re.findall(r"^✔ Test .* with (\d+) test cases? passed", text, re.MULTILINE)]
    figures = [["claims that hold", len(cases)], ["claims and servers", sum(cases)]]
    write("stores", "servers to sync with", code == 0 and bool(cases), figures, re.findall(r"^✘ Test .* argument kind → ([a-z0-9-]+)", text, re.MULTILINE))


def simulate(chosen):
    """The machine that syncs by itself, then with real vaults: devices, a faulty store and clocks in one process."""
    run("swift", "build", "-c", "release", "--product", "sync-simulator")
    run("swift", "build", "--product", "vault-simulator")
    figures, failures, ok = [], [], True
    for what, command in (("of the machine alone", (".build/release/sync-simulator", 1_000_000, chosen.seed)),
                          ("with real vaults", (".build/debug/vault-simulator", 60_000, chosen.seed))):
        code, text = run(*command)
        line = re.search(r"(\d+) runs, (\d+) steps, .* (\d+) failures", text)
        figures += [[f"steps {what}", int(line[2]) if line else 0], [f"runs {what}", int(line[1]) if line else 0]]
        ok = ok and code == 0 and bool(line)
        if code: failures += text.splitlines()[-1:]
    write("simulate", "simulation of several devices", ok, figures + [["first seed", chosen.seed], ["failures", len(failures)]], failures)


def models(_):
    run(PYTHON, "-B", "Tests/Models/models.py", "--audit", str(AUDIT / "models.json"))


PARTS = {"tests": tests, "vectors": vectors, "mutations": mutations, "faults": faults, "crash": crash, "rot": rot, "rot-backups": rot_backups, "fresh": fresh, "moved": moved, "stores": stores, "homes": homes, "clusters": clusters, "firefox": firefox, "simulate": simulate, "models": models, "load": load, "fuzz": fuzzing}
# In the order of the page; a part may leave more than one.
PAGES = ["threats", "tests", "vectors", "mutations", "fuzz", "crash", "faults", "rot", "rot-backups", "fresh", "moved", "stores", "homes", "clusters", "firefox", "simulate", "models", "load"]


def collect():
    """One table for each part, on the terminal and in the page."""
    page, ok = [HEAD], True
    for part in PAGES:
        file = AUDIT / f"{part}.json"
        if not file.exists():
            page.append(f"## {part}\n\n**Not run.**\n")
            ok = False
            continue
        result = json.loads(file.read_text())
        day = datetime.datetime.fromtimestamp(file.stat().st_mtime, datetime.timezone.utc).strftime("%Y-%m-%d")
        rows = "\n".join(f"| {name} | {value:,} |" if isinstance(value, int) else f"| {name} | {value} |" for name, value in result["figures"])
        failures = "".join(f"- {failure}\n" for failure in result.get("failures", []))
        page.append(f"## {result['name'][0].upper() + result['name'][1:]}\n\n{'Passed' if result['ok'] else '**Failed**'}, {day}.\n\n| what | |\n|---|---|\n{rows}\n"
                    + (f"\n{failures}" if failures else ""))
        ok = ok and result["ok"]
    RESULTS.write_text("\n".join(page))
    print("\n".join(page[1:]))
    return ok


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--seconds", type=int, default=60, help="of fuzzing for each target")
    options.add_argument("--minutes", type=int, default=2, help="of load")
    options.add_argument("--seed", type=int, default=1, help="of the simulations")
    options.add_argument("--fault-seconds", type=int, help="of faults, spread over all steps; without it each step has each of them, some 15 minutes")
    options.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    options.add_argument("--tests-log", type=pathlib.Path, help="the output of a run of all tests that was made already, instead of another one")
    options.add_argument("--collect", action="store_true", help="run nothing: print and write what the last runs left")
    chosen = options.parse_args()
    AUDIT.mkdir(parents=True, exist_ok=True)
    os.umask(0o022)
    for part in [] if chosen.collect else chosen.only: PARTS[part](chosen)
    sys.exit(0 if collect() else 1)


if __name__ == "__main__": main()
