# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Three files of Evernote: web clips of version 10 with CDATA in CDATA and odd tables; notes of a telephone with tick boxes, an encrypted part and
ink; many notes with large files, base64 wrapped and in one line."""

import base64, textwrap
from html import escape
from .material import Material, md5

DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd">'


class File:
    def __init__(self, seed, version, pretty):
        self.m, self.version, self.pretty, self.notes = Material(seed), version, pretty, []

    def stamp(self, when):
        return when.strftime("%Y%m%dT%H%M%SZ")

    def resource(self, data, mime, name, wrapped):
        text = base64.b64encode(data).decode()
        if wrapped:
            text = "\n" + "\n".join(textwrap.wrap(text, 76)) + "\n"
        about = f"<file-name>{escape(name)}</file-name>" if name else ""
        return (
            f'<resource><data encoding="base64">{text}</data><mime>{mime}</mime><width>8</width><height>8</height>'
            f"<resource-attributes>{about}<source-url>en-cache://x+{md5(data)}</source-url></resource-attributes></resource>"
        )

    def add(self, title, enml, tags=(), attributes="", resources=(), tasks="", updated=True, nested=False):
        made = self.m.time()
        content = f"{DECLARATION}<en-note>{enml}</en-note>"
        # The known fault: an inner "]]>" ends the outer part, where it is not taken apart.
        parts = [f"<title>{escape(title)}</title>"]
        if self.pretty:
            parts += [f"<created>{self.stamp(made)}</created>"] + ([f"<updated>{self.stamp(max(made, self.m.time()))}</updated>"] if updated else [])
        parts += [f"<tag>{escape(tag)}</tag>" for tag in tags]
        about = f"<note-attributes>{attributes}</note-attributes>"
        body = f"<content>\n      <![CDATA[{content}      ]]>\n    </content>" if self.pretty else f"<content><![CDATA[{content}]]></content>"
        if not self.pretty:
            parts += (
                [body, f"<created>{self.stamp(made)}</created>"]
                + ([f"<updated>{self.stamp(max(made, self.m.time()))}</updated>"] if updated else [])
                + [about]
            )
        else:
            parts += [about, body]
        parts += list(resources) + ([tasks] if tasks else [])
        self.notes.append("<note>" + ("\n    " if self.pretty else "").join(parts) + "</note>")

    def text(self):
        head = (
            '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd">\n'
            f'<en-export export-date="20250101T120000Z" application="Evernote" version="{self.version}">'
        )
        return head + ("\n  " if self.pretty else "").join([""] + self.notes) + ("\n" if self.pretty else "") + "</en-export>\n"

    def div(self):
        return f"<div>{escape(self.m.sentence())}</div>"


def clips(path, seed=4, count=12):
    f = File(seed, "10.58.8", pretty=True)
    m = f.m
    for number in range(count):
        enml = (
            f'<div style="--en-clipped-content:fullPage; --en-clipped-source-url:https://example.org/{number}"><h1>{escape(m.title())}</h1>'
            f'<p>{escape(m.paragraph())} <b>bo</b>ld<i>er</i> &amp; <a href="https://example.org/?a=1&amp;b=2">{escape(m.title())}</a>&nbsp;end</p>'
            f"<blockquote><div>{escape(m.sentence())}</div></blockquote><ol><li><div>first</div></li><li>second<ul><li>inner</li></ul></li></ol>"
        )
        if number % 3 == 0:
            enml += f'<table><tbody><tr><td colspan="2">{escape(m.sentence())}</td></tr>'
            enml += "<tr><td>left</td><td><table><tr><td>within</td></tr></table></td></tr></tbody></table>"
        if number % 3 == 1:
            enml += f"<table><tr><th>one</th><th>two</th></tr><tr><td>{escape(m.sentence())}</td><td>a | b</td></tr></table>"
        if number % 4 == 2:
            enml += "<style><![CDATA[ p > a { color: red } ]]]]><![CDATA[></style><div>after the style</div>"
        if number % 5 == 3:
            enml += f'<div style="-en-codeblock:true;"><div>let a = 1 &lt; 2</div><div>  indented_name</div></div>'
        data = m.png()
        enml += f'<img src="https://example.org/{number}.png" alt="remote picture"/>'
        enml += f'<en-media hash="{md5(data)}" type="image/png" style="--en-naturalWidth:8"/></div>'
        f.add(
            m.title(),
            enml,
            tags=["clip", "web/" + str(number % 3)][: number % 3],
            resources=[f.resource(data, "image/png", f"clip {number}.png", False)],
            attributes=f"<source>web.clip7</source><source-url>https://example.org/{number}</source-url>"
            + ("<author>A. Ñandú</author>" if number % 2 else ""),
        )
    # As some versions write it: CDATA within CDATA, which no reader of XML takes.
    f.add(m.title(), "<div>before</div><style><![CDATA[ b { } ]]></style><div>behind the inner end</div>", tags=["nested"])
    for number in range(3):
        enml = f'<div>{escape(m.sentence())}</div><div style="--en-task-group:true; --en-id:{m.uuid()};">Content not supported</div>'
        tasks = "".join(
            f"<task><title>{escape(m.title())}</title><created>20230709T080237Z</created>"
            f"<updated>20230709T080300Z</updated><taskStatus>{status}</taskStatus>"
            f"<taskFlag>false</taskFlag><sortWeight>B</sortWeight><noteLevelID>{m.uuid()}</noteLevelID></task>"
            for status in ("open", "completed")
        )
        f.add(m.title(), enml, tasks=tasks)
    path.write_text(f.text())


def phone(path, seed=5, count=20):
    f = File(seed, "Evernote for Android 8.13", pretty=False)
    m, titles = f.m, []
    for number in range(count):
        title = m.title()
        enml, resources = f.div(), []
        if number % 3 == 0:
            enml += "".join(f'<div><en-todo checked="{"true" if place % 2 else "false"}"/>{escape(m.sentence())}</div>' for place in range(3))
        if number % 3 == 1:
            enml += f'<ul style="--en-todo:true;"><li style="--en-checked:false;"><div>{escape(m.sentence())}</div></li>'
            enml += '<li style="--en-checked:true;"><div>done</div></li></ul>'
        if number % 4 == 2:
            data = m.amr()
            enml, resources = enml + f'<div><en-media hash="{md5(data)}" type="audio/amr"/></div>', [f.resource(data, "audio/amr", "", True)]
        if number % 7 == 3:
            enml += '<div><en-crypt hint="the usual" cipher="AES" length="128">RU5DMI' + base64.b64encode(m.noise(90)).decode() + "</en-crypt></div>"
        if number % 7 == 4:
            data = m.noise(500)
            enml, resources = enml + f'<en-media hash="{md5(data)}" type="application/vnd.evernote.ink" width="60" height="40"/>', [
                f.resource(data, "application/vnd.evernote.ink", "", True)
            ]
        if number % 5 == 4 and titles:
            before = "See also " if number % 2 else "Read this! "
            enml += f'<div>{before}<a href="evernote:///view/123/s1/{m.uuid()}/{m.uuid()}/">{escape(titles[number // 2])}</a></div>'
        if number == 5:
            enml += f'<div><a href="evernote:///view/123/s1/{m.uuid()}/{m.uuid()}/">a note elsewhere</a></div>'
        place = "<latitude>48.85837009</latitude><longitude>2.29448128</longitude><altitude>35.0</altitude>" if number % 2 else ""
        f.add(
            title,
            enml,
            tags=["phone", "büro & co"][: number % 3],
            resources=resources,
            updated=number % 6 != 0,
            attributes=place
            + "<author>Jo</author><source>mobile.android</source>"
            + ("<reminder-order>1</reminder-order><reminder-time>20240501T080000Z</reminder-time>" if number % 8 == 1 else ""),
        )
        titles.append(title)
    path.write_text(f.text())


def large(path, seed=6, count=400, size=200_000):
    f = File(seed, "10.105.4", pretty=True)
    m = f.m
    for number in range(count):
        enml, resources = "".join(f.div() for _ in range(m.random.randint(1, 6))), []
        if number % 5 == 0:
            data = m.noise(size) if number % 25 == 0 else m.pdf() if number % 2 else m.png(12)
            mime = "application/octet-stream" if number % 25 == 0 else "application/pdf" if number % 2 else "image/png"
            resources = [
                f.resource(
                    data, mime, f"file {number}{'.pdf' if mime.endswith('pdf') else '.png' if mime.startswith('image') else '.bin'}", number % 2 == 0
                )
            ]
            # Every tenth lies beside the text, which does not show it.
            if number % 10:
                enml += f'<div><en-media hash="{md5(data)}" type="{mime}"/></div>'
        f.add("Untitled Note" if number % 50 == 49 else m.title(), enml, tags=[f"t{number % 12}", "a/b"][: number % 3], resources=resources)
    path.write_text(f.text())


def make(folder, scale=1.0):
    folder.mkdir(parents=True, exist_ok=True)
    clips(folder / "Web clips.enex", count=max(6, int(12 * scale)))
    phone(folder / "Téléphone.enex", count=max(10, int(20 * scale)))
    large(folder / "Everything since 2009.enex", count=max(30, int(400 * scale)), size=int(200_000 * scale) + 5_000)
