# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Drives the fake Dropbox over all its routes and faults, as `dropbox.py --self-test`."""
import base64
import hashlib
import http.client
import json
import pathlib
import re
import secrets
import tempfile
import threading
import time
import urllib.parse
import urllib.request

from dropbox_client import Client
from dropbox_faults import AT_ONCE, BODIES, CHANGES, REFUSALS, WIRES
from dropbox_rules import BLOCK, ROUTES, SCOPES, content_hash

U = "files/upload_session/"


class Check(Client):
    def granting(self):
        verifier = secrets.token_urlsafe(48)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
        asked = {"client_id": "vaultfakeappkey", "response_type": "code", "code_challenge": challenge,
                 "code_challenge_method": "S256", "token_access_type": "offline", "scope": " ".join(SCOPES)}

        def code(**other): return self.ask("/oauth2/authorize?" + urllib.parse.urlencode({**asked, **other}))
        def shown(page): return re.search(r'data-token="([\w-]{43})"', page.body.decode())[1]
        for wrong in ({"client_id": "x"}, {"code_challenge_method": "plain"}, {"redirect_uri": "http://x/"},
                      {"scope": "x.y"}):
            self.that(code(**wrong).status == 400, f"authorize with {wrong}")
        form = {"grant_type": "authorization_code", "client_id": "vaultfakeappkey", "code_verifier": verifier}
        first = shown(code())
        answer = self.token(code=first, **form)
        fields = {"access_token", "expires_in", "token_type", "scope", "uid", "account_id", "refresh_token"}
        self.that(answer.status == 200 and set(answer.json) == fields, "the first token's fields")
        self.that(answer.json["access_token"][:3] == "sl." and answer.json["expires_in"] == 14400, "the first token")
        again = self.token(code=first, **form)
        self.that((again.status, again.json["error"]) == (400, "invalid_grant"), "a code twice")
        self.that(self.token(code=shown(code()), **{**form, "code_verifier": "a" * 43}).json["error"] ==
                  "invalid_grant", "a wrong verifier")
        self.that("refresh_token" not in self.token(code=shown(code(token_access_type="online")), **form).json,
                  "online")
        form = {"grant_type": "refresh_token", "client_id": "vaultfakeappkey",
                "refresh_token": answer.json["refresh_token"]}
        self.that(set(self.token(**form).json) == {"access_token", "expires_in", "token_type"},
                  "a refreshed token's fields")
        self.that(self.token(**{**form, "client_id": "x"}).json["error"] == "invalid_client", "another client_id")
        self.that(self.token(**{**form, "refresh_token": "x" * 50}).json["error"] == "invalid_grant",
                  "an unknown refresh token")
        lives = [self.token(f"expires={n}", **form).json["expires_in"] for n in (0, -5, 1 << 62)]
        self.that(lives == [0, -5, 1 << 62], "expires")
        self.that(self.token("token-text", **form).kind.startswith("text/plain"), "token-text")
        self.that(len(self.token("token-long", **form).body) > 1 << 20, "token-long")
        few = self.control(grant=["files.metadata.read"]).json["access_token"]
        refused = self.call("files/upload", {"path": "/x"}, b"x", few)
        self.that((refused.status, refused.json["error"]) == (401, {".tag": "missing_scope",
                                                                    "required_scope": "files.content.write"}), "scope")
        self.that(self.call("auth/token/revoke", bearer=answer.json["access_token"]).body == b"null", "revoke")
        self.that(self.call("users/get_space_usage", bearer=answer.json["access_token"]).tag == "invalid_access_token",
                  "a revoked token")
        self.that(self.token(**form).json["error_description"] == "refresh token is invalid or revoked",
                  "a revoked refresh token")

    def storing(self):
        big = secrets.token_bytes(BLOCK + 5)
        put = self.put("/Notes/Deep/A.bin", big, content_hash=content_hash(big))
        self.that(put.status == 200 and ".tag" not in put.json and put.json["path_display"] == "/Notes/Deep/A.bin",
                  "upload")
        blocks = hashlib.sha256(big[:BLOCK]).digest() + hashlib.sha256(big[BLOCK:]).digest()
        self.that(put.json["content_hash"] == hashlib.sha256(blocks).hexdigest(), "content_hash")
        got = self.get("/notes/DEEP/a.BIN")
        self.that(got.body == big and json.loads(got.headers["Dropbox-API-Result"]) == put.json,
                  "download, of another case")
        part = self.get("/notes/deep/a.bin", Range="bytes=5-9")
        self.that((part.status, part.body, part.headers["Content-Range"]) == (206, big[5:10], f"bytes 5-9/{len(big)}"),
                  "Range")
        self.that(self.put("/notes/deep/a.bin", big).json["rev"] == put.json["rev"], "the same content is no change")
        clash = self.put("/notes/deep/a.bin", b"x")
        self.that(clash.status == 409 and clash.tag == "path/conflict/file" and clash.json["error"]["reason"] ==
                  {".tag": "conflict", "conflict": {".tag": "file"}} and clash.json["error"]["upload_session_id"],
                  "conflict")
        new = self.put("/notes/deep/a.bin", b"x", mode={".tag": "update", "update": put.json["rev"]})
        self.that(new.json["id"] == put.json["id"] and new.json["rev"] > put.json["rev"], "update")
        self.that(self.put("/notes/deep/a.bin", b"y", mode={".tag": "update", "update": put.json["rev"]}).status == 409,
                  "an old rev")
        self.that(self.put("/notes/deep/a.bin", b"y", mode="overwrite").json["path_display"] == "/Notes/Deep/A.bin",
                  "overwrite")
        self.that(self.put("/notes/deep/a.bin", b"z", autorename=True).json["name"] == "a (2).bin", "autorename")
        for path, tag in (("/a/../b", "path/malformed_path"), ("/a//b", "path/malformed_path"),
                          ("/n\0", "path/malformed_path"), ("/Thumbs.db", "path/disallowed_name"),
                          ("/notes", "path/conflict/folder"), ("/notes/deep/a.bin/b", "path/conflict/file_ancestor")):
            self.that(self.put(path, b"x").tag == tag, f"upload to {path!r}")
        self.that(self.put("/x", b"x", content_hash="0" * 64).tag == "content_hash_mismatch", "a wrong content_hash")
        self.control(set={"allocated": 3})
        self.that(self.put("/x", b"xxxx").tag == "path/insufficient_space", "insufficient_space")
        self.control(set={"allocated": 1 << 31})
        for call in (self.call("files/upload", Dropbox_API_Arg='{"path": "/\u00e9"}'), self.put("x", b""),
                     self.put("/x", b"", new=1),
                     self.ask("/2/files/upload", b"x", Authorization=f"Bearer {self.bearer}",
                              Dropbox_API_Arg='{"path":"/x"}'),
                     self.list("/"), self.list(limit=2001), self.more("AAnone"),
                     self.call("files/get_metadata", {"path": ""})):
            self.that(call.status == 400 and call.kind.startswith("text/plain")
                      and b"Error in call to API" in call.body, "400")
        self.that(self.put("/\u00e9\x7f", b"x").tag == "path/disallowed_name"
                  and self.put("/\u00c9.n", b"\x01").status == 200, "escapes")
        self.that(self.get("/\u00e9.n").body == b"\x01" and self.get("/none").tag == "path/not_found", "names")
        self.that(self.get("/notes").tag == "path/not_file", "a folder")
        made = self.call("files/create_folder_v2", {"path": "/Empty/In"}).json["metadata"]
        self.that(made["path_lower"] == "/empty/in" and ".tag" not in made, "create_folder_v2")
        self.that(self.call("files/create_folder_v2", {"path": "/empty"}).tag == "path/conflict/folder",
                  "a folder again")
        self.that(self.call("files/get_metadata", {"path": "/EMPTY"}).json[".tag"] == "folder", "get_metadata")
        self.that(self.call("files/delete_v2", {"path": "/empty"}).json["metadata"][".tag"] == "folder", "delete_v2")
        self.that(self.call("files/delete_v2", {"path": "/empty"}).tag == "path_lookup/not_found", "delete_v2 again")
        self.that(self.call("files/get_metadata", {"path": "/empty", "include_deleted": True}).json[".tag"] ==
                  "deleted", "deleted")
        self.that(self.call("users/get_space_usage").json["allocation"] == {".tag": "individual", "allocated": 1 << 31},
                  "space")
        self.that(self.call("users/get_current_account").json["account_id"].startswith("dbid:"), "account")
        self.that((self.server.state.files / "Notes/Deep/A.bin").read_bytes() == b"y", "what lies in the folder")

    def sessions(self):
        ids = [self.call(U + "start", {"close": True}, bytes([n])).json["session_id"] for n in range(4)]
        entries = [{"cursor": {"session_id": one, "offset": 1}, "commit": {"path": f"/batch/{n}"}}
                   for n, one in enumerate(ids)]
        entries[2]["cursor"]["offset"], entries[3]["commit"]["path"] = 5, "/notes"
        results = self.call(U + "finish_batch_v2", {"entries": entries}).json["entries"]
        self.that([one[".tag"] for one in results] == ["success", "success", "failure", "failure"], "finish_batch_v2")
        offset = {".tag": "incorrect_offset", "correct_offset": 1}
        self.that(results[0]["content_hash"] == content_hash(b"\0"), "an entry that is committed")
        self.that(results[2]["failure"] == {".tag": "lookup_failed", "lookup_failed": offset}, "an entry that is not")
        one, two = self.call(U + "start_batch", {"num_sessions": 2}).json["session_ids"]
        cursor = {"session_id": one, "offset": 0}
        self.that(self.call(U + "append_v2", {"cursor": cursor, "content_hash": content_hash(b"abc")}, b"abc").body ==
                  b"null", "append_v2")
        error = self.call(U + "append_v2", {"cursor": cursor}, b"abc").json["error"]
        self.that(error == {".tag": "incorrect_offset", "correct_offset": 3}, "an append twice")
        late = {"cursor": {"session_id": one, "offset": 3}, "commit": {"path": "/late"}}
        result = self.call(U + "finish_batch_v2", {"entries": [late]}).json["entries"][0]
        self.that(result["failure"]["lookup_failed"] == {".tag": "not_closed"}, "not_closed")
        self.that(self.call(U + "finish", late, b"def").json["size"] == 6 and self.get("/late").body == b"abcdef",
                  "finish")
        self.that(self.call(U + "finish", late, b"").tag == "lookup_failed/not_found", "finish again")
        self.call(U + "append_v2", {"cursor": {"session_id": two, "offset": 0}, "close": True}, b"")
        self.that(self.call(U + "append_v2", {"cursor": {"session_id": two, "offset": 0}}, b"x").tag == "closed",
                  "closed")
        self.that(self.call(U + "finish_batch_v2", {"entries": [late] * 1001}).status == 400, "1001 entries")
        ids = [self.call(U + "start", {"close": True}, b"r").json["session_id"] for _ in range(2)]
        entries = [{"cursor": {"session_id": one, "offset": 1}, "commit": {"path": f"/again/{n}"}}
                   for n, one in enumerate(ids)]
        results = self.call(U + "finish_batch_v2", {"entries": entries}, fault="batch=1").json["entries"]
        self.that(results[0]["failure"] == {".tag": "too_many_write_operations"} and results[1][".tag"] == "success",
                  "batch")
        self.control(set={"commit_seconds": 0.5})
        both, results = [], []
        def write(name): results.append(self.put(f"/lock/{name}", b"x").status)
        for name in "ab": both.append(threading.Thread(target=write, args=(name,)))
        for one in both: one.start()
        for one in both: one.join()
        self.that(sorted(results) == [200, 429], "lock contention")
        self.control(set={"commit_seconds": 0})
        self.control(fault="drop-sessions")
        self.that(self.call(U + "finish", entries[0], b"").tag == "lookup_failed/not_found", "drop-sessions")

    def listing(self):
        for n in range(7): self.put(f"/List/{n}", bytes([n]))
        page, found = self.list("/LIST", limit=3).json, []
        while True:
            found += [one["name"] for one in page["entries"]]
            if not page["has_more"]: break
            page = self.more(page["cursor"]).json
        self.that(sorted(found) == list("0123456"), "pages")
        latest = self.call("files/list_folder/get_latest_cursor", {"path": "/list", "recursive": True}).json["cursor"]
        poll = {"cursor": latest, "timeout": 30}
        began = time.monotonic()
        self.that(self.call("files/list_folder/longpoll", poll).json == {"changes": False}
                  and time.monotonic() - began > 0.2, "a longpoll")
        threading.Timer(0.1, lambda: self.put("/list/sub/8", b"8")).start()
        self.that(self.call("files/list_folder/longpoll", poll).json == {"changes": True}, "a longpoll with a change")
        time.sleep(0.1)
        self.call("files/delete_v2", {"path": "/list/0"})
        page = self.more(latest).json
        self.that([(one[".tag"], one["path_lower"]) for one in page["entries"]] ==
                  [("folder", "/list/sub"), ("file", "/list/sub/8"), ("deleted", "/list/0")], "changes")
        self.that(self.more(page["cursor"]).json["entries"] == [], "no changes")
        self.that(self.call("files/list_folder/longpoll", {"cursor": latest, "timeout": 5}).status == 400,
                  "a timeout of 5")
        refused = self.ask("/2/files/list_folder/longpoll", json.dumps(poll).encode(), Content_Type="application/json",
                           Authorization="Bearer sl.x")
        self.that(refused.status == 400, "a longpoll with Authorization")
        self.that(self.call("files/list_folder/longpoll", poll, fault="backoff").json ==
                  {"changes": False, "backoff": 600}, "backoff")
        self.that(self.call("files/list_folder/longpoll", poll, fault="always").json == {"changes": True}, "always")
        self.that(self.list("/none").tag == "path/not_found" and self.list("/late").tag == "path/not_folder",
                  "no folder")
        self.control(fault="reset-cursors")
        self.that(self.more(page["cursor"]).tag == "reset" and self.call("files/list_folder/longpoll", poll).tag ==
                  "reset", "reset")
        names = [one["name"] for one in self.list("/list", "hostile").json["entries"]]
        self.that("../x" in names and "nul\0" in names and "UPPER CASE" in names, "hostile")
        self.that(len(self.list("/list", "many-names").json["entries"]) > 70_000, "many-names")
        plain = len(self.list("/list").json["entries"])
        self.that(len(self.list("/list", "duplicates").json["entries"]) == 2 * plain, "duplicates")
        self.that(self.list("/list", "wrong-types").json["entries"][-3]["name"] == 7, "wrong-types")
        self.that(self.list("/list", "endless-pages").json["has_more"], "endless-pages")
        self.that(self.list("/list", "deep-json").body.count(b"[") == 100_000, "deep-json")
        cut = self.list("/list", "cut-json").body
        self.that(cut.startswith(b'{"entries"') and not cut.endswith(b"}"), "cut-json")

    def wires(self):
        self.put("/wire", b"0123456789")
        statuses = {"400": 400, "401": 401, "409": 409, "429": 429, "429-writes": 429, "429-text": 429, "500": 500,
                    "503": 503, "507": 507, "redirect": 302}
        for name, status in statuses.items():
            answer = self.put("/status", b"x", fault=name)
            self.that(answer.status == status, f"fault {name}")
            if name == "429":
                self.that(answer.json["error"] == {"reason": {".tag": "too_many_requests"}, "retry_after": 1}, name)
            if name in ("429", "429-text", "503"): self.that(answer.headers["Retry-After"] == "1", "Retry-After")
            if name == "409": self.that(answer.json["error"]["reason"][".tag"] == "conflict", name)
            if name == "500": self.that(answer.kind.startswith("text/html"), name)
            if name == "redirect": self.that(answer.headers["Location"].startswith("http://localhost:"), name)
        self.that(self.get("/status").status == 409, "a fault does nothing")
        for name in ("truncated", "lost", "closed", "silence", "endless", "slow"):
            try:
                if name == "endless":
                    with self.opener.open(self.asked(name), timeout=5) as answer: size = len(answer.read(1 << 22))
                    self.that(size == 1 << 22, name)
                    continue
                self.get("/wire", name, timeout=0.5 if name in ("slow", "silence") else 5)
                self.that(False, f"fault {name}")
            except (OSError, http.client.HTTPException): self.checks += 1
        for name, status in (("lost", 200), ("closed", 409)):
            try: self.put(f"/{name}", b"x", name)
            except OSError: self.that(self.get(f"/{name}").status == status, f"what {name} does")
        altered = self.get("/wire", "altered")
        self.that(altered.body != b"0123456789" and len(altered.body) == 10 and
                  json.loads(altered.headers["Dropbox-API-Result"])["content_hash"] == content_hash(b"0123456789"),
                  "altered")
        for name in ("altered-hash", "no-hash"):
            said = json.loads(self.get("/wire", name).headers["Dropbox-API-Result"]).get("content_hash")
            self.that(said != content_hash(b"0123456789") and (name == "no-hash") == (said is None), name)
        self.that(self.list("", "wrong-type").kind.startswith("text/html"), "wrong-type")
        told = self.put("/pretended", b"x", "not-stored").json
        self.that(told["content_hash"] == content_hash(b"x") and self.get("/pretended").tag == "path/not_found",
                  "not-stored")
        self.control(fault="503", path="^files/get_metadata$", count=2, skip=1, value=7)
        seen = [self.call("files/get_metadata", {"path": "/wire"}) for _ in range(4)]
        self.that([one.status for one in seen] == [200, 503, 503, 200] and seen[1].headers["Retry-After"] == "7",
                  "count and skip")
        self.that(self.control(fault="none").status == 400 and self.control(clear=True).status == 200,
                  "an unknown fault")
        connection = http.client.HTTPConnection("127.0.0.1", self.server.server_port)
        headers = {"Authorization": f"Bearer {self.bearer}", "Content-Type": "application/octet-stream"}
        connection.request("POST", "/2/files/upload", iter([b"ch", b"unk"]),
                           {**headers, "Dropbox-API-Arg": '{"path":"/chunk"}'})
        self.that(connection.getresponse().read() and self.get("/chunk").body == b"chunk", "chunks")
        connection.request("POST", "/2/files/download", headers={**headers, "Dropbox-API-Arg": '{"path":"/chunk"}'})
        self.that(connection.getresponse().read() == b"chunk", "keep-alive")
        self.control(fault="expire")
        self.that(self.list().tag == "expired_access_token", "expire")
        self.bearer = self.control(grant=None).json["access_token"]
        self.control(fault="revoke")
        self.that(self.list().tag == "invalid_access_token", "revoke")

    def asked(self, fault):
        self.faults.add(fault)
        headers = {"Authorization": f"Bearer {self.bearer}", "X-Fault": fault, "Dropbox-API-Arg": '{"path": "/wire"}',
                   "Content-Type": "text/plain"}
        return urllib.request.Request(self.url + "/2/files/download", b"", headers)

    def logged(self):
        log = self.ask("/control").json
        self.that(not set(ROUTES) - set(log["requests"]), f"routes: {set(ROUTES) - set(log['requests'])}")
        self.that(log["headers"]["Authorization"] == ["Bearer*"] and not log["secret_in_query"], "the log")
        self.that(log["files"]["/wire"] == {"size": 10, "content_hash": content_hash(b"0123456789")}, "the log's files")
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        self.ask("/2/users/get_space_usage?token=" + self.bearer, Authorization="Bearer sl.x", X_Fault="redirect")
        log = self.ask("/control").json
        self.that(log["secret_in_query"] and len(log["elsewhere"]) == 1, "a secret in a query, and a redirect")
        self.faults.discard("none")
        missing = {*AT_ONCE, *REFUSALS, *CHANGES, *BODIES, *WIRES} - self.faults
        self.that(not missing, f"faults that were not tried: {missing}")


def run(server):
    with tempfile.TemporaryDirectory() as folder:
        check = Check(server(pathlib.Path(folder), scale=0.01))
        for step in (check.granting, check.storing, check.sessions, check.listing, check.wires, check.logged): step()
        check.server.ended.set()
        print(f"dropbox: self-test: {check.checks} checks of {len(ROUTES)} routes and {len(check.faults)} faults")
