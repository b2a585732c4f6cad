# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""A made-up but text-like collection of notes: the same bytes for the same number, on every machine.

Note `i` depends on `i` alone, so the first 10,000 notes of a collection of 100,000 are the collection of 10,000.
Words follow Zipf's law over a made vocabulary; each note also has words that occur nowhere else, as real ones do.
"""
import datetime
import itertools
import pathlib
import random

import words

SEED = 20260
FIRST_DAY = datetime.datetime(2015, 1, 1, tzinfo=datetime.timezone.utc)
# Where the rare word stands: the oldest place is the worst one for a search that begins with the newest note.
RARE_PLACES = (100, 5_000, 60_000)
RARE_WORD = "wyndbrochtel"
FOLDERS = ("Journal", "Work", "Work/Plans", "Home", "Home/Garden", "Reading", "Reading/Papers", "Travel", "Ideas")


class Corpus:
    """Makes notes and the queries that fit them."""

    def __init__(self, seed: int = SEED):
        self.seed = seed
        rng = random.Random(seed)
        self.latin = words.latin_vocabulary(rng, 20_000)
        self.pool = words.zipf_sample(rng, self.latin, 250_000)
        self.other = [words.script_pool(rng, script) for script in words.SCRIPTS]
        self.phrase = f"{self.latin[12]} {self.latin[30]}"

    def text(self, number: int) -> str:
        """The whole Markdown file of one note, front matter included."""
        rng = random.Random(self.seed * 1_000_003 + number)
        size = min(max(int(rng.lognormvariate(6.55, 0.7)), 120), 12_000)
        script = rng.choice(self.other) if rng.random() < 0.08 else None
        title = self._sentence(rng, script, 2, 6).rstrip(".")
        moment = (FIRST_DAY + datetime.timedelta(minutes=5 * number)).strftime("%Y-%m-%dT%H:%M:%SZ")
        head = f"---\ncreated: {moment}\nupdated: {moment}\ntags: [{rng.choice(words.TAGS)}]\n---\n"
        return head + ("# " if rng.random() < 0.5 else "") + title + "\n\n" + self._body(rng, script, number, size)

    def _body(self, rng: random.Random, script: "words.Pool | None", number: int, size: int) -> str:
        parts, length = [], 0
        while length < size:
            sentence = self._sentence(rng, script, 4, 17)
            chance = rng.random()
            if chance < 0.08:
                sentence = f"\n- {sentence}\n"
            elif chance < 0.14:
                sentence += f" {rng.randrange(1, 2400)} {rng.choice(words.EMOJI)}"
            elif chance < 0.26:
                sentence += "\n\n"
            parts.append(sentence)
            length += len(sentence) * (2 if script else 1)
        if rng.random() < 0.02:
            parts.append(f"It was {self.phrase} again.")
        if number in RARE_PLACES:
            parts.insert(len(parts) // 2, f"See {RARE_WORD}.")
        if rng.random() < 0.1:
            parts.append(f"#{rng.choice(words.TAGS)}")
        return " ".join(parts) + "\n"

    def _sentence(self, rng: random.Random, script: "words.Pool | None", least: int, most: int) -> str:
        pool = script.words if script else self.pool
        count = rng.randint(least, most)
        start = rng.randrange(len(pool) - count)
        chosen = pool[start:start + count]
        if script:
            return script.gap.join(chosen) + script.stop
        if count > 8 and rng.random() < 0.5:
            chosen[rng.randrange(count)] = words.latin_word(rng, 3)  # occurs once, like a name
            chosen[count // 2] += ","
        return " ".join(chosen).capitalize() + "."

    def path(self, number: int) -> str:
        """At most 500 files in a folder, the folders named like somebody's notebooks."""
        folder = FOLDERS[number // 500 % len(FOLDERS)]
        return f"{folder}/{2015 + number // 4_500}/{number:07d}.md"

    def write(self, directory: pathlib.Path, count: int) -> None:
        """Writes the first `count` notes below `directory`, which must not exist."""
        made = set()
        for number in range(count):
            place = directory / self.path(number)
            if place.parent not in made:
                place.parent.mkdir(parents=True, exist_ok=True)
                made.add(place.parent)
            with open(place, "xb") as file:
                file.write(self.text(number).encode())

    def queries(self) -> "dict[str, str]":
        """Name of each search and what it asks for, as typed."""
        common = next(word for word in self.latin if len(word) >= 5)
        chinese = next(pool for pool in self.other if pool.name == "Chinese").words
        return {
            "rare word": RARE_WORD,
            "common word": common,
            "two characters": self.latin[200][:2],
            "two characters, Chinese": max(chinese[:400], key=lambda word: (len(word) == 2, chinese[:400].count(word))),
            "three characters": common[1:4],
            "phrase": f'"{self.phrase}"',
            "no hit, grams known": self._absent_word(),
            "no hit": "qqzxwvkj",
        }

    def _absent_word(self) -> str:
        """A word that is in no note although every three letters of it are in many: a search has to look."""
        vocabulary = "\n".join(self.latin)
        long = [word for word in self.latin[:2_000] if len(word) >= 6]
        for first, second in itertools.combinations(long, 2):
            word = first[:5] + second[-5:]
            if word not in vocabulary and all(word[at:at + 3] in vocabulary for at in range(len(word) - 2)):
                return word
        raise ValueError("the vocabulary has no such word")

    def frequencies(self, count: int) -> "dict[str, int]":
        """In how many of the first `count` notes each query's text occurs."""
        wanted = {name: query.strip('"').casefold() for name, query in self.queries().items()}
        found = dict.fromkeys(wanted, 0)
        for number in range(count):
            text = self.text(number).casefold()
            for name, needle in wanted.items():
                found[name] += needle in text
        return found
