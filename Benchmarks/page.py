#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""How fast the page is in a real Chromium: page.py [--bin DIR] [--notes N]

From the start of `vault web` to a painted list in a browser that runs; steps of scrolling through all notes; from a key to the next frame in a text
of 50 KB. docs/performance.md §9 has the targets. The browser has no graphics card here, so its frames are the processor's.
"""
import argparse, json, os, pathlib, statistics, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "Tests/Web"), str(ROOT / "Benchmarks")]

import corpus  # noqa: E402
from browser import Browser  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402
from webhome import WebHome  # noqa: E402

SCROLL = """async () => {
  const pane = document.querySelector('.scroller'), times = []
  const height = pane.scrollHeight
  for (let step = 0; step < 200; step++) {
    pane.scrollTop = height * (step * 7919 % 200) / 200
    const began = performance.now()
    await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    times.push(performance.now() - began)
  }
  return times
}"""
KEYS = """async () => {
  const field = document.querySelector('.field'), times = []
  for (let step = 0; step < 100; step++) {
    const began = performance.now()
    document.execCommand('insertText', false, 'x')
    await new Promise(resolve => requestAnimationFrame(resolve))
    times.push(performance.now() - began)
  }
  return times
}"""


def figures(times):
    times = sorted(times)
    return f"p50 {times[len(times) // 2]:.1f} ms, p95 {times[len(times) * 95 // 100]:.1f} ms"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=str(ROOT / ".build/release"))
    parser.add_argument("--notes", type=int, default=100_000)
    chosen = parser.parse_args()
    home = WebHome(chosen.bin)
    try:
        with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
            os.chmod(scratch, 0o755)
            notes = pathlib.Path(scratch) / "notes"
            corpus.Corpus().write(notes, chosen.notes)
            answer = home.run("import", "markdown", str(notes), seconds=3000)
            if answer.returncode not in (0, 12): raise OSError(answer.stderr)
            home.need("new", "-", text="# Long\n\n" + "A line of some words that is long enough, with **stress** and `code`.\n" * 700)
            browser = None
            try:
                home.address()
                browser = Browser(home, playwright)
                browser.open()
                painted = []
                for _ in range(5):
                    began = time.perf_counter()
                    home.address()
                    browser.page.goto(f"file://{home.file}")
                    browser.page.wait_for_selector(".row")
                    painted.append(time.perf_counter() - began)
                print(f"vault web to a painted list, browser running: {statistics.median(painted) * 1000:.0f} ms")
                print("rows in the page:", browser.page.locator(".row").count(), "of", browser.page.locator(".list footer span").first.text_content())
                print("a step of scrolling, two frames:", figures(browser.page.evaluate(SCROLL)))
                browser.page.evaluate("document.querySelector('.scroller').scrollTop = 0")
                browser.page.locator(".row", has_text="Long").first.click()
                browser.page.wait_for_selector(".note .text")
                browser.key("e")
                browser.page.wait_for_selector(".field")
                print("a key to the next frame at 50 KB:", figures(browser.page.evaluate(KEYS)))
            finally:
                if browser: browser.end()
    finally:
        home.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
