# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""The two drawings: data flows from the places in threats.json, the attack tree from its branches. No font, script or picture of elsewhere."""
from html import escape
from textwrap import wrap

STYLE = """<style>
.ground{fill:#ffffff}.zone{fill:#f4f6f8;stroke:#8a949e;stroke-dasharray:5 4}.box{fill:#ffffff;stroke:#30363d}.store{fill:#eef4ff;stroke:#2b59a8}
.actor{fill:#fff6e5;stroke:#8a5a00}.line{fill:none;stroke:#57606a;stroke-width:1.4}.head{fill:#57606a}.text{fill:#1f2328}.faint{fill:#57606a}
.halo{fill:#ffffff;stroke:#ffffff;stroke-width:4;stroke-linejoin:round}.badge{fill:#b3261e}.badgeText{fill:#ffffff}
.held{fill:#e9f7ec;stroke:#1a7f37}.open{fill:#fdeceb;stroke:#b3261e}.mixed{fill:#fff6e5;stroke:#8a5a00}
@media (prefers-color-scheme: dark){.ground{fill:#0d1117}.zone{fill:#161b22;stroke:#7d8590}.box{fill:#21262d;stroke:#c9d1d9}.store{fill:#13233f;stroke:#79a8ff}
.actor{fill:#33270b;stroke:#e3b341}.line{stroke:#adb5bd}.head{fill:#adb5bd}.text{fill:#e6edf3}.faint{fill:#adb5bd}.halo{fill:#0d1117;stroke:#0d1117}
.badge{fill:#ff7b72}.badgeText{fill:#0d1117}.held{fill:#0f2a18;stroke:#56d364}.open{fill:#3a1513;stroke:#ff7b72}.mixed{fill:#33270b;stroke:#e3b341}}
text{font-family:sans-serif;font-size:13px}.small{font-size:11px}.big{font-size:14px;font-weight:bold}
</style>"""


def sheet(width, height, title, body):
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}">',
        "<!-- SPDX-License-Identifier: Apache-2.0 -->", "<!-- SPDX-FileCopyrightText: The vault authors -->", "<!-- made by generate.py -->",
        f"<title>{escape(title)}</title>", STYLE,
        '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto-start-reverse">'
        '<path class="head" d="M0 0L10 5L0 10z"/></marker></defs>',
        f'<rect class="ground" width="{width}" height="{height}"/>', *body, "</svg>", ""])


def label(x, y, lines, css="text", anchor="middle", step=15):
    top = y - step * (len(lines) - 1) / 2
    return [f'<text class="{css}" x="{x}" y="{top + step * row:g}" text-anchor="{anchor}" dominant-baseline="middle">{escape(line)}</text>'
            for row, line in enumerate(lines)]


def kind(model, name):
    for part, css in (("actors", "actor"), ("data_stores", "store"), ("components", "box")):
        for item in model[part]:
            if item["symbolic_name"] == name:
                return item["title"], css
    raise KeyError(name)


def data_flows(model):
    drawing = model["drawing"]
    zones = {zone["symbolic_name"]: zone["title"] for zone in model["trust_zones"]}
    flows = {flow["symbolic_name"]: flow["title"] for flow in model["data_flows"]}
    body = []
    for zone in drawing["zones"]:
        x, y, width, height = (zone[key] for key in ("x", "y", "width", "height"))
        body.append(f'<rect class="zone" x="{x}" y="{y}" width="{width}" height="{height}" rx="8"/>')
        body += label(x + 12, y + 18, [zones[zone["zone"]]], "faint big", "start")
    for node in drawing["nodes"]:
        title, css = kind(model, node["of"])
        x, y, width, height = (node[key] for key in ("x", "y", "width", "height"))
        body.append(f'<rect class="{css}" x="{x}" y="{y}" width="{width}" height="{height}" rx="{26 if css == "actor" else 4}"/>')
        body += label(x + width / 2, y + height / 2, wrap(title, 22))
    for edge in drawing["edges"]:
        points = " ".join(f"{x},{y}" for x, y in edge["points"])
        body.append(f'<polyline class="line" points="{points}" marker-end="url(#tip)"/>')
    for edge in drawing["edges"]:
        lines = wrap(flows[edge["flow"]], 16)
        x, y = edge["label_x"], edge["label_y"] - 6 * (len(lines) - 1)
        # Twice, for viewers that do not know paint-order: first what keeps lines away, then the words.
        for css in ("halo small", "text small"):
            body += label(x, y, lines, css, edge["anchor"], 12)
        if "boundary" in edge:
            y -= 6 * (len(lines) - 1) + 17
            body.append(f'<circle class="badge" cx="{x}" cy="{y}" r="9"/>')
            body += label(x, y + 1, [str(edge["boundary"])], "badgeText small")
    return sheet(drawing["width"], drawing["height"], "Data flows of vault and the boundaries they cross", body)


def attack_tree(model, status):
    """Columns by depth; a leaf is green where all of its rows are defended, red where none is."""
    tree, widths, gap, row = model["attack_tree"], (190, 230, 640), 46, 44
    body, y = [], 20
    root_ends = []
    for branch in tree["any_of"]:
        first = y
        for leaf in branch["any_of"]:
            states = {status[name] for name in leaf["threats"]}
            css = "held" if states == {"mitigated"} else "mixed" if "mitigated" in states else "open"
            x = 20 + widths[0] + gap + widths[1] + gap
            body.append(f'<rect class="{css}" x="{x}" y="{y}" width="{widths[2]}" height="36" rx="4"/>')
            body += label(x + 10, y + 12, [leaf["goal"]], "text", "start")
            body += label(x + 10, y + 27, [f"{' '.join(leaf['threats'])}: {leaf['defence']}"], "faint small", "start")
            leaf["_y"] = y + 18
            y += row
        middle = (first + y - row + 36) / 2
        x = 20 + widths[0] + gap
        body.append(f'<rect class="box" x="{x}" y="{middle - 22:g}" width="{widths[1]}" height="44" rx="4"/>')
        body += label(x + widths[1] / 2, middle, wrap(branch["goal"], 30))
        for leaf in branch["any_of"]:
            start, end, turn = x + widths[1], x + widths[1] + gap, x + widths[1] + gap / 2
            body.append(f'<polyline class="line" points="{start},{middle:g} {turn:g},{middle:g} {turn:g},{leaf["_y"]} {end},{leaf["_y"]}"/>')
            del leaf["_y"]
        root_ends.append(middle)
        y += 14
    middle = (root_ends[0] + root_ends[-1]) / 2
    body.append(f'<rect class="actor" x="20" y="{middle - 34:g}" width="{widths[0]}" height="68" rx="4"/>')
    body += label(20 + widths[0] / 2, middle, wrap(tree["goal"], 22), "text big", step=18)
    for end in root_ends:
        turn = 20 + widths[0] + gap / 2
        body.append(f'<polyline class="line" points="{20 + widths[0]},{middle:g} {turn:g},{middle:g} {turn:g},{end:g} {20 + widths[0] + gap},{end:g}"/>')
    return sheet(20 + sum(widths) + 2 * gap + 20, y + 6, "Attack tree: " + tree["goal"], body)
