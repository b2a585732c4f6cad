#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""The page in a real Chromium: browser.py --bin DIR [--shots DIR] NAME … prints a line for each, and ends with 1 when one fails.

The browser runs as the vault's user, with its own sandbox; this program steers it over its debugging port on loopback.
"""

import argparse, json, os, pwd, re, shutil, signal, socket, subprocess, sys, time, urllib.request, zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from playwright.sync_api import Error, sync_playwright  # noqa: E402
from bookwalks import book_failures, books  # noqa: E402
from hostile import expect  # noqa: E402
from webhome import PASSWORD, WebHome, as_user, found_in, wait  # noqa: E402

MARK = "zebrafinch"
HOSTILE = """# <img src=x onerror=alert(1)>

<script>window.hit=1</script> <img src="http://127.0.0.1:9/x"> [a](javascript:alert(1)) [b](data:text/html,x) [c](//evil.example/) [d](vbscript:x)
![p](http://127.0.0.1:9/pixel.png) <svg onload=alert(1)> <a href="https://example.org" onclick=alert(1)>x</a> [[<b>x</b>]] &lt;script&gt;

<div style="position:fixed;inset:0">cover</div>

[ok](https://example.org/?a=1&b=2 "title")
"""


class Browser:
    def __init__(self, home, playwright, shots=None, names="MAP rebound.example 127.0.0.1", profile="profile"):
        self.home, self.shots, self.playwright = home, shots, playwright
        # Below the home: the vault's user can write there, and it is scanned afterwards.
        self.profile = home.root / "home" / profile
        words = ["/usr/bin/chromium", "--headless=new", "--remote-debugging-port=0", f"--user-data-dir={self.profile}", "--no-first-run", "--disable-gpu", "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream", f"--host-resolver-rules={names}", "about:blank"]
        self.process = subprocess.Popen(as_user(words), env=home.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        place = self.profile / "DevToolsActivePort"
        found = wait(lambda: place.exists() and place.read_text().split("\n")[0], 30)
        if not found: raise RuntimeError("Chromium does not start")
        self.browser = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{found}")
        self.page = self.browser.contexts[0].pages[0]
        self.page.set_default_timeout(15000)
        self.page.set_viewport_size({"width": 1280, "height": 800})
        self.errors, self.requests = [], []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" and "Failed to load" not in message.text else None)
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("dialog", lambda shown: (self.errors.append("a dialog: " + shown.message), shown.dismiss()))

    def open(self, unlocked=True):
        # As the file with the token does it.
        self.page.goto(f"file://{self.home.file}")
        self.page.wait_for_selector(".row, .scroller .empty" if unlocked else "input[type=password]")
        self.quiet()

    def quiet(self): self.page.wait_for_timeout(150)
    def key(self, *keys):
        for one in keys: self.page.keyboard.press(one)
    def type(self, text): self.page.keyboard.type(text)
    def shot(self, name):
        if self.shots: self.page.screenshot(path=str(Path(self.shots) / f"{name}.png"))

    def clean(self):
        expect(not self.errors, self.errors)
        others = [url for url in self.requests if not url.startswith((f"http://{self.home.host.split(':')[0]}:", "file://", "about:", "blob:"))]
        expect(not others, others)

    def kill(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def end(self):
        try: self.browser.close()
        except Exception: pass
        try: self.kill()
        except ProcessLookupError: pass


def by_keyboard(home, browser):
    """The main job by keyboard alone: unlock, new, type, search, read, history, private, trash, undo, lock."""
    page, key = browser.page, browser.key
    home.need("new", "# Oven and dough\n\nThe third try was the first good one.\n\n- [x] Feed the starter\n- [ ] Try more water\n\n## Times\n\nBulk rise **4 h 30**.", "--tag", "kitchen")
    for number in range(30): home.need("new", f"Note {number}\n\nwith a text")
    home.need("lock")
    expect(wait(lambda: home.server() is None, 3), "the server lives")
    home.address()
    browser.open(unlocked=False)
    browser.shot("unlock-1280")
    browser.type("wrong")
    key("Enter")
    page.wait_for_selector("text=Wrong password")
    browser.type(PASSWORD)
    key("Enter")
    page.wait_for_selector(".row")
    browser.shot("list-1280")
    key("n")
    page.wait_for_selector(".field")
    browser.type("Typed on the page\n\nwith **stress**, and more")
    key("Control+s")
    page.wait_for_selector("text=Saved.")
    expect(any(note["title"] == "Typed on the page" for note in home.notes()), "it is not saved")
    browser.type(" at the end")
    page.wait_for_selector("text=Kept as a draft")
    browser.shot("edit-1280")
    key("Escape")
    page.wait_for_selector(".note h1:has-text('Typed on the page')")
    page.wait_for_selector(".text strong:has-text('stress')")
    note = next(note for note in home.notes() if note["title"] == "Typed on the page")
    expect(home.need("cat", note["id"]).rstrip() == "Typed on the page\n\nwith **stress**, and more at the end", home.need("cat", note["id"]))
    key("/")
    browser.type("bulk rise")
    expect(wait(lambda: page.locator(".row").count() == 1), "the search does not find one")
    key("Enter")
    page.wait_for_selector(".note h1:has-text('Oven and dough')")
    expect(page.locator(".task").count() == 2, "tasks")
    browser.shot("note-1280")
    page.emulate_media(color_scheme="dark")
    browser.quiet()
    browser.shot("note-dark-1280")
    page.emulate_media(color_scheme="light")
    key("h")
    page.wait_for_selector(".difference .came")
    browser.shot("history-1280")
    key("Escape", "Escape")
    expect(wait(lambda: page.locator(".row").count() > 5), "the list is not whole again")
    key("#")
    page.wait_for_selector("text=Moved to the trash")
    expect(all(one["title"] != "Oven and dough" for one in home.notes()), "it is not in the trash")
    key("Control+z")
    page.wait_for_selector("text=Undone.")
    expect(any(one["title"] == "Oven and dough" for one in home.notes()), "it is not back")
    key("j", "j")
    page.wait_for_selector(".row[aria-current]")
    key("?")
    page.wait_for_selector("text=search; Enter")
    key("Escape")
    key("Control+l")
    page.wait_for_selector("text=Locked.")
    browser.shot("locked-1280")
    expect(home.need("status").strip().startswith("locked"), "it is open")
    expect("stress" not in page.content() and "Oven" not in page.content(), "the page has something left")
    browser.clean()


def drawing(home, browser):
    """A drawing is kept in its strict form, drawn on again, and an eraser takes strokes away."""
    page = browser.page
    note = home.need("new", "A drawing").split()[-1]
    browser.open()
    page.locator(f"[data-id='{note}']").click()
    page.wait_for_selector(".note h1")
    def draw(offset):
        box = page.locator("canvas").bounding_box()
        page.mouse.move(box["x"] + 100, box["y"] + 150 + offset)
        page.mouse.down()
        for step in range(20): page.mouse.move(box["x"] + 100 + step * 14, box["y"] + 150 + offset + (step % 5) * 8)
        page.mouse.up()
    browser.key("d")
    page.wait_for_selector("canvas")
    draw(0)
    draw(120)
    browser.shot("sketch-1280")
    browser.key("Control+z", "Control+y")
    page.get_by_role("button", name="Done").click()
    page.wait_for_selector("figure.of-sketch img")
    rows = json.loads(home.need("attach", "ls", note, "--json"))["attachments"]
    expect(len(rows) == 1 and rows[0]["kind"] == "sketch", rows)
    first = home.need("sketch", "export", note, rows[0]["name"], "-o", "-")
    expect(first.count("<g data-tool=\"pen\"") == 2, first[:300])
    page.get_by_role("button", name="edit").click()
    page.wait_for_selector("canvas")
    browser.quiet()
    page.get_by_role("button", name="Eraser").click()
    box = page.locator("canvas").bounding_box()
    page.mouse.move(box["x"] + 120, box["y"] + 270)
    page.mouse.down()
    page.mouse.move(box["x"] + 128, box["y"] + 290)
    page.mouse.up()
    page.get_by_role("button", name="Done").click()
    wait(lambda: len(json.loads(home.need("attach", "ls", note, "--json"))["attachments"]) == 1 and json.loads(home.need("attach", "ls", note, "--json"))["attachments"][0]["id"] != rows[0]["id"])
    rows = json.loads(home.need("attach", "ls", note, "--json"))["attachments"]
    second = home.need("sketch", "export", note, rows[0]["name"], "-o", "-")
    expect(second.count("<g data-tool=\"pen\"") == 1, second[:300])
    # What was drawn on is otherwise byte for byte what it was.
    expect(re.search(r"<g data-tool.*?</g>", second, re.S)[0] in first, "the stroke that stayed has changed")
    browser.clean()


def private(home, browser):
    """A note is made private, opens with its password alone, and is locked again."""
    page = browser.page
    home.need("new", "# A secret\n\nof the page")
    browser.open()
    page.locator(".row").first.click()
    page.wait_for_selector(".note .text")
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name="Make private…").click()
    for field in page.locator(".box input").all(): field.fill("note password")
    page.locator(".box button.main").click()
    page.wait_for_selector("text=It has a password of its own")
    browser.shot("private-1280")
    expect("of the page" not in page.content() and "A secret" not in page.content(), "it is still shown")
    page.locator(".locked input").fill("wrong")
    browser.key("Enter")
    page.wait_for_selector("text=Wrong password")
    page.locator(".locked input").fill("note password")
    browser.key("Enter")
    page.wait_for_selector(".text:has-text('of the page')")
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name="Lock this note").click()
    page.wait_for_selector("text=It has a password of its own")
    browser.clean()


def live(home, browser):
    """A change in the terminal is on the page at once, and nothing that is being typed is overwritten."""
    page = browser.page
    note = home.need("new", "# Shared\n\nfirst line\n\nmiddle\n\nlast line").split()[-1]
    browser.open()
    page.locator(".row").first.click()
    page.wait_for_selector(".text:has-text('first line')")
    times = []
    for number in range(5):
        home.need("append", note, f"from the terminal {number}")
        began = time.monotonic()
        page.wait_for_selector(f".text:has-text('from the terminal {number}')")
        times.append(time.monotonic() - began)
    print(f"   in the page after {sorted(times)[2] * 1000:.0f} ms (median of 5, with the steering)")
    expect(sorted(times)[2] < 1, times)
    browser.key("e")
    page.wait_for_selector(".field")
    browser.key("Control+Home", "End")
    browser.type(" typed here")
    home.need("append", note, "and there")
    page.wait_for_selector("text=Changed elsewhere too")
    expect("typed here" in page.locator(".field").text_content() and "and there" not in page.locator(".field").text_content(), "what is typed was overwritten")
    browser.key("Escape")
    page.wait_for_selector(".text:has-text('and there')")
    text = home.need("cat", note)
    expect("# Shared typed here" in text and "and there" in text, text)
    # A save that merges shows what came, and what is typed meanwhile is joined with it.
    browser.key("e")
    page.wait_for_selector(".field")
    browser.key("Control+Home", "End")
    browser.type(" again")
    home.need("append", note, "once more")
    browser.key("Control+s")
    page.wait_for_selector(".field:has-text('once more')")
    expect("typed here again" in page.locator(".field").text_content(), "the field lost what was typed")
    for base, ours, theirs, wanted in (
        ("a\nb\n", "a\nb x\n", "new\na\nb\n", "new\na\nb x\n"), ("a\nb\n", "a x\nb\n", "a\nb\nnew\n", "a x\nb\nnew\n"),
        ("a\nb\n", "a\n", "a\nb\nc\n", "a\nc\n"), ("abc", "abXc", "quite else", "quite else\n\nX\n")):
        got = page.evaluate("texts => import('/s/editor.js').then(module => module.joined(...texts))", [base, ours, theirs])
        expect(got == wanted, base, ours, theirs, got)
    browser.clean()


def two_versions(home, browser):
    """What two have written at one place is two versions, seen side by side, of which one is kept or both are merged."""
    page = browser.page
    note = home.need("new", "# Both\n\nmiddle\n").split()[-1]
    def fork(here, there):
        page.locator(".row").first.click()
        page.wait_for_selector(".note .text")
        browser.key("e")
        page.wait_for_selector(".field")
        browser.key("Control+a")
        browser.type(f"# Both\n\n{here}")
        home.need("replace", note, f"# Both\n\n{there}\n")
        browser.key("Escape")
        page.wait_for_selector("text=Two versions: look at both")
    browser.open()
    fork("from the page", "from the terminal")
    page.get_by_role("button", name="Two versions: look at both").click()
    page.wait_for_selector(".difference")
    browser.shot("versions-1280")
    expect(page.locator(".sides section").count() == 2, "two sides")
    page.get_by_role("button", name="Keep this one").nth(1).click()
    expect(wait(lambda: not home.notes()[0]["forked"]), "it is still two")
    texts = home.need("cat", note)
    expect(("from the page" in texts) != ("from the terminal" in texts), texts)
    fork("page again", "terminal again")
    page.get_by_role("button", name="Two versions: look at both").click()
    page.get_by_role("button", name="Merge them in the editor").click()
    page.wait_for_selector(".field")
    text = page.locator(".field").text_content()
    expect("page again" in text and "terminal again" in text, text)
    browser.key("Control+a")
    browser.type("# Both\n\npage again, terminal again")
    browser.key("Escape")
    page.wait_for_selector(".text:has-text('page again, terminal again')")
    expect(wait(lambda: not home.notes()[0]["forked"]), "it is still two")
    browser.clean()


def hostile(home, browser):
    """F05: what a note holds runs nowhere, loads nothing and leads nowhere but to the web."""
    page = browser.page
    note = home.need("new", "-", text=HOSTILE).split()[-1]
    browser.open()
    page.locator(f"[data-id='{note}']").click()
    page.wait_for_selector(".note .text")
    browser.quiet()
    expect(page.evaluate("window.hit") is None, "a script ran")
    expect(page.locator(".note script, .note svg:not(.icon), .note iframe, .note [onclick], .note [style*=fixed]").count() == 0, "elements of the text are there")
    links = page.locator(".note a[href]").evaluate_all("list => list.map(one => one.getAttribute('href'))")
    expect(all(link.startswith("https://example.org") or link.startswith("http://127.0.0.1:9/") for link in links), links)
    expect(page.locator(".note img").count() == 0, "a picture of the web")
    # Trusted types: no HTML text can come to be, whatever the page's own scripts do.
    caught = page.evaluate("(() => { try { document.body.innerHTML = '<b>x</b>' } catch (error) { return error.name } })()")
    expect(caught == "TypeError", caught)
    browser.errors = [error for error in browser.errors if "TrustedHTML" not in error and "Trusted" not in error and "unsafe-eval" not in error and "Content Security Policy" not in error]
    browser.clean()


# What a page of another site can do, and what each attempt came to.
STRANGER = """<!doctype html><meta charset="utf-8"><title>stranger</title><iframe name="into"></iframe><script>
const at = 'http://HOST', note = 'NOTE', found = {}
const loaded = (name, node, set) => new Promise(done => {
  node.onload = () => { found[name] = 'loaded'; done() }
  node.onerror = () => { found[name] = 'error'; done() }
  set(node); document.body.append(node); setTimeout(() => { found[name] ??= 'nothing'; done() }, 3000)
})
const asked = async (name, options) => {
  try { const answer = await fetch(at + '/api/list', { method: 'POST', credentials: 'include', body: '', ...options }); found[name] = answer.type === 'opaque' ? 'opaque' : 'read ' + answer.status } catch { found[name] = 'error' }
}
const sent = (name, path, kind) => new Promise(done => {
  const form = document.createElement('form'), field = document.createElement('input')
  Object.assign(form, { action: at + path, method: 'post', enctype: kind, target: 'into' })
  Object.assign(field, { name: 'id', value: note }); form.append(field); document.body.append(form); form.submit(); setTimeout(done, 500)
})
addEventListener('load', async () => {
  await asked('fetch'); await asked('fetch of fields', { headers: { 'Content-Type': 'application/vnd.notevault.fields' } }); await asked('fetch without cors', { mode: 'no-cors' })
  await loaded('picture', document.createElement('img'), node => { node.src = at + '/file/FILE' })
  await loaded('script', document.createElement('script'), node => { node.src = at + '/s/app.js'; node.type = 'module' })
  await loaded('old script', document.createElement('script'), node => { node.src = at + '/s/wire.js' })
  await loaded('style', document.createElement('link'), node => { node.rel = 'stylesheet'; node.href = at + '/s/style.css' })
  await loaded('video', document.createElement('video'), node => { node.onloadeddata = node.onload; node.src = at + '/file/FILE' })
  const frame = document.createElement('iframe')
  await loaded('frame', frame, node => { node.src = at + '/' })
  try { found['frame read'] = frame.contentDocument ? 'read' : 'closed' } catch { found['frame read'] = 'closed' }
  await sent('form', '/api/trash', 'application/x-www-form-urlencoded'); await sent('plain form', '/api/trash', 'text/plain'); await sent('form of parts', '/api/trash', 'multipart/form-data')
  found.beacon = navigator.sendBeacon(at + '/api/trash', new Blob(['id=' + note], { type: 'text/plain' })) ? 'sent' : 'refused'
  const events = new EventSource(at + '/events', { withCredentials: true })
  await new Promise(done => { events.onmessage = () => { found.events = 'read'; done() }; events.onerror = () => { found.events ??= 'error'; done() }; setTimeout(done, 1500) })
  events.close(); window.done = found
})
</script>"""


def strangers(home, browser):
    """F01, F02: a page of another port, one from a file and one under a name that was bound to this machine can neither read nor change anything."""
    import http.server, threading
    browser.open()
    note = home.need("new", f"# {MARK}\n\nnobody's business").split()[-1]
    picture = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082")
    path = home.root / "home/dot.png"
    path.write_bytes(picture)
    path.chmod(0o644)
    home.need("attach", "add", note, str(path))
    file = json.loads(home.need("attach", "ls", note, "--json"))["attachments"][0]["id"]
    text = {}
    def write():
        text[0] = STRANGER.replace("HOST", home.host).replace("NOTE", note).replace("FILE", f"{note}/{file}")
        stranger.write_text(text[0])
        stranger.chmod(0o644)
    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(text[0].encode())
        def log_message(self, *_): pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    stranger = home.root / "home/stranger.html"
    other = browser.browser.contexts[0].new_page()
    try:
        def tried(addresses):
            write()
            for address in addresses:
                    other.goto(address)
                    other.wait_for_function("window.done", timeout=30000)
                    found = other.evaluate("window.done")
                    # An opaque answer and a loaded frame say nothing of what is in them, and a beacon nothing at all.
                    harmless = {"error", "nothing", "opaque", "closed", "sent", "refused"}
                    expect(all(value in harmless for name, value in found.items() if name != "frame") and len(found) == 12, address, found)
                    expect(found["picture"] == "error" and found["script"] == "error" and found["style"] == "error", address, found)
                    expect(MARK in home.need("ls"), address, "the note is gone")
        numbers = [f"http://127.0.0.1:{server.server_port}/", f"file://{stranger}"]
        tried([*numbers, f"http://localhost:{server.server_port}/", f"http://x.localhost:{server.server_port}/"])
        answers = []
        other.on("response", lambda answer: answers.append((answer.url, answer.status)))
        try: other.goto(f"http://rebound.example:{home.port}/")
        except Error: pass
        expect(answers and answers[0] == (f"http://rebound.example:{home.port}/", 421), "a name that was bound to this machine:", answers)
        expect(MARK in browser.page.content(), "the page itself has gone")
        # At a number another port is of the same site.
        home.need("web", "--stop")
        home.address("--host", "127.0.0.1")
        browser.open()
        tried(numbers)
        expect(MARK in browser.page.content(), "the page at a number has gone")
    finally:
        server.shutdown()
        other.close()
    browser.errors = [error for error in browser.errors if "ERR_" not in error]
    expect(not browser.errors, browser.errors)


def disk(home, browser):
    """F08: nothing of a note, nor of what is typed, is in the browser's profile, also when it is killed."""
    page = browser.page
    home.need("new", f"# {MARK}title\n\n{MARK}body")
    browser.open()
    page.locator(".row").first.click()
    page.wait_for_selector(".note .text")
    browser.key("e")
    page.wait_for_selector(".field")
    browser.key("Control+End")
    browser.type(f" {MARK}typed")
    page.wait_for_selector("text=Kept as a draft")
    browser.key("Escape", "/")
    browser.type(f"{MARK}title")
    expect(wait(lambda: page.locator(".row").count() == 1), "the search does not find one")
    ordinary = home.root / "home/ordinary.html"
    ordinary.write_text("<title>hornbilltitle</title>ordinary")
    browser.browser.contexts[0].new_page().goto(f"file://{ordinary}")
    # A history is written ten seconds after a visit.
    page.wait_for_timeout(12000)
    browser.kill()
    found, scanned = found_in(browser.profile, [MARK + part for part in ("title", "body", "typed")])
    expect(not found, found)
    # An ordinary page leaves its title: so what is looked for would be found.
    expect(found_in(browser.profile, ["hornbilltitle"])[0], "the search finds nothing of an ordinary page")
    print(f"   {scanned:,} bytes of the profile scanned")


def narrow(home, browser):
    """One pane on a phone, two on a tablet, by touch; and no view has a mistake that axe-core finds."""
    from axe_playwright_python.sync_playwright import Axe
    page, axe = browser.page, Axe()
    home.need("new", "# Oven and dough\n\nThe third try.\n\n- [ ] a task\n\n| a | b |\n|---|---|\n| 1 | 2 |", "--tag", "kitchen")
    for number in range(12): home.need("new", f"Note {number}\n\nwith a text")
    browser.open()
    found = []
    def look(name):
        browser.quiet()
        # The tool puts its script in by the steering, past the page's policy.
        violations = axe.run(page).response["violations"]
        found.extend((name, one["id"], one["nodes"][0]["html"][:100]) for one in violations)
    for width, height, name in ((390, 844, "phone"), (820, 1180, "tablet")):
        page.set_viewport_size({"width": width, "height": height})
        look(f"{name} list")
        browser.shot(f"list-{width}")
        page.locator(".row", has_text="Oven").click()
        page.wait_for_selector(".note .text")
        expect(page.locator(".note h1").is_visible(), name, "the note cannot be seen")
        expect(page.locator(".list .row").first.is_visible() == (name == "tablet"), name, "panes")
        wide = page.evaluate("[...document.querySelectorAll('body *')].filter(one => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest('.chips, .rail .n')).map(one => one.outerHTML.slice(0, 80))")
        expect(not wide, name, "wider than the screen:", wide[:3])
        look(f"{name} note")
        browser.shot(f"note-{width}")
        page.get_by_role("button", name="Write").click()
        page.wait_for_selector(".field")
        look(f"{name} editor")
        browser.key("Escape")
        page.wait_for_selector(".note .text")
        if name == "phone":
            page.get_by_role("button", name="Back to the list").click()
            page.wait_for_selector(".list .row:visible")
    page.set_viewport_size({"width": 1280, "height": 800})
    for key, mark in (("?", "text=search; Enter"), ("h", ".difference"), ("s", "text=Copy the text")):
        page.locator(".row").first.click()
        page.wait_for_selector(".note .text")
        browser.key(key)
        page.wait_for_selector(mark)
        look(f"dialog {key}")
        browser.key("Escape")
    page.get_by_role("button", name="About and settings").click()
    page.wait_for_selector("dl")
    look("about")
    browser.key("Escape")
    page.emulate_media(color_scheme="dark")
    look("dark")
    expect(not found, found)


ENEX = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd">
<en-export>{}</en-export>"""
ENTRY = """<note><title>Imported {0}</title><content><![CDATA[<?xml version="1.0"?><en-note>{1}<div>number {0}</div></en-note>]]></content>
<created>20240102T030405Z</created><tag>from elsewhere</tag></note>"""


def programs(home, browser):
    """Other programs' files come in by a drop, with what they lose; everything goes out; reports, a QR code, links, and what another page hands over."""
    page = browser.page
    note = home.need("new", "# Aim\n\nfor the link").split()[-1]
    home.need("new", f"[there](vault://note/{note}) and [nowhere](vault://other/x)")
    browser.open()
    page.locator(".row").first.click()
    page.get_by_role("button", name="there", exact=True).click()
    page.wait_for_selector(".note h1:has-text('Aim')")
    expect(page.locator(".note a[href^=vault]").count() == 0, "an address of ours is a link of the browser's")
    # Dropped on the list: forty notes, of which one holds what no note can.
    text = ENEX.format("".join(ENTRY.format(number, "<en-crypt hint='x'>c2VjcmV0</en-crypt>" if number == 7 else "") for number in range(40)))
    drop = """([text, name]) => { const given = new DataTransfer(); given.items.add(new File([text], name))
        document.querySelector('.scroller').dispatchEvent(new DragEvent('drop', { dataTransfer: given, bubbles: true, cancelable: true })) }"""
    page.evaluate(drop, [text, "theirs.enex"])
    page.get_by_role("button", name="Import", exact=True).click()
    page.wait_for_selector("text=Imported, with losses")
    browser.shot("import-1280")
    expect("40" in page.locator(".box dl").inner_text(), page.locator(".box dl").inner_text())
    # Counted in source and vault by code that has nothing of ours.
    titles = set(re.findall(r"<title>(.*?)</title>", text))
    expect(titles <= {one["title"] for one in home.notes()} and len(titles) == 40, "notes are missing")
    browser.key("Escape")
    expect({one["notebook"] for one in home.notes() if one["title"].startswith("Imported")} == {"theirs"}, "they are in another notebook")
    # Once more: nothing comes twice.
    page.evaluate(drop, [text, "theirs.enex"])
    page.get_by_role("button", name="Import", exact=True).click()
    page.wait_for_selector("text=Imported, with losses")
    expect(sum(one["title"].startswith("Imported") for one in home.notes()) == 40, "they came twice")
    browser.key("Escape")
    page.evaluate(drop, ["no export at all", "other.enex"])
    page.get_by_role("button", name="Import", exact=True).click()
    page.wait_for_selector("text=could not be imported")
    page.locator("#status").click()
    left = [one.name for one in Path("/dev/shm").iterdir() if one.name.startswith("notevault-import")]
    expect(not left, left)
    got = json.loads(page.evaluate("import('/s/wire.js').then(module => module.wire.blob('/api/export')).then(blob => blob.text())"))
    expect({one["title"] for one in home.notes()} == {one["title"] for one in got["notes"]}, "the export has other notes")
    for name, mark in (("Keys…", "text=Argon2id"), ("Security…", "text=vault directory"), ("Settings…", "text=web.window")):
        page.get_by_role("button", name="About and settings").click()
        page.get_by_role("button", name=name).click()
        page.wait_for_selector(mark)
        browser.shot(f"report-{name[:-1].lower()}-1280")
        browser.key("Escape", "Escape")
    page.get_by_role("button", name="About and settings").click()
    page.get_by_role("button", name="Bookmarklet…").click()
    code = page.get_by_role("link", name="Note it in vault").get_attribute("href")
    expect("vault://new?" in code and home.host not in code, code)
    browser.key("Escape", "Escape")
    page.locator(f"[data-id='{note}']").click() if page.locator(f"[data-id='{note}']").count() else page.evaluate("0")
    page.locator(".row").first.click()
    page.wait_for_selector(".note .text")
    browser.key("s")
    page.get_by_role("button", name="Show as a QR code").click()
    page.wait_for_selector("canvas.code")
    browser.shot("code-1280")
    expect(page.locator("canvas.code").evaluate("one => new Set(one.getContext('2d').getImageData(0, 0, one.width, one.height).data).size") == 2, "no code is drawn")
    browser.key("Escape")
    # As the desktop opens what a bookmarklet hands over: nothing is written before its owner says so.
    before = len(home.notes())
    opened = json.loads(home.need("open", "vault://new?title=A%20talk%20%E2%80%AE&url=https%3A%2F%2Fexample.org%2Ftalk", "--json"))
    page.goto(f"file://{opened['file']}")
    page.wait_for_selector("text=Make a note of this?")
    expect(page.evaluate("location.href") == f"{home.origin}/", "the address still says it")
    expect(len(home.notes()) == before, "it was written unasked")
    expect(page.evaluate("document.activeElement.textContent") != "Make a note", "a key makes it at once")
    page.get_by_role("button", name="Make a note", exact=True).click()
    page.wait_for_selector(".field:has-text('https://example.org/talk')")
    browser.key("Control+s")
    page.wait_for_selector("text=Saved.")
    expect(any(one["title"] == "A talk" for one in home.notes()), "it is not there")
    browser.clean()


def speaking(home, browser):
    """What is said becomes text by the owner's own program, and by nothing where none is set; a camera's photo is attached."""
    page = browser.page
    note = home.need("new", "# Spoken\n\nbefore").split()[-1]
    browser.open()
    page.locator(".row").first.click()
    page.wait_for_selector(".note .text")
    browser.key("e")
    page.wait_for_selector(".field")
    expect(page.get_by_role("button", name="Dictate").count() == 0, "no program is set, and the page offers it")
    refused = page.evaluate("import('/s/wire.js').then(module => module.wire.bytes('/api/dictation', 'x')).catch(failure => failure.message)")
    expect("no program is set" in refused, refused)
    browser.key("Escape")
    home.run("web", "--stop")
    clip = home.root / "home/clip"
    home.need("config", "set", "dictation.command", f"cat > {clip}; echo said on the page")
    home.address()
    browser.open()
    page.locator(".row").first.click()
    page.wait_for_selector(".note .text")
    browser.key("e")
    page.wait_for_selector(".field")
    page.get_by_role("button", name="Dictate").click()
    page.wait_for_timeout(1500)
    page.get_by_role("button", name="Transcribe it").click()
    page.wait_for_selector(".field:has-text('before said on the page')")
    expect(clip.stat().st_size > 1000 and clip.read_bytes()[:4] in (b"\x1aE\xdf\xa3", b"OggS"), "the program was given no clip")
    browser.key("Escape")
    page.wait_for_selector(".text:has-text('before said on the page')")
    browser.key("c")
    page.wait_for_selector("video.large")
    page.wait_for_timeout(800)
    page.get_by_role("button", name="Take it").click()
    page.wait_for_selector("figure.of-photo img")
    rows = json.loads(home.need("attach", "ls", note, "--json"))["attachments"]
    expect(len(rows) == 1 and rows[0]["mediaType"] == "image/jpeg" and rows[0]["width"] > 100, rows)
    browser.clean()


def recording(home, browser):
    """A recording is sealed while it is made: kept by a button and by a lock, thrown away by another, and there but for its last second when the browser is killed."""
    page = browser.page
    note = home.need("new", "# Recorded\n\nby the page").split()[-1]
    browser.open()
    def files(): return json.loads(home.need("attach", "ls", note, "--json"))["attachments"]
    def begin(seconds):
        page.locator(".row").first.click()
        page.wait_for_selector(".note .text")
        browser.key("r")
        page.get_by_role("button", name="Stop and keep").wait_for()
        page.wait_for_timeout(seconds * 1000)
    begin(2.5)
    page.get_by_role("button", name="Stop and keep").click()
    page.wait_for_selector("figure.of-audio audio")
    first = files()
    expect(len(first) == 1 and first[0]["kind"] == "audio" and first[0]["byteCount"] > 2000, first)
    begin(2.5)
    page.get_by_role("button", name="Discard").click()
    page.wait_for_timeout(600)
    expect(files() == first, "what was thrown away is there")
    count = 1
    def by_key(): browser.key("Control+l")
    def elsewhere(): home.need("lock")
    def stopped(): home.need("web", "--stop")
    def killed(): os.kill(home.server(), signal.SIGKILL)
    for end in (by_key, elsewhere, stopped, killed):
        begin(3.2)
        end()
        page.wait_for_selector("main.gate")
        if end in (by_key, elsewhere): home.unlock()
        count += 1
        expect(wait(lambda: len(files()) == count), end.__name__, "has taken a recording with it", files())
        home.run("web", "--stop")
        home.address()
        browser.open()
    # Pieces that do not go through: the whole is attached once, in the end.
    page.route("**/api/recording/*", lambda route: route.abort())
    begin(2.5)
    page.get_by_role("button", name="Stop and keep").click()
    count += 1
    expect(wait(lambda: len(files()) == count), "it is not attached", files())
    page.wait_for_timeout(12_500)
    expect(len(files()) == count, "a part of it is attached too")
    page.unroute("**/api/recording/*")
    begin(4.2)
    browser.kill()
    expect(wait(lambda: len(files()) == count + 1, 20), "a killed browser has taken a recording with it")
    # At least a second of each: a busy machine encodes less.
    expect(all(one["byteCount"] > 2000 for one in files()), files())


def numeric(home, browser):
    """At a number the page keeps its session in memory alone: pictures, sounds, drawings, files and changes come all the same, and a page that is loaded again is nobody's."""
    page = browser.page
    home.need("web", "--stop")
    home.address("--host", "127.0.0.1")
    page.set_viewport_size({"width": 820, "height": 1180})
    note = home.need("new", "# At a number\n\nread there").split()[-1]
    rows = b"".join(b"\0" + os.urandom(1200) for _ in range(400))
    def chunk(kind, data): return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")
    noise = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", (400).to_bytes(4, "big") * 2 + b"\x08\x02\0\0\0") + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    for name, data in (("noise.png", noise), ("some.txt", b"a file")):
        (home.root / f"home/{name}").write_bytes(data)
        (home.root / f"home/{name}").chmod(0o644)
        home.need("attach", "add", note, str(home.root / f"home/{name}"))
    browser.open()
    expect(page.url == f"http://127.0.0.1:{home.port}/", page.url)
    page.locator(f"[data-id='{note}']").click()
    expect(wait(lambda: page.evaluate("document.querySelector('.note figure.of-photo img')?.naturalWidth === 400")), "not shown: document.querySelector('.note figure.of-photo img')?.naturalWidth === 400")
    expect(any(url.endswith(file["id"]) and "/small/" in url for url in browser.requests for file in json.loads(home.need("attach", "ls", note, "--json"))["attachments"]), "no small picture was asked for")
    expect(page.locator(".note figure.of-photo img").get_attribute("src").startswith("blob:"), "the picture has an address")
    page.get_by_role("button", name=re.compile("^Look at")).click()
    expect(wait(lambda: page.evaluate("document.querySelector('img.large')?.naturalWidth === 400")), "not shown: document.querySelector('img.large')?.naturalWidth === 400")
    browser.key("Escape")
    saved = home.root / "home/saved"
    steering = browser.browser.contexts[0].new_cdp_session(page)
    steering.send("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(saved)})
    page.locator("figure.of-file a").first.click()
    expect(wait(lambda: (saved / "some.txt").exists() and (saved / "some.txt").read_bytes() == b"a file"), "the file that was saved")
    browser.key("r")
    page.get_by_role("button", name="Stop and keep").wait_for()
    page.wait_for_timeout(2200)
    page.get_by_role("button", name="Stop and keep").click()
    page.get_by_role("button", name=re.compile("^Play ")).click()
    expect(wait(lambda: page.evaluate("document.querySelector('figure.of-audio audio')?.readyState > 1")), "not shown: document.querySelector('figure.of-audio audio')?.readyState > 1")
    home.need("new", "# From the terminal\n\nmeanwhile")
    page.wait_for_selector(".row:has-text('From the terminal')")
    browser.key("e")
    page.wait_for_selector(".field")
    browser.key("Control+End")
    browser.type(" and written there")
    browser.key("Control+s")
    expect(wait(lambda: "and written there" in home.need("cat", note)), "it was not saved")
    expect(page.evaluate("document.cookie") == "" and not browser.browser.contexts[0].cookies(), "a cookie")
    browser.key("Escape")
    browser.quiet()
    page.reload()
    page.wait_for_selector("text=This page has ended.")
    browser.errors = [error for error in browser.errors if "ERR_" not in error]
    browser.clean()


def tunnel(home, browser):
    """A tablet behind `ssh -L`, as the manual says: a real sshd and ssh of the vault's user, and the page on the other side at 820x1180 and 390x844."""
    program = Path(__file__).resolve().parents[2] / "bench-out/sshd"
    place = home.root / "home/ssh"
    place.mkdir(mode=0o700)
    for name in ("host", "user"): subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(place / name)], check=True)
    shutil.copy(place / "user.pub", place / "authorized")
    sshd = home.root / "bin/sshd"
    shutil.copy(program / "usr/sbin/sshd", sshd)
    libraries = home.root / "lib"
    libraries.mkdir(mode=0o755)
    for path in program.rglob("libwrap.so.*"): shutil.copy(path, libraries)
    for path in (place, *place.iterdir()):
        if os.getuid() == 0: os.chown(path, 65534, 65534)
    other = socket.create_server(("127.0.0.1", 0))
    gate = other.getsockname()[1]
    other.close()
    options = [f"HostKey={place}/host", f"AuthorizedKeysFile={place}/authorized", "StrictModes=no", "UsePAM=yes", f"PidFile={place}/pid", f"ListenAddress=127.0.0.1:{gate}"]
    environment = {**home.environment, "LD_LIBRARY_PATH": str(libraries)}
    server = subprocess.Popen(as_user([str(sshd), "-D", "-e", "-f", "/dev/null", *(word for option in options for word in ("-o", option))]), env=environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
    user = pwd.getpwuid(65534 if os.getuid() == 0 else os.getuid()).pw_name
    client = None
    try:
        expect(wait(lambda: socket.socket().connect_ex(("127.0.0.1", gate)) == 0), "sshd does not listen")
        # The other machine is another address of this one: the port is the same on both sides.
        words = ["ssh", "-N", "-F", "/dev/null", "-i", str(place / "user"), "-p", str(gate), "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "ExitOnForwardFailure=yes", "-L", f"127.0.0.2:{home.port}:127.0.0.1:{home.port}", f"{user}@127.0.0.1"]
        client = subprocess.Popen(as_user(words), env=home.environment, stderr=subprocess.PIPE)
        expect(wait(lambda: client.poll() is not None or socket.socket().connect_ex(("127.0.0.2", home.port)) == 0, 20) and client.poll() is None, "the tunnel is not there:", client.poll() and client.stderr.read())
        note = home.need("new", "# Far away\n\nread on a tablet").split()[-1]
        tablet = Browser(home, browser.playwright, browser.shots, "MAP *.localhost 127.0.0.2", "tablet")
        try:
            page = tablet.page
            page.set_viewport_size({"width": 820, "height": 1180})
            tablet.open()
            page.locator(f"[data-id='{note}']").click()
            page.wait_for_selector(".note h1:has-text('Far away')")
            tablet.key("e")
            page.wait_for_selector(".field")
            tablet.key("Control+End")
            tablet.type(", and written there")
            tablet.key("Control+s")
            expect(wait(lambda: "and written there" in home.need("cat", note)), "it was not saved")
            tablet.key("Escape")
            home.need("new", "# From the terminal\n\nmeanwhile")
            page.wait_for_selector(".row:has-text('From the terminal')")
            page.set_viewport_size({"width": 390, "height": 844})
            tablet.quiet()
            expect(page.evaluate("document.documentElement.scrollWidth") <= 390, "it is wider than the screen")
            tablet.clean()
            # All of it went through the tunnel: without it nothing is answered.
            client.kill()
            client.wait()
            page.wait_for_selector("text=This page has ended.", timeout=20000)
        finally: tablet.end()
    finally:
        for process in (client, server):
            if process and process.poll() is None:
                process.kill()
                process.wait()


def touching(home, browser):
    """The main job by touch alone, on a phone and on a tablet: unlock, new, type, attach, draw, search, private, history, lock."""
    page = browser.page
    steering = page.context.new_cdp_session(page)
    steering.send("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 5})
    def touch(kind, *points): steering.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y, "force": 0.5} for x, y in points]})
    def tap(found):
        # The page may draw itself anew meanwhile, as when a change of its own comes back to it.
        def box():
            try:
                found.wait_for()
                found.scroll_into_view_if_needed()
                return found.bounding_box()
            except Exception as error:
                if "not attached" not in str(error): raise
                return None
        box = wait(box)
        x, y = box["x"] + min(box["width"] / 2, 200), box["y"] + box["height"] / 2
        touch("touchStart", (x, y))
        touch("touchEnd")
    def button(name): return page.get_by_role("button", name=name, exact=True)
    for width, height in ((390, 844), (820, 1180)):
        page.set_viewport_size({"width": width, "height": height})
        home.need("lock")
        expect(wait(lambda: home.server() is None, 3), "the server lives")
        home.address()
        browser.open(unlocked=False)
        tap(page.locator("input[type=password]"))
        browser.type(PASSWORD)
        tap(button("Unlock"))
        page.wait_for_selector(".row, .scroller .empty")
        tap(button("New note"))
        page.wait_for_selector(".field")
        tap(page.locator(".field"))
        browser.type(f"By touch {width}\n\nwith a finger")
        page.wait_for_selector("text=Kept as a draft")
        tap(button("Read"))
        page.wait_for_selector(f".note h1:has-text('By touch {width}')")
        with page.expect_file_chooser() as chooser: tap(button("Attach files (a)"))
        chooser.value.set_files({"name": "list.txt", "mimeType": "text/plain", "buffer": b"flour\nwater\n"})
        page.wait_for_selector("figure .file:has-text('list.txt')")
        tap(button("Draw (d)"))
        page.wait_for_selector("canvas")
        browser.quiet()
        box = page.locator("canvas").bounding_box()
        touch("touchStart", (box["x"] + 60, box["y"] + 80))
        for step in range(12): touch("touchMove", (box["x"] + 60 + step * 14, box["y"] + 80 + step * 9))
        touch("touchEnd")
        browser.shot(f"sketch-touch-{width}")
        # A second touch at once is half of a double tap.
        page.wait_for_timeout(500)
        tap(button("Done"))
        page.wait_for_selector("figure.of-sketch img")
        browser.shot(f"touched-{width}")
        note = next(one for one in home.notes() if one["title"] == f"By touch {width}")
        rows = json.loads(home.need("attach", "ls", note["id"], "--json"))["attachments"]
        expect(sorted(row["kind"] for row in rows) == ["file", "sketch"], rows)
        drawn = home.need("sketch", "export", note["id"], next(row["name"] for row in rows if row["kind"] == "sketch"), "-o", "-")
        expect(drawn.count('<g data-tool="pen"') == 1, drawn[:300])
        tap(button("History (h)"))
        page.wait_for_selector(".difference")
        tap(button("Close"))
        tap(button("More"))
        tap(button("Make private…"))
        for field in page.locator(".box input").all(): field.fill("note password")
        tap(page.locator(".box button.main"))
        page.wait_for_selector("text=It has a password of its own")
        if width < 700: tap(button("Back to the list"))
        tap(page.locator(".list input"))
        browser.type("finger")
        expect(wait(lambda: page.locator(".row").count() == 0), "a search finds what is locked")
        tap(button("Lock (Ctrl+L)"))
        page.wait_for_selector("text=Locked.")
    browser.clean()


def signing_in(home, browser):
    """Dropbox's code is typed on the page, the first time and again; a wrong one is refused, and no address has it."""
    page = browser.page
    (home.root / "cloud").mkdir()
    cloud = subprocess.Popen([sys.executable, "-B", str(Path(__file__).resolve().parents[1] / "Clouds/dropbox.py"), "--app-key", "abcdefghijklmno", str(home.root / "cloud")], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        said = json.loads(cloud.stdout.readline())
        home.need("new", "A note")
        # A vault that is on this machine alone says so, and what is no key of Dropbox's.
        browser.open()
        browser.key("g", "s")
        page.get_by_role("button", name="Sync…", exact=True).click()
        page.wait_for_selector("text=This vault is only on this machine.")
        page.get_by_role("button", name="Sync over Dropbox…", exact=True).click()
        page.locator(".box input").fill("no key!")
        page.get_by_role("button", name="Go on", exact=True).click()
        page.wait_for_selector("text=not a Dropbox app key")
        browser.key("Escape")
        # The first sign-in, as far as the page of the service that was not at hand.
        browser.key("g", "s")
        page.get_by_role("button", name="Sync…", exact=True).click()
        page.get_by_role("button", name="Sync over Dropbox…", exact=True).click()
        page.locator(".box input").fill("abcdefghijklmno")
        page.get_by_role("button", name="Go on", exact=True).click()
        page.wait_for_selector(".box a")
        expect(page.locator(".box a").get_attribute("href").startswith("https://www.dropbox.com/oauth2/authorize?"), "another page")
        browser.key("Escape")
        secret = home.root / "token"
        secret.write_text(said["refresh_token"])
        secret.chmod(0o600)
        if os.getuid() == 0: os.chown(secret, pwd.getpwuid(65534).pw_uid, 65534)
        home.need("remote", "add", "dropbox", said["client_id"], "--server", said["url"], "--secret-file", str(secret))
        browser.key("Escape")

        def sign_in(code=None):
            browser.key("g", "s")
            page.get_by_role("button", name="Sync…", exact=True).click()
            page.wait_for_selector("text=everything sent")
            browser.shot("sync-1280")
            page.get_by_role("button", name="Sign in again", exact=True).click()
            address = page.locator(".box a").get_attribute("href")
            expect("code_challenge_method=S256" in address, f"the address is {address}")
            with urllib.request.urlopen(address, timeout=10) as answer: shown = answer.read().decode()
            page.locator(".box input").fill(code or re.search(r"[A-Za-z0-9_-]{40,}", shown)[0])
            browser.shot("sign-in-1280")
            page.get_by_role("button", name="Sign in", exact=True).click()

        home.need("sync", "now")
        sign_in("x" * 43)
        page.wait_for_selector("text=no longer accepts this device")
        page.locator("#status").click()
        sign_in()
        page.wait_for_selector("text=Signed in to dropbox.")
        home.need("new", "After that")
        expect("sent" in home.need("sync", "now"), "the remote does not take this device")
        with urllib.request.urlopen(f"{said['url']}/control", timeout=10) as answer: log = json.loads(answer.read())
        expect(not log["secret_in_query"] and log["requests"]["oauth2/token"] >= 3, log["requests"])
        expect(len(json.loads(home.need("remote", "ls", "--json"))["remotes"]) == 1, "a remote was added")
        browser.clean()
    finally:
        cloud.stdin.close()
        cloud.wait(10)


def other_services(home, browser):
    """rclone's questions are answered on the page: a server's password, and Google's own page; nothing is left of one that is given up."""
    page = browser.page
    tools = home.root / "tools"
    tools.mkdir(mode=0o755)
    rclone = tools / "rclone"
    shutil.copy2(Path(sys.executable).parent / "rclone", rclone)
    rclone.chmod(0o755)
    home.need("web", "--stop")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # What a person has set up for rclone's remote control would open it to everybody on this machine.
    home.environment |= {"PATH": f"{tools}:/usr/bin:/bin", "RCLONE_RC_ADDR": f"127.0.0.1:{port}", "RCLONE_LOG_LEVEL": "ERROR"}
    home.address()
    (home.root / "cloud").mkdir()
    word, token = "a word for the server", "http://127.0.0.1:53682/auth?state="
    server = subprocess.Popen([str(rclone), "serve", "webdav", str(home.root / "cloud"), "--addr", "127.0.0.1:0", "--user", "me", "--pass", word], stderr=subprocess.PIPE, text=True)

    def begin(service, name=None):
        browser.key("g", "s")
        page.get_by_role("button", name="Sync…", exact=True).click()
        page.get_by_role("button", name="Sync over another service…", exact=True).click()
        page.get_by_label("Service", exact=True).select_option(service)
        if name: page.get_by_label("Backend of rclone").fill(name)
        page.get_by_role("button", name="Go on", exact=True).click()

    def answer(label, text):
        field = page.locator(".box").get_by_label(label, exact=True)
        field.wait_for(timeout=20_000)
        if field.evaluate("one => one.tagName") == "SELECT": field.select_option(text)
        else: field.fill(text)
        page.get_by_role("button", name="Go on", exact=True).click()

    def running(): return [line for line in subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout.splitlines() if str(rclone) in line or "__signin" in line]
    try:
        at = None
        for line in server.stderr:
            at = re.search(r"http://127\.0\.0\.1:[0-9]+/", line)
            if at: break
        home.need("new", "A note")
        browser.open()
        begin("", "webdav")
        answer("url", at[0])
        answer("vendor", "rclone")
        answer("user", "me")
        browser.shot("questions-1280")
        expect(page.locator(".box").get_by_label("pass", exact=True).get_attribute("type") == "password", "the password is seen")
        expect(not any(word in line for line in running() if "serve webdav" not in line), running())
        try:
            socket.create_connection(("127.0.0.1", port), timeout=2).close()
            raise AssertionError("rclone listens to the network")
        except OSError: pass
        answer("pass", word)
        page.wait_for_selector("text=Signed in to webdav.", timeout=30_000)
        expect("sent" in home.need("sync", "now"), "the remote does not take this device")
        expect(any((home.root / "cloud").rglob("*")), "nothing came to the server")
        # Again, with a wrong password: the remote stays, and says so when it is used.
        browser.key("g", "s")
        page.get_by_role("button", name="Sync…", exact=True).click()
        page.get_by_role("button", name="Sign in again", exact=True).click()
        for label, text in [("url", at[0]), ("vendor", "rclone"), ("user", "me"), ("pass", word)]: answer(label, text)
        page.wait_for_selector("text=Signed in to webdav.", timeout=30_000)
        home.need("new", "After that")
        expect("sent" in home.need("sync", "now"), "the remote does not take this device any more")
        # Google's: up to the page of theirs, which was not at hand. Given up, nothing runs and nothing lies about.
        begin("drive")
        answer("shared client id", "true")
        answer("is local", "true")
        page.wait_for_selector(".box a[href^=http]", timeout=30_000)
        address = page.locator(".box a").get_attribute("href")
        expect(address.startswith(token), f"the address is {address}")
        browser.shot("its-page-1280")
        browser.key("Escape")
        deadline = time.time() + 15
        while time.time() < deadline and (any("rcd" in line or "__signin" in line for line in running()) or list(Path("/dev/shm").glob("notevault-signin-*"))): time.sleep(0.1)
        expect(not any("rcd" in line or "__signin" in line for line in running()), running())
        expect(not list(Path("/dev/shm").glob("notevault-signin-*")), "a file of the sign-in lies about")
        expect([row["name"] for row in json.loads(home.need("remote", "ls", "--json"))["remotes"]] == ["webdav"], "a remote was added")
        # Begun again at once, and given up at a question: the next one has its turn.
        for _ in range(2):
            begin("drive")
            page.locator(".box").get_by_label("shared client id", exact=True).wait_for(timeout=20_000)
            browser.key("Escape")
        # What stands upon another remote, and what rclone does not have.
        begin("", "crypt")
        page.wait_for_selector("text='crypt' backend wraps another remote")
        begin("", "nonesuch")
        page.wait_for_selector("text=rclone has no service 'nonesuch'")
        browser.clean()
    finally:
        server.kill()


ALL = [by_keyboard, drawing, private, live, two_versions, hostile, strangers, disk, narrow, programs, speaking, recording, numeric, tunnel, touching, books, book_failures, signing_in, other_services]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True)
    parser.add_argument("--shots", help="a folder for pictures of the screens")
    parser.add_argument("names", nargs="*")
    chosen = parser.parse_args()
    failed = 0
    with sync_playwright() as playwright:
        for work in [work for work in ALL if not chosen.names or work.__name__ in chosen.names]:
            home = WebHome(chosen.bin)
            browser = None
            try:
                home.address()
                # The file with the token is read by the vault's user alone.
                browser = Browser(home, playwright, chosen.shots)
                work(home, browser)
                print(f"ok {work.__name__}", flush=True)
            except Exception as error:
                failed += 1
                print(f"FAILED {work.__name__}: {type(error).__name__}: {str(error)[:1500]}", flush=True)
                if browser and chosen.shots:
                    try: browser.shot(f"FAILED-{work.__name__}")
                    except Exception: pass
            finally:
                if browser: browser.end()
                home.end()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
