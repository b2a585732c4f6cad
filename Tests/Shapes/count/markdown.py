# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Markdown as far as counting needs it: what is code, where links lead, what a reader sees, tags in the text, and front matter in plain forms."""

import datetime, re, unicodedata, urllib.parse

FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")


def split_code(text):
    """Pieces of text with whether each is code, fences first, then spans within a line."""
    pieces, plain, code, fence = [], [], [], None
    for line in text.split("\n"):
        match = FENCE.match(line.lstrip("> "))
        if fence is None and match:
            pieces.append(("\n".join(plain) + "\n", False))
            plain, fence = [], match.group(1)
            code.append(line.lstrip("> ")[len(match.group(0)) :])
        elif fence is not None and match and match.group(1).startswith(fence) and not line.lstrip("> ")[len(match.group(0)) :].strip():
            pieces.append(("\n".join(code) + "\n", True))
            code, fence = [], None
        elif fence is not None:
            code.append(line)
        else:
            plain.append(line)
    pieces.append(("\n".join(code), True) if fence is not None else ("\n".join(plain), False))
    result = []
    for piece, is_code in pieces:
        if is_code:
            result.append((piece, True))
            continue
        at = 0
        for match in re.finditer(r"(?<!\\)(`+)([^`\n]|[^`\n].*?[^`\n])\1(?!`)", piece):
            result += [(piece[at : match.start()], False), (match.group(2), True)]
            at = match.end()
        result.append((piece[at:], False))
    return result


LINK = re.compile(
    r"(?P<wembed>(?:(?<!\\)!)?)\[\[(?P<wiki>[^\[\]\n]+)\]\]"
    r"|(?P<embed>(?:(?<!\\)!)?)\[(?P<label>(?:\\.|[^\[\]\\\n])*)\]"
    r"\((?:<(?P<angle>[^<>\n]*)>|(?P<address>(?:\\.|[^()\s\\]|\([^()\s]*\)|(?<=\S) (?=[^\"'()]*\)))*))(?:\s+\"[^\"]*\")?\)"
)


def links(piece):
    """(whole match, is embed, is wiki, target, label or None) of each link in a piece that is no code."""
    for match in LINK.finditer(piece):
        if match.group("wiki") is not None:
            target, bar, label = match.group("wiki").partition("|")
            yield match, bool(match.group("wembed")), True, target.rstrip("\\").strip(), label if bar else None
        else:
            target = match.group("angle") if match.group("angle") is not None else match.group("address")
            yield match, bool(match.group("embed")), False, target, re.sub(r"\\(.)", r"\1", match.group("label"))


def seen(text, file_name=lambda target, is_wiki: None):
    """The words that a reader sees. `file_name` says what the file is called that a link leads to, None for all else."""
    result = []
    for piece, is_code in split_code(text):
        if is_code:
            result.append(piece)
            continue
        at = 0
        for match, is_embed, is_wiki, target, label in links(piece):
            result.append(marks(piece[at : match.start()]))
            at = match.end()
            name = file_name(target, is_wiki)
            shown = target if label is None else label
            result.append("" if name is not None and says_no_more(shown, label, name) else shown)
        result.append(marks(piece[at:]))
    return "".join(result)


def says_no_more(shown, label, name):
    """Whether the words of a link are the file's name, with a size or a place in it, or nothing."""
    if label is None or not label or re.fullmatch(r"\d+(x\d+)?", label):
        return True
    shown, name = (unicodedata.normalize("NFC", text).strip() for text in (shown, name))
    return shown == name or shown.startswith((name + "|", name + "\\|", name + "#"))


INLINE = "a abbr b bdi bdo cite code del em font i ins kbd mark q s samp small span strike strong sub sup u var".split()


def tag_text(match):
    return "" if match.group(1).lower() in INLINE else "\n"


def marks(text):
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r"</?([a-zA-Z][a-zA-Z0-9-]*)(?:\s[^<>]*|/)?>", tag_text, text)
    text = re.sub(r"(?m)^([ \t>]*)(?:[-*+]|\d+[.)]) (?:\[[ xX]\] )?", r"\1", text)
    text = re.sub(r"(?m)^([ \t>]*)\[[ xX]\] ", r"\1", text)
    return re.sub(r"(?m)^([ \t>]*#{1,6} )\[[ xX]\] ", r"\1", text)


TAG = re.compile(r"(?:(?<=\s)|^)#([^\s#!\"$%&'()*+,.:;<=>?@\[\\\]^`{|}~…—!?]+)", re.M)


def tags(text):
    found = set()
    for piece, is_code in split_code(text):
        if is_code:
            continue
        for match in TAG.finditer(piece):
            tag = match.group(1).strip("/")
            if tag and not tag.isdigit() and any(letter.isalnum() for letter in tag):
                found.add(tag)
    return found


def front_matter(text):
    """(properties, text behind them); a property is (key, value, its own lines), a value a text or a list."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if not text.startswith("---\n"):
        return [], text
    end = re.search(r"(?m)^(---|\.\.\.)[ \t]*$", text[4:])
    if not end:
        return [], text
    properties = []
    for line in text[4 : 4 + end.start()].split("\n"):
        if re.match(r"[^\s#-][^:]*:(\s|$)", line):
            key, _, value = line.partition(":")
            properties.append([key.strip(), scalar(value.strip()), line])
        elif properties and line.strip():
            item = line.strip()
            if item.startswith("- "):
                if not isinstance(properties[-1][1], list):
                    properties[-1][1] = []
                properties[-1][1].append(scalar(item[2:].strip()))
            properties[-1][2] += "\n" + line
    rest = text[4 + end.end() :]
    return [tuple(entry) for entry in properties], rest.removeprefix("\n")


def scalar(value):
    if value.startswith("[") and value.endswith("]"):
        return [scalar(part.strip()) for part in value[1:-1].split(",") if part.strip()]
    if len(value) > 1 and value[0] == value[-1] == '"':
        return re.sub(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", escaped, value[1:-1])
    if len(value) > 1 and value[0] == value[-1] == "'":
        return value[1:-1].replace("''", "'")
    return re.sub(r"\s+#.*$", "", value)


def escaped(match):
    """A character of a text in double quotes, as YAML 1.2 §5.7 has them."""
    word = match.group(1)
    if len(word) > 1:
        return chr(int(word[1:], 16))
    return {
        "n": "\n",
        "t": "\t",
        "r": "\r",
        "0": "\0",
        "e": "\x1b",
        "a": "\a",
        "b": "\b",
        "v": "\v",
        "f": "\f",
        "N": "\x85",
        "_": "\xa0",
        "L": "\u2028",
        "P": "\u2029",
    }.get(word, word)


def milliseconds(text, zone=datetime.timezone.utc):
    """A date of front matter; None for what is none."""
    for form in (
        "%Y-%m-%dT%H:%M:%S.%f%z",
        "%Y-%m-%dT%H:%M:%S%z",
        "%Y-%m-%d %H:%M:%S%z",
        "%Y-%m-%dT%H:%M:%S",
        "%Y-%m-%d %H:%M:%S",
        "%Y-%m-%d %H:%M",
        "%Y-%m-%dT%H:%M",
        "%Y-%m-%d",
    ):
        try:
            time = datetime.datetime.strptime(text, form)
        except (ValueError, TypeError):
            continue
        if time.tzinfo is None:
            time = time.replace(tzinfo=zone)
        return round(time.timestamp() * 1000)
    return None


def unquoted(target):
    return urllib.parse.unquote(target)
