#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Writes the table of requests in docs/agent-protocol.md from Sources/AgentProtocol, where each operation says what it is.

  Scripts/operations.py           writes the table
  Scripts/operations.py --check   says whether it is what the sources say; exit code 1 when it is not
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/agent-protocol.md"
BEGIN, END = "<!-- operations: begin -->", "<!-- operations: end -->"
KINDS = {
    "reference": "text", "references": "texts", "text": "text", "bytes": "bytes", "flag": "flag", "u32": "UInt32", "u64": "UInt64", "i64": "Int64",
    "code": "UInt8", "optionalText": "optional text", "optional": "optional", "list": "list",
}


def sentence(comments):
    """The first sentence of a doc comment, on one line."""
    text = " ".join(line.strip().removeprefix("///").strip() for line in comments)
    return re.match(r".*?\.(?= |$)", text).group(0).replace("`", "")


def operations():
    for path in sorted((ROOT / "Sources/AgentProtocol").glob("*.swift")):
        lines = path.read_text().splitlines()
        for at, line in enumerate(lines):
            match = re.match(r"public struct (\w+): Operation \{", line)
            if not match:
                continue
            start = at
            while lines[start - 1].startswith("///"):
                start -= 1
            end = next(i for i in range(at, len(lines)) if lines[i] == "}")
            body = "\n".join(lines[at:end])
            traits = re.findall(r"\.(\w+)", re.search(r"traits: OperationTraits = \[(.*?)\]", body).group(1))
            coder = re.search(r"mutating func code\(.*?\{\n(.*?)\n    \}", body, re.S)
            fields = []
            for name, call, field in re.findall(r"try (?:(\w+)\.code\(&fields\)|fields\.(\w+)\(&(\w+))", re.sub(r"\{ \(.*?\}", "", coder.group(1)) if coder else ""):
                if field != "isCounted":
                    fields.append(name or f"{field} ({KINDS[call]})")
            fields = ["found and delivered (flag, then 5 × UInt64 each)" if field.startswith("found ") else field
                      for field in fields if not field.startswith("delivered ")]
            if "needsSecret: Bool {" in body:
                traits.append("secret at times")
            yield {
                "id": int(re.search(r"id: UInt8 = 0x(\w+)", body).group(1), 16), "name": match.group(1), "fields": ", ".join(fields) or "–",
                "traits": ", ".join(traits) or "–", "text": sentence(lines[start:at]), "file": path.name,
            }


def table():
    rows = ["| byte | operation | fields | traits | what it does |", "|---|---|---|---|---|"]
    for row in sorted(operations(), key=lambda row: row["id"]):
        rows.append("| {id:#04x} | `{name}` | {fields} | {traits} | {text} |".format(**row))
    return "\n".join(rows)


def main():
    page = PAGE.read_text()
    begin, end = page.index(BEGIN) + len(BEGIN), page.index(END)
    made = page[:begin] + "\n" + table() + "\n" + page[end:]
    if "--check" in sys.argv:
        if made != page:
            print("docs/agent-protocol.md does not list the operations as Sources/AgentProtocol has them: run Scripts/operations.py")
            sys.exit(1)
        return
    PAGE.write_text(made)


main()
