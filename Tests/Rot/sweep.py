# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Goes through damages with several workers, and tells what came of them.

Each trial is a line of a file as soon as it ends, and the table is made of that file: a run that a time limit or a
signal ends has its table, too. Workers take the next damage from one counter, so that none waits for a slower one."""

import collections, json, multiprocessing, os, shutil, signal, sys, time, traceback
from multiprocessing import connection
from pathlib import Path


class Sweep:
    """The trials of one kind of damage.

    - Parameter make: makes a world, `make(arguments, scratch)`: a context with `prepare()`, and with
      `one(index)`, which returns state, damage, place, counts and faults."""

    def __init__(self, name, columns, make, arguments):
        self.name, self.columns, self.make, self.arguments = name, columns, make, arguments
        self.begun, self.ended, self.failed = time.monotonic(), None, []
        self.counter = multiprocessing.Value("L", 0)
        self.place = Path(arguments.results or Path(arguments.scratch) / "results.jsonl")
        self.place.parent.mkdir(parents=True, exist_ok=True)
        self.place.write_text("")

    # A worker

    def work(self, number):
        """A vault of its own, and one damage after the other until there are no more, or no more time."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, self.end_worker)
        parent, scratch = os.getppid(), Path(self.arguments.scratch) / str(number)
        file = os.open(self.place, os.O_WRONLY | os.O_APPEND)
        with self.make(self.arguments, scratch) as world:
            world.prepare()
            while os.getppid() == parent and not self.ended:
                with self.counter.get_lock():
                    index = self.counter.value
                    # At least one each, however long it took to make the vault.
                    late = time.monotonic() - self.begun > self.arguments.seconds and index >= self.arguments.workers
                    if late or index >= self.arguments.trials:
                        break
                    self.counter.value += 1
                os.write(file, (json.dumps(self.trial(world, index, scratch)) + "\n").encode())

    @staticmethod
    def end_worker(*_):
        """Once: the agents of its vaults are ended behind it."""
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        sys.exit(0)

    def trial(self, world, index, scratch):
        begun = time.monotonic()
        try:
            state, damage, place, counts, faults = world.one(index)
        except Exception:
            # A fault of this program, or of docs/decrypt.py: it fails the sweep, and the next damage is tried.
            state, damage, place, counts = "none", "none", "none", collections.Counter(trials=1)
            faults = ["the trial did not end: " + traceback.format_exc()]
        result = {"index": index, "state": state, "damage": str(damage), "kind": getattr(damage, "kind", ""),
            "place": place, "counts": counts, "faults": faults, "seconds": round(time.monotonic() - begun, 3)}
        if self.arguments.verbose or faults:
            print(index, state, damage, dict(counts), *faults, sep="\n    " if faults else " ", flush=True)
        if faults and self.arguments.keep:
            self.keep(world, scratch, result)
        return result

    def keep(self, world, scratch, result):
        """The damaged files of a trial with a fault, and what was wrong with them."""
        folder = Path(self.arguments.keep) / f"{self.name.replace(' ', '-')}-{self.arguments.seed}-{result['index']}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name in world.evidence:
            if (scratch / name).exists():
                shutil.copytree(scratch / name, folder / name, symlinks=True)
        (folder / "result.json").write_text(json.dumps({**result, "texts": world.written()}, indent=1))

    # All of them

    def run(self):
        """Until the workers have ended by themselves, or a signal came."""
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self.end)
        fork = multiprocessing.get_context("fork")
        workers = [fork.Process(target=self.work, args=(number,)) for number in range(self.arguments.workers)]
        for worker in workers:
            worker.start()
        told = time.monotonic()
        while any(worker.is_alive() for worker in workers) and not self.ended:
            connection.wait([worker.sentinel for worker in workers if worker.is_alive()], timeout=1)
            if time.monotonic() - told >= 60:
                told = time.monotonic()
                self.tell()
        for worker in workers:
            if self.ended and worker.is_alive():
                worker.terminate()
        for number, worker in enumerate(workers):
            worker.join(150)
            if worker.is_alive():
                worker.kill()
                worker.join()
            if worker.exitcode != 0:
                self.failed.append(f"worker {number} ended with {worker.exitcode}")

    def end(self, number, _):
        self.ended = signal.Signals(number).name

    def results(self):
        """What has ended until now, and how many lines are not whole: those of workers that were killed."""
        found, torn = [], 0
        for line in self.place.read_text().splitlines():
            try:
                found.append(json.loads(line))
            except ValueError:
                torn += 1
        return found, torn

    def tell(self):
        (done, _), since = self.results(), time.monotonic() - self.begun
        faulty = sum(1 for result in done if result["faults"])
        left = (self.arguments.trials - len(done)) * since / max(len(done), 1)
        print(f"rot: {len(done)} of {self.arguments.trials} trials, {faulty} with a fault, after {since / 60:.0f} min; "
            f"at most {left / 60:.0f} min left", file=sys.stderr, flush=True)

    def report(self):
        """Prints the table, and writes what `make audit` takes. Returns whether all is as it must be."""
        results, torn = self.results()
        if torn:
            self.failed.append(f"{torn} lines of the results are not whole")
        table = collections.defaultdict(collections.Counter)
        for result in results:
            table[(result["state"], result["place"], result["kind"])].update(result["counts"])
            table[("all", "", "")].update(result["counts"])
        print("| state | file | damage | " + " | ".join(self.columns) + " |")
        print("|" + "---|" * (3 + len(self.columns)))
        for key in sorted(table):
            print("| " + " | ".join([*key, *(str(table[key][name]) for name in self.columns)]) + " |")
        print("", *(f"{name}: {words}" for name, words in self.columns.items()), sep="\n")
        total = table[("all", "", "")]
        wrong = sum(1 for result in results if result["faults"])
        seconds = sum(result["seconds"] for result in results) / max(len(results), 1)
        print(f"\n{total['trials']} trials of {seconds:.1f} s, {wrong} of them with something that must not be")
        if self.ended:
            print(f"ended by {self.ended} before all of {self.arguments.trials} trials")
        for sentence in self.failed:
            print(sentence)
        passed = wrong == 0 and not self.failed and total["trials"] > 0
        if self.arguments.audit:
            self.write_audit(passed, table, results)
        return passed

    def write_audit(self, passed, table, results):
        """The rows of this sweep in docs/AUDIT-RESULTS.md: each count in words, then the counts of each file."""
        total = table[("all", "", "")]
        figures = [["damages asked for", self.arguments.trials]]
        figures += [[words, total[column]] for column, words in self.columns.items()]
        places = collections.defaultdict(collections.Counter)
        for (state, place, _), counts in table.items():
            if place:
                places[f"of {place}, {state}"].update(counts)
        for place, counts in sorted(places.items()):
            figures.append([place, ", ".join(f"{counts[name]} {name}" for name in self.columns if counts[name])])
        faults = [fault for result in results for fault in result["faults"]] + self.failed
        if self.ended:
            figures.append(["ended early", f"by {self.ended}"])
        answer = {"name": self.name, "ok": passed, "figures": figures, "failures": faults[:20]}
        Path(self.arguments.audit).parent.mkdir(parents=True, exist_ok=True)
        Path(self.arguments.audit).write_text(json.dumps(answer, indent=1))
