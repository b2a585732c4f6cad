// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultTesting

@testable import VaultClient
@testable import VaultManual

struct ManualTests {
    private let folder = Repository.root.appending(path: "man")

    @Test func theCommittedPagesAreThoseOfTheCommands() throws {
        let pages = Manual.pages
        for page in pages {
            let committed = try? String(
                contentsOf: folder.appending(path: page.folder).appending(path: page.file), encoding: .utf8)
            #expect(
                committed == page.text, "man/\(page.folder)/\(page.file) is not what the command says now: make man")
        }
        let files = ["man1", "man5"].flatMap {
            (try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: $0).path)) ?? []
        }
        let superfluous = Set(files).subtracting(pages.map(\.file))
        #expect(superfluous.isEmpty, "no command has the pages \(superfluous.sorted()): make man")
    }

    @Test func theTableOfCommandsIsThatOfTheCommands() throws {
        let page = try String(contentsOf: Repository.root.appending(path: "docs/cli.md"), encoding: .utf8)
        #expect(CommandTable.written(into: page) == page, "docs/cli.md is not what the commands say now: make man")
        #expect(CommandTable.text.split(separator: "\n").count > 100 && CommandTable.written(into: "") == nil)
    }

    @Test func everyCommandHasAPage() {
        #expect(Manual.pages.count == CommandNode.all.count + 2)
        #expect(Set(Manual.pages.map(\.file)).isSuperset(of: ["vault.1", "vault-new.1", "vault-trash-ls.1"]))
    }

    /// A reader who follows a reference finds a page.
    @Test func everyPageThatIsReferredToIsThere() throws {
        let files = Set(Manual.pages.map(\.file))
        for page in Manual.pages {
            for match in page.text.matches(of: /\\%\\fB([a-z\\-]+)\\fR\(([0-9])\)/) {
                let file = "\(match.1.replacing("\\-", with: "-")).\(match.2)"
                #expect(files.contains(file), "\(page.file) refers to \(file)")
            }
        }
        #expect(files.contains("notevault-config.5"))
    }

    @Test func thePageOfTheSettingsHasEverySetting() throws {
        let page = try #require(Manual.pages.first { $0.file == "notevault-config.5" })
        for key in SettingKey.allCases {
            #expect(page.text.contains("\n.TP\n" + Roff.bold(key.rawValue) + "\n"), "\(key.rawValue)")
        }
    }

    @Test func aPageSaysWhatAPageMust() {
        for page in Manual.pages where page.folder == "man1" {
            for section in [
                "NAME", "SYNOPSIS", "DESCRIPTION", "GLOBAL OPTIONS", "EXIT STATUS", "ENVIRONMENT", "\"SEE ALSO\"",
                "BUGS",
            ] {
                #expect(page.text.contains("\n.SH \(section)\n"), "\(page.file): \(section)")
            }
        }
    }

    @Test(.enabled(if: ShellRun.path("groff") != nil))
    func groffRendersEveryPageWithoutAWarning() throws {
        let folder = TemporaryFolder()
        for page in Manual.pages {
            folder.write(Array(page.text.utf8), to: "page")
            let run = try ShellRun(
                [try #require(ShellRun.path("groff")), "-man", "-Tutf8", "-ww", folder.path + "/page"], folder: folder)
            #expect(run.code == 0 && run.err.isEmpty, "\(page.file): \(run.err)")
            #expect(run.out.contains("SEE") || run.out.contains("S\u{8}S"), "\(page.file)")
        }
    }

    @Test(arguments: [
        ("plain", "plain"), (".TH", "\\&.TH"), ("'x'", "\\(aqx\\(aq"), ("a-b", "a\\-b"), ("\\n", "\\(rsn"),
        ("a\n.SH b", "a .SH b"),
        ("\"q\"", "\\(dqq\\(dq"), ("~^`", "\\(ti\\(ha\\(ga"), ("…", "\\[u2026]"), ("😀", "\\[u1F600]"),
        ("\u{1B}[m\u{7F}", "[m"),
        ("", ""),
    ])
    func textIsNeverReadAsARequest(_ text: String, _ roff: String) { #expect(Roff.escaped(text) == roff) }

    /// Every printable character is the same after groff as before it.
    @Test(.enabled(if: ShellRun.path("groff") != nil))
    func whatIsTypedCanBeCopiedFromThePage() throws {
        let typed = String(String.UnicodeScalarView((0x21..<0x7F).compactMap(Unicode.Scalar.init))) + "…漢"
        let folder = TemporaryFolder()
        var page = RoffPage(name: "x", section: 1, version: "v", manual: "m")
        page.section("NAME")
        page.prose(".hidden \(typed)\n\n  'kept' \\fBas it is")
        folder.write(Array(page.text.utf8), to: "page")
        let run = try ShellRun(
            [try #require(ShellRun.path("groff")), "-man", "-Tutf8", "-ww", "-rLL=150n", folder.path + "/page"],
            folder: folder)
        #expect(run.err.isEmpty, "\(run.err)")
        #expect(run.out.contains(".hidden \(typed)"), "\(run.out)")
        #expect(run.out.contains("  'kept' \\fBas it is"), "\(run.out)")
    }
}
