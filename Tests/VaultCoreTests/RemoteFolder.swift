// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import Testing
import VaultCrypto
import VaultFormat
import VaultTesting

@testable import VaultCore

/// A remote in a folder, written with the product's names and seals as devices would write it. What an entry consists
/// of is put together here, from docs/format.md §21.1.
final class RemoteFolder {
    let folder = TemporaryFolder()
    let vault: OpenVault
    let sealer: SegmentSealer

    init(_ vault: OpenVault) throws {
        self.vault = vault
        sealer = try vault.segmentSealer()
        try putHeader(vault.header)
    }

    var path: String { folder.path }
    var stamp: HeaderStamp { get throws { try RemoteHeaders.stamp(of: vault.header) } }

    // MARK: Files

    func put(_ bytes: [UInt8], at path: String) {
        let whole = "\(sealer.names.root)/\(path)"
        folder.make(String(whole.prefix { $0 != "/" }))
        folder.make((whole as NSString).deletingLastPathComponent)
        folder.write(bytes, to: whole)
    }

    func bytes(at path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.file("\(sealer.names.root)/\(path)")))
    }

    func change(_ path: String, _ body: (inout [UInt8]) -> Void) throws {
        var content = try bytes(at: path)
        body(&content)
        put(content, at: path)
    }

    func remove(_ path: String) throws {
        try FileManager.default.removeItem(at: folder.file("\(sealer.names.root)/\(path)"))
    }

    func putHeader(_ header: Header) throws { put(header.encoded, at: try RemoteHeaders.name(of: header).path) }

    // MARK: What the vault holds

    /// Whose entries the vault's own are.
    func ownDevice() throws -> [UInt8] {
        try vault.read { index in
            let row = try #require(try Row.fetchOne(index.database, sql: "SELECT bytes FROM entry LIMIT 1"))
            return try Entry(parsing: row.bytes("bytes")).device
        }
    }

    /// All entries, each with what belongs to it.
    func bodies() throws -> [[UInt8]] {
        try vault.read { index in
            let entries = try Row.fetchAll(index.database, sql: "SELECT bytes FROM entry ORDER BY sequence")
                .map { try Entry(parsing: $0.bytes("bytes")) }
            let keys = try self.keyslots(index)
            var last = try #require(entries.last)
            var bodies = try keys.map { slot in
                last = try Self.next(after: last)
                return try Self.body(fact: 4, Self.keyID + [1] + Self.string(slot.encoded), slot.noteID.bytes, last)
            }
            last = try Self.next(after: last)
            let name = Self.string(Array("laptop".utf8)) + Self.string([]) + [0, 0, 0, 0, 0]
            bodies.append(try Self.body(fact: 1, last.device + name, [UInt8](repeating: 0, count: 10), last))
            let isPrivate = Set(keys.map(\.noteID))
            return bodies
                + (try entries.map { try self.body($0, index, isPrivate.contains($0.noteID)) })
        }
    }

    private func body(_ entry: Entry, _ index: ReadAccess, _ isPrivate: Bool) throws -> [UInt8] {
        var body = ArchiveItem.entry(entry).encoded
        let rows = try Row.fetchAll(
            index.database, sql: "SELECT id, note, sealed, made FROM revision WHERE id = ?",
            arguments: [entry.revisionID.bytes.blob])
        guard let row = rows.first, entry.operation != .purge else { return body }
        body += ArchiveItem.revision(try ArchiveRows.revision(row, index.layer)).encoded
        if isPrivate { body += Self.item(10, Self.keyID) }
        for record in try records(index) where record.noteID == entry.noteID {
            body += Self.item(11, record.encoded)
        }
        return body
    }

    private func keyslots(_ index: ReadAccess) throws -> [NoteKeyslot] {
        try Row.fetchAll(index.database, sql: "SELECT note, sealed FROM noteKey")
            .map { try ArchiveRows.keyslot($0, index.layer) }
    }

    private func records(_ index: ReadAccess) throws -> [AttachmentRecord] {
        let sealer = AttachmentSealer(layer: index.layer)
        return try Row.fetchAll(index.database, sql: "SELECT id, note, object, sealed FROM attachment")
            .map { try ArchiveRows.attachment($0, sealer) }
    }

    func records() throws -> [AttachmentRecord] { try vault.read { try self.records($0) } }

    /// Cuts an attachment's object into parts.
    func putParts(of record: AttachmentRecord, in folder: URL) throws {
        let file = folder.appending(path: "objects/\(record.object.folder)/\(record.object.hex)")
        let content = [UInt8](try Data(contentsOf: file))
        let parts = try #require(PartList(fileByteCount: record.fileByteCount))
        for part in 0..<parts.count {
            let range = parts.range(of: part)
            put(
                Array(content[Int(range.lowerBound)..<Int(range.upperBound)]),
                at: try sealer.names.name(ofPart: part, of: record.object).path)
        }
    }

    // MARK: Entries by hand

    static let keyID = [UInt8](repeating: 0xEE, count: 16)

    static func string(_ bytes: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.lengthPrefixed(bytes)
        return writer.bytes
    }

    static func item(_ kind: UInt8, _ payload: [UInt8]) -> [UInt8] { [kind] + string(payload) }

    /// An entry that says something besides revisions.
    static func body(fact: UInt8, _ fields: [UInt8], _ note: [UInt8], _ place: Entry) throws -> [UInt8] {
        let said = [0, 1, fact] + fields
        let label = fact == 4 ? "vault/v1 note password" : "vault/v1 statement"
        let name = Array(try Digest.sha256(Array(label.utf8) + said).prefix(16))
        var writer = ByteWriter()
        writer.u16(1)
        writer.raw(place.device)
        writer.u64(place.sequence)
        writer.u8(9)
        writer.raw(note)
        writer.raw(name)
        writer.u8(0)
        writer.raw(place.previous)
        return item(2, writer.bytes) + item(9, said)
    }

    static func next(after entry: Entry) throws -> Entry {
        Entry(
            device: entry.device, sequence: entry.sequence + 1, operation: .create, noteID: entry.noteID,
            revisionID: try RevisionID(SecureRandom.bytes(16)), parents: [],
            previous: try Digest.sha256(entry.encoded))
    }

    /// A revision of an ordinary note, made by a device.
    static func body(
        _ record: NoteRecord, _ operation: Entry.Operation, by device: DeviceID, _ sequence: UInt64,
        over parents: [RevisionID], as revision: RevisionID
    ) -> [UInt8] {
        let entry = Entry(
            device: device.bytes, sequence: sequence, operation: operation, noteID: record.noteID,
            revisionID: revision, parents: parents, previous: Entry.firstPrevious)
        let made = ArchivedRevision(
            id: revision, noteID: record.noteID, made: 1, isPrivate: false, record: record.encoded)
        return ArchiveItem.entry(entry).encoded + (operation == .purge ? [] : ArchiveItem.revision(made).encoded)
    }
}

/// One device that writes into a remote.
final class RemoteDevice {
    let id: DeviceID
    private let remote: RemoteFolder
    private(set) var number: UInt64 = 0
    private(set) var previous = RemoteSegment.firstPrevious
    private(set) var sealed: [UInt64: SealedRemoteObject] = [:]
    var vector: [ChainMark] = []

    convenience init(_ byte: UInt8, in remote: RemoteFolder) throws {
        try self.init([UInt8](repeating: byte, count: 16), in: remote)
    }

    init(_ bytes: [UInt8], in remote: RemoteFolder) throws {
        id = try DeviceID(bytes)
        self.remote = remote
        let card = try remote.sealer.seal(RemoteCard(device: id, made: 1))
        remote.put(card.bytes, at: card.name.path)
    }

    var mark: ChainMark { ChainMark(device: id, number: number, digest: previous) }

    func place(_ number: UInt64) -> RemotePlace {
        RemotePlace(kind: .segment, epoch: remote.vault.header.epoch, device: id, number: number)
    }

    func span(_ number: UInt64, level: UInt8 = 1) -> RemotePlace {
        RemotePlace(kind: .span(level: level), epoch: remote.vault.header.epoch, device: id, number: number)
    }

    func path(_ number: UInt64) throws -> String { try remote.sealer.names.name(of: place(number)).path }

    /// Says something in the next segment.
    @discardableResult
    func say(_ bodies: [[UInt8]], _ change: (inout RemoteSegment) -> Void = { _ in }) throws -> SealedRemoteObject {
        var segment = RemoteSegment(previous: previous, made: 1, header: try remote.stamp)
        segment.vector = vector
        segment.entries = bodies
        change(&segment)
        number += 1
        let object = try remote.sealer.seal(segment, at: place(number))
        (sealed[number], previous) = (object, object.digest)
        remote.put(object.bytes, at: object.name.path)
        return object
    }

    /// Puts segments together, and removes them.
    func bundle(_ number: UInt64, level: UInt8 = 1) throws {
        let place = span(number, level: level)
        let object = try remote.sealer.sealSpan(at: place) { self.sealed[$0]?.bytes }
        remote.put(object.bytes, at: object.name.path)
        for covered in try #require(place.coveredNumbers) where sealed[covered] != nil {
            try? remote.remove(path(covered))
        }
    }
}
