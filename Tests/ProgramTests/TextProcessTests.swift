// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// Texts are compared and rendered by vault-parse; what it does not answer, or answers wrongly, costs no text.
struct TextProcessTests {
    private static let table = "# Plan\n\n| what | who |\n|---|---|\n| tea | *Ann*[^1] |\n\n[^1]: or **Bo**\n"

    @Test func anExportedPageHasTablesFootnotesAndNestedEmphasis() throws {
        let world = try VaultWorld()
        try world.require(world.vault("new", Self.table))
        try world.require(world.vault("new", "***a** b* [x][r] <b>\n\n[r]: https://example.org\n"))
        try world.require(world.vault("export", "html", "-o", world.path("page.html"), "--plaintext"))
        let page = try String(contentsOfFile: world.path("page.html"), encoding: .utf8)
        for part in [
            "<th>what</th>", "<td><em>Ann</em><sup class=\"footnote-ref\">", "<p>or <strong>Bo</strong>",
            "<em><strong>a</strong> b</em> <a href=\"https://example.org\">x</a> &lt;b&gt;",
        ] { #expect(page.contains(part), "\(part)\n\(page)") }
    }

    @Test(arguments: [
        "exit 1", "exec cat", "printf '\\0\\0\\0\\002\\002\\0'; exec cat >/dev/null",
        "printf '\\377\\377\\377\\377'; exec cat >/dev/null",
    ])
    func aParserThatFailsCostsNoText(script: String) throws {
        let world = try VaultWorld(unlocked: false)
        let programs = try StandInParser(world, script: script)
        try programs.unlock()
        let id = try world.require(programs.vault("new", Self.table)).id
        #expect(
            try programs.vault("replace", id, Self.table.replacingOccurrences(of: "tea", with: "coffee") + "more\n")
                .code == 0)
        let diff = try programs.vault("diff", id)
        #expect(diff.code == 0)
        for line in ["-| tea | *Ann*[^1] |", "+| coffee | *Ann*[^1] |", "+more"] {
            #expect(diff.lines.contains(line), "\(diff.text)")
        }
        let export = try programs.vault("export", "html", "-o", world.path("page.html"), "--plaintext")
        #expect(export.code == 0 && export.err.contains("could not be rendered"), "\(export.err)")
        #expect(try String(contentsOfFile: world.path("page.html"), encoding: .utf8).contains("| coffee | *Ann*[^1] |"))
        #expect(try programs.vault("lock").code == 0)
    }
}
