#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""The documents as HTML: site.py -o DIR [--look]

Pages come from the repository's Markdown by markdown-it (CommonMark and tables); each has the same navigation and one style, no script, and asks no
other host for anything: a policy in each page forbids it. --look opens every page in Chromium at three widths, and fails where one asks for something
beside its own files, is wider than the window, or has a link that leads nowhere.
"""
import argparse, html, os, re, shutil, sys
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parent.parent
MENU = [
    ("Start", ["README.md", "docs/guide/README.md", "docs/guide/first-week.md", "docs/guide/private-notes.md", "docs/guide/photos-and-sketches.md",
               "docs/guide/passwords.md", "docs/guide/many-devices.md", "docs/guide/backups.md", "docs/guide/leaving.md"]),
    ("Reference", ["docs/cli.md", "docs/faq.md", "docs/comparison.md", "docs/clouds.md", "docs/self-hosting.md", "docs/export.md", "docs/import-recognised.md", "SUPPORT.md", "CHANGELOG.md"]),
    ("Security", ["SECURITY.md", "AUDIT.md", "ThreatModel/README.md", "docs/format.md", "docs/sync-protocol.md", "docs/agent-protocol.md", "docs/sealed-sqlite.md", "Vectors/README.md",
                  "docs/security-baseline.md"]),
    ("Project", ["docs/architecture.md", "docs/performance.md", "docs/STATUS.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md"]),
]
# Where a file is no page of its own, its link leads to the repository.
REPOSITORY = "https://github.com/notevault/vault/blob/main/"
WIDTHS = (390, 820, 1280)
STYLE = """
:root { color-scheme: light dark; --ground: #fdfdfc; --text: #1d1f21; --soft: #5b6168; --line: #d9dbd8; --code: #f1f2ef; --link: #14508c; }
@media (prefers-color-scheme: dark) { :root { --ground: #17191c; --text: #e3e4e2; --soft: #9aa1a8; --line: #34383d; --code: #22262a; --link: #8ab8ee; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.55 system-ui, sans-serif; }
.skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; top: .5rem; }
.frame { display: grid; grid-template-columns: 14rem minmax(0, 46rem); gap: 3rem; max-width: 68rem; margin: 0 auto; padding: 1.5rem; }
nav h2 { font-size: .8rem; color: var(--soft); margin: 1.2rem 0 .3rem; } nav h2:first-of-type { margin-top: 0; }
nav ul { list-style: none; margin: 0; padding: 0; } nav a { display: block; padding: .15rem 0; text-decoration: none; color: var(--text); }
nav a[aria-current] { font-weight: 600; } nav a:hover { text-decoration: underline; }
main { overflow-wrap: break-word; } main h1 { line-height: 1.2; margin-top: 0; } a { color: var(--link); } a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
pre, code { font-family: ui-monospace, 'DejaVu Sans Mono', monospace; font-size: .9em; background: var(--code); border-radius: 4px; } code { padding: .1em .25em; }
pre { padding: .8rem 1rem; overflow-x: auto; } pre code { padding: 0; background: none; } img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 6px; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .92em; } th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid var(--line); }
details.menu { display: none; }
@media (max-width: 800px) { .frame { display: block; } nav.side { display: none; } details.menu { display: block; margin-bottom: 1.2rem; } summary { cursor: pointer; padding: .4rem 0; color: var(--soft); } }
@media print { nav, details.menu { display: none !important; } .frame { display: block; } }
"""


def name(page): return "index.html" if page == "README.md" else re.sub(r"[^a-z0-9]+", "-", page.lower().removesuffix(".md").removeprefix("docs/").removesuffix("/readme")).strip("-") + ".html"


def anchor(heading): return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def title(page): return re.sub(r"[`*]", "", re.search(r"^# (.*)$", (ROOT / page).read_text(), re.M).group(1))


class Site:
    def __init__(self, folder):
        self.folder, self.pages = folder, [page for _, pages in MENU for page in pages]
        self.files = set()
        self.parser = MarkdownIt("commonmark", {"html": True}).enable("table")

    def target(self, page, link):
        if re.match(r"[a-z]+:", link): return link
        path, mark, rest = link.partition("#")
        if not path: return link
        place = os.path.normpath(os.path.join(os.path.dirname(page), path))
        known = place if place in self.pages else place + "/README.md"
        if known in self.pages: return name(known) + mark + rest
        if re.search(r"\.(png|svg)$", place) and (ROOT / place).is_file():
            self.files.add(place)
            return place
        return REPOSITORY + place + mark + rest

    def body(self, page):
        # A page's own comments are for the test that runs its commands.
        tokens = self.parser.parse(re.sub(r"^<!--.*?-->\n", "", (ROOT / page).read_text(), flags=re.M | re.S))
        used = {}
        for index, token in enumerate(tokens):
            if token.type == "heading_open":
                slug = anchor("".join(child.content for child in tokens[index + 1].children if child.type in ("text", "code_inline")))
                used[slug] = used.get(slug, -1) + 1
                token.attrSet("id", slug if used[slug] == 0 else f"{slug}-{used[slug]}")
            for child in token.children or []:
                for attribute in ("href", "src"):
                    if child.attrGet(attribute): child.attrSet(attribute, self.target(page, child.attrGet(attribute)))
        text = self.parser.renderer.render(tokens, self.parser.options, {})
        return text.replace("<table>", '<div class="wide" tabindex="0"><table>').replace("</table>", "</table></div>")

    def menu(self, current):
        out = []
        for heading, pages in MENU:
            items = "".join(f'<li><a href="{name(page)}"{" aria-current=page" if page == current else ""}>{html.escape(title(page))}</a></li>' for page in pages)
            out.append(f"<h2>{heading}</h2><ul>{items}</ul>")
        return "".join(out)

    def write(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        (self.folder / "style.css").write_text(STYLE)
        for page in self.pages:
            menu = self.menu(page)
            (self.folder / name(page)).write_text(
                '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'\">"
                f'<meta name="referrer" content="no-referrer"><title>{html.escape(title(page))}{"" if page == "README.md" else " · vault"}</title>'
                f'<link rel="stylesheet" href="style.css"></head><body><a class="skip" href="#main">To the text</a><div class="frame"><nav class="side" aria-label="Pages">{menu}</nav>'
                f'<div><details class="menu"><summary>Pages</summary><nav aria-label="Pages">{menu}</nav></details><main id="main">{self.body(page)}</main></div></div></body></html>\n')
        for file in self.files:
            (self.folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / file, self.folder / file)
        return len(self.pages)


def look(folder):
    """What is wrong with the pages in a browser."""
    from playwright.sync_api import sync_playwright
    wrong = []
    ids = {file.name: set(re.findall(r' id="([^"]+)"', file.read_text())) for file in folder.glob("*.html")}
    for file in folder.glob("*.html"):
        for link in re.findall(r'(?:href|src)="([^"]+)"', file.read_text()):
            if re.match(r"[a-z]+:", link): continue
            path, _, mark = html.unescape(link).partition("#")
            if path and not (folder / path).is_file(): wrong.append(f"{file.name}: {link} leads nowhere")
            elif mark and mark not in ids.get(path or file.name, {mark}): wrong.append(f"{file.name}: {link} has no such place")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"] if os.getuid() == 0 else [])
        for width in WIDTHS:
            page = browser.new_page(viewport={"width": width, "height": 900})
            asked, errors = [], []
            page.on("request", lambda request: asked.append(request.url))
            page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
            for file in sorted(folder.glob("*.html")):
                asked.clear()
                page.goto(file.as_uri())
                over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                if over > 0: wrong.append(f"{file.name} is {over} pixels wider than {width}")
                wrong += [f"{file.name} asked for {url}" for url in asked if not url.startswith(folder.as_uri())]
            wrong += [f"an error at {width}: {text}" for text in errors]
            page.close()
        browser.close()
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--look", action="store_true")
    chosen = parser.parse_args()
    folder = chosen.output.resolve()
    count = Site(folder).write()
    print(f"{count} pages in {folder}")
    wrong = look(folder) if chosen.look else []
    for line in wrong: print(line)
    if chosen.look: print(f"at {', '.join(map(str, WIDTHS))} pixels: " + (f"{len(wrong)} wrong" if wrong else "good"))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
