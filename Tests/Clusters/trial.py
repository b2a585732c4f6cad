# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Three devices that write at once over one cluster, of which a part is taken away and brought back."""

import collections, json, os, re, tempfile, threading, time
from pathlib import Path

import rights
from bucket import Bucket
from device import Device, Recorder, as_final, read_store
from history import STORE, History
from processes import BUCKET, LEAST


CHANGES = ("write", "trash", "attach", "purge")


class Trial:
    def __init__(self, cluster, arguments, scratch, wanted, shortest=20):
        self.cluster, self.scratch = cluster, Path(scratch)
        self.programs, self.seed = str(Path(arguments.bin).resolve()), arguments.seed
        self.wanted, self.shortest, self.verbose = wanted, shortest, arguments.verbose
        self.counts, self.faults, self.told = collections.Counter(), [], []
        self.devices, self.stop = [], threading.Event()

    def run(self):
        """Returns counts, violations, and what happened when, in words."""
        self.begin = time.monotonic()
        self.recorder = Recorder(self.scratch / "history")
        try:
            self.cluster.start()
            self.tell("cluster up")
            self.enrol()
            self.tell(f"{len(self.devices)} devices")
            self.first = self.recorder.count(*CHANGES)
            self.write_with_fault()
            if hasattr(self.cluster, "hang"):
                self.hang()
            self.settle()
            self.judge()
            if hasattr(self.cluster, "least_rights"):
                self.try_least_rights()
        except (RuntimeError, OSError) as error:
            self.faults.append(("broken off", str(error)))
        finally:
            self.stop.set()
            for device in self.devices:
                device.end()
            self.cluster.end()
            self.recorder.file.close()
        return self.counts, self.faults, self.told

    def tell(self, what):
        line = f"{time.monotonic() - self.begin:6.1f} s  {what}"
        self.told.append(line)
        if self.verbose:
            print(f"  {self.cluster.name}: {line}", flush=True)

    # The steps

    @property
    def bucket_name(self):
        return getattr(self.cluster, "bucket", BUCKET)

    def place(self, number):
        return [self.cluster.address(number), "--bucket", self.bucket_name, "--region", "us-east-1", "--user",
                self.cluster.keys[0], "--secret-file", str(self.scratch / "secret")]

    def enrol(self):
        self.bucket = Bucket(self.cluster.address(1), self.cluster.keys, self.bucket_name)
        self.bucket.make()
        secret = self.scratch / "secret"
        secret.write_text(self.cluster.keys[1] + "\n")
        secret.chmod(0o600)
        for name in self.cluster.devices:
            self.devices.append(Device(name, self.programs, self.scratch, self.recorder, self.seed))
        first, *others = self.devices
        first.need("init", "--no-recovery", "--kdf-target", "0", *first.password)
        first.open()
        shared = [first.put(("new", "-"), None, first.body("of all")) for _ in range(9)]
        kept = [first.put(("new", "-"), None, first.body("with files")) for _ in range(3)]
        first.need("remote", "add", "s3", *self.place(0), "--no-input")
        first.need_sync()
        vault = json.loads(first.need("status", "--json"))["vaultID"]
        for number, device in enumerate(others, 1):
            device.need("clone", *self.place(number), "--vault-id", vault, "--no-input", *device.password)
            device.open()
        for device in self.devices:
            device.shared, device.kept = shared, kept
        for _ in range(2):
            for device in self.devices:
                device.need_sync()

    def write_with_fault(self):
        each = self.wanted // len(self.devices) + 1
        pace = 0.05 if self.wanted < 1000 else 0
        workers = [
            threading.Thread(target=self.work, args=(device, each, pace), daemon=True) for device in self.devices]
        for worker in workers:
            worker.start()
        self.reach(self.wanted / 3)
        self.tell(f"{self.written} acknowledged; {self.cluster.fault()}")
        since = time.monotonic()
        # Where all stands still, nobody gets further.
        if not self.cluster.stands_still:
            # A session that begins while something is on its way and the store is away; none begins later.
            for device in self.devices:
                device.due += [device.add, device.sync_now, device.begin_again, device.sync_now]
            self.reach(self.wanted / 2)
        if hasattr(self.cluster, "turn"):
            self.sleep_until(since + self.shortest / 2)
            self.tell(f"{self.written} acknowledged; {self.cluster.turn()}")
        if not self.cluster.stands_still:
            self.reach(self.wanted * 2 / 3)
        self.sleep_until(since + self.shortest)
        self.tell(f"{self.written} acknowledged; {self.cluster.mend()}")
        self.reach(self.wanted)
        self.stop.set()
        for worker in workers:
            worker.join()
        self.tell(f"{self.written} acknowledged; no more is written")

    def work(self, device, each, pace):
        try:
            while not self.is_broken_off and (not self.stop.is_set() or device.written < each):
                device.work(1, pace)
        except Exception as error:
            self.faults.append(("broken off", f"{device.name}: {error!r}"))

    @property
    def is_broken_off(self):
        return any(kind == "broken off" for kind, _ in self.faults)

    @property
    def written(self):
        return self.recorder.count(*CHANGES) - self.first

    def reach(self, count):
        until = time.monotonic() + 1800
        while self.written < count:
            if self.is_broken_off:
                raise RuntimeError("a device writes no more")
            if time.monotonic() > until:
                raise RuntimeError(f"only {self.written} acknowledged after half an hour")
            time.sleep(0.2)

    @staticmethod
    def sleep_until(moment):
        time.sleep(max(0, moment - time.monotonic()))

    def hang(self):
        """Requests are taken and never answered: `sync now` has to end by itself, and to say so."""
        for device in self.devices:
            device.need_sync()
        self.tell(self.cluster.hang())
        fresh = {device.name: [device.add() for _ in range(3)] for device in self.devices}
        codes = {}

        def meet(device):
            begin = time.monotonic()
            codes[device.name] = (device.sync_now(), round(time.monotonic() - begin, 1))

        meetings = [threading.Thread(target=meet, args=(device,), daemon=True) for device in self.devices]
        for one in meetings:
            one.start()
        for one in meetings:
            one.join()
        for device in self.devices:
            code, seconds = codes[device.name]
            said = [one["said"] for one in self.recorder.operations
                    if one["kind"] == "sync" and one["device"] == device.name][-1]
            self.tell(f"sync now of {device.name}: exit code {code} after {seconds} s: {' '.join(said.split())}")
            self.expect(code == 8, "hang", f"{device.name}: sync now ended with {code}")
            self.counts["syncs ended by a deadline"] += code == 8
            answer = json.loads(device.need("ls", "--all", "--json", "--no-input"))["notes"]
            states = {one["id"]: one["state"] for one in answer}
            wrong = [states.get(key) for key in fresh[device.name] if states.get(key) != "pending"]
            self.expect(not wrong, "hang", f"{device.name}: notes that cannot be sent are {wrong}")
            claim = re.search(r"([1-9][0-9]*) changes? sent", said)
            self.expect(not claim, "untrue", f"{device.name}: nothing can be sent, and it says {claim and claim[0]!r}")
        self.tell(self.cluster.revive())

    def expect(self, holds, kind, text):
        if not holds:
            self.faults.append((kind, text))

    # In the end

    def settle(self):
        """All faults are over: all sync until nobody has anything to say, and all show the same."""
        begin = time.monotonic()
        if not self.becomes_quiet(40):
            self.look_for_losses()
        self.tell(f"all was sent and read {time.monotonic() - begin:.1f} s later")
        for device in self.devices:
            device.sync_now()
            device.alarms()
            check = device.run("check", "--no-input", seconds=600)
            self.expect(check.returncode == 0, "check", f"{device.name}: {check.stdout[-300:]}")

    def becomes_quiet(self, rounds):
        for number in range(rounds):
            self.counts["rounds until all was quiet"] += 1
            codes = [device.sync_now() for device in self.devices]
            if codes == [0] * len(codes) and self.is_quiet():
                return True
            time.sleep(1)
        return False

    def is_quiet(self):
        for device in self.devices:
            if set(device.look()) - {"uploaded"}:
                return False
        last = {one["device"]: one["notes"] for one in self.recorder.operations if one["kind"] == "read"}
        shown = [{key: revision for key, (revision, _) in notes.items()} for notes in last.values()]
        return all(one == shown[0] for one in shown)

    def look_for_losses(self):
        """Not quiet: either the store has lost something, which its devices can send again, or this is a fault."""
        for device in self.devices:
            self.ask(device, "sync", "status")
            if self.ask(device, "sync", "verify") != 0:
                self.counts["repairs"] += 1
                self.ask(device, "sync", "repair")
        if self.becomes_quiet(5):
            return
        for device in self.devices:
            device.begin_again()
        cure = "all is well after a lock and an unlock" if self.becomes_quiet(10) else "nor after a lock and an unlock"
        self.faults.append(("stuck", f"not everything was sent, however often sync now was called; {cure}"))

    def ask(self, device, *words):
        answer = device.run(*words, "--no-input", seconds=600)
        said = " ".join((answer.stdout + answer.stderr).split())[:600]
        self.tell(f"{' '.join(words)} of {device.name}: {answer.returncode}: {said}")
        return answer.returncode

    def try_least_rights(self):
        given = self.cluster.least_rights(LEAST)
        answers, kept, versions = rights.probe(self.cluster.address(1), self.cluster.keys, LEAST, given)
        for what, code in answers.items():
            self.expect(code == rights.EXPECTED[what], "rights", f"{what} was answered with {code}")
        self.expect(kept == [200, 200], "rights", f"the bucket's owner reads the file and its old version: {kept}")
        self.tell(f"keys of least rights: {answers}; {versions} versions of a file that was overwritten")
        one, other = (Device(name, self.programs, self.scratch, Recorder(os.devnull), 1) for name in ("one", "other"))
        self.devices += [one, other]
        secret = self.scratch / "least"
        secret.write_text(rights.KEYS[1] + "\n")
        secret.chmod(0o600)
        place = [self.cluster.address(1), "--bucket", LEAST, "--region", "us-east-1", "--user", rights.KEYS[0],
                 "--secret-file", str(secret)]
        codes = rights.sync_without_deleting(one, other, place)
        self.expect(set(codes) == {0}, "rights", f"sync now without a right to delete ended with {codes}")
        self.expect(not one.alarms() + other.alarms(), "rights", "there are alarms without a right to delete")
        altered = rights.alter(self.cluster.address(1), LEAST, rights.KEYS)
        found = [device.run("sync", "verify", "--no-input").returncode for device in (one, other)]
        repaired = [device.run("sync", "repair", "--no-input").returncode for device in (one, other)]
        clean = [device.run("sync", "verify", "--no-input").returncode for device in (one, other)]
        self.expect(found == [13, 13] and repaired == clean == [0, 0], "rights", f"{found} {repaired} {clean}")
        self.tell(f"{len(codes)} syncs without a right to delete; {altered} objects altered: verify {found}, repair "
                  f"{repaired}, verify {clean}")

    def judge(self):
        for device in self.devices:
            device.final()
        report, files, objects = self.read_store()
        self.recorder.note(STORE, "final", time.monotonic(), notes=as_final(report["notes"]), files=sorted(files))
        self.counts["objects in the store"], self.counts["bytes in the store"] = objects
        self.recorder.file.flush()
        found, counts = History(self.recorder.operations).judge()
        self.counts.update({name: value for name, value in counts.items() if value})
        for name in ("lost", "resurrected", "false alarm", "refused", "unknown"):
            self.counts[name] = counts[name]
        self.faults += found
        finals = {one["device"]: one for one in self.recorder.operations if one["kind"] == "final"}
        self.counts["notes"] = len(finals["a"]["notes"])
        self.counts["notes with two versions"] = sum(len(one["heads"]) > 1 for one in finals["a"]["notes"].values())
        self.counts["removals of many notes accepted"] = sum(device.accepted for device in self.devices)
        self.tell("judged")

    def read_store(self):
        """A listing may lack what is there, for a while: then it is asked for again."""
        for _ in range(60):
            with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
                objects = self.bucket.download(Path(folder) / "all")
                root = next((Path(folder) / "all").rglob("h")).parent
                report, files = read_store(root, Path(folder) / "parts", self.devices[0].secret)
            if not any(report.get(name) for name in ("missingSegments", "unreadObjects", "lostAttachments", "lost")):
                break
            self.counts["store read again"] += 1
            time.sleep(2)
        return report, files, objects
