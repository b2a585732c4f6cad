#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Tests of the harness itself: what it says of figures must be right before the figures can be. Needs no vault."""
import hashlib
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import corpus  # noqa: E402
from benchlib import rounds, spawn, sqlite_worker, table, workspace  # noqa: E402
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
