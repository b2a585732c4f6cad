// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SyncEngine
import Testing
import VaultFormat
import VaultTesting

import struct SyncEngine.Digest
import struct SyncEngine.Entry
import struct VaultFormat.DeviceID

@testable import VaultCore

/// What the engine says comes back as it was, through the format and the seal.
struct RemoteMappingTests {
    private let header = HeaderStamp(counter: 4, digest: [UInt8](repeating: 2, count: 32))

    private func entry(_ body: [UInt8]) throws -> Entry {
        guard body.count == 20 else { throw FormatError(.truncated) }
        let word = body.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Entry(
            id: Identifier(high: word, low: 7), note: Identifier(high: 1, low: 0),
            parents: [Identifier(high: 3, low: 4)], removes: word % 2 == 0, body: body)
    }

    private func body(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 20) }

    private func segment() throws -> Segment {
        let word: UInt64 = 0x0303_0303_0303_0303
        let (one, two) = (Identifier(high: 0xA1 << 56, low: 1), Identifier(high: 0xB1 << 56, low: 0))
        return Segment(
            place: Place(kind: .segment, epoch: 3, device: Identifier(high: 0x31 << 56, low: 0x40), number: 9),
            previous: Digest(1, 2, 3, 4),
            vector: [
                two: Mark(number: 8, digest: Digest(5, 6, 7, 8)), one: Mark(number: 1, digest: Digest(9, 0, 0, 1)),
            ],
            forked: [two, one], retired: [one], isPart: true, isWholeState: true,
            nextHeader: Digest(word, word, word, word),
            entries: [try entry(body(1)), try entry(body(2))])
    }

    @Test func aSegmentOfTheEngineComesBackAsItWas() throws {
        let segment = try segment()
        let next = HeaderStamp(counter: 5, digest: [UInt8](repeating: 3, count: 32))
        let content = try RemoteSegment(segment, made: 99, header: header, nextHeader: next)
        #expect(content.made == 99 && content.header == header && content.nextHeader == next)
        let root = try SymmetricKey(secret([UInt8](repeating: 7, count: 32)))
        let vault = VaultIdentity(vaultID: try VaultID([UInt8](repeating: 1, count: 16)))
        let sealer = try SegmentSealer(VaultKeys(root), vault, epoch: 3)
        let place = try RemotePlace(segment.place)
        let sealed = try sealer.seal(content, at: place)
        let opened = try #require(try sealer.openSegment(sealed.bytes, at: place))
        let back = try OpenedSegment(opened) { try self.entry($0) }
        #expect(back.segment == segment && back.digest.bytes == sealed.digest)
        for (one, other) in zip(back.segment.entries, segment.entries) {
            #expect(one.body == other.body && one.parents == other.parents && one.removes == other.removes)
        }
    }

    @Test func anEndingNeedsTheNextHeaderAndNothingElseHasOne() throws {
        var segment = try segment()
        #expect(throws: FormatError(.notCanonical)) { try RemoteSegment(segment, made: 1, header: header) }
        #expect(throws: FormatError(.notCanonical)) {
            try RemoteSegment(segment, made: 1, header: header, nextHeader: header)
        }
        segment.nextHeader = nil
        #expect(throws: FormatError(.notCanonical)) {
            try RemoteSegment(segment, made: 1, header: header, nextHeader: header)
        }
        #expect(try RemoteSegment(segment, made: 1, header: header).nextHeader == nil)
    }

    @Test func anEntryThatIsNotReadRefusesItsSegment() throws {
        let segment = try segment()
        let next = HeaderStamp(counter: 5, digest: [UInt8](repeating: 3, count: 32))
        let content = try RemoteSegment(segment, made: 1, header: header, nextHeader: next)
        let opened = OpenedRemoteSegment(
            place: try RemotePlace(segment.place), digest: [UInt8](repeating: 1, count: 32), content: content)
        #expect(throws: FormatError(.unknownKind)) {
            try OpenedSegment(opened) { _ in throw FormatError(.unknownKind) }
        }
    }

    @Test func placesAreTheSameOnBothSides() throws {
        let device = Identifier(high: 1, low: 2)
        for place in [
            Place(kind: .card, epoch: 1, device: device), Place(kind: .segment, epoch: 2, device: device, number: 3),
            Place(kind: .span(level: 1), epoch: 4, device: device, number: 5),
            Place(kind: .span(level: 3), epoch: 4, device: device, number: 5),
        ] {
            #expect(try Place(RemotePlace(place)) == place)
        }
        #expect(throws: FormatError(.allZero)) {
            try RemotePlace(Place(kind: .card, epoch: 1, device: Identifier(high: 0, low: 0)))
        }
    }
}
