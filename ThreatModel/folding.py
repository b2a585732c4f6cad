# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Lines of Markdown of at most 120 columns."""
import re

COLUMNS = 120
ITEM = re.compile(r"\s*(?:[-*]|\d+\.)\s+")
ALONE = re.compile(r"\||#|<|!\[|    ")


def words(text):
    """Words of a line; a span of code is one word up to 60 columns."""
    return re.findall(r"(?:`[^`]{,60}`|[^\s`])+|`[^`\s]*", text)


def folded(text, first, inner):
    """A text in lines, the first begun by `first` and the others by `inner`; none begins with what is a mark in Markdown."""
    lines, current = [], first
    for word in words(text):
        is_begun = current not in (first, inner)
        if is_begun and len(current) + 1 + len(word) > COLUMNS and not re.fullmatch(r"[-+*#>|=]+|\d+[.)]", word):
            lines.append(current)
            current, is_begun = inner, False
        current += " " + word if is_begun else word
    return lines + [current]


def wrapped(page):
    """The page with its paragraphs folded. Tables, headings, drawings, fences and what is set in by four spaces stay."""
    out, paragraph, fenced = [], [], False

    def flush():
        if any(len(line) > COLUMNS for line in paragraph):
            mark = ITEM.match(paragraph[0])
            first = mark[0] if mark else ""
            text = " ".join(line.strip() for line in [paragraph[0][len(first):]] + paragraph[1:])
            out.extend(folded(text, first, " " * len(first)))
        else:
            out.extend(paragraph)
        paragraph.clear()

    for line in page.split("\n"):
        is_item = ITEM.match(line)
        is_fence = line.lstrip().startswith("```")
        if is_fence or fenced or not line.strip() or ALONE.match(line) and not is_item and not paragraph:
            flush()
            out.append(line)
            fenced ^= is_fence
            continue
        if is_item:
            flush()
        paragraph.append(line)
    flush()
    return "\n".join(out)
