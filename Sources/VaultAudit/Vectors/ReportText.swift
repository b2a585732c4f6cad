// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation

/// `ReportJSON` says how reports are written as JSON.
enum ReportJSON {
    /// Writes one line with sorted names, so that two reports can be compared as text.
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

/// `PrintableText` makes text from a file or a directory safe to print: its writer may want to steer the terminal
/// (ThreatModel G01).
enum PrintableText {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Returns printable ASCII as it is; all other bytes, and the backslash, as `\xNN`.
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
