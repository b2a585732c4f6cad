// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Glibc
import Testing

@testable import VaultClient

struct PagerTests {
    private func find(_ setting: String?, _ variables: [String: String] = [:]) -> PagerChoice? {
        PagerChoice.find(setting: setting, variable: { variables[$0] }, find: { "/bin/" + $0 })
    }

    @Test func theEnvironmentOutranksTheSetting() {
        #expect(find(nil)?.path == "/bin/less")
        #expect(find("most -x")?.path == "/bin/most")
        #expect(find("most", ["PAGER": "more"])?.path == "/bin/more")
        #expect(find("most", ["PAGER": "more", "NOTEVAULT_PAGER": "bat --plain"])?.arguments == ["--plain"])
    }

    @Test(arguments: ["cat", "", "'less"])
    func noneIsANumberOfWords(_ pager: String) { #expect(find(nil, ["PAGER": pager]) == nil) }

    @Test func aShellIsNotInvolved() { #expect(find("less; rm -rf /")?.path == "/bin/less;") }

    @Test func lessKeepsNoHistoryAndRunsNothing() throws {
        let environment = try #require(find(nil)).environment
        for wanted in ["LESSHISTFILE=-", "LESSSECURE=1", "LESS=FRX", "LESSOPEN="] {
            #expect(environment.contains(wanted), "\(wanted)")
        }
        let own = try #require(find(nil, ["LESS": "M"])).environment
        #expect(!own.contains("LESS=FRX"))
        #expect(own.contains("LESSSECURE=1"))
        #expect(own.filter { $0.hasPrefix("LESSHISTFILE=") }.count == 1)
    }

    @Test(arguments: [
        ("", 0), ("a", 0), ("a\n", 1), (String(repeating: "x", count: 10), 0), (String(repeating: "x", count: 11), 1),
        ("a\n\nb\n", 3),
        ("\u{1B}[1m" + String(repeating: "x", count: 10) + "\u{1B}[0m", 0),
        ("\u{1B}]8;;https://example.org\u{1B}\\x\u{1B}]8;;\u{07}", 0),
        (String(repeating: "é", count: 10), 0), ("\u{1B}]never ended " + String(repeating: "\n", count: 50), 0),
    ])
    func rowsAreCounted(_ text: String, _ count: Int) {
        var rows = ScreenRows(columns: 10)
        for byte in text.utf8 { rows.add([byte]) }
        #expect(rows.count == count)
    }
}
