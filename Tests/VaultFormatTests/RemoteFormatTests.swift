// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultFormat
import VaultTesting

/// What a store lists, what places there are, and how objects are cut.
struct RemoteFormatTests {
    @Test(arguments: [
        "", "..", "../" + String(repeating: "a", count: 61), "/" + String(repeating: "a", count: 63),
        String(repeating: "a", count: 63), String(repeating: "a", count: 65), String(repeating: "A", count: 64),
        String(repeating: "a", count: 63) + "\0", String(repeating: "a", count: 64) + "\n",
        "ab/" + String(repeating: "a", count: 61), String(repeating: "0", count: 64),
        String(repeating: "a", count: 60) + "\u{FF41}\u{FF41}\u{FF41}\u{FF41}",
        "%2e%2e" + String(repeating: "a", count: 58),
        String(repeating: "a", count: 62) + "é", String(repeating: "a", count: 61) + "\u{661}",
    ])
    func H05aNameOfAnotherFormIsNotLookedAt(listed: String) {
        for folder in RemoteName.Folder.allCases { #expect(RemoteName(listed: listed, in: folder) == nil) }
        #expect(RemoteHeaderName(listed: listed) == nil)
    }

    @Test(arguments: [
        "00000000000000000001-1517ff0", "00000000000000000001-1517ff077", "0000000000000000001-1517ff07",
        "+0000000000000000001-1517ff07", "-0000000000000000001-1517ff07", "00000000000000000001-1517FF07",
        "99999999999999999999-1517ff07", "00000000000000000001_1517ff07", "00000000000000000001-1517ff07/",
        "\u{661}\u{661}\u{661}\u{661}\u{661}\u{661}\u{661}\u{661}\u{661}\u{661}-1517ff07",
        "../0000000000000001-1517ff07",
    ])
    func H05aHeadersNameOfAnotherFormIsNotLookedAt(listed: String) {
        #expect(RemoteHeaderName(listed: listed) == nil)
    }

    @Test func namesAreReadAsTheyAreWritten() throws {
        let name = try RemoteName((0..<32).map { UInt8($0 + 1) }, in: .segments)
        #expect(RemoteName(listed: name.hex, in: .segments) == name)
        #expect(name.path == "s/01/" + name.hex)
        #expect(try RemoteName(name.bytes, in: .cards).path == "d/" + name.hex)
        #expect(try RemoteName(name.bytes, in: .objects).path == "o/01/" + name.hex)
        #expect(RemoteName(listed: name.hex, in: .headers) == nil)
        let header = RemoteHeaderName(counter: 7, digest: [UInt8](repeating: 0xAB, count: 32))
        #expect(header.text == "00000000000000000007-abababab" && header.path == "h/" + header.text)
        #expect(RemoteHeaderName(listed: header.text) == header)
        let highest = RemoteHeaderName(counter: .max, digest: [UInt8](repeating: 1, count: 32))
        #expect(RemoteHeaderName(listed: highest.text) == highest && highest > header)
        let copy = VaultIdentity(vaultID: Samples.vaultID, copyID: try CopyID([UInt8](repeating: 2, count: 16)))
        #expect(RemoteName.root(of: copy) == "notevault-1/" + String(repeating: "02", count: 16))
    }

    @Test func C05noTwoPlacesHaveOneContext() throws {
        let (one, two) = (try DeviceID(Array(1...16)), try DeviceID(Array(2...17)))
        let vault = VaultIdentity(vaultID: Samples.vaultID)
        let copy = VaultIdentity(vaultID: Samples.vaultID, copyID: try CopyID(Array(1...16)))
        let object = try ObjectName(Array(1...32))
        var contexts: [[UInt8]] = []
        for identity in [vault, copy] {
            for epoch: UInt32 in [1, 2] {
                for device in [one, two] {
                    for (kind, number) in [
                        (RemotePlace.Kind.card, UInt64(0)), (.segment, 1), (.segment, 2), (.segment, 1 << 56),
                        (.span(level: 1), 1), (.span(level: 1), 2), (.span(level: 2), 1),
                    ] {
                        let place = RemotePlace(kind: kind, epoch: epoch, device: device, number: number)
                        contexts.append(place.context(in: identity).encoded)
                    }
                }
                for part: UInt32 in [0, 1, 1 << 24] {
                    contexts.append(RemoteName.context(ofPart: part, of: object, in: identity, epoch: epoch).encoded)
                }
                let name = try RemoteName(Array(1...32), in: .cards)
                contexts.append(RemoteCard.context(named: name, in: identity, epoch: epoch).encoded)
            }
        }
        #expect(Set(contexts).count == contexts.count && contexts.count == 72)
    }

    @Test func spansCoverEachNumberOnce() throws {
        let device = try DeviceID(Array(1...16))
        func covered(_ level: UInt8, _ number: UInt64) -> ClosedRange<UInt64>? {
            RemotePlace(kind: .span(level: level), epoch: 1, device: device, number: number).coveredNumbers
        }
        #expect(covered(1, 1) == 1...64 && covered(1, 2) == 65...128 && covered(2, 1) == 1...4096)
        #expect(covered(3, 2) == 262_145...524_288)
        #expect(covered(0, 1) == nil && covered(4, 1) == nil && covered(1, 0) == nil)
        #expect(covered(1, .max) == nil && covered(1, (1 << 56) + 1) == nil && covered(1, 1 << 56) != nil)
        #expect(covered(3, 1 << 44) != nil && covered(3, (1 << 44) + 1) == nil && covered(3, 1 << 46) == nil)
        #expect(!RemotePlace(kind: .segment, epoch: 1, device: device).isPossible)
        #expect(RemotePlace(kind: .segment, epoch: 1, device: device, number: 1 << 62).isPossible)
        #expect(!RemotePlace(kind: .segment, epoch: 1, device: device, number: (1 << 62) + 1).isPossible)
        #expect(!RemotePlace(kind: .card, epoch: 1, device: device, number: 1).isPossible)
    }

    @Test(arguments: [72, 328, 16_472, 16_793_672, 16_810_055, 16_810_072, 33_587_272, 1_074_790_472] as [UInt64])
    func partsMeetAndBeginWithAChunk(byteCount: UInt64) throws {
        let parts = try #require(PartList(fileByteCount: byteCount))
        var end: UInt64 = 0
        for part in 0..<parts.count {
            let range = parts.range(of: part)
            #expect(range.lowerBound == end && range.count <= Int(PartList.byteCountMax))
            if part > 0 { #expect((range.lowerBound - 56) % 16_400 == 0) }
            #expect(range.lowerBound == (part == 0 ? 0 : 56 + parts.firstChunk(of: part) * 16_400))
            end = range.upperBound
        }
        #expect(end == byteCount)
    }

    @Test(arguments: [0, 56, 71, 56 + 16_400, 56 + 16_415, (1 << 42) + 16_472, .max] as [UInt64])
    func whatIsNoObjectHasNoParts(byteCount: UInt64) { #expect(PartList(fileByteCount: byteCount) == nil) }
}
