# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Words, names and small files of several kinds, always the same for one seed."""

import datetime, hashlib, random, struct, zlib
from pathlib import Path

WORDS = (
    "harbour lantern copper willow ledger thimble orchard granite saddle pepper ribbon candle meadow anchor turnip velvet "
    "parsnip kettle magpie bracken slate tallow juniper plover barley chisel ferry hazel ingot lichen marrow nettle osier "
    "pewter quarry rushes sorrel tinder umber vetch wicker yarrow zephyr almanac bellows cistern dovecote "
    "Übung Straße größer naïve café señor Łódź smörgås год погода книга дорога 東京 音楽 旅行 สวัสดี مرحبا שלום αρχή "
    "don't x2 2024 v1.2 snake_case half-day e.g. 100% C++"
).split()
ODD_NAMES = [
    "🦊 Fox notes",
    "Cafe\u0301 in NFD",
    "Quote ' and ’ and “these”",
    "no-extension.but.dots",
    "Größe (2024) & more, ok!",
    "100% sure; really",
    "日本語のノート",
    "a" * 40 + " very long " + "name " * 22 + "end",
    "trailing dots...",
    "2024-02-29",
    "It's simple",
    "семейный рецепт",
    "naïve + plus = equals",
    "UPPER lower",
    "été",
    "comma, separated, name",
]


class Material:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.serial = 0

    def words(self, low, high=None):
        return [self.random.choice(WORDS) for _ in range(self.random.randint(low, high or low))]

    def sentence(self):
        text = " ".join(self.words(5, 14))
        return text[0].upper() + text[1:] + self.random.choice([".", ".", "!", "?", " —", " …"])

    def paragraph(self):
        return " ".join(self.sentence() for _ in range(self.random.randint(1, 4)))

    def title(self):
        self.serial += 1
        return " ".join(word for word in self.words(2, 4) if word not in ("100%", "C++")).strip(".") + f" {self.serial}"

    def time(self, first=2009, last=2025):
        begin = datetime.datetime(first, 1, 1, tzinfo=datetime.timezone.utc)
        span = (last - first) * 365 * 86400
        return begin + datetime.timedelta(seconds=self.random.randrange(span), milliseconds=self.random.randrange(1000))

    def identifier(self):
        return "%032x" % self.random.getrandbits(128)

    def uuid(self):
        digits = self.identifier()
        return "-".join((digits[:8], digits[8:12], "4" + digits[13:16], "a" + digits[17:20], digits[20:]))

    def noise(self, count):
        return self.random.randbytes(count)

    def png(self, side=8):
        """A true picture, no two alike."""
        rows = b"".join(b"\0" + self.random.randbytes(3 * side) for _ in range(side))

        def part(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        return (
            b"\x89PNG\r\n\x1a\n"
            + part(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
            + part(b"IDAT", zlib.compress(rows))
            + part(b"IEND", b"")
        )

    def pdf(self):
        text = f"({' '.join(word for word in self.words(3) if word.isascii() and word.isalnum())} {self.random.random()}) Tj"
        return (
            f"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 0/Kids[]>>endobj\n% {text}\n"
            "trailer<</Root 1 0 R>>\n%%EOF\n"
        ).encode()

    def svg(self):
        return f'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="{self.random.randint(1, 9)}" height="3"/></svg>'.encode()

    def amr(self):
        return b"#!AMR\n" + self.random.randbytes(self.random.randint(200, 900))


def put(path, content, when=None):
    """Writes a file with the folders above it, and its time."""
    import os

    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    if when is not None:
        stamp = int(when.timestamp() * 1000) * 1_000_000
        os.utime(path, ns=(stamp, stamp))


def iso(when):
    return when.strftime("%Y-%m-%dT%H:%M:%S.") + f"{when.microsecond // 1000:03d}Z"


def md5(data):
    return hashlib.md5(data).hexdigest()
