#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""The page in a real Firefox: firefox.py --bin DIR prints a line for each walk, and ends with 1 when one fails.

Firefox runs as the vault's user, with its own sandbox and a profile of its own in an ordinary folder; this program steers it by Marionette on loopback.
"""

import argparse, os, re, signal, socket, subprocess, sys, time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from marionette_driver.by import By  # noqa: E402
from marionette_driver.keys import Keys  # noqa: E402
from marionette_driver.marionette import Marionette  # noqa: E402
from hostile import expect  # noqa: E402
from webhome import PASSWORD, WebHome, as_user, found_in, wait  # noqa: E402

MARK = "zebrafinch"
CONTROL = "hornbill"
# What a fresh profile would fetch or show first; nothing of what a browser keeps is turned off.
SETTINGS = """user_pref("marionette.port", {port});
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("toolkit.telemetry.enabled", false);
user_pref("app.update.enabled", false);
user_pref("browser.sessionstore.interval", 1000);
"""


class Firefox:
    def __init__(self, home):
        self.home = home
        self.profile = home.root / "home/firefox"
        self.profile.mkdir()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        (self.profile / "user.js").write_text(SETTINGS.format(port=self.port))
        if os.getuid() == 0:
            for path in (self.profile, self.profile / "user.js"): os.chown(path, 65534, 65534)
        words = ["/usr/bin/firefox-esr", "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", str(self.profile)]
        self.process = subprocess.Popen(as_user(words), env=home.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.driver = Marionette(host="127.0.0.1", port=self.port, bin=None)
        if not wait(self.answers, 60): raise RuntimeError("Firefox does not start")
        self.driver.start_session()
        self.driver.timeout.implicit = 15

    def answers(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
            return True
        except OSError: return False

    def find(self, selector): return self.driver.find_element(By.CSS_SELECTOR, selector)
    def text(self): return self.driver.execute_script("return document.body.innerText")
    def sees(self, words): return wait(lambda: words in self.text(), 15)

    def kill(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def main_job(home, firefox):
    """Unlock, read, write, search; then nothing of a note, nor of what was typed, is in the profile, also when Firefox is killed."""
    home.need("new", f"# {MARK}title\n\n{MARK}body")
    home.need("lock")
    expect(wait(lambda: home.server() is None, 3), "the server lives")
    home.address()
    driver = firefox.driver
    driver.navigate(f"file://{home.file}")
    field = firefox.find("input[type=password]")
    field.send_keys(PASSWORD + Keys.ENTER)
    expect(firefox.sees(f"{MARK}title"), "no list", firefox.text())
    expect(driver.get_url() == f"{home.origin}/" and driver.title == "vault", driver.get_url(), driver.title)
    firefox.find(".row").click()
    expect(firefox.sees(f"{MARK}body"), "no note")
    body = firefox.find("body")
    body.send_keys("e")
    writing = firefox.find(".field")
    writing.send_keys(f" {MARK}typed")
    expect(firefox.sees("Kept as a draft"), "it is not kept", firefox.text())
    writing.send_keys(Keys.ESCAPE)
    expect(wait(lambda: f"{MARK}typed" in home.need("cat", home.notes()[0]["id"])), "it is not saved")
    firefox.find(".list input").send_keys(f"{MARK}title")
    ordinary = home.root / "home/ordinary.html"
    ordinary.write_text(f"<title>{CONTROL}title</title><textarea></textarea>")
    driver.switch_to_window(driver.open(type="tab")["handle"])
    driver.navigate(f"file://{ordinary}")
    firefox.find("textarea").send_keys(f"{CONTROL}typed")
    time.sleep(6)
    firefox.kill()
    found, scanned = found_in(firefox.profile, [MARK + part for part in ("title", "body", "typed")] + [PASSWORD])
    expect(not found, found)
    # An ordinary page leaves both: so what is looked for would be found.
    control, _ = found_in(firefox.profile, [CONTROL + "title", CONTROL + "typed"])
    expect(len(control) == 2, "the search finds nothing of an ordinary page", control)
    print(f"   {scanned:,} bytes of the profile scanned")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True)
    chosen = parser.parse_args()
    home = WebHome(chosen.bin)
    firefox = None
    try:
        firefox = Firefox(home)
        main_job(home, firefox)
        print("ok main_job", flush=True)
        return 0
    except Exception as error:
        print(f"FAILED main_job: {type(error).__name__}: {str(error)[:1500]}", flush=True)
        return 1
    finally:
        if firefox:
            try: firefox.kill()
            except ProcessLookupError: pass
        home.end()


if __name__ == "__main__":
    sys.exit(main())
