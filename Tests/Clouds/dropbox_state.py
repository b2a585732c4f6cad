# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""What the fake Dropbox of dropbox.py keeps: its files, cursors and upload sessions.

FOLDER/files has the stored files under the names they are displayed with, FOLDER/sessions the bytes of upload sessions
that are not committed. Names compare without case and keep it.
"""
import contextlib
import random
import re
import secrets
import threading
import time
import unicodedata

from dropbox_rules import COMMIT, IGNORED, MOST_NAME, Refused, Tokens, busy, checked, content_hash, malformed, problem


class State:
    def __init__(self, folder, app_key, scale=1.0, jitter=0.0):
        self.lock, self.commits = threading.Condition(threading.RLock()), threading.Lock()
        self.scale, self.jitter = scale, jitter
        self.files, self.parts = folder / "files", folder / "sessions"
        self.set = {"allocated": 2 << 30, "commit_seconds": 0, "page": 500, "code_seconds": 600, "expires_in": 14400}
        self.tokens = Tokens(app_key, self.set)
        self.entries, self.gone, self.journal, self.cursors, self.sessions = {}, {}, [], {}, {}
        self.number, self.at_once, self.most_at_once = 0, 0, 0
        for place in (self.files, self.parts): place.mkdir(parents=True, exist_ok=True)
        for path in sorted(self.files.rglob("*")):
            display, is_folder = "/" + path.relative_to(self.files).as_posix(), path.is_dir()
            self.note(display, "folder" if is_folder else "file", b"" if is_folder else path.read_bytes())

    # Files and folders.

    def note(self, display, kind, data=b"", old=None, client=None):
        """An entry comes to be or changes: nothing is written here."""
        self.number += 1
        entry = self.entry(display, kind, data, old["id"] if old else "id:" + secrets.token_urlsafe(16), client)
        self.entries[display.lower()] = entry
        self.gone.pop(display.lower(), None)
        self.told(display.lower(), self.metadata(entry))
        return entry

    def entry(self, display, kind, data, name, client=None):
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        return {"kind": kind, "display": display, "id": name, "size": len(data), "hash": content_hash(data),
                "rev": f"{0x15f00000000 + self.number:x}", "client": client or now, "server": now}

    def told(self, lower, metadata):
        self.journal.append((lower, metadata))
        with self.lock: self.lock.notify_all()

    def metadata(self, entry, tag=True):
        """`.tag` is there where any of Metadata can be, and not where only a file or only a folder can."""
        display, answer = entry["display"], {".tag": entry["kind"]} if tag else {}
        answer.update(name=display.rsplit("/", 1)[1], path_lower=display.lower(), path_display=display, id=entry["id"])
        if entry["kind"] == "file":
            answer.update(client_modified=entry["client"], server_modified=entry["server"], rev=entry["rev"],
                          size=entry["size"], is_downloadable=True, content_hash=entry["hash"])
        return answer

    def place(self, display): return self.files / display[1:]

    def split(self, route, path, key="path"):
        """The path's names, or the refusal of a path that is none."""
        if not path.startswith("/"):
            raise malformed(route, f"request body: path: '{path}' did not match pattern '(/(.|[\\r\\n])*)'")
        names = unicodedata.normalize("NFC", path).split("/")[1:]
        for name in names:  # assumed: which of both is said of which name
            if (name in ("", ".", "..") or re.search("[\0\\\\\ud800-\udfff]", name)
                    or len(name.encode()) > MOST_NAME): raise problem(f"{key}/malformed_path")
            if IGNORED.match(name) or name != name.rstrip(" ") or "\x7f" in name:
                raise problem("path/disallowed_name" if route in WRITERS else f"{key}/malformed_path")
        return names

    def find(self, route, path, key="path"):
        """The entry at a path or id that is read."""
        if path.startswith("id:"): found = next((one for one in list(self.entries.values()) if one["id"] == path), None)
        elif path in ("", "/"): raise malformed(route, "request body: path: The root folder is unsupported.")
        else: found = self.entries.get("/" + "/".join(self.split(route, path, key)).lower())
        if not found: raise problem(f"{key}/not_found")
        return found

    @contextlib.contextmanager
    def committing(self):
        """One at a time: whoever comes meanwhile waits, or is refused if commits are said to take some time."""
        with self.lock:
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            if not self.commits.acquire(blocking=not self.set["commit_seconds"]):
                raise busy("too_many_write_operations", 1)
            try:
                time.sleep(self.set["commit_seconds"])
                with self.lock: yield
            finally: self.commits.release()
        finally:
            with self.lock: self.at_once -= 1

    def parent(self, names):
        """The displayed path of the folder that has these names; it is made, with its own parents, if it is missing."""
        shown = ""
        for at, name in enumerate(names, 1):
            entry = self.entries.get("/" + "/".join(names[:at]).lower())
            if entry and entry["kind"] == "file": raise problem("path/conflict/file_ancestor")
            if not entry:
                self.place(f"{shown}/{name}").mkdir()
                entry = self.note(f"{shown}/{name}", "folder")
            shown = entry["display"]
        return shown

    def free(self, path, word=None):
        """The name that autorename finds."""
        folder, _, name = path.rpartition("/")
        stem, dot, end = name.rpartition(".") if "." in name[1:] else (name, "", "")
        names = (f"{folder}/{stem} ({word or number}){dot}{end}" for number in range(2, 1000))
        return next(one for one in names if one.lower() not in self.entries)

    def commit(self, route, data, info, stored=True):
        names, mode = self.split(route, info["path"]), info.get("mode", "add")
        path, strict, digest = "/" + "/".join(names), info.get("strict_conflict"), content_hash(data)
        update = mode.get("update") if isinstance(mode, dict) else None
        over, old = mode in ("overwrite", {".tag": "overwrite"}), self.entries.get(path.lower())
        if old and old["kind"] == "file" and old["hash"] == digest and not strict: return self.metadata(old, False)
        conflict = ("folder" if old and old["kind"] == "folder" else
                    "file" if (old and not over and update != old["rev"]) or (not old and update and strict) else None)
        if conflict and not info.get("autorename"): raise problem(f"path/conflict/{conflict}")
        if conflict: old, path = None, self.free(path, "conflicted copy" if update else None)
        used = sum(entry["size"] for entry in self.entries.values()) - (old["size"] if old else 0)
        if used + len(data) > self.set["allocated"]: raise problem("path/insufficient_space")
        if not stored: return self.metadata(self.entry(path, "file", data, "id:" + "A" * 22), False)
        display = old["display"] if old else self.parent(names[:-1]) + "/" + path.rsplit("/", 1)[1]
        self.place(display).write_bytes(data)
        return self.metadata(self.note(display, "file", data, old, info.get("client_modified")), False)

    def upload(self, route, data, info, stored):
        """Data that cannot be committed are kept in a session, which the refusal names."""
        try:
            with self.committing(): return self.commit(route, data, info, stored)
        except Refused as refused:
            error = refused.body.get("error") if isinstance(refused.body, dict) else None
            if error and error.get(".tag") == "path":
                refused.body["error"] = {".tag": "path", "reason": error["path"], "upload_session_id": self.start(data)}
            raise

    def make_folder(self, route, arg):
        with self.committing():
            names = self.split(route, arg["path"])
            path = "/" + "/".join(names)
            old = self.entries.get(path.lower())
            if old and not arg.get("autorename"): raise problem(f"path/conflict/{old['kind']}")
            if old: names = self.free(path).split("/")[1:]
            return {"metadata": self.metadata(self.entries[self.parent(names).lower()], False)}

    def delete(self, route, arg):
        """With all that is inside, from the inside."""
        with self.committing():
            entry = self.find(route, arg["path"], "path_lookup")
            if arg.get("parent_rev", entry["rev"]) != entry["rev"]: raise problem("path_write/conflict/file")
            lower = entry["display"].lower()
            for name in sorted(self.entries, reverse=True):
                if name != lower and not name.startswith(lower + "/"): continue
                one = self.entries.pop(name)
                place, told = self.place(one["display"]), self.metadata(one)
                place.rmdir() if one["kind"] == "folder" else place.unlink()
                names = {key: told[key] for key in ("name", "path_lower", "path_display")}
                self.gone[name] = {".tag": "deleted", **names}
                self.told(name, self.gone[name])
            return {"metadata": self.metadata(entry)}

    def looked(self, route, arg):
        try: return self.metadata(self.find(route, arg["path"]))
        except Refused:
            if arg.get("include_deleted") and arg["path"].lower() in self.gone: return self.gone[arg["path"].lower()]
            raise

    # Listings. A cursor is what is still to be told of a folder, and the place in the journal where what is new begins.

    def inside(self, lower, where):
        """A recursive list of a folder has the folder itself first (assumed)."""
        base, deep = where["base"], where["deep"]
        return (lower.startswith(base + "/") and (deep or "/" not in lower[len(base) + 1:])) or (deep and lower == base)

    def listed(self, route, arg, latest=False):
        path = arg["path"]
        if path == "/":
            raise malformed(route, 'request body: path: Specify the root folder as an empty string rather than as "/".')
        base = self.find(route, path) if path else {"kind": "folder", "display": ""}
        if base["kind"] == "file": raise problem("path/not_folder")
        with self.lock:
            where = {"base": base["display"].lower(), "deep": bool(arg.get("recursive")), "reset": False, "at": 0,
                     "limit": arg.get("limit", self.set["page"]), "seq": len(self.journal), "pending": []}
            if not latest:
                known = dict(self.gone) if arg.get("include_deleted") else {}
                known.update((name, self.metadata(one)) for name, one in self.entries.items())
                where["pending"] = [known[name] for name in sorted(known) if self.inside(name, where)]
            return self.page(where)

    def page(self, where):
        end, name = where["at"] + where["limit"], "AA" + secrets.token_urlsafe(64)
        self.cursors[name] = {**where, "at": end}
        return {"entries": where["pending"][where["at"]:end], "cursor": name, "has_more": end < len(where["pending"])}

    def cursor(self, route, name):
        where = self.cursors.get(name) if isinstance(name, str) else None
        if where is None: raise malformed(route, 'request body: Invalid "cursor" parameter')
        if where["reset"]: raise problem("reset")
        return where

    def changes(self, where):
        last = {}
        for lower, metadata in self.journal[where["seq"]:]:
            last.pop(lower, None)
            if self.inside(lower, where): last[lower] = metadata
        return list(last.values())

    def continued(self, route, name):
        with self.lock:
            where = self.cursor(route, name)
            if where["base"] and where["base"] not in self.entries: raise problem("path/not_found")
            if where["at"] < len(where["pending"]): return self.page(where)
            return self.page({**where, "pending": self.changes(where), "at": 0, "seq": len(self.journal)})

    def longpoll(self, route, name, timeout):
        until = time.monotonic() + timeout * self.scale + random.uniform(0, self.jitter)
        with self.lock:
            while True:
                where = self.cursor(route, name)
                if where["at"] < len(where["pending"]) or self.changes(where): return {"changes": True}
                if time.monotonic() >= until: return {"changes": False}
                self.lock.wait(max(0.01, min(1, until - time.monotonic())))

    # Upload sessions.

    def start(self, data=b"", close=False):
        name = "pid_upload_session:" + secrets.token_urlsafe(32)
        (self.parts / name).write_bytes(data)
        self.sessions[name] = {"closed": close}
        return name

    def session(self, route, cursor, key="", adds=True):
        """The session at its end; it may be added to unless it is closed."""
        cursor = checked(route, "cursor", cursor, "session_id offset", "")
        held, place = self.sessions.get(cursor["session_id"]), self.parts / cursor["session_id"].replace("/", "")
        if not held: raise problem(key + "not_found")
        if held["closed"] and adds: raise problem(key + "closed")
        size = place.stat().st_size
        if cursor["offset"] != size: raise problem(key + "incorrect_offset", correct_offset=size)
        return held, place

    def append(self, route, data, arg):
        with self.lock:
            held, place = self.session(route, arg["cursor"])
            with place.open("ab") as file: file.write(data)
            held["closed"] = held["closed"] or arg.get("close", False)

    def finished(self, route, entry, data=b"", batch=False, stored=True):
        """Commits a session; it stays, with its data, when that is refused."""
        entry = checked(route, "entry", entry, "cursor commit", "content_hash")
        info = checked(route, "commit", entry["commit"], "path", COMMIT)
        held, place = self.session(route, entry["cursor"], "lookup_failed/", bool(data))
        if batch and not held["closed"]: raise problem("lookup_failed/not_closed")
        with place.open("ab") as file: file.write(data)
        answer = self.commit(route, place.read_bytes(), info, stored)
        del self.sessions[place.name]
        place.unlink()
        return answer

    def finish(self, route, data, arg, stored):
        with self.committing(): return self.finished(route, arg, data, False, stored)

    def finish_batch(self, route, entries, stored, refused=0):
        """One result for each entry, in order; the first so many are refused."""
        if len(entries) > 1000: raise malformed(route, "request body: entries: list has more than 1000 items")
        results = []
        with self.committing():
            for at, entry in enumerate(entries):
                try:
                    if at < refused: raise problem("too_many_write_operations")
                    results.append({".tag": "success", **self.finished(route, entry, b"", True, stored)})
                except Refused as why:
                    if why.status != 409: raise
                    results.append({".tag": "failure", "failure": why.body["error"]})
        return {"entries": results}


WRITERS = ("files/upload", "files/upload_session/finish", "files/upload_session/finish_batch_v2",
           "files/create_folder_v2")
