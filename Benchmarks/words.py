# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Words for corpus.py: made from syllables and from ranges of code points, so that nothing has to be shipped."""
import dataclasses
import itertools
import random

ONSETS = "t s n r h l d c m w f g p b v k th st tr pr ch sh br gr cl fr pl qu bl sp wh".split()
VOWELS = "e a i o u ea ou ai io ee oo ie y".split()
CODAS = ["", "", "", "n", "r", "s", "t", "l", "d", "m", "ng", "nt", "st", "ck", "nd", "rs", "ll", "p", "x"]
ACCENTS = {"e": "éèê", "a": "áàä", "o": "öóô", "u": "üú", "n": "ñ", "c": "ç", "i": "íï"}
TAGS = ("work", "home", "idea", "todo", "reading", "travel", "garden", "music", "health", "money")
EMOJI = tuple("😀🎉🌱🐍📚🚲☕🔑🦉⏰")

# Name, ranges of code points, letters in a word, what stands between words, how a sentence ends.
SCRIPTS = (
    ("Chinese", ((0x4E00, 0x57FF),), (1, 3), "", "。"),
    ("Japanese", ((0x3042, 0x3093), (0x30A2, 0x30F3)), (2, 4), "", "。"),
    ("Korean", ((0xAC00, 0xB4FF),), (2, 4), " ", "."),
    ("Russian", ((0x0430, 0x044F),), (2, 10), " ", "."),
    ("Greek", ((0x03B1, 0x03C9),), (2, 10), " ", "."),
    ("Arabic", ((0x0627, 0x063A), (0x0641, 0x064A)), (2, 7), " ", "."),
    ("Hebrew", ((0x05D0, 0x05EA),), (2, 6), " ", "."),
    ("Hindi", ((0x0915, 0x0939),), (2, 6), " ", "।"),
)


@dataclasses.dataclass(frozen=True)
class Pool:
    """A long run of words of one script; sentences are cut from it."""
    name: str
    words: "list[str]"
    gap: str
    stop: str


def latin_word(rng: random.Random, syllables: int) -> str:
    """One made word; now and then it has an accent."""
    def early(letters):  # the first of a list are the frequent ones
        return letters[int(len(letters) * rng.random() ** 1.7)]
    word = "".join(early(ONSETS) + early(VOWELS) + early(CODAS) for _ in range(syllables))
    if rng.random() < 0.03:
        at = rng.randrange(len(word))
        word = word[:at] + rng.choice(ACCENTS.get(word[at], word[at])) + word[at + 1:]
    return word


def latin_vocabulary(rng: random.Random, count: int) -> "list[str]":
    """Distinct words, most frequent first; frequent words are short, as in any language."""
    known, vocabulary = set(), []
    while len(vocabulary) < count:
        rank = len(vocabulary)
        word = latin_word(rng, 1 if rank < 60 else rng.choice((1, 2)) if rank < 1_500 else rng.choice((2, 2, 3)))
        if word not in known:
            known.add(word)
            vocabulary.append(word)
    return vocabulary


def zipf_sample(rng: random.Random, vocabulary: "list[str]", count: int) -> "list[str]":
    """`count` words; the word of rank r comes with a weight of 1 / (r + 2)."""
    weights = itertools.accumulate(1 / (rank + 2) for rank in range(len(vocabulary)))
    return rng.choices(vocabulary, cum_weights=list(weights), k=count)


def script_pool(rng: random.Random, script: tuple) -> Pool:
    """A pool of one of the other scripts; its letters follow Zipf's law too."""
    name, ranges, (least, most), gap, stop = script
    letters = [chr(point) for low, high in ranges for point in range(low, high + 1)]
    rng.shuffle(letters)
    run = iter(zipf_sample(rng, letters, 2_000 * most))
    vocabulary = ["".join(itertools.islice(run, rng.randint(least, most))) for _ in range(2_000)]
    return Pool(name, zipf_sample(rng, vocabulary, 20_000), gap, stop)
