#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Writes README.md, dataflow.svg and attacktree.svg from threats.json. Needs nothing but Python 3.

generate.py            writes them
generate.py --check    writes nothing; ends with 1 when threats.json breaks a rule or a file is not what it makes
generate.py --owasp    prints the model in OWASP's schema alone
"""
import argparse
import json
import sys
from pathlib import Path

import drawing
import model as rules
import page

HERE = Path(__file__).parent


def outputs(model):
    status = {threat["id"]: threat["status"] for threat in model["threats"]}
    return {"dataflow.svg": drawing.data_flows(model), "attacktree.svg": drawing.attack_tree(model, status), "README.md": page.page(model)}


def stale(files):
    for name, text in files.items():
        path = HERE / name
        if not path.is_file() or path.read_text() != text:
            yield f"{name} is not what threats.json makes: run make threats"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--check", action="store_true")
    options.add_argument("--owasp", action="store_true")
    options.add_argument("--model", type=Path, default=HERE / "threats.json", help="another model, for --check of its rules alone")
    chosen = options.parse_args()
    model = json.loads(chosen.model.read_text())
    found = rules.problems(model)
    if not found and chosen.owasp:
        print(json.dumps(rules.strict(model), ensure_ascii=False, indent=1))
    elif not found:
        files = outputs(model)
        if chosen.check:
            found = [] if chosen.model != HERE / "threats.json" else list(stale(files))
        else:
            for name, text in files.items():
                (HERE / name).write_text(text)
    for problem in found:
        print(f"threats: {problem}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main())
