#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Searches the models of the order of writes exhaustively, then takes out one rule after the other.

With all rules no state may break a property; without any one of them spin must find a counterexample, else the rule is
not needed or the model does not see it. Ends with 1 when that is not so. docs/decisions/0036-models.md says what is
modelled. Needs spin and gcc (Scripts/setup.sh models).

models.py [--small] [--only WORD] [--audit FILE] [--seconds N]
"""

import argparse, json, os, re, shutil, subprocess, sys, tempfile, time
from pathlib import Path

HERE = Path(__file__).resolve().parent

# Sizes of freshness.pml.
TWO_COMMITS = "SESSIONS=3 COMMITS=2 HEADERS=1"
HEADERS = "SESSIONS=3 COMMITS=1 HEADERS=2"
OWNER = "ADVERSARY PAGES=2 KILLS=0 SESSIONS=2"
# A header that a crash left unrecorded, then an opening of which only the manifest is written.
UNRECORDED = f"{OWNER} PINLESS SESSIONS=3 CUTS=2 COMMITS=0 HEADERS=2 CHECKPOINTS=0"
CLONE = "ADVERSARY CLONE PAGES=2 KILLS=0 CUTS=0 SESSIONS=3 CHECKPOINTS=0"

# What is searched with all rules: name, model, defines, whether it belongs to the small form.
CHECKS = [
    ("a power cut, notes", "freshness", f"CUTS=1 KILLS=0 {TWO_COMMITS}", False),
    ("a power cut, keyslots", "freshness", f"CUTS=1 KILLS=0 {HEADERS} SESSIONS=2", True),
    ("a power cut and a kill, notes", "freshness", f"CUTS=1 KILLS=1 {TWO_COMMITS}", False),
    ("a power cut and a kill, keyslots", "freshness", f"CUTS=1 KILLS=1 {HEADERS}", False),
    ("two power cuts", "freshness", "CUTS=2 KILLS=0 SESSIONS=3 COMMITS=1 HEADERS=1", False),
    ("a power cut, and one copy of two lost", "freshness", f"CUTS=1 KILLS=0 ROTS=1 {TWO_COMMITS}", False),
    ("a power cut, and a sync of the map that fails", "freshness", f"CUTS=1 KILLS=0 FAILING_SYNC {TWO_COMMITS}", False),
    ("the owner of the disk", "freshness", f"{OWNER} CUTS=0 COMMITS=2 HEADERS=1", True),
    ("the owner of the disk, no pin", "freshness", f"{OWNER} PINLESS CUTS=0 COMMITS=2 HEADERS=1", False),
    ("the owner of the disk, after a power cut", "freshness", f"{OWNER} CUTS=1 COMMITS=2 HEADERS=1", False),
    ("the owner of the disk, keyslots", "freshness", f"{OWNER} CUTS=1 COMMITS=1 HEADERS=2 CHECKPOINTS=0", False),
    ("the owner of the disk, keyslots, no pin", "freshness", UNRECORDED, False),
    ("a clone, notes", "freshness", f"{CLONE} COMMITS=2 HEADERS=1", False),
    ("a clone, keyslots", "freshness", f"{CLONE} COMMITS=1 HEADERS=2", False),
    ("a rotation", "rotation", "CUTS=1 KILLS=1", True),
    ("a rotation, two power cuts", "rotation", "CUTS=2 KILLS=1", False),
]

# What is taken out: rule, model, define, the sizes at which it shows, whether it belongs to the small form.
RULES = [
    ("a commit is synced before it is acknowledged", "freshness", "LOG_SYNC_AT_COMMIT", f"CUTS=1 KILLS=0 {TWO_COMMITS}", False),
    ("the log keeps its frames until pages, map and manifest are on disk", "freshness", "LOG_KEPT", f"CUTS=1 KILLS=0 {TWO_COMMITS}", False),
    ("pages are synced before the map", "freshness", "PAGES_SYNCED", f"CUTS=1 KILLS=0 {TWO_COMMITS}", False),
    ("the map is synced before the manifest", "freshness", "MAP_SYNCED", f"CUTS=1 KILLS=0 {TWO_COMMITS}", True),
    ("the manifest with the new root comes before the log is emptied", "freshness", "ROOT_BEFORE_LOG", f"CUTS=1 KILLS=0 {TWO_COMMITS}", True),
    ("a node goes into the slot that is not vouched for", "freshness", "OTHER_SLOT", f"CUTS=1 KILLS=0 {TWO_COMMITS}", True),
    ("slots that were written stop being free at each vouching", "freshness", "FRESH_ENDED", f"CUTS=1 KILLS=0 {TWO_COMMITS}", False),
    ("both manifests carry the root before a slot is written over", "freshness", "BOTH_CARRY_ROOT", "CUTS=2 KILLS=0 ROTS=1 SESSIONS=3 COMMITS=1 HEADERS=1 CHECKPOINTS=0", False),
    ("the first manifest is on disk before the second is written", "freshness", "FIRST_BEFORE_SECOND", f"CUTS=1 KILLS=0 {TWO_COMMITS}", False),
    ("the log's salt is renewed only while the log is empty", "freshness", "SALT_AFTER_LOG", f"CUTS=1 KILLS=0 {TWO_COMMITS}", False),
    ("the emptied log is synced before its new salt, also one that is found empty", "freshness", "LOG_SYNCED", f"CUTS=1 KILLS=0 {TWO_COMMITS}", False),
    ("the folder is synced at each opening", "freshness", "FOLDER_SYNCED", f"CUTS=1 KILLS=1 {HEADERS}", False),
    ("after a failed sync of the map nothing is written", "freshness", "END_AFTER_FAILED_SYNC", f"CUTS=1 KILLS=0 FAILING_SYNC {TWO_COMMITS}", False),
    ("a page must have the tag that the map says", "freshness", "MAP", f"{OWNER} CUTS=0 COMMITS=2 HEADERS=1", False),
    ("the manifest with the new root has the index's generation", "freshness", "GENERATION_WITH_ROOT", f"{OWNER} PINLESS CUTS=0 COMMITS=2 HEADERS=1", True),
    ("each log has a salt of its own", "freshness", "NEW_SALT", f"{CLONE} PINLESS CUTS=1 COMMITS=1 HEADERS=1 CHECKPOINTS=1", False),
    ("the pin has the chain", "freshness", "CHAIN_IN_PIN", f"{CLONE} COMMITS=1 HEADERS=1", False),
    ("the pin has the header", "freshness", "PINNED_HEADER", f"{CLONE} COMMITS=1 HEADERS=2", False),
    ("the manifest has the header", "freshness", "HEADER_IN_MANIFEST", UNRECORDED, False),
    ("each copy of the manifest is asked for the header's counter", "freshness", "BOTH_MANIFESTS_HEADERS", UNRECORDED, False),
    ("of two headers the higher one counts, and mends the other", "freshness", "HIGHEST_HEADER", f"CUTS=1 KILLS=0 {HEADERS}", False),
    ("the index names the header", "freshness", "HEADER_IN_INDEX", f"{OWNER} PINLESS CUTS=1 COMMITS=1 HEADERS=2 CHECKPOINTS=0", False),
    ("the next index is synced before the header is replaced", "rotation", "COPY_SYNCED", "CUTS=1 KILLS=0", False),
    ("the next manifest is there before the header is replaced", "rotation", "NEXT_BEFORE_HEADER", "CUTS=1 KILLS=0", True),
    ("the next manifest has a name of its own", "rotation", "NAME_OF_ITS_OWN", "CUTS=1 KILLS=0", False),
    ("the old index goes after the header was replaced", "rotation", "HEADER_BEFORE_REMOVAL", "CUTS=1 KILLS=0", False),
    ("the header's copies are mended before the first manifest", "rotation", "MENDING_FIRST", "CUTS=2 KILLS=0", True),
]


def search(model, defines, scratch, chosen):
    """Runs spin on one model. Returns the figures; `property` is None when nothing is broken."""
    folder = Path(tempfile.mkdtemp(dir=scratch))
    try:
        return searched(model, defines, folder, chosen.seconds, chosen.small)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def searched(model, defines, folder, seconds, small):
    shutil.copy(HERE / f"{model}.pml", folder / "model.pml")
    # A later word of the list replaces an earlier one of the same name.
    chosen = {word.split("=")[0]: word for word in defines.split()}
    begin = time.monotonic()
    made = subprocess.run(["spin", "-a", *(f"-D{word}" for word in chosen.values()), "model.pml"], cwd=folder, capture_output=True, text=True)
    if not (folder / "pan.c").exists() or "Error" in made.stdout + made.stderr:
        return {"fault": "spin: " + (made.stdout + made.stderr).strip()[-300:]}
    # Optimised only where it pays: a counterexample is soon found.
    level = "-O0" if small or "WITHOUT_" in defines else "-O2"
    built = subprocess.run(["gcc", level, "-w", "-DSAFETY", "-DCOLLAPSE", "-DVECTORSZ=2048", "-DMEMLIM=12000", "-o", "pan", "pan.c"],
                           cwd=folder, capture_output=True, text=True)
    if built.returncode:
        return {"fault": "gcc: " + built.stderr[-300:]}
    try:
        run = subprocess.run(["./pan", "-m1000000", "-n", "-w22"], cwd=folder, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return {"fault": f"not searched in {seconds} seconds"}
    text = run.stdout
    stored, depth = re.search(r"^\s*(\S+) states, stored", text, re.MULTILINE), re.search(r"depth reached (\d+)", text)
    errors = re.search(r"errors: (\d+)", text)
    if not (stored and depth and errors) or "out of memory" in text or "max search depth too small" in text:
        return {"fault": "pan: " + (text + run.stderr).strip()[-300:]}
    broken = re.search(r"assertion violated (\w+) \(at depth (\d+)\)", text)
    if errors[1] != "0" and not broken:
        return {"fault": "pan: " + text.strip()[:300]}
    return {"states": int(float(stored[1])), "depth": int(depth[1]), "seconds": time.monotonic() - begin,
            "property": broken[1] if broken else None, "trail": int(broken[2]) if broken else 0}


def run_checks(chosen, scratch, failures):
    figures = []
    print("| all rules | model | sizes | states | depth | s |\n|---|---|---|---:|---:|---:|")
    for name, model, defines, small in CHECKS:
        if chosen.small and not small or chosen.only and chosen.only not in f"{name} {model} {defines}":
            continue
        found = search(model, defines, scratch, chosen)
        if "fault" in found:
            failures.append(f"{name}: {found['fault']}")
            print(f"| {name} | {model} | {defines} | **{found['fault']}** | | |", flush=True)
            continue
        if found["property"]:
            failures.append(f"{name}: {found['property']} is broken, {found['trail']} steps")
        said = f" **{found['property']} is broken**" if found["property"] else ""
        print(f"| {name}{said} | {model} | {defines} | {found['states']:,} | {found['depth']:,} | {found['seconds']:.1f} |", flush=True)
        figures.append([f"{model}: {name}, states", found["states"]])
    return figures


def run_rules(chosen, scratch, failures):
    seen = total = 0
    print("\n| without the rule | model | broken | steps | s |\n|---|---|---|---:|---:|")
    for name, model, define, defines, small in RULES:
        if chosen.small and not small or chosen.only and chosen.only not in f"{name} {model} {define}":
            continue
        total += 1
        found = search(model, f"{defines} WITHOUT_{define}", scratch, chosen)
        if found.get("property"):
            seen += 1
            print(f"| {name} | {model} | {found['property']} | {found['trail']} | {found['seconds']:.1f} |", flush=True)
        else:
            said = found.get("fault") or f"nothing is broken in {found['states']:,} states"
            failures.append(f"without: {name}: {said}")
            print(f"| {name} | {model} | **{said}** | | |", flush=True)
    return [["rules taken out one by one", total], ["counterexamples found", seen]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", action="store_true", help="the sizes and rules that take seconds")
    parser.add_argument("--only", metavar="WORD", help="those with this word in their name, model, sizes or rule")
    parser.add_argument("--audit", metavar="FILE", help="write the counts as JSON, too")
    parser.add_argument("--seconds", type=float, default=3600, help="for one search; one that takes longer has failed")
    chosen = parser.parse_args()
    for program in ("spin", "gcc"):
        if not shutil.which(program):
            sys.exit(f"models: {program} is not installed: Scripts/setup.sh models")
    failures = []
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="vault-models-", dir=base) as scratch:
        figures = run_checks(chosen, scratch, failures)
        figures += run_rules(chosen, scratch, failures)
    for failure in failures:
        print(f"models: {failure}", file=sys.stderr)
    passed = not failures and bool(figures)
    if chosen.audit:
        result = {"name": "models of the order of writes", "ok": passed, "figures": figures, "failures": failures[:20]}
        Path(chosen.audit).write_text(json.dumps(result, indent=1))
    sys.exit(0 if passed else 1)


if __name__ == "__main__":
    main()
