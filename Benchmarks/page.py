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

# From a jump in the list until the notes of that place are painted, the question for them included; and small steps, as a wheel makes them.
SCROLL = """async ([count, stride]) => {
  const pane = document.querySelector('.scroller'), times = []
  const box = pane.getBoundingClientRect()
  const seen = () => [...pane.querySelectorAll('.row')].filter(row => { const at = row.getBoundingClientRect(); return at.bottom > box.top && at.top < box.bottom }).length
  const wanted = seen() - 1
  for (let step = 0; step < count; step++) {
    await new Promise(resolve => requestAnimationFrame(resolve))
    const began = performance.now()
    if (stride) pane.scrollTop += stride
    else pane.scrollTop = pane.scrollHeight * (step * 7919 % count) / count
    await new Promise(resolve => {
      const look = () => requestAnimationFrame(() => {
        if (seen() < wanted && performance.now() < began + 1000) return look()
        const channel = new MessageChannel()
        channel.port1.onmessage = resolve
        channel.port2.postMessage(null)
      })
      look()
    })
    times.push(performance.now() - began)
  }
  return times
}"""
# A frame is made behind its callbacks, and a message comes behind the frame.
KEYS = """async seconds => {
  const times = []
  for (let step = 0; step < 100; step++) {
    times.push(await new Promise(resolve => requestAnimationFrame(() => {
      const began = performance.now(), channel = new MessageChannel()
      channel.port1.onmessage = () => resolve(performance.now() - began)
      document.execCommand('insertText', false, step % 12 ? 'x' : ' ')
      channel.port2.postMessage(null)
    })))
    await new Promise(resolve => setTimeout(resolve, seconds * 1000))
  }
  return times
}"""
# Every frame while somebody types fast: those with a key and those with colours.
FRAMES = """async () => {
  const times = []
  let isOver = false, last = performance.now()
  const tick = () => { const now = performance.now(); times.push(now - last); last = now; if (!isOver) requestAnimationFrame(tick) }
  requestAnimationFrame(tick)
  for (let step = 0; step < 60; step++) {
    document.execCommand('insertText', false, step % 12 ? 'x' : ' ')
    await new Promise(resolve => setTimeout(resolve, 80))
  }
  isOver = true
  return times.slice(2)
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
                print("a jump in the list, to painted notes:", figures(browser.page.evaluate(SCROLL, [200, 0])))
                browser.page.evaluate("document.querySelector('.scroller').scrollTop = 0")
                browser.quiet()
                print("a step of the wheel, to painted notes:", figures(browser.page.evaluate(SCROLL, [200, 120])))
                browser.page.evaluate("document.querySelector('.scroller').scrollTop = 0")
                browser.page.locator(".row", has_text="Long").first.click()
                browser.page.wait_for_selector(".note .text")
                browser.key("e")
                browser.page.wait_for_selector(".field")
                print("a key to its frame at 50 KB:", figures(browser.page.evaluate(KEYS, 0.12)))
                print("frames while somebody types, 16.7 ms apart at best:", figures(browser.page.evaluate(FRAMES)))
            finally:
                if browser: browser.end()
    finally:
        home.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
