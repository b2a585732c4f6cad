// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// A vault of 168 notes as people keep them in Obsidian: what lies there is counted by a script that shares nothing
/// with the importer, and counted again in the vault, and once more after an export and an import into a new vault.
@Suite struct ObsidianVaultTests {
    /// Writes the vault, then reads it again and says what is in it.
    private struct Source {
        let names: [String]
        let titles: [String: String]
        /// "from → to", by the titles that the notes have to have.
        let links: Set<String>
        let attachments: [String: [String]]
        let properties: [String: Int]

        init(_ world: VaultWorld, _ name: String) throws {
            try world.put("maker.py", ObsidianVaultTests.maker)
            let told = try JSON(text: world.system("python3", [world.path("maker.py"), world.path(name)]).text)
            names = told["names"].array.compactMap(\.string)
            titles = try Dictionary(
                uniqueKeysWithValues: told["titles"].array.map {
                    (try #require($0[0].string), try #require($0[1].string))
                })
            links = Set(told["links"].array.compactMap(\.string))
            attachments = try Dictionary(
                uniqueKeysWithValues: told["attachments"].array.map {
                    (try #require($0[0].string), $0[1].array.compactMap(\.string))
                })
            properties = try Dictionary(
                uniqueKeysWithValues: told["properties"].array.map { (try #require($0[0].string), $0[1].int ?? -1) })
        }
    }

    private struct Notes {
        var titles: [String: String] = [:]
        var links: Set<String> = []
        var attachments: [String: [String]] = [:]

        init(_ world: VaultWorld) throws {
            var ids: [String: String] = [:]
            for row in try JSON(world.require(world.vault("ls", "--all", "--json")))["notes"].array {
                ids[try #require(row["id"].string)] = row["title"].string ?? ""
            }
            for (id, title) in ids {
                titles[title, default: ""] += "."
                // The other way around too: who leads here.
                for row in try JSON(world.require(world.vault("backlinks", id, "--json")))["notes"].array {
                    links.insert("\(row["title"].string ?? "") → \(title)")
                }
                let attached = try JSON(world.require(world.vault("attach", "ls", id, "--json")))["attachments"].array
                for row in attached {
                    let file = world.path("got-\(id)")
                    try? FileManager.default.removeItem(atPath: file)
                    try world.require(world.vault("attach", "get", id, row["name"].string ?? "", "-o", file))
                    attachments[title, default: []].append(
                        String(try world.system("sha256sum", [file]).text.prefix(64)))
                }
            }
            for title in attachments.keys { attachments[title]?.sort() }
        }
    }

    @Test func everythingIsThereAndEveryLinkLeadsToItsNote() throws {
        let world = try VaultWorld()
        let source = try Source(world, "v")
        let finished = try world.imported("obsidian", "v")
        let told = try JSON(finished)
        // What is left out is named, and nothing else makes it 12.
        #expect(finished.code == 12, "\(finished.err)")
        #expect(
            Set(told["losses"].array.compactMap { $0["path"].string }) == [
                "Private/secret.md.enc", "attachments/unused.png",
            ])
        #expect(source.names.count >= 150 && told["created"].int == source.names.count)
        let notes = try Notes(world)
        #expect(notes.titles == source.titles.values.reduce(into: [:]) { $0[$1, default: ""] += "." })
        #expect(notes.links == source.links, "\(notes.links.symmetricDifference(source.links).sorted().prefix(10))")
        #expect(notes.attachments == source.attachments)
        var kept: [String: Int] = [:]
        for kind in told["kept"].array {
            let name = kind["detail"].string == "" ? kind["code"].string : kind["detail"].string
            kept[name ?? "?"] = kind["count"].int
        }
        #expect(kept == source.properties)
        #expect(try world.tally(world.imported("obsidian", "v")) == [0, 0, source.names.count, 0])

        // The same from the vault's own Markdown, in a new vault.
        try world.export("markdown", "out")
        let other = try VaultWorld()
        let back = try other.vault("import", "markdown", world.path("out"), "--json")
        #expect(try JSON(back)["created"].int == source.names.count, "\(back.err)")
        let again = try Notes(other)
        #expect(again.titles == notes.titles && again.attachments == notes.attachments)
        #expect(again.links == notes.links, "\(again.links.symmetricDifference(notes.links).sorted().prefix(10))")
    }

    @Test func whatIsKeptIsCountedByKindAndIsNoLoss() throws {
        var world = try VaultWorld()
        for format in ["markdown", "obsidian"] {
            // Each by itself: what another format brought in is another note.
            world = try VaultWorld()
            for number in 0..<30 {
                try world.put("v/n\(number).md", "---\npermalink: p\(number)\naliases: [a\(number)]\n---\n[[nobody]]\n")
            }
            let told = try world.vault("import", format, world.path("v"))
            #expect(told.code == 0, "\(told.err)")
            #expect(
                told.err.contains(
                    "vault: kept: permalink × 30: a property has no place in a note; it is kept at the top of the text\n"
                ))
            #expect(
                told.err.contains("vault: kept: aliasesKept × 30: ")
                    && told.err.contains("vault: kept: linkUnresolved × 30: "))
            #expect(!told.err.contains("vault: loss:"))
            // No identifier begins with an 8: the name means the title alone.
            #expect(try world.vault("cat", "n8").text == "---\npermalink: p8\naliases: [a8]\n---\n[[nobody]]\n")
        }
        let report = world.path("report.json")
        #expect(try JSON(world.imported("obsidian", "v", "--report", report))["lossCount"].int == 0)
        let written = try JSON(text: String(contentsOfFile: report, encoding: .utf8))
        #expect(written["losses"].array.isEmpty && written["done"]["kept"].array.count == 3)
    }

    @Test(arguments: ["markdown", "obsidian"])
    func encryptedNotesAreNeverPassedOverInSilence(format: String) throws {
        let world = try VaultWorld()
        try world.put("nb/20240131.md", "# Plain\n\ntext\n")
        try world.put("nb/.index", "20240131.md\n")
        let sealed = [
            "20240201.md.enc", "20240202.md.gpg", "deep/20240203.md.asc", "20240204.md.age", "20240205.mdenc",
        ]
        for name in sealed { try world.put("nb/" + name, "Salted__\u{1}\u{2}") }
        let finished = try world.imported(format, "nb")
        #expect(finished.code == 12)
        let losses = try JSON(finished)["losses"].array
        #expect(
            Set(losses.compactMap { $0["path"].string }) == Set(sealed)
                && losses.allSatisfy { $0["code"].string == "encrypted" })
        #expect(try JSON(finished)["created"].int == 1 && JSON(finished)["found"]["notes"].int == 6)
        let told = try world.vault("import", format, world.path("nb"))
        for name in sealed { #expect(told.err.contains("not imported: \(name): it is encrypted")) }
        #expect(told.err.contains("vault: hint: decrypt it to a .md file first"))
    }

    private static let maker = """
        import hashlib, json, os, re, sys
        root = sys.argv[1]
        def put(path, data):
            path = os.path.join(root, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as f: f.write(data if isinstance(data, bytes) else data.encode())
        folders = ["", "Projects", "Projects/Old", "Daily notes", "Zettel", "Übersicht"]
        names = ["Note %d.%d" % (n, n % 7) for n in range(120)]
        place = {}
        for n, name in enumerate(names): place[name] = folders[n % 6]
        for n in range(40): place["2024-01-%02d" % (n + 1) if n < 31 else "Zettel %d" % n] = "Daily notes" if n < 31 else "Zettel"
        for name in ["C# and F#", "Größe", "Q: what?", "a & b", "index", "Home", "Übung macht's", "日本語"]: place[name] = ""
        everything = sorted(place)
        links, attachments, titles, properties, text = set(), {}, {}, {}, {}
        def path(name): return (place[name] + "/" if place[name] else "") + name + ".md"
        def title(name): return "Title of " + name if name.startswith("Zettel 3") else name
        pictures = {p: os.urandom(300) for p in ["attachments/p%d.png" % n for n in range(20)] + ["Projects/plan b.pdf"]}
        for n, name in enumerate(everything):
            titles[name] = title(name)
            to = [everything[(n * 7 + k * 31 + 1) % len(everything)] for k in range(5)]
            head, lines, kept = [], [], set()
            if n % 3 == 0: head.append("permalink: p/%d" % n); kept.add("permalink")
            if n % 4 == 0: head.append("cssclasses:\\n  - wide"); kept.add("cssclasses")
            if n % 5 == 0: head.append("tags: [a%d, nested/b]" % (n % 9))
            head.append("aliases: [Alias of %d, \\"Second of %d\\"]" % (n, n)); kept.add("aliasesKept")
            if name.startswith("Zettel 3"): head.append('title: "%s"' % title(name))
            number = {x: i for i, x in enumerate(everything)}
            plain = lambda x: "#" not in x
            lines.append("# A heading that is not the name %d\\n" % n)
            lines.append("[[%s]] and [[%s|some words]]" % (to[0], to[1]))
            lines.append("[[Alias of %d]]" % number[to[2]])
            if plain(to[3]):
                lines.append("[[%s#Some heading]]" % to[3]); links.add((name, to[3])); kept.add("linkPartKept")
            relative = os.path.relpath(path(to[4]), place[name] or ".").replace("%", "%25").replace("#", "%23").replace(" ", "%20").replace("?", "%3F")
            if ":" not in relative: lines.append("[relative](%s)" % relative); links.add((name, to[4]))
            links.update([(name, to[0]), (name, to[1]), (name, to[2])])
            if n % 6 == 0: lines.append("[[Nobody wrote this yet]]"); kept.add("linkUnresolved")
            if n % 10 == 0: lines.append("`[[Home]]`\\n```\\n[[Home]]\\n```")
            mine = []
            if n % 8 == 0: p = "attachments/p%d.png" % (n % 20); lines.append("![[%s|300]]" % os.path.basename(p)); mine.append(p)
            if n % 16 == 3: lines.append("[plan](<%s>)" % os.path.relpath("Projects/plan b.pdf", place[name] or ".")); mine.append("Projects/plan b.pdf")
            for p in mine: attachments.setdefault(title(name), []).append(hashlib.sha256(pictures[p]).hexdigest())
            for k in kept: properties[k] = properties.get(k, 0) + 1
            put(path(name), "---\\n" + "\\n".join(head) + "\\n---\\n" + "\\n".join(lines) + "\\n")
        for p in pictures: put(p, pictures[p])
        put("attachments/unused.png", b"nobody")
        put("Private/secret.md.enc", b"Salted__xx")
        put(".obsidian/app.json", "{}")
        put(".trash/old.md", "gone")
        found = [f for d, _, fs in os.walk(root) for f in fs if f.endswith(".md") and "/." not in d]
        used = {p for v in attachments.values() for p in v}
        for p in pictures:
            if hashlib.sha256(pictures[p]).hexdigest() not in used: os.remove(os.path.join(root, p))
        print(json.dumps({"names": found, "titles": sorted(titles.items()), "links": ["%s → %s" % (title(a), title(b)) for a, b in links],
            "attachments": [[k, sorted(v)] for k, v in attachments.items()], "properties": sorted(properties.items())}))
        """
}
