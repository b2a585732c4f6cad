# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Evernote's files: the outer XML is taken apart by marks, because a known fault makes some of them no XML; the inner one by Python's HTML reader."""

import base64, collections, datetime, hashlib, html, html.parser, os, re
from census import Census, Note, plain, words

KEPT = ("source-url", "author", "latitude", "longitude", "altitude", "reminder-time", "reminder-done-time")
BLOCKS = {
    "div",
    "p",
    "br",
    "li",
    "ul",
    "ol",
    "tr",
    "td",
    "th",
    "table",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "blockquote",
    "hr",
    "en-todo",
    "en-media",
    "pre",
    "img",
}


class Visible(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.text, self.links, self.media, self.label, self.hidden, self.sealed = "", [], [], None, 0, False

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag in BLOCKS:
            self.text += "\n"
        if tag in ("style", "script", "title", "en-crypt"):
            self.hidden += 1
        if tag == "en-crypt":
            self.sealed = True
        if tag == "en-media":
            self.media.append(values.get("hash", "").lower())
        if tag == "img":
            self.text += values.get("alt", "")
        if tag == "a" and values.get("href", "").startswith("evernote:"):
            self.label = ""

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag in ("style", "script", "title", "en-crypt"):
            self.hidden -= 1

    def handle_endtag(self, tag):
        if tag in BLOCKS:
            self.text += "\n"
        if tag in ("style", "script", "title", "en-crypt"):
            self.hidden -= 1
        if tag == "a" and self.label is not None:
            self.links.append(plain(self.label))
            self.label = None

    def handle_data(self, data):
        if self.hidden > 0:
            return
        self.text += data
        if self.label is not None:
            self.label += data


def one(text, name):
    match = re.search(f"<{name}(?: [^>]*)?>(.*?)</{name}>", text, re.S)
    return html.unescape(match.group(1)) if match else ""


def time(text):
    return round(datetime.datetime.strptime(text, "%Y%m%dT%H%M%SZ").replace(tzinfo=datetime.timezone.utc).timestamp() * 1000) if text else None


def notes(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for part in re.findall(r"<note>(.*?)</note>", text, re.S):
        # The content ends where the element ends, whatever stands in between.
        begin, end = part.index("<content>"), part.index("</content>")
        enml = part[begin + 9 : end].strip().removeprefix("<![CDATA[").removesuffix("]]>").replace("]]]]><![CDATA[>", "]]>")
        enml = re.sub(r"^<\?xml.*?\?>\s*", "", enml.lstrip(), flags=re.S)
        enml = re.sub(r"^<!DOCTYPE[^>]*>", "", enml)
        outside = part[:begin] + part[end:]
        resources = re.findall(r"<resource>(.*?)</resource>", outside, re.S)
        tasks = re.findall(r"<task>(.*?)</task>", outside, re.S)
        yield re.sub(r"<(resource|task)>.*?</\1>", "", outside, flags=re.S), enml, resources, tasks


def census(place):
    result, linked = Census(), []
    files = sorted(os.path.join(place, name) for name in os.listdir(place) if name.endswith(".enex")) if os.path.isdir(place) else [place]
    for path in files:
        for about, enml, resources, tasks in notes(path):
            note = Note("", one(about, "title"), os.path.basename(path)[:-5])
            note.created, note.modified = time(one(about, "created")), time(one(about, "updated"))
            note.tags = {html.unescape(tag) for tag in re.findall(r"<tag>(.*?)</tag>", about)}
            visible = Visible()
            # Within <style> an inner CDATA stands for itself.
            visible.feed(re.sub(r"<!\[CDATA\[(.*?)\]\]>", lambda match: match.group(1), enml, flags=re.S))
            for resource in resources:
                data = base64.b64decode(one(resource, "data"))
                note.attachments[hashlib.sha256(data).hexdigest()] += 1
            kept = [one(about, name) for name in KEPT]
            note.words = words(visible.text + "\n" + "\n".join(name + " " + value for name, value in zip(KEPT, kept) if value))
            for task in tasks:
                note.words += words(one(task, "title"))
            note.key = one(about, "created") + "/" + plain(note.title)
            result.notes.append(note)
            linked.append((note, visible.links))
    titled = collections.defaultdict(list)
    for note in result.notes:
        titled[plain(note.title)].append(note.key)
    for note, labels in linked:
        note.links = {titled[label][0] for label in labels if len(titled[label]) == 1 and label != plain(note.title)}
    return result
