# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""README.md of the threat model: each {{word}} of template.md is one function here."""
import re
from collections import Counter
from pathlib import Path

import folding

GROUPS = {"A": "Dragon: tampering with stored objects", "B": "Password and derivation", "C": "Cryptography misused by our own code",
          "D": "Rotation, recovery, interruption", "E": "Lodger: agent, memory, process", "F": "Page: a web page",
          "G": "Terminal, editor, clipboard", "H": "Files, import, export", "I": "Side channels", "J": "Freshness", "M": "A remote's store that means harm", "X": "What else there is"}
LETTERS = {"Linking": "L", "Identifying": "I", "Non-repudiation": "Nr", "Detecting": "D", "Data disclosure": "Dd", "Unawareness": "U", "Non-compliance": "Nc"}


def table(heads, rows):
    cells = [heads, ["---"] * len(heads)] + [[str(cell).replace("|", "\\|") for cell in row] for row in rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in cells)


def titles(model, *parts):
    return {item["symbolic_name"]: item["title"] for part in parts for item in model[part]}


def counts(model):
    found = Counter(threat["status"] for threat in model["threats"])
    parts = [f"{found[status]} {status}" for status in model["vocabulary"]["status"]]
    words = "; ".join(f"`{status}`: {text}" for status, text in model["vocabulary"]["status"].items())
    return f"**{len(model['threats'])} threats: {', '.join(parts)}.** {words}."


def worth(model):
    return "\n".join(f"{number}. {text}" for number, text in enumerate(model["worth"], 1))


def promises(model):
    return "\n".join(f"{promise['number']}. **{promise['title']}.** {promise['description']}" for promise in model["promises"])


def personas(model):
    return table(["adversary", "", "can", "cannot"], [[f"**{p['title']}**", p["description"], p["can"], p["cannot"]] for p in model["threat_personas"]])


def actors(model):
    zones = titles(model, "trust_zones")
    return table(["actor", "", "zone", ""], [[a["title"], a["description"], zones[a["trust_zone"]], a["permissions"]] for a in model["actors"]])


def assumptions(model):
    return "\n".join(f"- {assumption['description']}" for assumption in model["assumptions"])


def zones(model):
    return table(["zone", ""], [[f"**{zone['title']}**", zone["description"]] for zone in model["trust_zones"]])


def boundaries(model):
    zone = titles(model, "trust_zones")
    return table(["", "boundary", "between", "what happens there"],
                 [[b["number"], f"**{b['title']}**", f"{zone[b['trust_zone_a']]}, {zone[b['trust_zone_b']]}".lower(), b["description"]] for b in model["trust_boundaries"]])


def components(model):
    zone = titles(model, "trust_zones")
    return table(["program or store", "", "zone"], [[f"`{item['title']}`" if part == "components" else item["title"], item["description"], zone[item["trust_zone"]]]
                                                    for part in ("components", "data_stores") for item in model[part]])


def flows(model):
    names = titles(model, "actors", "components", "data_stores")
    return table(["flow", "from", "to", "what", "sealed"], [[flow["title"], names[flow["source"]["object"]], names[flow["destination"]["object"]], flow["description"],
                                                            "yes" if flow["encrypted"] else "no"] for flow in model["data_flows"]])


def datasets(model):
    stores = titles(model, "data_stores")
    rows = []
    for data in model["data_sets"]:
        places = [stores[p["data_store"]] + ("" if p["encrypted"] else " (in the clear)") for p in data["placements"]]
        rows.append([f"**{data['title']}**", data["description"], ", ".join(places)])
    return table(["data", "", "lies in"], rows)


def tree_intro(model):
    return (f"How somebody could *{model['attack_tree']['goal'][0].lower() + model['attack_tree']['goal'][1:]}*. Each line below a branch is one way, and one is enough. "
            "Green: all of its rows are defended; orange: some; red: none, and the residual says so.")


def tree(model):
    status = {threat["id"]: threat["status"] for threat in model["threats"]}
    lines = [f"- **{model['attack_tree']['goal']}**"]
    for branch in model["attack_tree"]["any_of"]:
        lines.append(f"  - **{branch['goal']}**")
        for leaf in branch["any_of"]:
            ids = ", ".join(name + ("" if status[name] == "mitigated" else f" ({status[name]})") for name in leaf["threats"])
            lines.append(f"    - {leaf['goal']}. Costs: {leaf['cost']}. Defence: {leaf['defence']}. Tests: {ids}")
    return "\n".join(lines)


def metadata(model):
    return table(["place", "tells", "to", "hidden how", "what remains", "rows"],
                 [[f"**{row['place']}**", row["learns"], row["seen_by"], row["hidden"], row["residual"], " ".join(row["threats"])] for row in model["metadata"]])


def letters(model):
    return ", ".join(f"{word[0]} {word.lower()}" for word in model["vocabulary"]["stride"]) + "; " + ", ".join(
        f"{LETTERS[word]} {word.lower()}" for word in model["vocabulary"]["linddun"])


def tests_of(threat):
    shown = [f"`{name}…`" if re.fullmatch("[A-JMX][0-9][0-9]", name) else f"`{name}`" for name in threat["tests"]]
    # A model searches orders of writes that no test can run through.
    shown += [f"model `{model['file']}`: {', '.join(f'`{name}`' for name in model['properties'])}" for model in threat.get("models", [])]
    return "<br>".join(shown) or "none"


def threats(model):
    parts = []
    for letter, title in GROUPS.items():
        rows = []
        for threat in (threat for threat in model["threats"] if threat["id"].startswith(letter)):
            status = threat["status"] + (f" ({threat['later']})" if "later" in threat else "")
            kinds = "".join(word[0] for word in threat["stride"]) + " / " + (" ".join(LETTERS[word] for word in threat["linddun"]) or "none")
            rows.append([f"**{threat['id']}**", f"{threat['title']}. *{threat['event']}*", f"{threat['adversary']}, {threat['promise']}", kinds, status,
                         threat["defence"], tests_of(threat), threat["residual"], threat["source"]])
        parts.append(f"### {letter} {title}\n\n" + table(["ID", "attack", "who, promise", "STRIDE / LINDDUN", "status", "what meets it", "tests", "what remains", "seen in"], rows))
    return "\n\n".join(parts)


def controls(model):
    return table(["control", "", "status", "rows"], [[f"**{c['title']}**", c["description"], c["status"], " ".join(name.upper() for name in c["threats"])] for c in model["controls"]])


def shortcomings(model):
    return "\n".join(f"- **{row['title']}** {row['description']} ({', '.join(row['threats'])})" for row in model["shortcomings"])


def page(model):
    template = (Path(__file__).parent / "template.md").read_text()
    return folding.wrapped(re.sub(r"\{\{(\w+)\}\}", lambda word: globals()[word[1]](model), template))
