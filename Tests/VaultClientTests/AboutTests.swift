// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import VaultClient

struct AboutTests {
    @Test func aLinkIsOneOnlyWhereItCanBeFollowed() {
        #expect(TerminalLink.text("a", to: "mailto:a@b", linked: false) == "a")
        #expect(
            TerminalLink.text("a", to: "mailto:a@b", linked: true) == "\u{1B}]8;;mailto:a@b\u{1B}\\a\u{1B}]8;;\u{1B}\\")
    }
}
