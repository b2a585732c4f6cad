# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""The faults of the fake Dropbox, and its log of what was asked."""
import collections
import json
import re
import urllib.parse

from dropbox_rules import Refused, busy, malformed, problem, refusal, union

TEXT, HTML = "text/plain; charset=utf-8", "text/html; charset=utf-8"
PAGE = b"<!DOCTYPE html><html><head><title>Error</title></head><body><h1>Something went wrong</h1></body></html>"
HOSTILE = ("../x", "..", ".", "", "/etc/passwd", "a/b", "a\\b", "UPPER CASE", "nul\0", "line\nfeed", "\u202eevil",
           "x" * 70_000, "\ud800", "%2e%2e%2fx", ".\u200d.", "CON", "caf\u00e9", "cafe\u0301")
NONE = ("", None)


def refused_path(route, summary):
    tag, _, rest = summary.partition("/")
    if route != "files/upload" or tag != "path": return problem(summary)
    error = {".tag": "path", "reason": union(rest, {}), "upload_session_id": "pid_upload_session:fault"}
    return refusal(409, summary, error)


def unauthorized(tag): return refusal(401, tag, {".tag": tag}, WWW_Authenticate='Bearer realm="Dropbox-API"')
def all_of(things, key): return lambda state: [one.update({key: True}) for one in things(state).values()]


# Faults that happen at once, whatever is asked next.
AT_ONCE = {
    "expire": all_of(lambda state: state.tokens.access, "expired"),
    "revoke": all_of(lambda state: state.tokens.refresh, "revoked"),
    "reset-cursors": all_of(lambda state: state.cursors, "reset"),
    "drop-sessions": lambda state: state.sessions.clear(),
}
# The request is not done; the value is a number of seconds, a tag or an address.
REFUSALS = {
    "400": lambda route, value: malformed(route, "request body: could not decode input as JSON"),
    "401": lambda route, value: unauthorized(value or "expired_access_token"),
    "409": lambda route, value: refused_path(route, value or "path/conflict/file"),
    "429": lambda route, value: busy("too_many_requests", 1 if value is None else value),
    "429-writes": lambda route, value: busy("too_many_write_operations", value),
    "429-text": lambda route, value: Refused(429, b"too_many_requests", Retry_After=1 if value is None else value),
    "500": lambda route, value: Refused(500, PAGE, Content_Type=HTML),
    "503": lambda route, value: Refused(503, b"upstream connect error", Retry_After=1 if value is None else value),
    "507": lambda route, value: Refused(507, PAGE, Content_Type=HTML),
    "redirect": lambda route, value: Refused(302, b"", Location=value or "ELSEWHERE"),
    "always": lambda route, value: Refused(200, {"changes": True}),
    "backoff": lambda route, value: Refused(200, {"changes": False, "backoff": value or 600}),
    "token-text": lambda route, value: Refused(200, b"access_token=sl.none&token_type=bearer", Content_Type=TEXT),
    "token-long": lambda route, value: Refused(200, {"access_token": "sl." + "x" * (1 << 20), "token_type": "bearer",
                                                     "expires_in": 14400}),
}


def named(value, names):
    files = [one for one in value["entries"] if one.get(".tag") == "file"]
    base = files[0] if files else {".tag": "file", "path_lower": "/x", "size": 1}
    folder = base["path_lower"].rpartition("/")[0]
    value["entries"] += [{**base, "name": name, "id": f"id:{at}", "path_lower": f"{folder}/{name}".lower(),
                          "path_display": f"{folder}/{name}"} for at, name in enumerate(names)]


def flipped(body, at): return body[:at] + bytes([body[at] ^ 1]) + body[at + 1:]
def rehashed(value): value["content_hash"] = "01"[value["content_hash"][0] == "0"] + value["content_hash"][1:]
def mistyped(value): value["entries"] += [{".tag": "file", "name": 7, "size": -1, "path_lower": None}, None,
                                          {".tag": "x"}]


# The request is done; its JSON (for a download: what is in its header) is changed.
CHANGES = {
    "duplicates": lambda value, said: value["entries"].extend(list(value["entries"])),
    "hostile": lambda value, said: named(value, said or HOSTILE),
    "many-names": lambda value, said: named(value, (f"{at:05}" for at in range(said or 70_000))),
    "wrong-types": lambda value, said: mistyped(value), "altered-hash": lambda value, said: rehashed(value),
    "no-hash": lambda value, said: value.pop("content_hash", None),
    "endless-pages": lambda value, said: value.update(entries=[], has_more=True),
    "expires": lambda value, said: value.update(expires_in=said or 0),
}
# The answer's body is another.
BODIES = {
    "cut-json": lambda body, said: body[:len(body) * 2 // 3],
    "deep-json": lambda body, said: b'{"entries":' + b"[" * (said or 100_000),
    "altered": lambda body, said: flipped(body, len(body) // 2),
}
# What is done and how it is sent: `closed` does nothing, `lost` does it, `batch` refuses so many entries of a batch.
WIRES = ("not-stored", "batch", "closed", "lost", "silence", "truncated", "slow", "endless", "wrong-type")


class Log:
    """What was asked, without its secrets."""
    def __init__(self):
        self.requests, self.answers = collections.Counter(), collections.defaultdict(collections.Counter)
        self.headers, self.queries, self.leaks, self.elsewhere = {}, {}, [], []
        self.now, self.most, self.unhashed = 0, 0, 0

    def seen(self, route, handler, tokens):
        self.requests[route] += 1
        query = urllib.parse.urlsplit(handler.path).query
        self.queries.setdefault(route, set()).update(name for name, _ in urllib.parse.parse_qsl(query, True))
        if any(secret in urllib.parse.unquote(handler.path) for secret in tokens.secrets()): self.leaks.append(route)
        secret = ("authorization", "cookie")
        masked = {name: said[:6] + "*" if name.lower() in secret else said for name, said in handler.headers.items()}
        if route == "elsewhere": self.elsewhere.append(masked)
        for name, said in masked.items():
            values = self.headers.setdefault(name, [])
            if said not in values and len(values) < 50: values.append(said)

    def told(self, state):
        files = {one["display"]: {"size": one["size"], "content_hash": one["hash"]}
                 for one in state.entries.values() if one["kind"] == "file"}
        return {"requests": self.requests, "answers": self.answers, "headers": self.headers,
                "elsewhere": self.elsewhere, "queries": {route: sorted(names) for route, names in self.queries.items()},
                "secret_in_query": bool(self.leaks), "secret_in_query_of": self.leaks, "most_at_once": self.most,
                "most_commits_at_once": state.most_at_once, "uploads_without_hash": self.unhashed, "files": files,
                "folders": [one["display"] for one in state.entries.values() if one["kind"] == "folder"],
                "sessions": len(state.sessions), "used": sum(one["size"] for one in files.values())}


class Faults:
    def __init__(self): self.list = []

    def set(self, state, said):
        if not {"fault"} <= set(said) <= {"fault", "path", "count", "skip", "value"}: raise ValueError("fields")
        if said["fault"] in AT_ONCE: return AT_ONCE[said["fault"]](state)
        if said["fault"] not in {*REFUSALS, *CHANGES, *BODIES, *WIRES}: raise ValueError("no such fault")
        self.list.append({"count": 1, "skip": 0, "value": None, **said, "path": re.compile(said.get("path", ""))})

    def pick(self, state, route, header):
        if header:
            name, _, value = header.partition("=")
            with state.lock:
                if name in AT_ONCE: AT_ONCE[name](state)
            try: return name, json.loads(value) if value else None
            except ValueError: return name, value
        with state.lock:
            for one in self.list:
                if not one["count"] or not one["path"].search(route): continue
                if one["skip"]: one["skip"] -= 1
                else:
                    one["count"] -= 1
                    return one["fault"], one["value"]
        return NONE


def account():
    name = {"given_name": "Franz", "surname": "Ferdinand", "familiar_name": "Franz", "display_name": "Franz Ferdinand",
            "abbreviated_name": "FF"}
    return {"account_id": "dbid:AAFakeOfTheVaultsOwnTests00000000", "name": name, "email": "franz@example.com",
            "email_verified": True, "disabled": False, "locale": "en", "country": "US", "is_paired": False,
            "referral_link": "https://www.dropbox.com/referrals/fake", "account_type": {".tag": "basic"},
            "root_info": {".tag": "user", "root_namespace_id": "3235641", "home_namespace_id": "3235641"}}


def space(state):
    used = sum(one["size"] for one in list(state.entries.values()))
    return {"used": used, "allocation": {".tag": "individual", "allocated": state.set["allocated"]}}


def done(state, route, arg, data, fault):
    """The value of a route's answer."""
    stored, refused = fault[0] != "not-stored", int(fault[1] or 1) if fault[0] == "batch" else 0
    return {
        "files/upload": lambda: state.upload(route, data, arg, stored),
        "files/upload_session/start": lambda: {"session_id": state.start(data, arg.get("close", False))},
        "files/upload_session/append_v2": lambda: state.append(route, data, arg),
        "files/upload_session/finish": lambda: state.finish(route, data, arg, stored),
        "files/upload_session/start_batch":
            lambda: {"session_ids": [state.start() for _ in range(arg["num_sessions"])]},
        "files/upload_session/finish_batch_v2": lambda: state.finish_batch(route, arg["entries"], stored, refused),
        "files/list_folder": lambda: state.listed(route, arg),
        "files/list_folder/get_latest_cursor": lambda: {"cursor": state.listed(route, arg, True)["cursor"]},
        "files/list_folder/continue": lambda: state.continued(route, arg["cursor"]),
        "files/list_folder/longpoll": lambda: state.longpoll(route, arg["cursor"], arg.get("timeout", 30)),
        "files/delete_v2": lambda: state.delete(route, arg),
        "files/create_folder_v2": lambda: state.make_folder(route, arg),
        "files/get_metadata": lambda: state.looked(route, arg),
        "users/get_space_usage": lambda: space(state), "users/get_current_account": account,
    }[route]()
