// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultFormat

/// Manifest, pin and entry.
struct SmallFormatTests {
    /// Worked bytes of docs/format.md §7.
    @Test func theManifestHasTheBytesOfItsSpecification() throws {
        let expected: [UInt8] =
            [0, 2, 0, 0, 0, 0, 0, 0, 0, 42, 0, 0, 0, 7] + Array(0x20...0x3F) + [0, 0, 0, 0, 0, 0, 0x20, 0x78, 1]
            + [0, 0, 0, 0, 0, 0, 0, 9] + Array(0x40...0x5F) + [1, 1] + Array(0x80...0x9F)
        #expect(Samples.manifest.encoded == expected)
        #expect(try Manifest(parsing: expected) == Samples.manifest)
    }

    @Test func aManifestOfVersion1KnowsNoHeaderAndNoMap() throws {
        let manifest = try Manifest(parsing: [0, 1] + Samples.manifest.encoded[2..<55])
        #expect(manifest.headerCounter == 0 && manifest.map == nil)
        #expect(manifest.generation == 42 && manifest.isOpen)
    }

    /// Worked bytes of docs/format.md §8.
    @Test func J03thePinHasTheBytesOfItsSpecification() throws {
        let expected =
            Array("VPN2".utf8) + Array(0xA0...0xAF) + [0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 9] + Array(0x40...0x5F)
            + [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7] + Array(0x60...0x7F)
        #expect(Samples.pin.encoded == expected)
        #expect(try Pin(parsing: expected) == Samples.pin)
    }

    @Test func J03aPinOfBeforeKnowsNoEntryAndIsWrittenAsANewOne() throws {
        let old = Array("VPN1".utf8) + Samples.pin.encoded[4..<72]
        let pin = try Pin(parsing: old)
        #expect(pin.sequence == 0 && pin.chain == [UInt8](repeating: 0, count: 32))
        #expect(pin.generation == Samples.pin.generation && pin.digest == Samples.pin.digest)
        #expect(pin.encoded == Array("VPN2".utf8) + old[4...] + [UInt8](repeating: 0, count: 40))
        #expect(throws: FormatError.self) { try Pin(parsing: old + [0]) }
        #expect(throws: FormatError.self) { try Pin(parsing: Array("VPN2".utf8) + old[4...]) }
    }

    @Test func numbersReachTheirLimits() throws {
        let manifest = Manifest(
            generation: .max, pageCount: .max, logSalt: [UInt8](repeating: 0xFF, count: 32), syncedByteCount: .max,
            isOpen: false)
        #expect(try Manifest(parsing: manifest.encoded) == manifest)
        let pin = Pin(
            vaultID: Samples.vaultID, epoch: .max, counter: .max, digest: [UInt8](repeating: 0, count: 32),
            generation: .max)
        #expect(try Pin(parsing: pin.encoded) == pin)
    }

    @Test func A13newerVersionsAreRefused() {
        for version: [UInt8] in [[0, 0], [0, 3], [0xFF, 0xFF]] {
            #expect(throws: FormatError(.unknownVersion, offset: 0)) {
                try Manifest(parsing: version + Samples.manifest.encoded.dropFirst(2))
            }
            #expect(throws: FormatError(.unknownVersion, offset: 0)) {
                try Entry(parsing: version + Samples.entry.encoded.dropFirst(2))
            }
        }
        #expect(throws: FormatError(.badMagic, offset: 0)) {
            try Pin(parsing: Array("VPN3".utf8) + Samples.pin.encoded.dropFirst(4))
        }
    }

    @Test func A13unknownOperationsAreRefused() throws {
        var bytes = Samples.entry.encoded
        for operation in UInt8.min...UInt8.max {
            bytes[26] = operation
            if let known = Entry.Operation(rawValue: operation) {
                #expect(try Entry(parsing: bytes).operation == known)
            } else {
                #expect(throws: FormatError(.unknownKind, offset: 26)) { try Entry(parsing: bytes) }
            }
        }
    }

    @Test func anEntryHasZeroTo255Parents() throws {
        for count in [0, 1, 255] {
            var entry = Samples.entry
            entry.parents = [RevisionID](repeating: Samples.revisionID, count: count)
            #expect(try Entry(parsing: entry.encoded) == entry)
        }
    }

    @Test func anIdentityOfZerosIsRefused() {
        var bytes = Samples.pin.encoded
        bytes.replaceSubrange(4..<20, with: [UInt8](repeating: 0, count: 16))
        #expect(throws: FormatError(.allZero)) { try Pin(parsing: bytes) }
        #expect(throws: FormatError(.allZero)) { try NoteID([UInt8](repeating: 0, count: 10)) }
        for count in [0, 9, 11] {
            #expect(throws: FormatError(.truncated)) { try NoteID([UInt8](repeating: 1, count: count)) }
        }
    }

    @Test func identitiesAreWrittenAsTheSpecificationSays() {
        #expect(Samples.vaultID.hex == "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf")
        #expect(Samples.noteID.text.count == NoteID.textCharacterCount)
    }
}
