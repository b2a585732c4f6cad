// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `PercentCoding` undoes percent-encoding (RFC 3986 §2.1).
public enum PercentCoding {
    /// Returns the text; nil when what comes out is not UTF-8, or a sign is not followed by two digits.
    public static func decoded(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
        var bytes: [UInt8] = []
        var source = text.utf8.makeIterator()
        while let byte = source.next() {
            if byte == UInt8(ascii: "+"), plusIsSpace {
                bytes.append(0x20)
            } else if byte == UInt8(ascii: "%") {
                guard let high = source.next().flatMap(value), let low = source.next().flatMap(value) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x37
        case 0x61...0x66: digit - 0x57
        default: nil
        }
    }
}
