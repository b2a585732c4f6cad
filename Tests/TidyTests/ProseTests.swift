// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// Plain English in what users read: turns that were found to be read twice, and what to write instead.
struct ProseTests {
    private static let turns: [(pattern: String, instead: String)] = [
        (#"\bso many\b"#, "this many"),
        (#"\bat hand\b"#, "available"),
        (#"\ball the same\b"#, "anyway, still"),
        (#"\bfor good\b"#, "permanently"),
        (#"\bby (?:itself|themselves)\b"#, "automatically; alone"),
        (#"\b(?:key|one|password) of before\b|\b(?:password|key|state) of now\b"#, "the old key, the current password"),
        (#"(?<!there )\b(?:is|are) none\b"#, "is not one, does not count, no … is"),
        (#"\b(?:this|that|it|which|code|digits|file|name|text|number|'\)?) is no (?!longer\b|t\b)\w+"#, "is not a …"),
        (
            #"\b(?:this|that) is no\b|\bis no (?:code|address|number|copy|JSON|text|secret|part|loss|pattern|day)\b"#,
            "is not a …"
        ),
        (#"\bof yours\b"#, "your …"),
        (#"\bof (?:rclone|Dropbox)'s\b"#, "an rclone …, a Dropbox …"),
        (#"\bshall\b"#, "must, or the present tense"),
        (#"\bwhoever\b"#, "anyone who, anyone with"),
        (
            #"(?:^|[.;:] |[.;:] \*\*)who (?:has|can|may|comes|knows|copied|reads|wants|only)\b"#,
            "anyone who …, if somebody …"
        ),
        (#"\bopen there for who\b|\bfor who (?:can|has|may)\b"#, "to anyone who …"),
        (
            #"(?:^|[.;:] )(?:what|which) (?:lies|comes|remains|stands|goes)\b"#,
            "name the thing: the files in …, a note that …"
        ),
        (#"\blies? there\b"#, "is there, is stored there"),
        (#"\bstands? (?:in|on|upon|behind|before|after|beside)\b"#, "is in, is written in, wraps, comes after"),
        (#"\b(?:is|are) to stand\b"#, "put it before …"),
        (#"\bany more\b"#, "no longer"),
        (#"\bno more$|, no more\b|\bneeded no more\b"#, "only; no longer needed"),
        (#"\bthrow(?:n|s)? away\b|\bthrow the\b"#, "discard"),
        (#"\banew\b"#, "again; rebuild, rewrite, redraw"),
        (#"\bheard of\b"#, "heard from; has the change"),
        (#"\bgive[ns]? up\b|\bgiv(?:e|en|es) (?:a|the|this) device up\b"#, "retire a device; stop, abandon"),
        (#"\bput(?:s|ting)? (?:it )?away\b|\btakes? it up again\b"#, "archive; resume"),
        (
            #"\btake(?:s|n)? (?:it|the new key|the key) over\b|\btaken? over from\b"#,
            "adopt a key, merge changes, read from a remote"
        ),
        (#"\btakes? all of it back\b|\bbrings? all of it back\b"#, "undoes all of it, restores everything"),
        (#"\btake the \w+ line\b|\blast line (?:away|back)\b"#, "remove the last line"),
        (#"\b(?:called|call it|call another device) (?:otherwise|so)\b|\botherwise\.$"#, "rename; has that name"),
        (#"\bwhat is hit\b"#, "the damage"),
        (#"\bis a question\b"#, "is confirmed, vault asks once"),
        (#"\blook(?:ed|s)? after\b"#, "manage"),
        (
            #"\blet this device in\b|\bbe left alone\b|\bvouches for\b|\bmakes no sense\b"#,
            "the field's word: no longer accepted, throttled, not trusted, not valid"
        ),
        (#"\bwhat becomes of\b"#, "what to do with …, keep …?"),
        (#"\bas the vault was\b"#, "matches the vault"),
        (#"\bcannot be told\b(?! apart)|\bdoes not tell\b"#, "cannot tell whether; does not report"),
        (#"\bbehind (?:the text|'|it must|two dashes)|\bgoes behind\b|\bcolon behind\b"#, "after"),
        (
            #"\b(?:did|has|have) not (?:come over|said everything)\b|\bnot whole\b"#,
            "has not adopted the key, has not sent everything; incomplete"
        ),
        (#"\ball that (?:is known|the password|this)\b|\balthough\b"#, "everything that …; even if"),
    ]

    /// Modules whose texts are shown to users.
    private static let modules = [
        "VaultClient", "Presentation", "AgentClient", "AgentProtocol", "VaultAgent", "NoteScreen",
    ]
    private static let pages = ["README.md", "docs/faq.md", "docs/cli.md", "SUPPORT.md"]

    @Test func sentencesForUsersHaveNoneOfTheBannedTurns() throws {
        let turns = try Self.turns.map { turn in
            (try NSRegularExpression(pattern: turn.pattern, options: [.caseInsensitive]), turn.instead)
        }
        var texts: [(place: String, text: String)] = []
        for module in Self.modules {
            for file in try SourceTree.files("Sources/" + module, endings: [".swift"]) {
                texts += Self.literals(file.text).map { (file.path + ":\($0.line)", $0.text) }
            }
        }
        #expect(texts.count > 2000, "the texts of programs are not found")
        let guide = try SourceTree.files("docs/guide", endings: [".md"]).map(\.path)
        for page in Self.pages + guide {
            let text = try String(contentsOf: SourceTree.root.appending(path: page), encoding: .utf8)
            texts += Self.prose(text).map { (page + ":\($0.line)", $0.text) }
        }
        for (place, text) in texts {
            let whole = NSRange(text.startIndex..., in: text)
            for (turn, instead) in turns {
                guard let found = turn.firstMatch(in: text, range: whole), let range = Range(found.range, in: text)
                else {
                    continue
                }
                Issue.record("\(place): '\(text[range])' is read twice; \(instead)")
            }
        }
    }

    @Test func aBannedTurnIsFoundInALiteralAndInAPage() {
        let code =
            "let a = \"no \\(name) at hand\" // not at hand\n    /// at hand\nlet b = \"\"\"\n    all the same\n    \"\"\"\n"
        #expect(Self.literals(code).map(\.text) == ["no \\(name) at hand", "    all the same"])
        #expect(Self.prose("a `b` c\n```console\nx\n```\n    d\ne\n").map(\.text) == ["a   c", "e", ""])
    }

    private static func literals(_ code: String) -> [(line: Int, text: String)] {
        var found: [(line: Int, text: String)] = []
        var isInside = false
        for (index, line) in code.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.contains("\"\"\"") {
                isInside.toggle()
            } else if isInside {
                found.append((index + 1, String(line)))
            } else if !line.drop(while: { $0 == " " }).hasPrefix("//") {
                for match in line.matches(of: /"((?:[^"\\]|\\.)+)"/) {
                    found.append((index + 1, String(match.output.1)))
                }
            }
        }
        return found
    }

    /// The lines of a page without its code.
    private static func prose(_ page: String) -> [(line: Int, text: String)] {
        var found: [(line: Int, text: String)] = []
        var isInside = false
        for (index, line) in page.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("```") {
                isInside.toggle()
            } else if !isInside, !line.hasPrefix("    "), !line.hasPrefix("<!--") {
                found.append((index + 1, String(line.replacing(/`[^`]*`/, with: " "))))
            }
        }
        return found
    }
}
