// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Paths as the destination of a Markdown link: relative, readable, and not to be taken for its end.
enum PercentText {
    /// Letters, digits, "-._~/" and all that is not ASCII stay. Source: RFC 3986 §2.3, RFC 3987.
    static func path(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"), 0x80...:
                bytes.append(byte)
            default:
                bytes.append(UInt8(ascii: "%"))
                for digit in [byte >> 4, byte & 15] {
                    bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
                }
            }
        }
        return bytes
    }

    /// Undoes "%20" and the like; what is no such escape stays. Nil if the result is not UTF-8.
    static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
        var result: [UInt8] = []
        var at = bytes.startIndex
        while at < bytes.endIndex {
            if bytes[at] == UInt8(ascii: "%"), at + 2 < bytes.endIndex, let high = digit(bytes[at + 1]),
                let low = digit(bytes[at + 2])
            {
                result.append(high << 4 | low)
                at += 3
            } else {
                result.append(bytes[at])
                at += 1
            }
        }
        return String(validating: result, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
