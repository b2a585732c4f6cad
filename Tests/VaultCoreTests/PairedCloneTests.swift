// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// What a pairing code says of a remote, held against what the remote shows.
struct PairedCloneTests {
    private let vault: TestVault
    private let store: OpenVault
    private let device = try! DeviceID([UInt8](repeating: 7, count: 16))

    init() throws {
        vault = try TestVault()
        store = try vault.open()
    }

    private func code(
        number: UInt64 = 1, digest: [UInt8] = [UInt8](repeating: 9, count: 32)
    ) throws -> PairingCode {
        try PairingCode(
            vault: store.header.identity.name, header: RemoteHeaders.stamp(of: store.header),
            point: PairedPoint(epoch: store.header.epoch, device: device, number: number, digest: digest),
            kind: .folder, place: [0x2F])
    }

    @Test func M04aHeaderThatIsOlderThanTheCodeIsNone() throws {
        var (older, newer, other) = (store.header.content, store.header.content, store.header.content)
        older.counter -= 1
        newer.counter += 1
        other.mac = other.mac.map { ~$0 }
        let code = try code()
        let named = store.header.content
        #expect(try code.newEnough([newer, other, named, older]) == [newer, named])
        #expect(throws: PairingRefusal.older) { try code.newEnough([older]) }
        #expect(throws: PairingRefusal.older) { try code.newEnough([]) }
        #expect(throws: PairingRefusal.otherHeader) { try code.newEnough([other, older]) }
        try store.end()
    }

    @Test func theNamedSegmentIsLookedForByItselfAndInSpans() throws {
        let places = try code(number: 4097).places
        #expect(places.map(\.kind) == [.segment, .span(level: 1), .span(level: 2), .span(level: 3)])
        #expect(places.map(\.number) == [4097, 65, 2, 1])
        for place in places.dropFirst() { #expect(place.coveredNumbers?.contains(4097) == true) }
        #expect(try code(number: 4096).places.map(\.number) == [4096, 64, 1, 1])
        #expect(try code(number: RemotePlace.numberMax).places.allSatisfy(\.isPossible))
        try store.end()
    }

    @Test func M06anotherSegmentUnderTheNumberIsNoticed() throws {
        let sealer = try store.segmentSealer()
        let place = RemotePlace(kind: .segment, epoch: store.header.epoch, device: device, number: 1)
        let sealed = try (1...2).map { made in
            try sealer.seal(
                RemoteSegment(
                    previous: RemoteSegment.firstPrevious, made: Int64(made),
                    header: RemoteHeaders.stamp(of: store.header)), at: place)
        }
        let code = try code(digest: sealed[0].digest)
        #expect(try code.isNamed(sealed[0].bytes, sealer))
        #expect(throws: PairingRefusal.otherSegment) { try code.isNamed(sealed[1].bytes, sealer) }
        // What does not open is not there yet.
        #expect(try !code.isNamed(Array(sealed[0].bytes.dropLast()), sealer))
        #expect(try !code.isNamed([], sealer))
        try store.end()
    }
}
