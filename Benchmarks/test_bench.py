#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Tests of the harness itself: what it says of figures must be right before the figures can be. Needs no vault."""
import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import corpus  # noqa: E402
import instructions  # noqa: E402
import plot  # noqa: E402
from benchlib import chart, notesfile, rounds, spawn, sqlite_worker, table, workspace  # noqa: E402
from benchlib.results import Results, Row  # noqa: E402
from benchlib.series import Series, difference, pair_ratio  # noqa: E402


class SeriesTests(unittest.TestCase):
    def test_a_round_that_was_left_out_is_no_figure(self):
        series = Series("s", [3.0, None, 1.0, 2.0, None])
        self.assertEqual((series.median, series.summary()["samples"]), (2.0, 3))

    def test_the_ratio_is_the_median_of_the_pairs_and_not_the_ratio_of_the_medians(self):
        ours, theirs = Series("s", [1.0, 20.0, 300.0]), Series("s", [2.0, 10.0, 100.0])
        self.assertEqual(pair_ratio(ours, theirs), 2.0)
        self.assertEqual(ours.median / theirs.median, 2.0)
        self.assertEqual(pair_ratio(Series("s", [1.0, 9.0, 2.0]), Series("s", [1.0, 3.0, 4.0])), 1.0)

    def test_only_rounds_with_both_are_pairs(self):
        self.assertEqual(pair_ratio(Series("s", [4.0, 100.0]), Series("s", [2.0, None])), 2.0)
        self.assertIsNone(pair_ratio(Series("s", []), Series("s", [2.0])))

    def test_quartiles_are_the_extremes_when_there_are_few(self):
        self.assertEqual(Series("s", [3.0, 1.0, 2.0]).quartiles, (1.0, 3.0))
        self.assertEqual(Series("s", [1.0, 2.0, 3.0, 4.0, 5.0]).quartiles, (2.0, 4.0))
        self.assertIsNone(Series("s", [1.0]).quartiles)

    def test_a_difference_is_taken_round_by_round(self):
        self.assertEqual(difference(Series("s", [5.0, 9.0, None]), Series("s", [4.0, 6.0, 1.0])).figures, [1.0, 3.0, None])


class RoundsTests(unittest.TestCase):
    def test_contenders_take_turns_and_the_order_turns_round(self):
        order = []
        def contender(name, every=1):
            return rounds.Contender(name, lambda: order.append(name) or 1.0, every=every)
        series = rounds.interleave([contender("a"), contender("b"), contender("c", 2)], 3, [], warm_ups=0)
        self.assertEqual("".join(order), "abc" "ba" "abc")
        self.assertEqual(series["c"].figures, [1.0, None, 1.0])

    def test_one_that_fails_leaves_no_figure_and_the_others_go_on(self):
        def fails():
            raise spawn.Failure("exit code 7")
        failures = []
        series = rounds.interleave([rounds.Contender("bad", fails), rounds.Contender("good", lambda: 1.0)], 2, failures)
        self.assertEqual((list(series), failures), (["good"], ["bad: exit code 7"]))


class TableTests(unittest.TestCase):
    def test_a_peer_that_is_missing_shows_a_dash_and_never_a_number(self):
        row = Row("show", Series("s", [0.004]), "age", None, ratio_max=1.25)
        self.assertEqual(table.cells(row), ("show", "4.00 ms", "age", "–", "–", "≤ 1.25 ×", "–", "–"))

    def test_a_missed_target_says_so(self):
        slow = Row("show", Series("s", [0.3]), "age", Series("s", [0.1]), ratio_max=1.25)
        self.assertEqual(table.cells(slow)[-4:-1], ("3.00 ×", "≤ 1.25 ×", "NO"))
        large = Row("memory", Series("MiB", [65.0]), figure_max=64, unit="MiB")
        self.assertEqual(table.cells(large)[-3:-1], ("≤ 64.0 MiB", "NO"))

    def test_columns_line_up(self):
        results = Results([Row("两 ls", Series("s", [1.0, 2.0])), Row("search", None, "x")])
        lines = table.render(results).splitlines()[:4]
        starts = {table.width(line[:line.index(word)]) for line, word in ((lines[0], "ours"), (lines[2], "1.50"))}
        self.assertEqual(starts, {8})

    def test_figures_keep_a_fitting_unit(self):
        self.assertEqual([table.figure(value, "s") for value in (12.34, 1.234, 0.1234, 0.01234, 0.001234, 0.0001234)],
                         ["12.3 s", "1.23 s", "123 ms", "12.3 ms", "1.23 ms", "123 µs"])


class CorpusTests(unittest.TestCase):
    def test_notes_are_the_same_everywhere_and_every_query_fits_them(self):
        made = corpus.Corpus()
        digest = hashlib.sha256("".join(made.text(number) for number in range(200)).encode()).hexdigest()
        self.assertEqual(digest, "1eafc604f2d4148856c5596cd530869fe97807f6907e1321d685470fbecc9ebc")
        sizes = [len(made.text(number).encode()) for number in range(300)]
        self.assertTrue(800 < sum(sizes) / 300 < 1_300)
        found = made.frequencies(300)
        self.assertEqual({name for name, count in found.items() if count == 0}, {"no hit", "no hit, grams known"})
        self.assertEqual(found["rare word"], 1)

    def test_written_files_are_the_texts_and_import_with_their_titles(self):
        made = corpus.Corpus()
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place) / "notes"
            made.write(folder, 12)
            self.assertEqual((folder / made.path(7)).read_text(encoding="utf-8"), made.text(7))
            answer = sqlite_worker.import_all("plain", str(folder), f"{place}/db")
            self.assertEqual(answer["notes"], 12)
            rows = sqlite_worker.connect("plain", f"{place}/db").execute("SELECT title, body, created FROM note").fetchall()
        self.assertTrue(all(title and title in body and created.startswith("2015") for title, body, created in rows))


    def test_the_file_of_the_json_form_has_the_same_notes(self):
        with tempfile.TemporaryDirectory() as place:
            notesfile.write(pathlib.Path(place) / "notes.json", 30)
            whole = json.loads((pathlib.Path(place) / "notes.json").read_text())
        made = corpus.Corpus()
        self.assertEqual((whole["noteCount"], whole["totalNoteCount"], len({note["id"] for note in whole["notes"]})), (30, 30, 30))
        self.assertTrue(all(made.text(number).endswith(note["body"]) for number, note in enumerate(whole["notes"])))

    def test_words_follow_zipfs_law(self):
        counts: "dict[str, int]" = {}
        made = corpus.Corpus()
        for word in made.pool:
            counts[word] = counts.get(word, 0) + 1
        ranked = sorted(counts.values(), reverse=True)
        # Rank times frequency stays the same, but for the very first words.
        products = [ranked[rank] * (rank + 2) for rank in (10, 100, 1_000, 3_000)]
        self.assertLess(max(products) / min(products), 1.4)


class GrowthTests(unittest.TestCase):
    def test_growth_stands_beside_the_small_vault_and_leaves_out_what_was_not_measured(self):
        results = Results(part="commands")
        results.point("show", 10_000, Series("s", [0.002]))
        results.point("show", 1_000_000, Series("s", [0.004]))
        results.point("ls", 10_000, Series("s", [0.002]))
        results.growth(["show", "ls"], 10_000, 1_000_000, 1.5)
        self.assertEqual([(row.work, row.met, row.part) for row in results.rows], [("show 1,000,000", False, "commands")])

    def test_a_page_of_two_runs_shows_both_and_the_spread_between_them(self):
        def run(seconds):
            results = Results(part="commands")
            results.add(Row("show 10,000", Series("s", [seconds]), "age", Series("s", [0.002]), ratio_max=1.25))
            results.point("show", 10_000, Series("s", [seconds]))
            results.point("show", 100_000, Series("s", [seconds * 2]))
            return results.summary()
        with tempfile.TemporaryDirectory() as place:
            files = [pathlib.Path(place) / name for name in ("a.json", "b.json")]
            for file, seconds in zip(files, (0.002, 0.003)):
                file.write_text(json.dumps(run(seconds)))
            first, second = plot.merged(files[:1]), plot.merged(files[1:])
            text = plot.tables(first, second)
            self.assertIn("| show 10,000 | 2.00 ms | 3.00 ms | +50 % | age | 2.00 ms | 1.00 × | 1.50 × | ≤ 1.25 × | yes/**no** | – |", text)
            self.assertEqual(plot.charts(first, second, pathlib.Path(place) / "drawn"), ["reading"])
            drawing = xml.etree.ElementTree.parse(pathlib.Path(place) / "drawn/reading.svg").getroot()
        self.assertEqual(sum(each.tag.endswith("circle") for each in drawing.iter()), 4)

    def test_names_at_the_ends_of_lines_do_not_lie_on_each_other(self):
        lines = [chart.Line(f"work {number}", {10.0: (1, 1 + number / 100, 2), 100.0: (1, 1 + number / 100, 2)}) for number in range(12)]
        drawing = xml.etree.ElementTree.fromstring(chart.Chart("title", "notes", "s", lines).svg())
        heights = sorted(float(each.get("y")) for each in drawing.iter() if (each.text or "").startswith("work "))
        self.assertTrue(all(after - before >= 14 for before, after in zip(heights, heights[1:])))
        self.assertLess(heights[-1], chart.HEIGHT - chart.BOTTOM + 10)


class InstructionTests(unittest.TestCase):
    def test_only_what_grew_beyond_the_tolerance_is_named(self):
        text, grown = instructions.compare({"a": 104, "b": 106, "c": 80, "d": 7}, {"a": 100, "b": 100, "c": 100}, 0.05)
        self.assertEqual(grown, ["b"])
        self.assertIn("new", text.splitlines()[-1])

    @unittest.skipUnless((instructions.ROOT.parent / ".build/release/vault-agent").exists() and shutil.which("valgrind"),
                         "needs the release programs and valgrind")
    def test_the_client_takes_no_more_instructions_than_its_baseline(self):
        done = subprocess.run([sys.executable, str(instructions.ROOT / "instructions.py"), "--client-only"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class WorkspaceTests(unittest.TestCase):
    def test_nothing_stays_after_a_failure(self):
        closed = []
        with tempfile.TemporaryDirectory() as place:
            with self.assertRaises(KeyboardInterrupt), workspace.Workspace(pathlib.Path(place)) as space:
                space.on_close(lambda: closed.append(space.disk.exists()))
                (space.runtime / "secret").touch()
                raise KeyboardInterrupt
            self.assertEqual((closed, space.disk.exists(), space.runtime.exists()), ([True], False, False))

    def test_a_program_that_hangs_or_fails_is_a_failure_with_its_last_words(self):
        with tempfile.TemporaryDirectory() as place:
            launcher = spawn.Launcher({}, pathlib.Path(place) / "talk")
            self.assertLess(launcher.seconds(["/bin/true"]), 5)
            with self.assertRaisesRegex(spawn.Failure, "exit code 3: broken"):
                launcher.seconds(["/bin/sh", "-c", "echo broken >&2; exit 3"])
            with self.assertRaisesRegex(spawn.Failure, "not done"):
                launcher.seconds(["/bin/sleep", "5"], limit=0.05)


if __name__ == "__main__":
    unittest.main()
