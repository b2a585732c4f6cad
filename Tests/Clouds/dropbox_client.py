# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""The client with which dropbox_check.py drives the fake Dropbox."""
import json
import re
import urllib.error
import urllib.parse
import urllib.request

from dropbox_rules import ROUTES


class Reply:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body, self.kind = status, headers, body, headers.get("Content-Type", "")

    @property
    def json(self): return json.loads(self.body)
    @property
    def tag(self): return re.sub(r"/\.*\Z", "", self.json["error_summary"])


class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_): return None


class Client:
    """It counts what it checks, and keeps the names of the faults that it asked for."""
    def __init__(self, server):
        self.server, self.url, self.checks, self.faults = server, server.url, 0, set()
        self.opener = urllib.request.build_opener(Stay, urllib.request.ProxyHandler({}))
        self.bearer = server.granted()["access_token"]

    def that(self, holds, what):
        self.checks += 1
        if not holds: raise SystemExit(f"dropbox: self-test: {what}")

    def ask(self, path, data=None, timeout=10, **headers):
        named = {name.replace("_", "-"): said for name, said in headers.items() if said is not None}
        if "X-Fault" in named: self.faults.add(named["X-Fault"].partition("=")[0])
        request = urllib.request.Request(self.url + path, data, named)
        try:
            with self.opener.open(request, timeout=timeout) as answer:
                return Reply(answer.status, answer.headers, answer.read())
        except urllib.error.HTTPError as error: return Reply(error.code, error.headers, error.read())

    def call(self, route, arg=None, data=None, bearer=None, fault=None, **more):
        """One call, in the style of its route."""
        style = ROUTES[route][0]
        headers = {"Authorization": None if style == "open" else f"Bearer {bearer or self.bearer}", "X_Fault": fault,
                   **more}
        if style in ("rpc", "open"):
            return self.ask(f"/2/{route}", json.dumps(arg).encode(), Content_Type="application/json", **headers)
        headers["Dropbox_API_Arg"] = headers.get("Dropbox_API_Arg", json.dumps(arg).replace("\x7f", "\\u007f"))
        kind = "application/octet-stream" if style == "upload" else "text/plain"
        return self.ask(f"/2/{route}", data or b"", Content_Type=kind, **headers)

    def put(self, path, data, fault=None, **arg):
        return self.call("files/upload", {"path": path, "mute": True, **arg}, data, fault=fault)

    def get(self, path, fault=None, **more):
        return self.call("files/download", {"path": path}, fault=fault, **more)

    def list(self, path="", fault=None, **arg):
        return self.call("files/list_folder", {"path": path, **arg}, fault=fault)

    def more(self, cursor): return self.call("files/list_folder/continue", {"cursor": cursor})

    def control(self, **said):
        self.faults |= {said["fault"]} if "fault" in said else set()
        return self.ask("/control", json.dumps(said).encode())

    def token(self, fault=None, **form):
        return self.ask("/oauth2/token", urllib.parse.urlencode(form).encode(), X_Fault=fault)
