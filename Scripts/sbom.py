#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Every library that the programs are made of or load, as SPDX 2.3 in JSON: sbom.py --bin DIR -o FILE

Swift packages come from Package.resolved and are linked into the programs, as are the runtime of Swift and the C libraries that packages bring; shared
libraries come from ldd and from the names that the sources give to dlopen, with the Debian package and the version that has each of them here. C and C++
within a Swift package (libyaml in Yams, toml++ in TOMLKit) have no version of their own there; ICU's code and data come with Swift's runtime.
"""
import argparse, hashlib, json, os, re, subprocess, time, urllib.parse
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = "vault vault-agent vault-parse vault-sync vault-web vault-fetch vault-tui vault-audit".split()


def run(*words): return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def identifier(name): return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]+", "-", name)


def package(name, version, where, reference, linked, **more):
    return {"SPDXID": identifier(f"{linked}-{name}"), "name": name, "versionInfo": version, "downloadLocation": where, "filesAnalyzed": False,
            "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION", "copyrightText": "NOASSERTION",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": reference}], **more}


def swift_packages():
    for pin in json.loads((ROOT / "Package.resolved").read_text())["pins"]:
        location, version = pin["location"], pin["state"].get("version") or pin["state"]["revision"]
        path = urllib.parse.urlparse(location).path.removesuffix(".git").strip("/")
        yield package(pin["identity"], version, location, f"pkg:swift/github.com/{path}@{version}", "static")
    version = re.search(r"Swift version (\S+)", run("swift", "--version")).group(1)
    yield package("swift-runtime", version, "https://www.swift.org/install/linux/", f"pkg:generic/swift@{version}", "static",
                  comment="The standard library, Foundation with ICU, and Dispatch, linked into the programs.")


def debian_packages(programs):
    libraries = sorted({os.path.realpath(found) for program in programs for found in re.findall(r"=> (/\S+)", run("ldd", str(program)))})
    # What is opened while a program runs, where it is installed.
    cache = dict(re.findall(r"^\s+(\S+) .*=> (/\S+)$", run("/sbin/ldconfig", "-p"), re.M))
    wanted = {found for path in (ROOT / "Sources").glob("C*/**/*.[ch]") for found in re.findall(r'"(lib[\w+-]+\.so\.\d+)"', path.read_text())}
    libraries = sorted(set(libraries) | {os.path.realpath(cache[name]) for name in wanted if name in cache})
    names = {}
    for library in libraries:
        # dpkg knows the place before /lib was a link into /usr/lib.
        for path in (library, library.removeprefix("/usr")):
            found = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True)
            if found.returncode == 0:
                names.setdefault(found.stdout.split(": ")[0].split(",")[0], []).append(os.path.basename(library))
                break
        else: raise SystemExit(f"sbom: no Debian package has {library}")
    for name, files in sorted(names.items()):
        version, source, architecture = run("dpkg-query", "-W", "-f", "${Version}|${source:Package}|${Architecture}", name).split("|")
        bare = name.split(":")[0]
        yield package(bare, version, f"https://packages.debian.org/source/{source}", f"pkg:deb/debian/{bare}@{urllib.parse.quote(version)}?arch={architecture}", "shared",
                      comment="Loads " + ", ".join(sorted(files)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path, required=True)
    chosen = parser.parse_args()
    programs = [chosen.bin / name for name in PROGRAMS]
    version = run(str(programs[0]), "version").split()[-1]
    when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH") or run("git", "-C", str(ROOT), "log", "-1", "--format=%ct"))))
    main_package = {"SPDXID": "SPDXRef-notevault", "name": "notevault", "versionInfo": version, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
                    "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0", "copyrightText": "The vault authors"}
    linked, loaded = list(swift_packages()), list(debian_packages(programs))
    digest = hashlib.sha256((run("git", "-C", str(ROOT), "rev-parse", "HEAD") + "".join(one["SPDXID"] + one["versionInfo"] for one in linked + loaded)).encode()).hexdigest()
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-notevault"}]
    for kind, found in (("STATIC_LINK", linked), ("DYNAMIC_LINK", loaded)):
        relations += [{"spdxElementId": "SPDXRef-notevault", "relationshipType": kind, "relatedSpdxElement": one["SPDXID"]} for one in found]
    document = {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"notevault-{version}",
                "documentNamespace": f"https://spdx.org/spdxdocs/notevault-{version}-{digest[:32]}",
                "creationInfo": {"created": when, "creators": ["Organization: The vault authors"]},
                "packages": [main_package] + linked + loaded, "relationships": relations}
    chosen.output.write_text(json.dumps(document, indent=1, sort_keys=True) + "\n")
    print(f"{chosen.output}: {len(linked)} linked, {len(loaded)} loaded")


if __name__ == "__main__":
    main()
