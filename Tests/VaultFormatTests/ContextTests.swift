// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultFormat

struct ContextTests {
    private func context(_ objectID: String, _ role: String, _ kind: Context.Kind = .record, epoch: UInt32 = 1)
        -> [UInt8]
    {
        Context(
            kind: kind, vaultID: Samples.vaultID, objectID: Array(objectID.utf8), role: Array(role.utf8), epoch: epoch
        ).encoded
    }

    @Test func C05contextFieldsDoNotRunTogether() {
        var seen: Set<[UInt8]> = []
        for text in ["", "a", "ab", "abc", "\0", "\0\0\0\u{1}a"] {
            for cut in 0...text.utf8.count {
                let bytes = Array(text.utf8)
                let parts = (
                    String(decoding: bytes[..<cut], as: UTF8.self), String(decoding: bytes[cut...], as: UTF8.self)
                )
                #expect(seen.insert(context(parts.0, parts.1)).inserted, "\(parts)")
            }
        }
        #expect(context("ab", "c") != context("a", "bc"))
        // What a length looks like, moved over from one field to the other.
        #expect(context("\0\0\0\u{4}", "") != context("", "\0\0\0\0"))
    }

    @Test func A04everyKindGivesAnotherContext() {
        #expect(Set(Context.Kind.allCases.map { context("a", "b", $0) }).count == Context.Kind.allCases.count)
        #expect(Set(Context.Kind.allCases.map(\.rawValue)) == Set(1...27))
    }

    @Test func A05anotherVaultOrEpochGivesAnotherContext() throws {
        let other = try VaultID([UInt8](repeating: 1, count: 16))
        let here = Context(kind: .manifest, vaultID: Samples.vaultID, epoch: 1)
        #expect(here.encoded != Context(kind: .manifest, vaultID: other, epoch: 1).encoded)
        #expect(here.encoded != Context(kind: .manifest, vaultID: Samples.vaultID, epoch: 2).encoded)
    }

    @Test func A02A03twoObjectsAndTwoRolesHaveDifferentContexts() {
        #expect(context("a", "x") != context("b", "x"))
        #expect(context("a", "x") != context("a", "y"))
        #expect(context("a", "x") != context("x", "a"))
    }

    /// Worked bytes of docs/format.md §4.2.
    @Test func theManifestsContextHasTheBytesOfItsSpecification() {
        let expected: [UInt8] =
            [0, 0, 0, 8] + Array("vault/v1".utf8) + [0, 0, 0, 1, 2] + [0, 0, 0, 16] + Array(0xA0...0xAF)
            + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 1]
        #expect(Context(kind: .manifest, vaultID: Samples.vaultID, epoch: 1).encoded == expected)
    }
}
