// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultFormat
import VaultTesting

@testable import VaultCore

/// Parts of objects, and headers, as a store gives them.
struct RemotePartTests {
    private func object(_ byteCount: Int) throws -> (OpenVault, AttachmentRecord, [UInt8], TestVault) {
        let vault = try TestVault()
        let store = try vault.open()
        let note = try store.notes.create(NoteDraft(body: "with a file")).id
        let content = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
        _ = try store.addAttachment("data.bin", content, to: note)
        let record = try #require(try RemoteFolder(store).records().first)
        let file = vault.folder.appending(path: "objects/\(record.object.folder)/\(record.object.hex)")
        return (store, record, [UInt8](try Data(contentsOf: file)), vault)
    }

    @Test func M01J21aPartIsAuthenticByItself() throws {
        let (store, record, file, vault) = try object(17_000_000)
        defer { withExtendedLifetime(vault) {} }
        let parts = try #require(PartList(fileByteCount: record.fileByteCount))
        #expect(parts.count == 2)
        let cut = (0..<parts.count).map { part in
            Array(file[Int(parts.range(of: part).lowerBound)..<Int(parts.range(of: part).upperBound)])
        }
        let check = try store.partCheck(of: record, begin: Array(file.prefix(56)))
        #expect(try check.isPart(cut[0], 0) && check.isPart(cut[1], 1))
        #expect(try !check.isPart(cut[0], 1) && !check.isPart(cut[1], 0) && !check.isPart(cut[1], 2))
        for (part, at) in [(0, 3), (0, 40), (0, 60), (0, 16_000_000), (1, 0), (1, cut[1].count - 1)] {
            var bytes = cut[part]
            bytes[at] ^= 2
            #expect(try !check.isPart(bytes, UInt32(part)), "part \(part), byte \(at)")
        }
        #expect(try !check.isPart(Array(cut[1].dropLast()), 1) && !check.isPart(cut[1] + [0], 1))
        // Two full chunks that changed places.
        var swapped = cut[1]
        swapped.replaceSubrange(0..<16400, with: cut[1][16400..<32800])
        swapped.replaceSubrange(16400..<32800, with: cut[1][0..<16400])
        #expect(try !check.isPart(swapped, 1))
    }

    @Test func J22aPartOfAnotherObjectIsNone() throws {
        let (store, record, file, vault) = try object(100_000)
        defer { withExtendedLifetime(vault) {} }
        expect(.integrity) { try store.partCheck(of: record, begin: Array(file.prefix(55))) }
        expect(.integrity) { try store.partCheck(of: record, begin: Array(file.prefix(56).reversed())) }
        var other = record
        other.object = try ObjectName([UInt8](repeating: 3, count: 32))
        // The commitment is of the object's own name: under another one nothing of it opens.
        #expect(throws: VaultError.self) { try store.partCheck(of: other, begin: Array(file.prefix(56))) }
        let names = try store.segmentSealer().names
        #expect(try names.name(ofPart: 0, of: record.object) != names.name(ofPart: 1, of: record.object))
        #expect(try names.name(ofPart: 0, of: record.object) != names.name(ofPart: 0, of: other.object))
    }

    // MARK: Headers

    @Test func M04J24A11onlyTheHeaderOfANameIsTaken() throws {
        let vault = try TestVault()
        let store = try vault.open()
        let header = store.header
        let name = try RemoteHeaders.name(of: header)
        let taken = try RemoteHeaders.parse(header.encoded, named: name, of: header.identity)
        #expect(try taken == UnverifiedHeader(parsing: header.encoded))
        for at in stride(from: 0, to: header.encoded.count, by: 7) {
            var bytes = header.encoded
            bytes[at] ^= 1
            // A version that is not known is a newer program's, whoever made it.
            #expect((try? RemoteHeaders.parse(bytes, named: name, of: header.identity)) ?? nil == nil, "byte \(at)")
        }
        let other = VaultIdentity(vaultID: try VaultID([UInt8](repeating: 1, count: 16)))
        #expect(try RemoteHeaders.parse(header.encoded, named: name, of: other) == nil)
        let copy = VaultIdentity(vaultID: header.vaultID, copyID: try CopyID([UInt8](repeating: 1, count: 16)))
        #expect(try RemoteHeaders.parse(header.encoded, named: name, of: copy) == nil)
        let newer = RemoteHeaderName(counter: header.counter + 1, digest: try RemoteHeaders.stamp(of: header).digest)
        #expect(try RemoteHeaders.parse(header.encoded, named: newer, of: header.identity) == nil)
        #expect(try RemoteHeaders.parse(Array(header.encoded.dropLast()), named: name, of: header.identity) == nil)
        #expect(try RemoteHeaders.parse([], named: name, of: header.identity) == nil)
        #expect(try RemoteHeaders.parse([UInt8](repeating: 1, count: 1 << 20), named: name, of: header.identity) == nil)
    }

    /// A device that has no vault yet knows the folder alone.
    @Test func M21aHeaderOfAnotherVaultIsNoneInThisVaultsFolder() throws {
        let vault = try TestVault()
        let store = try vault.open()
        let header = store.header
        let name = try RemoteHeaders.name(of: header)
        let folder = header.identity.name
        #expect(try RemoteHeaders.parse(header.encoded, named: name, in: folder) != nil)
        let other = [UInt8](repeating: 1, count: folder.count)
        #expect(try RemoteHeaders.parse(header.encoded, named: name, in: other) == nil)
    }

    @Test func J24aSegmentNamesTheHeaderThatItsWriterHad() throws {
        let vault = try TestVault()
        let store = try vault.open()
        let before = try RemoteHeaders.stamp(of: store.header)
        try store.changeHeader { _ in }
        let after = try RemoteHeaders.stamp(of: store.header)
        #expect(after.counter == before.counter + 1 && after.digest != before.digest)
        let names = try [
            RemoteHeaderName(counter: before.counter, digest: before.digest), RemoteHeaders.name(of: store.header),
        ]
        #expect(names.max() == names[1], "the newest header has the highest name")
    }
}
