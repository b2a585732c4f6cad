#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""An S3 server in memory that believes no signature: signed.py PORT FOLDER

Each request's signature is made once more by botocore's signer, from what arrived, and compared; so is the hash of the body. Listings come in pages of
three. Each request's method, path and verdict is a line of FOLDER/seen. A clock that is off is said to be off: a date of more than 15 minutes from
now, or a path that asks for it.
"""
import datetime
import hashlib
import http.server
import pathlib
import re
import sys
import urllib.parse

from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from servers import KEYS

FOLDER = pathlib.Path(sys.argv[2])
FILES = {}
PAGE = 3


def error(code): return f'<?xml version="1.0" encoding="UTF-8"?><Error><Code>{code}</Code><Message>m</Message></Error>'.encode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_): pass

    def refusal(self, body):
        """What is wrong with the request, as S3 calls it; None for nothing."""
        given = re.fullmatch(r"AWS4-HMAC-SHA256 Credential=([^/]+)/\d{8}/([^/]+)/s3/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})", self.headers.get("Authorization", ""))
        if not given: return 403, "AccessDenied"
        key, region, names, signature = given.groups()
        if key != KEYS[0]: return 403, "InvalidAccessKeyId"
        names = names.split(";")
        if not {"host", "x-amz-content-sha256", "x-amz-date"} <= set(names): return 403, "AccessDenied"
        date = datetime.datetime.strptime(self.headers["x-amz-date"], "%Y%m%dT%H%M%SZ")
        if abs((datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None) - date).total_seconds()) > 900: return 403, "RequestTimeTooSkewed"
        request = AWSRequest(self.command, f"http://{self.headers['host']}{self.path}", {name: self.headers[name] for name in names})
        # botocore takes the parameters of an address apart from it.
        path, _, query = self.path.partition("?")
        request.url = f"http://{self.headers['host']}{path}"
        request.params = urllib.parse.parse_qsl(query, keep_blank_values=True)
        request.context["timestamp"] = self.headers["x-amz-date"]
        signer = S3SigV4Auth(Credentials(*KEYS), "s3", region)
        ours = signer.signature(signer.string_to_sign(request, signer.canonical_request(request)), request)
        if ours != signature: return 403, "SignatureDoesNotMatch"
        if hashlib.sha256(body).hexdigest() != self.headers["x-amz-content-sha256"]: return 400, "XAmzContentSHA256Mismatch"
        return None

    def serve(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        refused = self.refusal(body)
        path, _, query = self.path.partition("?")
        if path.startswith("/skewed"): refused = 403, "RequestTimeTooSkewed"
        if path.startswith("/vaultfull"): refused = 403, "QuotaExceeded"
        elif not path.startswith("/vaulttest/") and not refused: refused = 404, "NoSuchBucket"
        with open(FOLDER / "seen", "a") as seen: seen.write(f"{self.command} {self.path} {refused[1] if refused else 'ok'}\n")
        status, answer = (refused[0], error(refused[1])) if refused else self.act(path, query, body)
        self.send_response(status)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def act(self, path, query, body):
        key = path[len("/vaulttest/"):]
        if self.command == "PUT":
            FILES[key] = body
            return 200, b""
        if self.command == "DELETE":
            FILES.pop(key, None)
            return 204, b""
        if query: return 200, self.page(dict(urllib.parse.parse_qsl(query)))
        return (200, FILES[key]) if key in FILES else (404, error("NoSuchKey"))

    def page(self, query):
        after = query.get("continuation-token", "")
        # A token with the characters that have to be escaped.
        after = after.split("+/=")[-1]
        keys = sorted(key for key in FILES if key.startswith(query["prefix"]) and key > after)
        more = len(keys) > PAGE
        keys = keys[:PAGE]
        token = f"<NextContinuationToken>t +/={keys[-1]}</NextContinuationToken>" if more else ""
        items = "".join(f"<Contents><Key>{key}</Key><Size>1</Size></Contents>" for key in keys)
        return (f'<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
                f"<IsTruncated>{'true' if more else 'false'}</IsTruncated>{token}{items}</ListBucketResult>").encode()

    do_GET = do_PUT = do_DELETE = serve


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
