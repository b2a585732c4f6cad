// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultFormat

/// The manifest's fields about the map of pages.
struct ManifestMapTests {
    /// Where `hasMap`, `mapSlot` and `mapHash` stand: docs/format.md §7.
    private static let (hasMap, slot, hash) = (95, 96, 97..<129)

    @Test func aManifestWithoutAMapHasOneEncoding() throws {
        var bytes = Samples.manifest.encoded
        bytes[Self.hasMap] = 0
        #expect(throws: FormatError(.notCanonical, offset: Self.slot)) { try Manifest(parsing: bytes) }
        bytes[Self.slot] = 0
        #expect(throws: FormatError(.notCanonical, offset: Self.slot)) { try Manifest(parsing: bytes) }
        bytes.replaceSubrange(Self.hash, with: repeatElement(0, count: Self.hash.count))
        let manifest = try Manifest(parsing: bytes)
        #expect(manifest.map == nil && manifest.encoded == bytes)
        bytes[Self.slot] = 1
        #expect(throws: FormatError(.notCanonical, offset: Self.slot)) { try Manifest(parsing: bytes) }
    }
}
