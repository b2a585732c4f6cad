// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import VaultClient

struct ConfirmationTests {
    @Test(arguments: ["y", "Y", "yes", "YES", " yes ", "y\r"])
    func onlyThisIsYes(_ line: String) { #expect(Confirmation.isYes(line.utf8)) }

    @Test(arguments: ["", "n", "no", "yy", "yes!", "j", "1", "true", "y\0", "ye"])
    func everythingElseIsNo(_ line: String) { #expect(!Confirmation.isYes(line.utf8)) }
}
