// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation

/// How reports are written as JSON.
enum ReportJSON {
    /// One line with sorted names, so that two reports can be compared as text.
    static func encode(_ report: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        guard let data = try? encoder.encode(report) else {
            preconditionFailure("a report holds nothing but text and numbers")
        }
        return String(decoding: data, as: UTF8.self)
    }
}

/// Text from a file or a directory, made safe to print: whoever wrote it may want to steer the terminal (ThreatModel
/// G01).
enum PrintableText {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Printable ASCII as it is; all other bytes, and the backslash, as `\xNN`.
    static func escaped(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        for byte in bytes {
            if (0x20...0x7E).contains(byte), byte != 0x5C {
                text.append(byte)
            } else {
                text += [0x5C, 0x78, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    static func escaped(_ text: String) -> String { escaped(text.utf8) }
}

/// Hexadecimal text. Lower case is written, either case is read.
enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Nil for an odd number of digits or a foreign character.
    static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 2)
        var high: UInt8?
        for character in text.utf8 {
            guard let digit = value(of: character) else { return nil }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return high == nil ? bytes : nil
    }

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case 0x30...0x39: character - 0x30
        case 0x61...0x66: character - 0x61 + 10
        case 0x41...0x46: character - 0x41 + 10
        default: nil
        }
    }
}
