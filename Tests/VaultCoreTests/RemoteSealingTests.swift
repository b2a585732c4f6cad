// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultCrypto
import VaultFormat
import VaultTesting

@testable import VaultCore

/// What a store can do to an object of a remote: none of it opens but what a device has sealed for that very place.
struct RemoteSealingTests {
    private static let vaultID = try! VaultID(Array(0xA0...0xAF))
    private static let device = try! DeviceID(Array(0x31...0x40))
    private static let other = try! DeviceID(Array(0xA1...0xB0))

    private static func sealer(
        key: UInt8 = 7, vault: VaultIdentity = VaultIdentity(vaultID: vaultID), epoch: UInt32 = 1
    ) throws -> SegmentSealer {
        let root = try SymmetricKey(secret([UInt8](repeating: key, count: 32)))
        return try SegmentSealer(VaultKeys(root), vault, epoch: epoch)
    }

    private static func place(
        _ number: UInt64 = 2, _ kind: RemotePlace.Kind = .segment, device: DeviceID = device, epoch: UInt32 = 1
    ) -> RemotePlace {
        RemotePlace(kind: kind, epoch: epoch, device: device, number: number)
    }

    private static func segment(_ text: String = "a note's text", after previous: [UInt8]? = nil) -> RemoteSegment {
        var segment = RemoteSegment(
            previous: previous ?? [UInt8](repeating: 5, count: 32), made: 1,
            header: HeaderStamp(counter: 1, digest: [UInt8](repeating: 6, count: 32)))
        segment.vector = [ChainMark(device: other, number: 3, digest: [UInt8](repeating: 8, count: 32))]
        segment.entries = [Array(text.utf8)]
        return segment
    }

    @Test func whatWasSealedOpensInItsPlaceAndTellsItsHash() throws {
        let sealer = try Self.sealer()
        let sealed = try sealer.seal(Self.segment(), at: Self.place())
        let opened = try #require(try sealer.openSegment(sealed.bytes, at: Self.place()))
        #expect(opened.content == Self.segment() && opened.digest == sealed.digest)
        #expect(try sealed.digest == Digest.sha256(sealed.bytes))
        #expect(sealed.bytes.count == 4168, "an ordinary edit looks like any other")
        #expect(Data(sealed.bytes).range(of: Data("a note".utf8)) == nil)
        let again = try sealer.seal(Self.segment(), at: Self.place())
        #expect(again.bytes != sealed.bytes && again.name == sealed.name, "a salt is never used twice")
    }

    @Test func M01J21A01eachFlippedByteMakesAnObjectThatIsNotThere() throws {
        let sealer = try Self.sealer()
        let segment = try sealer.seal(Self.segment(), at: Self.place()).bytes
        let card = try sealer.seal(RemoteCard(device: Self.device, made: 1))
        let span = try sealer.sealSpan(at: Self.place(1, .span(level: 1))) { $0 == 2 ? segment : nil }
        for at in stride(from: 0, to: segment.count, by: 13) {
            var bytes = segment
            bytes[at] ^= 0x10
            #expect(try sealer.openSegment(bytes, at: Self.place()) == nil, "byte \(at)")
            bytes = span.bytes
            bytes[at] ^= 0x10
            #expect(try sealer.openSpan(bytes, at: Self.place(1, .span(level: 1))) == nil, "byte \(at)")
        }
        for at in card.bytes.indices {
            var bytes = card.bytes
            bytes[at] ^= 1
            #expect(try sealer.openCard(bytes, named: card.name) == nil, "byte \(at)")
        }
    }

    @Test func J21cutAndLongerObjectsAreNotThere() throws {
        let sealer = try Self.sealer()
        let sealed = try sealer.seal(Self.segment(), at: Self.place()).bytes
        for count in [0, 1, 24, 55, 56, 71, 72, 100, 4096, sealed.count - 1] {
            #expect(try sealer.openSegment(Array(sealed.prefix(count)), at: Self.place()) == nil)
        }
        #expect(try sealer.openSegment(sealed + [0], at: Self.place()) == nil)
        #expect(try sealer.openSegment(sealed + sealed, at: Self.place()) == nil)
        #expect(
            try sealer.openSegment([UInt8](repeating: 0, count: SegmentSealer.byteCountMax + 1), at: Self.place())
                == nil)
    }

    @Test func M03J23A02aSegmentOpensUnderNoOtherNumberAndForNoOtherDevice() throws {
        let sealer = try Self.sealer()
        let sealed = try sealer.seal(Self.segment(), at: Self.place()).bytes
        for place in [Self.place(1), Self.place(3), Self.place(1 << 40), Self.place(device: Self.other)] {
            #expect(try sealer.openSegment(sealed, at: place) == nil, "\(place)")
        }
        let span = try sealer.sealSpan(at: Self.place(1, .span(level: 1))) { $0 == 2 ? sealed : nil }.bytes
        for place in [
            Self.place(2, .span(level: 1)), Self.place(1, .span(level: 2)),
            Self.place(1, .span(level: 1), device: Self.other),
        ] {
            #expect(try sealer.openSpan(span, at: place) == nil, "\(place)")
        }
    }

    @Test func M02J22A04anObjectOpensAsNoOtherKind() throws {
        let sealer = try Self.sealer()
        let segment = try sealer.seal(Self.segment(), at: Self.place()).bytes
        let span = try sealer.sealSpan(at: Self.place(1, .span(level: 1))) { $0 == 2 ? segment : nil }.bytes
        let card = try sealer.seal(RemoteCard(device: Self.device, made: 1))
        #expect(try sealer.openSpan(segment, at: Self.place(1, .span(level: 1))) == nil)
        #expect(try sealer.openSegment(span, at: Self.place(1)) == nil)
        #expect(try sealer.openSegment(card.bytes, at: Self.place()) == nil)
        // Nor does what was sealed for a place in the vault, under whatever key: kinds and labels differ.
        let keys = try VaultKeys(SymmetricKey(secret([UInt8](repeating: 7, count: 32))))
        let record = try Cobblestone().seal(
            Padme.pad(Self.segment().encoded, floor: 4096), key: keys.record,
            context: Self.place().context(in: VaultIdentity(vaultID: Self.vaultID)).encoded)
        #expect(try sealer.openSegment(record, at: Self.place()) == nil)
    }

    @Test func M02J22A05anObjectOpensInNoOtherVaultCopyOrEpoch() throws {
        let copy = VaultIdentity(vaultID: Self.vaultID, copyID: try CopyID([UInt8](repeating: 9, count: 16)))
        let others = try [
            Self.sealer(key: 8), Self.sealer(vault: VaultIdentity(vaultID: VaultID([UInt8](repeating: 1, count: 16)))),
            Self.sealer(vault: copy),
        ]
        let sealer = try Self.sealer()
        let sealed = try sealer.seal(Self.segment(), at: Self.place())
        let card = try sealer.seal(RemoteCard(device: Self.device, made: 1))
        for one in others {
            #expect(try one.openSegment(sealed.bytes, at: Self.place()) == nil)
            #expect(try one.openCard(card.bytes, named: card.name) == nil)
            #expect(try one.names.name(of: Self.place()) != sealed.name)
        }
        #expect(copy.hex != VaultIdentity(vaultID: Self.vaultID).hex, "a copy has a folder of its own")
    }

    @Test func J31anObjectOfAnotherEpochIsNotThere() throws {
        let (old, new) = (try Self.sealer(epoch: 1), try Self.sealer(epoch: 2))
        let sealed = try old.seal(Self.segment(), at: Self.place()).bytes
        #expect(try new.openSegment(sealed, at: Self.place(epoch: 2)) == nil)
        #expect(try new.openSegment(sealed, at: Self.place()) == nil)
        expect(.oldKey) { try new.seal(Self.segment(), at: Self.place()) }
        expect(.oldKey) { try new.names.name(of: Self.place()) }
    }

    @Test func J22A10aForeignCardIsNoDevice() throws {
        let sealer = try Self.sealer()
        let card = try sealer.seal(RemoteCard(device: Self.device, made: 1))
        #expect(try sealer.openCard(card.bytes, named: card.name)?.device == Self.device)
        let another = try sealer.names.name(of: RemotePlace(kind: .card, epoch: 1, device: Self.other))
        #expect(try sealer.openCard(card.bytes, named: another) == nil)
        #expect(try sealer.openCard([UInt8](repeating: 0, count: 328), named: card.name) == nil)
        // Sealed by a device for a name that is not its own: it must not stand in the other's place.
        let context = RemoteCard.context(named: another, in: VaultIdentity(vaultID: Self.vaultID), epoch: 1)
        let planted = try Cobblestone().seal(
            Padme.pad(RemoteCard(device: Self.device, made: 1).encoded), key: sealer.key, context: context.encoded)
        expect(.integrity) { try sealer.openCard(planted, named: another) }
    }

    /// What opens was made by a program with the key: a newer one, or a wrong one. Neither is passed over.
    @Test func J34whatOpensAndIsNotUnderstoodIsToldApartFromGarbage() throws {
        let sealer = try Self.sealer()
        func sealed(_ content: [UInt8], floor: Int = 4096) throws -> [UInt8] {
            try Cobblestone().seal(
                Padme.pad(content, floor: floor), key: sealer.key,
                context: Self.place().context(in: VaultIdentity(vaultID: Self.vaultID)).encoded)
        }
        var newer = Self.segment().encoded
        newer[5] |= 16
        expect(.newerFormat) { try sealer.openSegment(sealed(newer), at: Self.place()) }
        expect(.integrity) {
            try sealer.openSegment(sealed(Array(Self.segment().encoded.dropLast())), at: Self.place())
        }
        expect(.integrity) { try sealer.openSegment(sealed(Self.segment().encoded, floor: 256), at: Self.place()) }
        expect(.integrity) {
            try sealer.openSegment(sealed(Self.segment(after: RemoteSegment.firstPrevious).encoded), at: Self.place())
        }
        #expect(try sealer.openSegment([UInt8](repeating: 0xAB, count: 4168), at: Self.place()) == nil)
        #expect(try sealer.openSegment(Array("not there yet".utf8), at: Self.place()) == nil)
    }

    @Test func nothingIsSealedThatAReaderWouldRefuse() throws {
        let sealer = try Self.sealer()
        var segment = Self.segment()
        segment.vector = [ChainMark(device: Self.device, number: 1, digest: [UInt8](repeating: 1, count: 32))]
        expect(.integrity) { try sealer.seal(segment, at: Self.place()) }
        segment = Self.segment()
        segment.forked = [Self.other, Self.device]
        expect(.integrity) { try sealer.seal(segment, at: Self.place()) }
        segment = Self.segment()
        segment.entries = [[]]
        expect(.integrity) { try sealer.seal(segment, at: Self.place()) }
        expect(.integrity) { try sealer.seal(Self.segment(), at: Self.place(1)) }
        expect(.integrity) { try sealer.seal(Self.segment(), at: Self.place(0)) }
        expect(.integrity) { try sealer.seal(Self.segment(), at: Self.place(1, .span(level: 1))) }
        segment.entries = [[UInt8](repeating: 1, count: 32 << 20), [UInt8](repeating: 1, count: 5 << 20)]
        expect(.tooLarge) { try sealer.seal(segment, at: Self.place()) }
    }

    @Test func theLargestSegmentIsAsLargeAsItsCapSays() throws {
        let sealer = try Self.sealer()
        var segment = Self.segment()
        let rest = RemoteSegment.byteCountMax - (32 << 20) - segment.encoded.count + 13 - 4
        segment.entries = [[UInt8](repeating: 1, count: 32 << 20), [UInt8](repeating: 1, count: rest)]
        #expect(segment.encoded.count == RemoteSegment.byteCountMax)
        let sealed = try sealer.seal(segment, at: Self.place())
        #expect(sealed.bytes.count == SegmentSealer.byteCountMax && SegmentSealer.byteCountMax == 38_835_272)
        #expect(try sealer.openSegment(sealed.bytes, at: Self.place())?.content == segment)
    }

    /// In whatever order a store delivers, each segment says what comes before it, in its own chain and in the others.
    @Test func J30whatIsDeliveredOutOfOrderSaysWhereItBelongs() throws {
        let sealer = try Self.sealer()
        var (previous, sealed) = (RemoteSegment.firstPrevious, [SealedRemoteObject]())
        for number in UInt64(1)...3 {
            sealed.append(try sealer.seal(Self.segment("\(number)", after: previous), at: Self.place(number)))
            previous = sealed[sealed.count - 1].digest
        }
        for index in [2, 0, 1] {
            let opened = try #require(
                try sealer.openSegment(sealed[index].bytes, at: Self.place(UInt64(index + 1))))
            #expect(opened.content.previous == (index == 0 ? RemoteSegment.firstPrevious : sealed[index - 1].digest))
            #expect(opened.content.vector.map(\.device) == [Self.other] && opened.content.vector[0].number == 3)
        }
        // A chain has one beginning.
        let second = try Cobblestone().seal(
            Padme.pad(Self.segment(after: RemoteSegment.firstPrevious).encoded, floor: 4096), key: sealer.key,
            context: Self.place(2).context(in: VaultIdentity(vaultID: Self.vaultID)).encoded)
        expect(.integrity) { try sealer.openSegment(second, at: Self.place(2)) }
    }

    // MARK: Spans

    @Test func J29aSpanSaysOfEachSegmentWhatThatSaidAndItsHash() throws {
        let sealer = try Self.sealer()
        var (previous, sealed) = (RemoteSegment.firstPrevious, [UInt64: SealedRemoteObject]())
        for number in UInt64(1)...64 {
            let one = try sealer.seal(Self.segment("text \(number)", after: previous), at: Self.place(number))
            (sealed[number], previous) = (one, one.digest)
        }
        let place = Self.place(1, .span(level: 1))
        let span = try sealer.sealSpan(at: place) { sealed[$0]?.bytes }
        let opened = try #require(try sealer.openSpan(span.bytes, at: place))
        #expect(opened.map(\.place.number) == Array(1...64))
        for one in opened { #expect(one.digest == sealed[one.place.number]?.digest, "\(one.place.number)") }
        #expect(span.bytes.count < 20_000, "a span has no segment's padding")
        // A segment that is not the one of its number makes no span.
        expect(.integrity) { try sealer.sealSpan(at: place) { _ in sealed[1]?.bytes } }
    }

    /// The contents of a span are hashed as they were sealed: one that says something else has another hash.
    @Test func J29aSpanThatSaysSomethingElseHasAnotherHash() throws {
        let sealer = try Self.sealer()
        let sealed = try sealer.seal(Self.segment(), at: Self.place())
        let packed = RemoteSpan.Packed(
            salt: Array(sealed.bytes.prefix(24)), content: Self.segment("another text").encoded)
        let span = RemoteSpan(segments: (1...64).map { $0 == 2 ? packed : nil })
        let place = Self.place(1, .span(level: 1))
        let bytes = try Cobblestone().seal(
            Padme.pad(span.encoded, floor: 4096), key: sealer.key,
            context: place.context(in: VaultIdentity(vaultID: Self.vaultID)).encoded)
        let opened = try #require(try sealer.openSpan(bytes, at: place)?.first)
        #expect(opened.content == Self.segment("another text") && opened.digest != sealed.digest)
    }

    @Test func largeSegmentsStayByThemselves() throws {
        let sealer = try Self.sealer()
        let place = Self.place(1, .span(level: 1))
        let span = try sealer.sealSpan(at: place) { number in
            guard number == 2 || number == 3 || number == 4 else { return nil }
            var segment = Self.segment()
            segment.entries = [[UInt8](repeating: 1, count: number == 3 ? 9 << 20 : 6 << 20)]
            return try sealer.seal(segment, at: Self.place(number)).bytes
        }
        #expect(try sealer.openSpan(span.bytes, at: place)?.map(\.place.number) == [2, 4])
    }

    @Test func aThousandSegmentsAreSealedAndOpenedWithLittleWork() throws {
        let sealer = try Self.sealer()
        let segment = Self.segment(String(repeating: "x", count: 2000))
        let begin = ThreadUsage.current().seconds
        var sealed: [[UInt8]] = []
        for number in UInt64(2)...1001 { sealed.append(try sealer.seal(segment, at: Self.place(number)).bytes) }
        for (index, bytes) in sealed.enumerated() {
            #expect(try sealer.openSegment(bytes, at: Self.place(UInt64(index + 2))) != nil)
        }
        // A release build needs a tenth of what one with all checks does.
        #expect(ThreadUsage.current().seconds - begin < 5)
    }
}
