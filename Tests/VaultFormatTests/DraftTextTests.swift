// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultFormat

/// The journal of an edit, as docs/format.md §17 has it.
struct DraftTextTests {
    private let text = DraftText(sequence: 7, saved: -2, body: [0x66, 0xFF, 0x00])

    @Test func itHasTheBytesOfItsSpecification() throws {
        let bytes: [UInt8] = [
            0, 1, 0, 0, 0, 0, 0, 0, 0, 7, 255, 255, 255, 255, 255, 255, 255, 254, 0, 0, 0, 3, 0x66, 0xFF, 0,
        ]
        #expect(text.encoded == bytes)
        #expect(try DraftText(parsing: bytes) == text)
    }

    @Test func everyPrefixAndATrailingByteAreRefused() {
        let bytes = text.encoded
        for count in 0..<bytes.count {
            #expect(throws: FormatError.self) { try DraftText(parsing: Array(bytes[..<count])) }
        }
        #expect(throws: FormatError(.trailingBytes, offset: bytes.count)) { try DraftText(parsing: bytes + [0]) }
    }

    @Test func A13aNewerVersionIsRefused() {
        var bytes = text.encoded
        bytes[1] = 2
        #expect(throws: FormatError(.unknownVersion, offset: 0)) { try DraftText(parsing: bytes) }
    }

    @Test func H08aBodyOfFourBillionBytesIsRefused() {
        var bytes = text.encoded
        bytes.replaceSubrange(18..<22, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(throws: FormatError(.tooLarge, offset: 18)) { try DraftText(parsing: bytes) }
    }
}
