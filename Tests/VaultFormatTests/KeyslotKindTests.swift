// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import VaultFormat

/// What is said of a keyslot's kind, once for disk, socket and screen.
struct KeyslotKindTests {
    @Test func eachKindHasItsNumberOnDiskAndOnTheSocket() {
        #expect(Keyslot.Kind.allCases.map(\.rawValue) == [1, 2, 3])
        #expect(Keyslot.Kind.allCases == [.password, .recoveryKey, .passwordAndKeyFile])
    }

    @Test func eachKindHasWordsOfItsOwn() {
        #expect(Keyslot.Kind.allCases.map(\.words) == ["password", "recovery key", "password and key file"])
        #expect(Keyslot.Kind.allCases.map(\.identifier) == ["password", "recoveryKey", "passwordAndKeyFile"])
    }

    /// A recovery key is random: stretching it would cost time and add nothing.
    @Test func aRecoveryKeyAloneIsNotStretched() {
        #expect(Keyslot.Kind.allCases.filter { !$0.usesArgon2 } == [.recoveryKey])
    }
}
