// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `Identifier` checks and converts identifiers as they are shown: base32 of RFC 4648 §6 in lower case.
enum Identifier {
    static let noteCharacterCount = 16
    static let attachmentCharacterCount = 26

    /// Checks the identifiers of a note and its attachments. They become parts of paths and of other identifiers, so
    /// they are checked once, before anything is written.
    ///
    /// - Throws: `ExportError.badIdentifier`.
    static func check(_ note: ExportedNote) throws(ExportError) {
        guard isBase32(note.id, noteCharacterCount) else { throw ExportError(.badIdentifier) }
        for attachment in note.attachments {
            guard isBase32(attachment.id, attachmentCharacterCount) else { throw ExportError(.badIdentifier) }
        }
    }

    /// Returns the whole bytes of an identifier, in hexadecimal.
    static func hexadecimal(_ id: String) -> String {
        var (bits, bitCount): (UInt32, Int) = (0, 0)
        var text: [UInt8] = []
        for digit in id.utf8 {
            let value = digit >= UInt8(ascii: "a") ? digit &- UInt8(ascii: "a") : digit &- UInt8(ascii: "2") &+ 26
            bits = (bits << 5 | UInt32(value & 31)) & 0xFFFF
            bitCount += 5
            guard bitCount >= 8 else { continue }
            bitCount -= 8
            appendByte(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)), &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    static func appendByte(_ byte: UInt8, _ text: inout [UInt8]) {
        for digit in [byte >> 4, byte & 15] {
            text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }

    private static func isBase32(_ id: String, _ count: Int) -> Bool {
        id.utf8.count == count
            && id.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "2")...UInt8(ascii: "7")).contains($0)
            }
    }
}
