# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""A backup of Standard Notes: the JSON in the zip, whatever stands beside it."""

import datetime, html, json, re, zipfile
from census import Census, Note, words
from . import markdown


def time(text):
    if not isinstance(text, str):
        return None
    return round(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1000) or None


def lexical(node, bubbles, titles):
    """The text of a node and what it holds, a line for each block. A bubble shows its note's title."""
    if node.get("type") == "snbubble":
        bubbles.append(node["itemUuid"])
        return titles.get(node["itemUuid"], "")
    if node.get("type") == "linebreak":
        return "\n"
    inner = "".join(lexical(child, bubbles, titles) for child in node.get("children", []))
    text = node.get("text", "") + inner
    return text if node.get("type") in ("text", "code-highlight", "link", "autolink") else text + "\n"


def census(place):
    with zipfile.ZipFile(place) as archive:
        name = next(name for name in archive.namelist() if "/" not in name and name.endswith(".txt"))
        items = json.loads(archive.read(name))["items"]
    result, links = Census(), []
    alive = [item for item in items if not item.get("deleted") and isinstance(item.get("content"), dict)]
    tags = {item["uuid"]: item["content"] for item in alive if item["content_type"] == "Tag"}
    titles = {item["uuid"]: item["content"]["title"] for item in alive if item["content_type"] == "Note"}

    def path(uuid):
        parent = next((other["uuid"] for other in tags[uuid]["references"] if other["content_type"] == "Tag"), None)
        return (path(parent) + "/" if parent else "") + tags[uuid]["title"]

    for item in alive:
        content = item["content"]
        if item["content_type"] == "SN|File":
            result.left_out.append(item["uuid"])
        if item["content_type"] != "Note":
            continue
        app = content.get("appData", {}).get("org.standardnotes.sn", {})
        note = Note(item["uuid"], content["title"])
        note.tags = {path(tag) for tag, about in tags.items() if any(other["uuid"] == item["uuid"] for other in about["references"])}
        if content.get("starred"):
            note.tags.add("starred")
        note.flags = {flag for flag in ("pinned", "archived") if app.get(flag)} | ({"trashed"} if content.get("trashed") else set())
        note.created, note.modified = time(item["created_at"]), time(app.get("client_updated_at") or item["updated_at"])
        bubbles, kind = [], content.get("noteType", "")
        if kind == "super":
            note.words = words(lexical(json.loads(content["text"])["root"], bubbles, titles))
        elif kind == "rich-text":
            note.words = words(
                html.unescape(re.sub(r"</?(p|ul|li|div)[^>]*>", "\n", content["text"]))
                .replace("<strong>", "")
                .replace("</strong>", "")
                .replace("<u>", "")
                .replace("</u>", "")
            )
        else:
            note.words = words(markdown.seen(content["text"]))
        result.notes.append(note)
        links.append((note, bubbles))
    for note, bubbles in links:
        note.links = {uuid for uuid in bubbles if uuid in titles and uuid != note.key}
    return result
