#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Books as Goodreads, The StoryGraph, calibre and Kindles write them, and what such a source holds, counted without any code of vault's.

books.py make goodreads|storygraph|calibre|kindle FOLDER SEED COUNT
books.py count PATH

All content is made up; what is real are names of files, columns, elements, and the words of the lines. A count is one
line of JSON: books, notes, shelves, ratings (quarters of a star, and how many books have so many), dates, tags (uses)
and covers.
"""

import collections, csv, datetime, io, json, os, re, sys
from pathlib import Path
from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr

sys.path.insert(0, str(Path(__file__).parent))
from generate.material import Material, put

GOODREADS = (
    "Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,Number of Pages,"
    "Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,Bookshelves with positions,Exclusive Shelf,"
    "My Review,Spoiler,Private Notes,Read Count,Owned Copies"
).split(",")
STORYGRAPH = (
    "Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,Read Count,Moods,Pace,"
    "Character- or Plot-Driven?,Strong Character Development?,Loveable Characters?,Diverse Characters?,Flawed Characters?,"
    "Star Rating,Review,Content Warnings,Content Warning Description,Tags,Owned?"
).split(",")
DC, OPF = "http://purl.org/dc/elements/1.1/", "http://www.idpf.org/2007/opf"
SEPARATOR = "==========\r\n"
MONTHS = {
    "en": "January February March April May June July August September October November December".split(),
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(),
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(),
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split(),
}
LINES = {
    "en": {"highlight": "Your Highlight", "note": "Your Note", "bookmark": "Your Bookmark", "page": "on page {}", "location": "Location {}"},
    "de": {"highlight": "Ihre Markierung", "note": "Ihre Notiz", "bookmark": "Ihr Lesezeichen", "page": "auf Seite {}", "location": "bei Position {}"},
    "fr": {"highlight": "Votre surlignement", "note": "Votre note", "bookmark": "Votre signet", "page": "sur la page {}", "location": "emplacement {}"},
    "es": {"highlight": "Tu subrayado", "note": "Tu nota", "bookmark": "Tu marcador", "page": "en la página {}", "location": "posición {}"},
}
KINDS = {
    "highlight": ("Highlight", "Markierung", "surlignement", "subrayado"),
    "note": ("Note", "Notiz", "note ", "nota"),
    "bookmark": ("Bookmark", "Lesezeichen", "signet", "marcador"),
}


class Shop(Material):
    """Names, numbers and days of books."""

    def name(self):
        first, last = (self.random.choice(("Ada", "Bo", "Çelik", "Dóra", "Émile", "Fei", "Göran", "Łucja", "Naïma", "Юрий")) for _ in range(2))
        return f"{first} {self.random.choice('ABCDE')}. {last}son"

    def book(self):
        self.serial += 1
        words = " ".join(word for word in self.words(1, 5) if word.isalpha()) or "Untitled"
        series = self.random.choice(["", "", f" ({words.split()[0].title()}, #{self.random.randint(1, 9)})", ": A “true” story"])
        return f"{words.capitalize()} {self.serial}{series}"

    def day(self, first=2012, last=2025):
        return self.time(first, last).date()

    def isbn13(self):
        digits = "978" + "".join(str(self.random.randrange(10)) for _ in range(9))
        return digits + str(-sum(int(digit) * (3 if at % 2 else 1) for at, digit in enumerate(digits)) % 10)

    def isbn10(self):
        digits = [self.random.randrange(10) for _ in range(9)]
        last = -sum(digit * (10 - at) for at, digit in enumerate(digits)) % 11
        return "".join(map(str, digits)) + ("X" if last == 10 else str(last))

    def chance(self, share):
        return self.random.random() < share

    def review(self):
        parts = [self.paragraph() for _ in range(self.random.randint(1, 3))]
        return "<br/><br/>".join(parts).replace("C++", '<b>C++</b> & "more"')


def table(path, columns, rows, ends="\n", mark=""):
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator=ends)
    writer.writeheader()
    writer.writerows(rows)
    put(path, (mark + text.getvalue()).encode())


def make_goodreads(folder, seed, count):
    shop, rows = Shop(seed), []
    for number in range(count):
        shelf = shop.random.choice(["read"] * 5 + ["to-read"] * 4 + ["currently-reading", "abandoned"])
        author, day = shop.name(), shop.day()
        tags = sorted({shop.random.choice(["sci-fi", "own", "2024-best", "poésie", "to-lend"]) for _ in range(shop.random.choice((0, 0, 1, 2)))})
        shelves = tags + ([] if shelf == "read" else [shelf])
        has_number, is_read = shop.chance(0.7), shelf == "read"
        rows.append(
            {
                "Book Id": str(1000 + number * 37),
                "Title": shop.book(),
                "Author": author,
                "Author l-f": ", ".join(reversed(author.rsplit(" ", 1))),
                "Additional Authors": ", ".join(shop.name() for _ in range(shop.random.choice((0, 0, 0, 1, 2)))),
                "ISBN": f'="{shop.isbn10() if has_number else ""}"',
                "ISBN13": f'="{shop.isbn13() if has_number else ""}"',
                "My Rating": shop.random.randint(0, 5) if is_read else 0,
                "Average Rating": f"{shop.random.uniform(3, 5):.2f}",
                "Publisher": shop.random.choice(["", "House & Sons", 'The "Quoted" Press, Ltd.']),
                "Binding": shop.random.choice(["Paperback", "Hardcover", "Kindle Edition", ""]),
                "Number of Pages": shop.random.choice(["", shop.random.randint(20, 1200)]),
                "Year Published": shop.random.choice(["", shop.random.randint(1950, 2024)]),
                "Original Publication Year": shop.random.choice(["", -380, 1808, 1999]),
                "Date Read": f"{shop.day():%Y/%m/%d}" if is_read and shop.chance(0.7) else "",
                "Date Added": f"{day:%Y/%m/%d}",
                "Bookshelves": ", ".join(shelves),
                "Bookshelves with positions": ", ".join(f"{name} (#{number + 1})" for name in shelves),
                "Exclusive Shelf": shelf,
                "My Review": shop.review() if is_read and shop.chance(0.3) else "",
                "Spoiler": "",
                "Private Notes": shop.sentence() + "\n" + shop.sentence() if shop.chance(0.1) else "",
                "Read Count": 1 if is_read else 0,
                "Owned Copies": shop.random.choice((0, 0, 0, 1)),
            }
        )
    table(folder / "goodreads_library_export.csv", GOODREADS, rows)


def make_storygraph(folder, seed, count):
    shop, rows = Shop(seed), []
    for number in range(count):
        status = shop.random.choice(["read"] * 5 + ["to-read"] * 4 + ["currently-reading", "did-not-finish", "paused"])
        days = []
        for _ in range(shop.random.choice((0, 1, 1, 2)) if status == "read" else 0):
            start = shop.day()
            end = start + datetime.timedelta(days=shop.random.randint(0, 60))
            days.append(shop.random.choice([f"{start:%Y/%m/%d}-{end:%Y/%m/%d}", f"{end:%Y/%m/%d}"]))
        if status == "currently-reading":
            days.append(f"{shop.day():%Y/%m/%d}-")
        row = dict.fromkeys(STORYGRAPH, "")
        row |= {
            "Title": shop.book(),
            "Authors": ", ".join(shop.name() for _ in range(shop.random.choice((1, 1, 2)))),
            "Contributors": f"{shop.name()} (Narrator)" if shop.chance(0.2) else "",
            "ISBN/UID": shop.random.choice([shop.isbn13(), shop.isbn13(), f"B0{number:08}", shop.uuid()]),
            "Format": shop.random.choice(["digital", "paperback", "audio", "hardcover", ""]),
            "Read Status": status,
            "Date Added": f"{shop.day():%Y/%m/%d}",
            "Last Date Read": re.findall(r"\d{4}/\d\d/\d\d", days[-1])[-1] if days and status == "read" else "",
            "Dates Read": ", ".join(days),
            "Read Count": len(days) if status == "read" else 0,
            "Moods": ", ".join(shop.random.sample(["dark", "tense", "hopeful", "funny"], shop.random.randint(0, 3))),
            "Pace": shop.random.choice(["slow", "medium", "fast", ""]),
            "Star Rating": shop.random.choice(["", f"{shop.random.randint(1, 20) / 4}"]) if status == "read" else "",
            "Review": f"<div>{escape(shop.paragraph())}</div>" if status == "read" and shop.chance(0.3) else "",
            "Content Warnings": shop.random.choice(["", "", "Violence, Death"]),
            "Tags": ", ".join(sorted(set(shop.random.choices(["sea", "library", "für Oma"], k=shop.random.choice((0, 0, 1, 2)))))),
            "Owned?": shop.random.choice(["Yes", "No"]),
        }
        rows.append(row)
    table(folder / f"storygraph-export-{seed}.csv", STORYGRAPH, rows)


def make_calibre(folder, seed, count):
    shop = Shop(seed)
    for number in range(1, count + 1):
        title, authors = shop.book(), [shop.name() for _ in range(shop.random.choice((1, 1, 2)))]
        tags = sorted({shop.random.choice(["Fiction", "Science & Nature", "Essais, critique", "historia"]) for _ in range(shop.random.choice((0, 1, 2)))})
        sort = " & ".join(", ".join(reversed(name.rsplit(" ", 1))) for name in authors)
        lines = [
            f'<dc:identifier opf:scheme="calibre" id="calibre_id">{number}</dc:identifier>',
            f'<dc:identifier opf:scheme="uuid" id="uuid_id">{shop.uuid()}</dc:identifier>',
            f"<dc:title>{escape(title)}</dc:title>",
        ]
        lines += [f'<dc:creator opf:file-as={quoteattr(sort)} opf:role="aut">{escape(name)}</dc:creator>' for name in authors]
        if shop.chance(0.2):
            lines.append(f'<dc:contributor opf:role="trl">{escape(shop.name())}</dc:contributor>')
        lines.append('<dc:contributor opf:file-as="calibre" opf:role="bkp">calibre (7.6.0) [https://calibre-ebook.com]</dc:contributor>')
        lines.append(f"<dc:date>{'0101-01-01T00:00:00+00:00' if shop.chance(0.2) else f'{shop.day():%Y-%m-%d}T22:00:00+00:00'}</dc:date>")
        if shop.chance(0.6):
            lines.append(f"<dc:description>{escape('<div><p>' + escape(shop.paragraph()) + '</p><p><i>' + escape(shop.sentence()) + '</i></p></div>')}</dc:description>")
        if shop.chance(0.7):
            lines.append("<dc:publisher>House &amp; Sons</dc:publisher>")
        for scheme, value in (("ISBN", shop.isbn13()), ("AMAZON", f"B0{number:08}"), ("GOOGLE", shop.identifier()[:12])):
            if shop.chance(0.5):
                lines.append(f'<dc:identifier opf:scheme="{scheme}">{value}</dc:identifier>')
        lines.append(f"<dc:language>{shop.random.choice(('eng', 'deu', 'fra'))}</dc:language>")
        lines += [f"<dc:subject>{escape(tag)}</dc:subject>" for tag in tags]
        lines.append(f"<meta name=\"calibre:author_link_map\" content={quoteattr(json.dumps({name: '' for name in authors}, ensure_ascii=False))}/>")
        if shop.chance(0.3):
            lines += [f'<meta name="calibre:series" content={quoteattr(shop.title())}/>', f'<meta name="calibre:series_index" content="{shop.random.randint(1, 9)}"/>']
        if shop.chance(0.5):
            lines.append(f'<meta name="calibre:rating" content="{shop.random.randint(0, 10)}"/>')
        lines.append(f'<meta name="calibre:timestamp" content="{shop.time():%Y-%m-%dT%H:%M:%S}+00:00"/>')
        lines.append(f"<meta name=\"calibre:title_sort\" content={quoteattr(title)}/>")
        body = "\n".join("        " + line for line in lines)
        safe = re.sub(r'[/:"#?<>|*]', "_", title)
        place = folder / "Calibre Library" / authors[0].rstrip(".") / f"{safe} ({number})"
        cover = '\n    <guide>\n        <reference type="cover" title="Cover" href="cover.jpg"/>\n    </guide>' if shop.chance(0.8) else ""
        put(
            place / "metadata.opf",
            f"<?xml version='1.0' encoding='utf-8'?>\n<package xmlns=\"{OPF}\" unique-identifier=\"uuid_id\" version=\"2.0\">\n"
            f'    <metadata xmlns:dc="{DC}" xmlns:opf="{OPF}">\n{body}\n    </metadata>{cover}\n</package>\n',
        )
        if cover:
            put(place / "cover.jpg", b"\xff\xd8\xff\xe0" + shop.noise(200) + b"\xff\xd9")
        put(place / f"{safe} - {authors[0]}.epub", b"PK\x03\x04" + shop.noise(300))
    put(folder / "Calibre Library" / "metadata.db", b"SQLite format 3\0" + shop.noise(100))


def stamp(when, language, shop):
    month = MONTHS[language][when.month - 1]
    if language == "en":
        if shop.chance(0.5):
            return f"Added on {when:%A}, {month} {when.day}, {when.year} {when.hour % 12 or 12}:{when:%M:%S %p}"
        return f"Added on {when:%A}, {when.day} {month} {when.year} {when:%H:%M:%S}"
    if language == "de":
        return f"Hinzugefügt am Montag, {when.day}. {month} {when.year} {when:%H:%M:%S}"
    if language == "fr":
        return f"Ajouté le lundi {when.day} {month} {when.year}{shop.random.choice([' à', ''])} {when:%H:%M:%S}"
    return f"Añadido el lunes, {when.day} de {month} de {when.year} {when.hour}:{when:%M:%S}"


def make_kindle(folder, seed, count):
    shop, entries = Shop(seed), []

    def add(book, kind, place, text, when, language):
        words, page, (start, end) = LINES[language], place // 15, (place, place + 2)
        where = [words["page"].format(page)] if page % 3 else []
        where.append(words["location"].format(f"{start}-{end}" if kind == "highlight" else end))
        lead = "on " if language == "en" and not page % 3 and shop.chance(0.5) else ""
        line = f"- {words[kind]} {lead if len(where) == 1 else ''}{' | '.join(where)} | {stamp(when, language, shop)}"
        entries.append((when, f"{book}\r\n{line}\r\n\r\n{text}\r\n"))

    for _ in range(max(1, count // 20)):
        author = shop.name()
        name = shop.random.choice([author, ", ".join(reversed(author.rsplit(" ", 1)))])
        book, language = f"{shop.book()} ({name})", shop.random.choice(["en", "en", "en", "de", "fr", "es"])
        for number in range(20):
            place, when = 100 + number * 40 + shop.random.randrange(20), shop.time(2015, 2025).replace(microsecond=0)
            text = shop.sentence() + " " + shop.sentence()
            if number % 7 == 3:
                add(book, "highlight", place, text[: len(text) // 2], when - datetime.timedelta(seconds=9), language)
            add(book, "highlight", place, "" if number % 11 == 7 else text, when, language)
            if number % 5 == 1:
                add(book, "note", place, shop.sentence(), when + datetime.timedelta(seconds=20), language)
            if number % 9 == 4:
                add(book, "bookmark", place + 15, "", when + datetime.timedelta(seconds=40), language)
            if number % 10 == 8:
                add(book, "note", place + 15, shop.sentence(), when + datetime.timedelta(seconds=60), language)
    entries.sort(key=lambda entry: entry[0])
    text = "".join(("\ufeff" if at == 0 or shop.chance(0.5) else "") + entry + SEPARATOR for at, (_, entry) in enumerate(entries))
    put(folder / "My Clippings.txt", text.encode())


class Count:
    def __init__(self):
        self.books = self.notes = self.tags = self.covers = 0
        self.shelves, self.ratings, self.dates = (collections.Counter() for _ in range(3))

    def json(self):
        return json.dumps({name: dict(sorted(value.items())) if isinstance(value, collections.Counter) else value for name, value in vars(self).items()})


def rows(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def count_goodreads(path):
    count, seen = Count(), set()
    shelves = {"read": "archived", "currently-reading": "reading", "to-read": "wishlist"}
    for row in rows(path):
        if row["Book Id"] in seen or not row["Title"].strip():
            continue
        seen.add(row["Book Id"])
        count.books += 1
        own = row["Exclusive Shelf"]
        count.shelves[shelves.get(own, "wishlist")] += 1
        names = {name.strip() for name in row["Bookshelves"].split(",")} | {own}
        count.tags += len(names - {"", *shelves})
        if int(row["My Rating"] or 0):
            count.ratings[str(int(row["My Rating"]) * 4)] += 1
        count.dates["added"] += bool(row["Date Added"])
        count.dates["finished"] += bool(row["Date Read"])
        count.notes += sum(bool(row.get(name, "").strip()) for name in ("My Review", "Private Notes"))
    return count


def count_storygraph(path):
    count, seen = Count(), set()
    shelves = {"read": "archived", "did-not-finish": "archived", "currently-reading": "reading", "paused": "reading"}
    for row in rows(path):
        key = row["ISBN/UID"] or (row["Title"], row["Authors"])
        if key in seen or not row["Title"].strip():
            continue
        seen.add(key)
        count.books += 1
        status = row["Read Status"]
        count.shelves[shelves.get(status, "wishlist")] += 1
        count.tags += len({tag.strip() for tag in row["Tags"].split(",") if tag.strip()}) + (status in ("did-not-finish", "paused"))
        if row["Star Rating"]:
            count.ratings[str(round(float(row["Star Rating"]) * 4))] += 1
        count.dates["added"] += bool(row["Date Added"])
        parts = [part.strip() for part in row["Dates Read"].split(",") if part.strip()]
        for part in parts:
            days = re.findall(r"\d{4}/\d\d/\d\d", part)
            begins = len(days) == 2 or part.endswith("-") or status == "currently-reading"
            count.dates["started"] += begins
            count.dates["finished"] += len(days) == 2 or not begins
        if not parts and status != "currently-reading":
            count.dates["finished"] += bool(row["Last Date Read"])
        count.notes += bool(row["Review"].strip())
    return count


def count_calibre(path):
    count, seen = Count(), set()
    files = sorted(Path(path).rglob("metadata.opf")) if os.path.isdir(path) else [Path(path)]
    for file in files:
        metadata = ElementTree.parse(file).getroot().find(f"{{{OPF}}}metadata")
        metas = {meta.get("name"): meta.get("content") for meta in metadata.iter(f"{{{OPF}}}meta")}
        identifiers = {item.get(f"{{{OPF}}}scheme"): item.text for item in metadata.iter(f"{{{DC}}}identifier")}
        if identifiers["uuid"] in seen:
            continue
        seen.add(identifiers["uuid"])
        count.books += 1
        count.tags += len({subject.text for subject in metadata.iter(f"{{{DC}}}subject")})
        if float(metas.get("calibre:rating", 0)):
            count.ratings[str(round(float(metas["calibre:rating"]) * 2))] += 1
        count.dates["added"] += "calibre:timestamp" in metas
        count.dates["published"] += not metadata.find(f"{{{DC}}}date").text.startswith("0101-")
        count.covers += os.path.isdir(path) and (file.parent / "cover.jpg").exists()
    return count


def count_kindle(path):
    with open(path, encoding="utf-8-sig") as file:
        text = file.read().replace("\ufeff", "")
    books = {}
    for entry in re.split(r"^=+\s*$", text, flags=re.M):
        if not entry.strip():
            continue
        head, line, words = (entry.strip("\n").split("\n", 2) + ["", ""])[:3]
        kind = next(kind for kind, names in KINDS.items() if any(name in line.split("|")[0] + " " for name in names))
        numbers = re.findall(r"(\d+)(?:-(\d+))?", line.split("|")[-2])[-1]
        start = int(numbers[0])
        books.setdefault(head.strip(), []).append((kind, start, int(numbers[1] or start), words.strip()))
    count = Count()
    count.books = count.shelves["reading"] = len(books)
    for entries in books.values():
        kept = []
        for kind, start, end, words in entries:
            if kind != "highlight" or not words:
                continue
            same = next((one for one in kept if one[0] == start and (words in one[2] or one[2] in words)), None)
            if same is None:
                kept.append([start, end, words])
            elif len(words) > len(same[2]):
                same[1:] = [end, words]
        loose = [start for kind, start, _, words in entries if kind == "note" and words and not any(one[0] <= start <= one[1] for one in kept)]
        count.notes += len(kept) + len(loose)
        count.dates["created"] += len(kept) + len(loose)
    return count


def count(path):
    if os.path.isdir(path) or str(path).endswith(".opf"):
        return count_calibre(path)
    if str(path).endswith(".txt"):
        return count_kindle(path)
    with open(path, encoding="utf-8-sig") as file:
        return (count_goodreads if "Exclusive Shelf" in file.readline() else count_storygraph)(path)


MAKERS = {"goodreads": make_goodreads, "storygraph": make_storygraph, "calibre": make_calibre, "kindle": make_kindle}

if __name__ == "__main__":
    if len(sys.argv) == 6 and sys.argv[1] == "make" and sys.argv[2].lower() in MAKERS:
        MAKERS[sys.argv[2].lower()](Path(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5]))
    elif len(sys.argv) == 3 and sys.argv[1] == "count":
        print(count(sys.argv[2]).json())
    else:
        sys.exit(__doc__)
