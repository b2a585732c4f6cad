# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""The rules of threats.json: known fields and words, unique names, references that lead somewhere, words where nothing is defended."""
import re
from pathlib import Path

# The fields of OWASP's threat model schema 1.0.1, then ours beside them.
FIELDS = {
    "trust_zones": ("symbolic_name title description", ""),
    "trust_boundaries": ("trust_zone_a trust_zone_b access_control_methods authentication_methods", "number title description"),
    "actors": ("symbolic_name title description type permissions trust_zone", ""),
    "components": ("symbolic_name title description trust_zone", ""),
    "data_stores": ("symbolic_name title description type vendor product trust_zone", ""),
    "data_sets": ("symbolic_name title description placements data_sensitivity access_control_methods", ""),
    "data_flows": ("symbolic_name title description source destination has_sensitive_data encrypted", ""),
    "assumptions": ("description topics validity", ""),
    "threat_personas": ("symbolic_name title description is_person skill_level access_level malicious_intent applicability_to_org",
                        "can cannot"),
    "threats": ("symbolic_name title description components_affected threat_persona event sources",
                "id adversary promise stride linddun status tests models defence residual source later"),
    "controls": ("symbolic_name title description threats trust_boundary status priority", ""),
}
OPTIONAL = {"vendor", "product", "trust_boundary", "later", "models"}
TOP = "$schema version scope description".split()
OURS = "worth promises vocabulary metadata attack_tree shortcomings drawing".split()
EXTENSION = "vault.invalid/threat-model/v2"
ID = re.compile(r"[A-JMX][0-9][0-9]")
WORDS_MIN = 40


def names(model, part):
    return [item["symbolic_name"] for item in model[part]]


def leaves(tree):
    if "any_of" not in tree:
        return [tree]
    return [leaf for child in tree["any_of"] for leaf in leaves(child)]


def field_problems(model):
    for member in model:
        if member not in FIELDS and member not in TOP + OURS:
            yield f"unknown member {member}"
    for part, (theirs, ours) in FIELDS.items():
        known = set(theirs.split()) | set(ours.split())
        for item in model.get(part, []):
            name = item.get("id") or item.get("symbolic_name") or item.get("title") or part
            for field in sorted(set(item) - known):
                yield f"{part}: {name}: unknown field {field}"
            for field in sorted(known - set(item) - OPTIONAL):
                yield f"{part}: {name}: {field} is missing"


def reference_problems(model):
    for part in FIELDS:
        known = [item["symbolic_name"] for item in model[part] if "symbolic_name" in item]
        for name in known:
            if known.count(name) > 1:
                yield f"{part}: {name} is there twice"
            if not re.fullmatch("[0-9a-z-]+", name):
                yield f"{part}: {name} is no symbolic name"
    zones = names(model, "trust_zones")
    for part in ("actors", "components", "data_stores"):
        for item in model[part]:
            if item["trust_zone"] not in zones:
                yield f"{part}: {item['symbolic_name']}: no zone is called {item['trust_zone']}"
    pairs = [{b["trust_zone_a"], b["trust_zone_b"]} for b in model["trust_boundaries"]]
    ends = {"actor": names(model, "actors"), "component": names(model, "components"), "data-store": names(model, "data_stores")}
    for flow in model["data_flows"]:
        for end in (flow["source"], flow["destination"]):
            if end["object"] not in ends.get(end["type"], []):
                yield f"data_flows: {flow['symbolic_name']}: no {end['type']} is called {end['object']}"
    for data in model["data_sets"]:
        for place in data["placements"]:
            if place["data_store"] not in ends["data-store"]:
                yield f"data_sets: {data['symbolic_name']}: no store is called {place['data_store']}"
    for control in model["controls"]:
        for name in control["threats"]:
            if name not in names(model, "threats"):
                yield f"controls: {control['symbolic_name']}: no threat is called {name}"
        between = control.get("trust_boundary")
        if between and {between["trust_zone_a"], between["trust_zone_b"]} not in pairs:
            yield f"controls: {control['symbolic_name']}: no such boundary"
    drawn = [edge["flow"] for edge in model["drawing"]["edges"]]
    for name in set(names(model, "data_flows")) ^ set(drawn):
        yield f"drawing: the flow {name} is not both drawn and described"


def threat_problems(model):
    words, promises = model["vocabulary"], [promise["number"] for promise in model["promises"]]
    personas = {persona["title"]: persona["symbolic_name"] for persona in model["threat_personas"]}
    held = {name for control in model["controls"] for name in control["threats"]}
    for threat in model["threats"]:
        name = threat["id"]
        if not ID.fullmatch(name) or threat["symbolic_name"] != name.lower():
            yield f"{name}: no identifier of this model"
        if personas.get(threat["adversary"]) != threat["threat_persona"]:
            yield f"{name}: unknown adversary {threat['adversary']}"
        if threat["promise"] not in promises:
            yield f"{name}: unknown promise {threat['promise']}"
        if threat["status"] not in words["status"]:
            yield f"{name}: unknown status {threat['status']}"
        for kind in ("stride", "linddun"):
            for word in threat[kind]:
                if word not in words[kind]:
                    yield f"{name}: unknown {kind} word {word}"
        for component in threat["components_affected"]:
            if component not in names(model, "components"):
                yield f"{name}: no component is called {component}"
        if threat["status"] == "mitigated" and not threat["tests"]:
            yield f"{name}: mitigated, and names no test"
        if threat["status"] != "mitigated" and len(threat["residual"]) <= WORDS_MIN:
            yield f"{name}: {threat['status']}, and does not say what that means"
        if not threat["stride"] or not threat["defence"]:
            yield f"{name}: stride or defence is empty"
        for claimed in threat.get("models", []):
            yield from model_problems(name, claimed)
        if threat["symbolic_name"] not in held:
            yield f"{name}: no control names it"


def model_problems(name, claimed):
    """A model that a row names is there, and asserts each property that the row says it has."""
    file = Path(__file__).resolve().parent.parent / claimed["file"]
    if not file.is_file():
        yield f"{name}: no model is called {claimed['file']}"
        return
    text = file.read_text()
    for word in claimed["properties"]:
        if f"assert({word})" not in text:
            yield f"{name}: {claimed['file']} has no property {word}"


def mention_problems(model):
    known = {threat["id"] for threat in model["threats"]}
    places = [("metadata", row["place"], row["threats"]) for row in model["metadata"]]
    places += [("attack_tree", leaf["goal"], leaf["threats"]) for leaf in leaves(model["attack_tree"])]
    places += [("shortcomings", row["title"], row["threats"]) for row in model["shortcomings"]]
    for part, place, threats in places:
        if not threats:
            yield f"{part}: {place}: names no threat"
        for name in threats:
            if name not in known:
                yield f"{part}: {place}: no threat is called {name}"


def problems(model):
    found = list(field_problems(model))
    if found:
        return found
    rules = (reference_problems, threat_problems, mention_problems)
    return [problem for rule in rules for problem in rule(model)]


def strict(model):
    """The model in OWASP's schema alone: our members move to `extensions`."""
    result = {member: model[member] for member in TOP}
    ours = {member: model[member] for member in OURS}
    for part, (theirs, own) in FIELDS.items():
        result[part] = [{field: value for field, value in item.items() if field in theirs.split()} for item in model[part]]
        extra = [{field: item[field] for field in own.split() if field in item} for item in model[part]]
        if any(extra):
            ours[part] = extra
    return result | {"extensions": {EXTENSION: ours}}
