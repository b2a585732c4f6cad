#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Fuzzes every parser of untrusted bytes: fuzz.py [--seconds N] [--jobs N] [--keep] [TARGET ...]

Corpora are lines of hexadecimal in FuzzTesting/Corpora; what is found on the way stays in .build-fuzz/found, and with --keep the inputs that reach
code which no other reaches are written back, small ones first. A crash is printed as a line for the corpus: from then on it is a unit test.
Exit code 1 when something crashed, hung, took too much memory, or did not run.
"""
import argparse, concurrent.futures, json, os, pathlib, re, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORPORA, BUILD, AUDIT = ROOT / "FuzzTesting/Corpora", ROOT / ".build-fuzz", ROOT / "bench-out/audit"
KEPT_COUNT, KEPT_SIZE = 150, 1500
# Fewer mean that the code was built without coverage, and nothing was looked for.
EDGES_MIN = 50
# Media and archives need room; text of notes does not.
LARGE = {"picture": 1 << 16, "packed": 1 << 15, "exif": 1 << 14}


def build():
    # Of two --sanitize options the compiler heeds the last, and their order is not fixed: so one option that names both comes after them.
    command = ["swift", "build", "--sanitize=fuzzer", "--sanitize=address", "--product", "vault-fuzz", "-Xswiftc", "-parse-as-library",
               "-Xswiftc", "-sanitize=address,fuzzer", "--scratch-path", str(BUILD)]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "VAULT_FUZZ": "1"}, check=True)


def unpack(name):
    folder = BUILD / "found" / name
    folder.mkdir(parents=True, exist_ok=True)
    for number, line in enumerate((CORPORA / f"{name}.txt").read_text().split()):
        (folder / f"seed-{number}").write_bytes(bytes.fromhex(line))
    return folder


def fuzzer(name, *arguments):
    # A hang is an input of more than 25 s, too much memory more than 2 GiB.
    environment = {**os.environ, "FUZZ_TARGET": name, "SWIFT_BACKTRACE": "enable=no", "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1"}
    command = [str(BUILD / "debug/vault-fuzz"), "-timeout=25", "-rss_limit_mb=2048", f"-max_len={LARGE.get(name, 8192)}", *arguments]
    return subprocess.run(["nice", "-n", "15", *command], cwd=BUILD, env=environment, capture_output=True, text=True, errors="replace")


def fuzz(name, seconds):
    crashes = BUILD / "crashes" / name
    crashes.mkdir(parents=True, exist_ok=True)
    before = set(crashes.iterdir())
    done = fuzzer(name, f"-max_total_time={seconds}", "-print_final_stats=1", f"-artifact_prefix={crashes}/", str(unpack(name)))
    runs = re.search(r"stat::number_of_executed_units:\s*(\d+)", done.stderr)
    coverage = re.findall(r"cov: (\d+) ft: (\d+) corp: (\d+)", done.stderr)
    (BUILD / f"{name}.log").write_text(done.stderr)
    return {"name": name, "executions": int(runs[1]) if runs else 0, "edges": int(coverage[-1][0]) if coverage else 0,
            "inputs": int(coverage[-1][2]) if coverage else 0, "ok": done.returncode == 0 and bool(runs) and int(runs[1]) > 0 and bool(coverage) and int(coverage[-1][0]) > EDGES_MIN,
            "crashes": sorted(str(path) for path in set(crashes.iterdir()) - before)}


def keep(name):
    merged = BUILD / "merged" / name
    merged.mkdir(parents=True, exist_ok=True)
    fuzzer(name, "-merge=1", str(merged), str(unpack(name)))
    lines = (CORPORA / f"{name}.txt").read_text().split()
    for content in sorted((path.read_bytes() for path in merged.iterdir()), key=len):
        if len(lines) < KEPT_COUNT and 0 < len(content) <= KEPT_SIZE and content.hex() not in lines: lines.append(content.hex())
    (CORPORA / f"{name}.txt").write_text("".join(line + "\n" for line in lines))


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--seconds", type=int, default=60, help="for each target")
    options.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options.add_argument("--keep", action="store_true", help="write what is new back to the corpora")
    options.add_argument("targets", nargs="*")
    chosen = options.parse_args()
    targets = chosen.targets or sorted(path.stem for path in CORPORA.glob("*.txt"))
    build()
    results = []
    with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        for result in pool.map(lambda name: fuzz(name, chosen.seconds), targets):
            results.append(result)
            print(f"{result['name']:14} {result['executions']:>10} executions  {result['edges']:>6} edges  {result['inputs']:>5} inputs"
                  f"  {'no crash' if result['ok'] else 'CRASHED, or did not run'}", flush=True)
            for crash in result["crashes"]: print(f"  {pathlib.Path(crash).name}: {pathlib.Path(crash).read_bytes().hex()[:4000]}")
    if chosen.keep: list(map(keep, targets))
    failures = [result["name"] for result in results if not result["ok"]]
    AUDIT.mkdir(parents=True, exist_ok=True)
    figures = [["targets", len(results)], ["seconds for each", chosen.seconds], ["executions", sum(result["executions"] for result in results)],
               ["crashed, hung or not run", len(failures)]]
    (AUDIT / "fuzz.json").write_text(json.dumps({"name": "fuzzing", "ok": not failures and bool(results), "figures": figures, "failures": failures}))
    print(f"{len(results)} targets, {figures[2][1]} executions, {len(failures)} failures")
    sys.exit(1 if failures or not results else 0)


if __name__ == "__main__": main()
