# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""The fake Dropbox's rules: its routes and their fields, the forms of its errors, its codes and tokens.

Written after Dropbox's public API specification and guides; what those leave open is marked "assumed".
"""
import base64
import hashlib
import random
import re
import secrets
import time

BLOCK, MOST_BODY, MOST_NAME = 4 << 20, 150 << 20, 255
SCOPES = ("account_info.read", "files.content.read", "files.content.write", "files.metadata.read")
IGNORED = re.compile(r"(desktop\.ini|thumbs\.db|\.ds_store|icon\r|\.dropbox|\.dropbox\.attr)\Z", re.I)
READ, WRITE, LOOK, ACCOUNT = "files.content.read", "files.content.write", "files.metadata.read", "account_info.read"
COMMIT = "mode autorename client_modified mute property_groups strict_conflict"
LISTING = ("recursive include_media_info include_deleted include_has_explicit_shared_members "
           "include_mounted_folders limit include_non_downloadable_files include_restorable_info")
# Style, scope, fields that must be there and fields that may be there; None has no argument.
ROUTES = {
    "files/upload": ("upload", WRITE, "path", COMMIT + " content_hash"),
    "files/upload_session/start": ("upload", WRITE, "", "close session_type content_hash"),
    "files/upload_session/append_v2": ("upload", WRITE, "cursor", "close content_hash"),
    "files/upload_session/finish": ("upload", WRITE, "cursor commit", "content_hash"),
    "files/upload_session/start_batch": ("rpc", WRITE, "num_sessions", "session_type"),
    "files/upload_session/finish_batch_v2": ("rpc", WRITE, "entries", ""),
    "files/download": ("download", READ, "path", "rev"),
    "files/list_folder": ("rpc", LOOK, "path", LISTING),
    "files/list_folder/get_latest_cursor": ("rpc", LOOK, "path", LISTING),
    "files/list_folder/continue": ("rpc", LOOK, "cursor", ""),
    "files/list_folder/longpoll": ("open", None, "cursor", "timeout"),
    "files/delete_v2": ("rpc", WRITE, "path", "parent_rev"),
    "files/create_folder_v2": ("rpc", WRITE, "path", "autorename"),
    "files/get_metadata": ("rpc", LOOK, "path",
                           "include_media_info include_deleted include_has_explicit_shared_members"),
    "users/get_space_usage": ("rpc", ACCOUNT, None, None),
    "users/get_current_account": ("rpc", ACCOUNT, None, None),
    "auth/token/revoke": ("rpc", None, None, None),
}
TYPES = {"cursor": (str, dict), "commit": (dict,), "mode": (str, dict), "session_type": (str, dict)}
TYPES.update(dict.fromkeys("path rev parent_rev content_hash client_modified session_id".split(), (str,)))
TYPES.update(dict.fromkeys("limit timeout num_sessions offset".split(), (int,)))
TYPES.update(entries=(list,), property_groups=(list,))
RANGES = {"limit": (1, 2000), "timeout": (30, 480), "num_sessions": (1, 1000), "offset": (0, 1 << 41)}
REV, TIME = "[0-9a-f]{9,}", r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
FORMS = {"content_hash": "[0-9a-f]{64}", "client_modified": TIME, "parent_rev": REV}


class Refused(Exception):
    """An answer that is no success."""
    def __init__(self, status, body, **headers):
        self.status, self.body = status, body
        self.headers = {name.replace("_", "-"): str(said) for name, said in headers.items()}


def content_hash(data):
    blocks = (data[at:at + BLOCK] for at in range(0, len(data), BLOCK))
    return hashlib.sha256(b"".join(hashlib.sha256(block).digest() for block in blocks)).hexdigest()


def union(summary, more):
    """`path/conflict/file` as tags within tags; the innermost has `more`."""
    tag, _, rest = summary.partition("/")
    return {".tag": tag, tag: union(rest, more)} if rest else {".tag": tag, **more}


def refusal(status, summary, error, **headers):
    return Refused(status, {"error_summary": summary + "/" + "." * random.randrange(4), "error": error}, **headers)


def problem(summary, **more): return refusal(409, summary, union(summary, more))


def busy(reason, seconds=None):
    """Without seconds neither the header nor the field is there: so a forum's example of lock contention has it."""
    error, headers = {"reason": {".tag": reason}}, {}
    if seconds is not None: error["retry_after"], headers["Retry_After"] = seconds, seconds
    return refusal(429, reason, error, **headers)


def malformed(route, text):
    return Refused(400, f'Error in call to API function "{route}": {text}'.encode("utf-8", "replace"))


def not_granted(error, words): return Refused(400, {"error": error, "error_description": words})


def checked(route, where, value, must, may):
    """The value, if it has the fields of the route and no other: Dropbox answers 400 and plain text otherwise."""
    def wrong(words): return malformed(route, f"{where}: {words}")
    if not isinstance(value, dict): raise wrong(f"expected object, got {type(value).__name__}")
    for name in must.split():
        if value.get(name) is None: raise wrong(f"missing required field '{name}'")
    value = {name: said for name, said in value.items() if said is not None}
    for name, said in value.items():
        if name not in must.split() + may.split(): raise wrong(f"unknown field '{name}'")
        if type(said) not in TYPES.get(name, (bool,)): raise wrong(f"{name}: unexpected {type(said).__name__}")
        low, high = RANGES.get(name, (None, None))
        if low is not None and not low <= said <= high: raise wrong(f"{name}: {said} is not within {low} and {high}")
        if name in FORMS and not re.fullmatch(FORMS[name], said): raise wrong(f"{name}: '{said}' did not match pattern")
    mode = value.get("mode", "add")
    tag = mode.get(".tag") if isinstance(mode, dict) else mode
    if tag not in ("add", "overwrite") and not (
            isinstance(mode, dict) and tag == "update" and re.fullmatch(REV, str(mode.get("update")))):
        raise wrong(f"mode: invalid tag or value {tag!r}")
    if value.get("session_type", "sequential") not in ("sequential", {".tag": "sequential"}):
        raise wrong("session_type: this fake has sequential sessions only")
    return value


class Tokens:
    """Codes, refresh tokens and access tokens; `set` says how long they live."""
    def __init__(self, app_key, settings):
        self.app_key, self.set, self.codes, self.refresh, self.access, self.used = app_key, settings, {}, {}, {}, []

    def authorize(self, query):
        """A code for the owner to copy, or None."""
        scopes = (query.get("scope") or " ".join(SCOPES)).split()
        asked = {"client_id": self.app_key, "response_type": "code", "code_challenge_method": "S256"}
        if any(query.get(name) != said for name, said in asked.items()) or "redirect_uri" in query: return None
        if not re.fullmatch(r"[\w-]{43}", query.get("code_challenge", ""), re.A): return None
        if not set(scopes) <= set(SCOPES): return None
        access_type = query.get("token_access_type", "online")
        if access_type not in ("online", "offline"): return None
        code = secrets.token_urlsafe(32)
        self.codes[code] = (query["code_challenge"], scopes, access_type == "offline", time.time())
        return code

    def grant(self, scopes=SCOPES):
        """A refresh token, and what all tokens of one permission share."""
        token = secrets.token_urlsafe(48)
        self.refresh[token] = {"scopes": list(scopes), "revoked": False}
        return token

    def bearer(self, grant):
        token, life = "sl.u." + secrets.token_urlsafe(600), self.set["expires_in"]
        self.access[token] = {"grant": grant, "until": time.time() + max(life, 0), "expired": False}
        return {"access_token": token, "token_type": "bearer", "expires_in": life}

    def token(self, form):
        kind, given = form.get("grant_type"), form.get("refresh_token", "")
        if not kind: raise not_granted("invalid_request", 'missing required field "grant_type"')
        if form.get("client_id") != self.app_key:
            raise not_granted("invalid_client", "Invalid client_id or client_secret")
        if kind == "refresh_token":
            grant = self.refresh.get(given)
            if len(given) < 40: raise not_granted("invalid_grant", "refresh token is malformed")
            if not grant or grant["revoked"]: raise not_granted("invalid_grant", "refresh token is invalid or revoked")
            return self.bearer(grant)
        if kind != "authorization_code": raise not_granted("unsupported_grant_type", f"unsupported grant type {kind}")
        self.used.append(form.get("code"))
        challenge, scopes, offline, made = self.codes.pop(form.get("code"), (None, None, None, 0))
        if not challenge or time.time() - made > self.set["code_seconds"]:
            raise not_granted("invalid_grant", "code doesn't exist or has expired")
        verifier = form.get("code_verifier", "")
        hashed = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
        if not re.fullmatch(r"[A-Za-z0-9._~-]{43,128}", verifier) or hashed != challenge:
            raise not_granted("invalid_grant", "invalid code verifier")  # assumed: the words; the code is spent
        refresh = self.grant(scopes)
        answer = self.bearer(self.refresh[refresh])
        if offline: answer["refresh_token"] = refresh
        return {**answer, "scope": " ".join(sorted(scopes)), "uid": "3141592",
                "account_id": "dbid:AAFakeOfTheVaultsOwnTests00000000"}

    def authorized(self, route, header, scope):
        """What the header's token may do."""
        if not header:
            raise malformed(route, 'Must provide HTTP header "Authorization" or URL parameter "authorization".')
        scheme, _, token = header.partition(" ")
        if scheme != "Bearer": raise malformed(route, 'Invalid authorization value in HTTP header "Authorization".')
        if not token.startswith("sl."): raise malformed(route, "The given OAuth 2 access token is malformed.")
        held, realm = self.access.get(token), {"WWW_Authenticate": 'Bearer realm="Dropbox-API"'}
        why = ("invalid_access_token" if not held or held["grant"]["revoked"] else
               "expired_access_token" if held["expired"] or held["until"] <= time.time() else None)
        if why: raise refusal(401, why, {".tag": why}, **realm)
        if scope and scope not in held["grant"]["scopes"]:
            raise refusal(401, "missing_scope", {".tag": "missing_scope", "required_scope": scope}, **realm)
        return held["grant"]

    def secrets(self): return [one for one in [*self.codes, *self.refresh, *self.access, *self.used] if one]
