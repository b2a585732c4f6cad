// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultFormat

struct UnverifiedHeaderTests {
    private func parse(_ change: (inout [UInt8]) -> Void) throws -> UnverifiedHeader {
        var bytes = Samples.header.encoded
        change(&bytes)
        return try UnverifiedHeader(parsing: bytes)
    }

    @Test func aHeaderIsReadAsItWasWritten() throws {
        let header = try parse { _ in }
        #expect(header == Samples.header)
        #expect(header.authenticatedBytes + header.mac == header.encoded)
        #expect(header.encoded.count == 39 + 2 * Keyslot.byteCount + UnverifiedHeader.macByteCount)
        #expect(Array(header.encoded[UnverifiedHeader.vaultIDOffset...].prefix(16)) == header.vaultID.bytes)
    }

    @Test func oneToEightKeyslotsAreReadAndNoOtherNumber() throws {
        for count in 0...9 {
            var header = Samples.header
            header.keyslots = (0..<count).map { index in
                var slot = Samples.header.keyslots[0]
                slot.slotID[0] = UInt8(index)
                return slot
            }
            let bytes = header.encoded
            if (1...8).contains(count) {
                #expect(try UnverifiedHeader(parsing: bytes) == header)
                #expect(bytes.count <= UnverifiedHeader.byteCountMax)
            } else {
                #expect(throws: FormatError(.tooLarge, offset: 38)) { try UnverifiedHeader(parsing: bytes) }
            }
        }
    }

    /// A derivation with other costs gives another key anyway; the context is the line of defence that does not lean on
    /// it.
    @Test func B01D04everyClearFieldOfASlotIsInItsContext() {
        let header = Samples.header
        let slot = header.keyslots[0]
        let changes: [(inout Keyslot) -> Void] = [
            { $0.kind = .passwordAndKeyFile }, { $0.slotID[15] ^= 1 }, { $0.memoryKiB += 1 }, { $0.iterations += 1 },
            { $0.parallelism += 1 },
            { $0.salt[31] ^= 1 },
        ]
        var contexts: Set = [header.context(for: slot).encoded]
        for change in changes {
            var other = slot
            change(&other)
            #expect(contexts.insert(header.context(for: other).encoded).inserted)
        }
    }

    @Test func A13newerVersionsAndUnknownFlagsAreRefused() {
        for version: [UInt8] in [[0, 0], [0, 2], [1, 1], [0xFF, 0xFF]] {
            #expect(throws: FormatError(.unknownVersion, offset: 4)) {
                try parse { $0.replaceSubrange(4..<6, with: version) }
            }
        }
        for bit in 0..<32 {
            #expect(throws: FormatError(.unknownFeature, offset: 22)) {
                try parse { $0[22 + bit / 8] ^= 0x80 >> UInt8(bit % 8) }
            }
        }
    }

    @Test func A13unknownKindsOfKeyslotAreRefused() {
        for kind in [UInt8(0)] + Array(4...255) {
            #expect(throws: FormatError(.unknownKind, offset: 39)) { try parse { $0[39] = kind } }
        }
    }

    @Test func valuesWithASecondMeaningAreRefused() {
        #expect(throws: FormatError(.badMagic, offset: 0)) { try parse { $0[3] = 0x32 } }
        #expect(throws: FormatError(.allZero)) {
            try parse { $0.replaceSubrange(6..<22, with: [UInt8](repeating: 0, count: 16)) }
        }
        #expect(throws: FormatError(.notCanonical, offset: 26)) { try parse { $0[29] = 0 } }
        #expect(throws: FormatError(.notCanonical, offset: 26)) { try parse { $0[37] = 0 } }
        #expect(throws: FormatError(.allZero, offset: 40)) {
            try parse { $0.replaceSubrange(40..<56, with: [UInt8](repeating: 0, count: 16)) }
        }
        #expect(throws: FormatError(.duplicate, offset: 38)) {
            try parse { $0.replaceSubrange(205..<221, with: $0[40..<56]) }
        }
    }

    /// Otherwise a cost could hide in a slot for which nobody looks at one.
    @Test(arguments: [221, 225, 229])
    func aRecoverySlotHasNoCosts(offset: Int) {
        #expect(throws: FormatError(.notCanonical, offset: 221)) { try parse { $0[offset + 3] = 1 } }
    }

    @Test func theContextOfASlotHoldsAllOfItsClearFields() {
        let header = Samples.header
        let original = header.context(for: header.keyslots[0]).encoded
        #expect(original.count == 136)
        var contexts: Set<[UInt8]> = [original, header.context(for: header.keyslots[1]).encoded]
        let changes: [(inout Keyslot) -> Void] = [
            { $0.kind = .recoveryKey }, { $0.slotID[0] ^= 1 }, { $0.memoryKiB += 1 }, { $0.iterations += 1 },
            { $0.parallelism += 1 }, { $0.salt[31] ^= 1 },
        ]
        for change in changes {
            var slot = header.keyslots[0]
            change(&slot)
            #expect(contexts.insert(header.context(for: slot).encoded).inserted)
        }
        var other = header
        other.epoch = 2
        #expect(contexts.insert(other.context(for: header.keyslots[0]).encoded).inserted)
        other = header
        other.flags = 1
        #expect(contexts.insert(other.context(for: header.keyslots[0]).encoded).inserted)
        other = header
        other.counter = 2
        #expect(
            other.context(for: header.keyslots[0]).encoded == original,
            "a new counter must not mean a new password prompt")
    }
}
