#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Writes the tables of requests and replies in docs/agent-protocol.md from Sources/AgentProtocol, where each of them says what it is.

  Scripts/operations.py           writes the table
  Scripts/operations.py --check   says whether it is what the sources say; exit code 1 when it is not
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/agent-protocol.md"
MARKS = "<!-- {0}: begin -->", "<!-- {0}: end -->"
KINDS = {
    "reference": "text", "references": "texts", "note": "text", "notes": "texts", "text": "text", "bytes": "bytes", "flag": "flag", "marks": "UInt8", "u32": "UInt32", "u64": "UInt64", "i64": "Int64",
    "code": "UInt8", "optionalText": "optional text", "optional": "optional", "list": "list", "count": "UInt64", "texts": "texts",
    "u8": "UInt8", "optionalCount": "optional UInt64", "optionalMoment": "optional Int64", "ranges": "pairs of UInt64",
}


def sentence(comments):
    """The first sentence of a doc comment, on one line."""
    text = " ".join(line.strip().removeprefix("///").strip() for line in comments)
    return re.match(r".*?\.(?= |$)", text).group(0).replace("`", "")


def comment(lines, at):
    start = at
    while lines[start - 1].strip().startswith("///"):
        start -= 1
    return sentence(lines[start:at]) if start < at else ""


def declarations(protocol):
    """Each struct that conforms to a protocol, nested ones too: its name, its first sentence, its lines."""
    for path in sorted((ROOT / "Sources/AgentProtocol").glob("*.swift")):
        lines = path.read_text().splitlines()
        outer = ""
        for at, line in enumerate(lines):
            if match := re.match(r"(?:public )?(?:struct|enum|extension) (\w+)", line):
                outer = match.group(1)
            match = re.match(r"( *)public struct (\w+): " + protocol + r"(?:, \w+)* \{", line)
            if match:
                end = next(i for i in range(at, len(lines)) if lines[i] == match.group(1) + "}")
                name = f"{outer}.{match.group(2)}" if match.group(1) else match.group(2)
                yield name, comment(lines, at), [part.removeprefix(match.group(1)) for part in lines[at:end]]


def fields(lines):
    """The fields in the order of the wire, as the function that writes and reads them has them."""
    body = "\n".join(lines)
    types = dict(re.findall(r"^    public var (\w+): \[?([\w.]+)\]?\??", body, re.M))
    coder = re.search(r"\n    public mutating func code\((.*?)\n    \}", body, re.S)
    one = re.search(r"\n    public mutating func code\(.*? throws\(FormatError\) \{ (.*) \}$", body, re.M)
    text = one.group(1) if one else coder.group(1) if coder else ""
    found = []
    for name, call, field in re.findall(r"try (?:(\w+)\.code\(&fields\)|fields\.(\w+)\(&(\w+))", re.sub(r"\{ \(.*?\}", "", text)):
        if field == "isCounted":
            continue
        if name:
            found.append(f"{name} ({types[name]})" if name in types and types[name][0].isupper() and name not in ("note", "day", "file", "new", "change", "target") else name)
        elif call == "values":
            found.append(f"{field} (list of {types.get(field, 'others')})")
        else:
            found.append(f"{field} ({KINDS[call]})")
    merged = ["found and delivered (flag, then 5 × UInt64 each)" if field.startswith("found ") and any(f.startswith("delivered ") for f in found)
              else field for field in found if not field.startswith("delivered ")]
    return ", ".join(merged) or "–"


def operations():
    rows = ["| byte | operation | fields | traits | reply | what it does |", "|---|---|---|---|---|---|"]
    found = []
    for name, text, lines in declarations("Operation"):
        body = "\n".join(lines)
        traits = re.findall(r"\.(\w+)", re.search(r"traits: OperationTraits = \[(.*?)\]", body).group(1))
        if "needsSecret: Bool {" in body:
            traits.append("secret at times")
        reply = re.search(r"typealias Reply = (\w+)", body)
        found.append((int(re.search(r"id: UInt8 = 0x(\w+)", body).group(1), 16), name, fields(lines), ", ".join(traits) or "–",
                      f"`{reply.group(1)}`" if reply else "–", text))
    return "\n".join(rows + ["| {:#04x} | `{}` | {} | {} | {} | {} |".format(*row) for row in sorted(found)])


def replies():
    rows = ["| reply | fields | what it is |", "|---|---|---|"]
    return "\n".join(rows + [f"| `{name}` | {fields(lines)} | {text} |" for name, text, lines in sorted(declarations("ReplyValue")) if name != "NoReply"])


def with_table(page, name, table):
    begin, end = (page.index(mark.format(name)) for mark in MARKS)
    return page[:begin + len(MARKS[0].format(name))] + "\n" + table + "\n" + page[end:]


def main():
    page = PAGE.read_text()
    made = with_table(with_table(page, "operations", operations()), "replies", replies())
    if "--check" in sys.argv:
        if made != page:
            print("docs/agent-protocol.md does not list operations and replies as Sources/AgentProtocol has them: run Scripts/operations.py")
            sys.exit(1)
        return
    PAGE.write_text(made)


main()
