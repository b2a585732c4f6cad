# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Walks through the page's books: browser.py runs them."""

import json, os, subprocess, sys
from pathlib import Path

from hostile import expect
from webhome import wait

SERVICE = Path(__file__).resolve().parents[1] / "Books/service.py"


class Services:
    """Both book services, on this machine."""

    def __init__(self, home):
        self.process = subprocess.Popen([sys.executable, "-B", str(SERVICE), "--seconds", "300"], stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())
        for name in ("google", "openlibrary"): home.need("config", "set", f"books.{name}", f"http://127.0.0.1:{self.port}")

    def asked(self):
        import urllib.request
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/log", timeout=5) as answer: return [one["line"] for one in json.load(answer)]

    def end(self):
        self.process.kill()
        self.process.wait()


class Looker:
    """Looks at views as axe-core does."""

    def __init__(self, page):
        from axe_playwright_python.sync_playwright import Axe
        self.page, self.axe, self.found = page, Axe(), []

    def look(self, name):
        self.page.wait_for_timeout(150)
        for one in self.axe.run(self.page).response["violations"]: self.found.append((name, one["id"], one["nodes"][0]["html"][:120]))

    def fits(self, name, scope):
        """What can be touched is large enough, and nothing is wider than the screen."""
        small = self.page.evaluate("scope => [...document.querySelectorAll(scope)].flatMap(one => [...one.querySelectorAll('button, select, input')]).filter(one => { const box = (one.closest('label') ?? one).getBoundingClientRect(); return box.width > 0 && (box.height < 43.5 || box.width < 43.5) }).map(one => one.outerHTML.slice(0, 90))", scope)
        expect(not small, name, "smaller than 44 px:", small[:4])
        wide = self.page.evaluate("[...document.querySelectorAll('body *')].filter(one => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest('.chips, .rail .n, .unseen')).map(one => one.outerHTML.slice(0, 80))")
        expect(not wide, name, "wider than the screen:", wide[:3])


def shelf(home, name): return json.loads(home.need("book", "ls", "--shelf", name, "--json"))["books"]


def placed(home, book):
    sections = json.loads(home.need("book", "notes", book, "--json"))["sections"]
    return [(one["chapter"], [note["title"] for note in one["notes"]]) for one in sections]


def search(page, words):
    page.get_by_label("Title, author or ISBN").fill(words)
    page.keyboard.press("Enter")


def loaded(page, scope):
    return wait(lambda: page.evaluate("scope => [...document.querySelectorAll(scope)].some(one => one.naturalWidth > 10)", f"{scope} img"))


def books(home, browser):
    """A book from an empty shelf to the archive: found, read, noted by chapters, moved by keys and by a drag, logged, finished; and shown without a network."""
    page, key, looker = browser.page, browser.key, Looker(browser.page)
    services = Services(home)
    try:
        browser.open()
        key("g", "b")
        page.wait_for_selector("text=You are reading no book.")
        looker.look("no books")
        browser.shot("books-empty-1280")
        add(home, browser, looker, services)
        chapters(home, browser, looker)
        log(home, browser, looker)
        groups(home, browser, looker)
        small(home, browser, looker)
        services.end()
        home.need("web", "--stop")
        home.need("lock")
        home.unlock()
        home.address()
        page.set_viewport_size({"width": 1280, "height": 800})
        browser.open()
        key("g", "b")
        page.wait_for_selector("[data-shelf=archived] .card:has-text('The Hobbit')")
        expect(loaded(page, "[data-shelf=archived] .card:has-text('Hobbit')".replace(":has-text('Hobbit')", "")), "no cover without a network")
        page.locator(".card", has_text="The Hobbit").click()
        expect(loaded(page, ".detail .cover"), "no large cover without a network")
        expect(page.locator(".detail").inner_text().count("Chapters") == 1, page.locator(".detail").inner_text())
        key("Escape")
        browser.clean()
        expect(not looker.found, looker.found)
    finally: services.end()


def add(home, browser, looker, services):
    page, key = browser.page, browser.key
    key("b")
    search(page, "hobbit")
    page.wait_for_selector("text=Ask them, now and from now on")
    expect(services.asked() == [], "something was sent before it was agreed to:", services.asked())
    expect(f"http://127.0.0.1:{services.port}" in page.locator(".agree").inner_text(), page.locator(".agree").inner_text())
    looker.look("what is sent")
    browser.shot("books-agree-1280")
    key("Enter")
    page.wait_for_selector(".found h3:has-text('The Hobbit')")
    expect("About The Hobbit" in page.locator(".found").inner_text() and "1991" in page.locator(".found").inner_text(), page.locator(".found").inner_text()[:300])
    looker.look("found")
    browser.shot("books-add-1280")
    page.get_by_role("button", name="Add to Reading: The Hobbit").click()
    page.get_by_role("button", name="Show it").wait_for()
    page.get_by_role("button", name="Add to Wishlist: Dune").click()
    expect(wait(lambda: page.get_by_role("button", name="Show it").count() == 2), "it is not added")
    # The same one again: the vault says that it is there.
    search(page, "hobbit")
    page.wait_for_selector(".found h3:has-text('The Hobbit')")
    page.get_by_role("button", name="Add to Wishlist: The Hobbit").click()
    page.wait_for_selector(".trouble:has-text('in the vault already')")
    page.get_by_text("Add by hand").click()
    for label, text in (("Title", "A book of my own"), ("Authors, with ; between", "Ada One; Bob Two"), ("Pages", "120"), ("ISBN", "978-0-441-01359-3")): page.get_by_label(label, exact=True).fill(text)
    looker.look("by hand")
    page.get_by_role("button", name="Add it").click()
    page.wait_for_selector(".detail:has-text('Ada One, Bob Two')")
    key("Escape")
    expect([one["title"] for one in shelf(home, "reading")] == ["The Hobbit"] and {one["title"] for one in shelf(home, "wishlist")} == {"Dune", "A book of my own"}, "shelves")
    expect(shelf(home, "reading")[0]["cover"], "it has no cover")
    page.wait_for_selector("[data-shelf=reading] .card:has-text('The Hobbit')")
    expect(loaded(page, "[data-shelf=reading] .card"), "no cover")
    looker.look("shelves")
    page.get_by_label("Search books").fill("herbert")
    expect(wait(lambda: page.locator(".card").count() == 1 and page.locator(".card", has_text="Dune").count() == 1), "the search")
    key("Escape")
    expect(wait(lambda: page.locator(".card").count() == 3), "the search has not ended")


def chapters(home, browser, looker):
    page, key = browser.page, browser.key
    page.locator(".card", has_text="The Hobbit").click()
    page.wait_for_selector(".detail")
    expect(loaded(page, ".detail .cover"), "no large cover")
    looker.look("detail")
    browser.shot("book-detail-1280")
    # It closes by its x too, and the focus is where it was.
    page.get_by_role("button", name="Close").click()
    expect(page.evaluate("document.activeElement.className") == "card", "the focus is elsewhere")
    key("Enter")
    page.get_by_role("button", name="Notes (0)").click()
    page.wait_for_selector("text=This book has no chapters")
    for number in (1, 2, 3):
        page.get_by_role("button", name="Add a chapter").click()
        page.get_by_label("Its title").fill(f"Chapter {number}")
        key("Enter")
        page.wait_for_selector(f".chapter h2:has-text('Chapter {number}')")
    for number in (1, 2, 3):
        page.get_by_role("button", name="New note in Chapter 1").click()
        page.wait_for_selector(".field")
        browser.type(f"Thought {number}\n\nof the road")
        key("Control+s")
        page.wait_for_selector(f".placed .row:has-text('Thought {number}')")
        key("Escape")
        page.wait_for_selector(f".note h1:has-text('Thought {number}')")
    page.wait_for_selector(".stands:has-text('Chapter 1')")
    expect(loaded(page, ".stands"), "the note has no cover of its book")
    looker.look("notes of a book")
    browser.shot("book-notes-1280")
    def order(): return [notes for _, notes in placed(home, "Hobbit")]
    expect(order() == [["Thought 1", "Thought 2", "Thought 3"], [], []], order())
    # By keys: up within the chapter, then down out of it.
    page.locator(".placed .row", has_text="Thought 2").focus()
    key("Alt+ArrowUp")
    page.wait_for_selector("[role=status]:has-text('Thought 2 is number 1 of 3 in Chapter 1.')", state="attached")
    expect(order() == [["Thought 2", "Thought 1", "Thought 3"], [], []], order())
    for _ in range(3):
        before = order()
        key("Alt+ArrowDown")
        expect(wait(lambda: order() != before), "a key has moved nothing")
        wait(lambda: "Thought 2" in page.evaluate("document.activeElement.textContent"))
    expect(order() == [["Thought 1", "Thought 3"], ["Thought 2"], []], order())
    expect("Thought 2" in page.evaluate("document.activeElement.textContent"), "the focus is elsewhere")
    # By a drag: within a chapter, and into an empty one.
    drag(page, "Thought 3", page.locator(".placed li", has_text="Thought 1"), 0.2)
    expect(wait(lambda: order() == [["Thought 3", "Thought 1"], ["Thought 2"], []]), order())
    drag(page, "Thought 1", page.locator(".chapter", has_text="Chapter 3"), 0.8)
    expect(wait(lambda: order() == [["Thought 3"], ["Thought 2"], ["Thought 1"]]), order())
    # By the menu.
    page.get_by_role("button", name="Move Thought 3").click()
    looker.look("menu of a note")
    page.get_by_role("button", name="To Chapter 3").click()
    expect(wait(lambda: order() == [[], ["Thought 2"], ["Thought 1", "Thought 3"]]), order())
    page.get_by_role("button", name="Chapter Chapter 3").click()
    page.get_by_role("button", name="Move up").click()
    expect(wait(lambda: [name for name, _ in placed(home, "Hobbit")] == ["Chapter 1", "Chapter 3", "Chapter 2"]), placed(home, "Hobbit"))
    page.get_by_role("button", name="Chapter Chapter 3").click()
    page.get_by_role("button", name="Rename…").click()
    page.get_by_label("Its title").fill("The last one")
    key("Enter")
    page.wait_for_selector(".chapter h2:has-text('The last one')")
    page.get_by_role("button", name="Chapter Chapter 1").click()
    page.get_by_role("button", name="Remove…").click()
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(wait(lambda: placed(home, "Hobbit") == [("The last one", ["Thought 1", "Thought 3"]), ("Chapter 2", ["Thought 2"])]), placed(home, "Hobbit"))
    # The header of a note follows it, and leads to the book.
    page.locator(".placed .row", has_text="Thought 2").click()
    page.wait_for_selector(".stands:has-text('Chapter 2')")
    key("g", "n")
    page.wait_for_selector(".rows .row")
    page.locator(".rows .row", has_text="Thought 1").click()
    page.wait_for_selector(".stands:has-text('The last one')")
    page.locator(".stands").get_by_role("button", name="The Hobbit").click()
    page.wait_for_selector(".chapter h2:has-text('Chapter 2')")


def drag(page, title, target, part):
    # The page may draw itself anew meanwhile, as when a change of its own comes back to it.
    page.wait_for_timeout(200)
    grip, box = (wait(one.bounding_box) for one in (page.get_by_role("button", name=f"Move {title}"), target))
    page.mouse.move(grip["x"] + 15, grip["y"] + 15)
    page.mouse.down()
    page.mouse.move(grip["x"] + 15, grip["y"] + 30, steps=3)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] * part, steps=8)
    page.mouse.up()


def log(home, browser, looker):
    page, key = browser.page, browser.key
    key("g", "b")
    page.wait_for_selector(".card:has-text('The Hobbit')")
    page.locator(".card", has_text="The Hobbit").click()
    page.get_by_role("button", name="Log…").click()
    page.get_by_role("textbox", name="Number").fill("155")
    page.get_by_role("textbox", name="A line").fill("on the train")
    looker.look("log")
    key("Enter")
    page.wait_for_selector(".detail:has-text('on the train')")
    expect(shelf(home, "reading")[0]["page"] == 155 and shelf(home, "reading")[0]["percent"] == 50, shelf(home, "reading"))
    # A page behind the last one: what the vault says stands in the dialog, with its hint.
    page.get_by_role("button", name="Log…").click()
    page.get_by_role("textbox", name="Number").fill("9000")
    key("Enter")
    page.wait_for_selector(".detail .trouble:has-text('—')")
    looker.look("a refusal")
    key("Escape")
    page.wait_for_selector(".card progress")
    looker.look("shelves while reading")
    browser.shot("books-1280")
    page.emulate_media(color_scheme="dark")
    looker.look("dark shelves")
    browser.shot("books-dark-1280")
    page.locator(".card", has_text="The Hobbit").click()
    page.wait_for_selector(".detail")
    looker.look("dark detail")
    page.emulate_media(color_scheme="light")
    page.get_by_role("button", name="Finish…").click()
    page.get_by_role("combobox", name="Rating").select_option("450")
    page.locator(".panel").get_by_role("button", name="Finish").click()
    page.get_by_role("button", name="Start again").wait_for()
    found = shelf(home, "archived")[0]
    expect(found["rating"] == 450 and found["finished"] and found["title"] == "The Hobbit", found)
    key("Escape")
    page.wait_for_selector("[data-shelf=archived] .card:has-text('★★★★½')")
    page.locator(".card", has_text="A book of my own").click()
    page.get_by_role("button", name="Edit…").click()
    page.get_by_label("Publishers, with ; between").fill("Kitchen table")
    key("Enter")
    page.wait_for_selector(".detail dd:has-text('Kitchen table')")
    page.get_by_role("button", name="Remove…").click()
    page.get_by_role("button", name="Remove it").click()
    expect(wait(lambda: [one["title"] for one in shelf(home, "wishlist")] == ["Dune"]), shelf(home, "wishlist"))
    expect(wait(lambda: page.locator(".card").count() == 2), "it is still on the shelf")
    key("Control+z")
    page.wait_for_selector(".card:has-text('A book of my own')")


def groups(home, browser, looker):
    """A search names notes, then books, then what is locked."""
    page, key = browser.page, browser.key
    secret = home.root / "home/secret"
    secret.write_text("note password")
    secret.chmod(0o600)
    if os.getuid() == 0: os.chown(secret, 65534, 65534)
    note = home.need("new", "# Locked\n\nhobbit secret", "--private", "--note-password-file", str(secret)).split()[-1]
    home.need("note", "lock", note)
    home.need("new", "# About it\n\nThe hobbit walks.")
    key("g", "n")
    page.wait_for_selector(".rows .row")
    key("/")
    browser.type("hobbit")
    page.wait_for_selector(".groups .foundbook:has-text('The Hobbit')")
    expect(page.locator(".rows .row", has_text="About it").count() == 1, "the note is not found")
    page.wait_for_selector("text=1 private note is locked")
    looker.look("groups")
    browser.shot("search-groups-1280")
    page.locator(".foundbook", has_text="The Hobbit").click()
    page.wait_for_selector(".detail")
    key("Escape")
    page.get_by_label("Search notes").focus()
    key("Escape")
    expect(wait(lambda: not page.locator(".groups").is_visible()), "the groups are still there")


def small(home, browser, looker):
    page, key = browser.page, browser.key
    for width, height in ((390, 844), (820, 1180)):
        page.set_viewport_size({"width": width, "height": height})
        page.get_by_role("button", name="Books", exact=True).click()
        page.wait_for_selector(".card:has-text('The Hobbit')")
        looker.look(f"shelves {width}")
        browser.shot(f"books-{width}")
        page.locator(".card", has_text="The Hobbit").click()
        page.wait_for_selector(".detail")
        looker.look(f"detail {width}")
        browser.shot(f"book-detail-{width}")
        if width == 390: looker.fits("detail", ".box")
        page.get_by_role("button", name="Notes (3)").click()
        page.wait_for_selector(".chapter h2:has-text('Chapter 2')")
        looker.look(f"notes {width}")
        browser.shot(f"book-notes-{width}")
        if width == 390: looker.fits("notes of a book", ".ofbook, .chapters")
        if width == 390: by_touch(home, page)
        page.locator(".placed .row", has_text="Thought 2").click()
        page.wait_for_selector(".stands:has-text('Chapter 2')")
        looker.look(f"note in a book {width}")
        browser.shot(f"book-note-{width}")
        if width > 700: continue
        looker.fits("note in a book", ".stands")
        page.get_by_role("button", name="Back to the list").click()
        page.get_by_role("button", name="All books").click()
        page.wait_for_selector(".card:has-text('The Hobbit')")
        looker.fits("shelves", ".books")
        page.get_by_role("button", name="Add a book").click()
        search(page, "dune")
        page.wait_for_selector(".found h3:has-text('Dune')")
        looker.look("found 390")
        looker.fits("found", ".box")
        browser.shot("books-add-390")
        key("Escape")


def by_touch(home, page):
    """A finger drags a note by its grip, and the list does not scroll under it."""
    steering = page.context.new_cdp_session(page)
    steering.send("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 1})
    def touch(kind, *points): steering.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})
    page.wait_for_timeout(200)
    grip, box = (wait(one.bounding_box) for one in (page.get_by_role("button", name="Move Thought 1"), page.locator(".placed li", has_text="Thought 3")))
    x, y = grip["x"] + 20, grip["y"] + 20
    touch("touchStart", (x, y))
    for step in range(1, 11): touch("touchMove", (x, y + (box["y"] + box["height"] * 0.8 - y) * step / 10))
    touch("touchEnd")
    expect(wait(lambda: placed(home, "Hobbit")[0][1] == ["Thought 3", "Thought 1"]), placed(home, "Hobbit"))
    steering.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    steering.detach()


def book_failures(home, browser):
    """What a service or the vault refuses is said as it says it, and the page goes on."""
    page, key = browser.page, browser.key
    services = Services(home)
    try:
        browser.open()
        home.need("book", "add", "--manual", "Waiting", "--to", "wishlist")
        home.need("book", "add", "--manual", "Taken back", "--to", "wishlist")
        home.need("book", "start", "Taken back")
        # A book that went back to the wishlist while its dialog was open.
        key("g", "b")
        page.wait_for_selector("[data-shelf=reading] .card:has-text('Taken back')")
        page.locator(".card", has_text="Taken back").click()
        page.locator(".detail").get_by_role("button", name="Archive", exact=True).wait_for()
        home.need("undo", "--yes")
        page.locator(".detail").get_by_role("button", name="Archive", exact=True).click()
        page.wait_for_selector(".detail .trouble:has-text('wishlist')")
        expect("—" in page.locator(".detail .trouble").inner_text(), "no hint", page.locator(".detail .trouble").inner_text())
        browser.shot("book-refused-1280")
        key("Escape")
        key("b")
        search(page, "429")
        page.get_by_role("button", name="Ask them, now and from now on").click()
        page.wait_for_selector(".box .trouble p")
        said = page.locator(".box .trouble").first.inner_text()
        expect("Google Books" in said and "Open Library" in said and "—" in said, said)
        browser.shot("books-429-1280")
        search(page, "nothing")
        page.wait_for_selector("text=No service knows such a book.")
        # Other addresses than those that were agreed to: asked for anew, and nothing is sent.
        count = len(services.asked())
        home.need("config", "set", "books.google", f"http://127.0.0.1:{services.port}/other")
        search(page, "hobbit")
        page.wait_for_selector(".agree:has-text('/other')")
        expect(len(services.asked()) == count, "something was sent to an address that was not agreed to")
        home.need("config", "set", "books.google", f"http://127.0.0.1:{services.port}")
        page.get_by_role("button", name="Ask them, now and from now on").click()
        # What was shown is not what counts now.
        expect(wait(lambda: "/other" not in page.locator(".box").inner_text()), page.locator(".box").inner_text())
        expect(len(services.asked()) == count, "something was sent to an address that was not shown")
        page.get_by_role("button", name="Ask them, now and from now on").click()
        page.wait_for_selector(".found h3:has-text('The Hobbit')")
        services.end()
        search(page, "dune")
        page.wait_for_selector(".box .trouble p")
        page.get_by_role("button", name="Close").click()
        # A book that is gone meanwhile.
        home.need("book", "rm", "Waiting", "--keep-notes")
        expect(wait(lambda: page.locator(".card", has_text="Waiting").count() == 0), "it is still on its shelf")
        browser.clean()
    finally: services.end()
