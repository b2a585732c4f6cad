// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `SecretJSON` finds members of a JSON object in place, so that its secrets are never copied into strings.
///
/// It does not check what it skips: a result is only as trustworthy as the writer of the JSON.
public enum SecretJSON {
    /// Returns the range of the value of a member of the outermost object: a string with its quotation marks, an object
    /// or a list with its brackets, or anything else up to its end; nil if there is no such member.
    ///
    /// - Parameter name: as it is written there, without escapes.
    public static func value(of name: String, in text: UnsafeRawBufferPointer) -> Range<Int>? {
        let wanted = Array(name.utf8)
        var (at, depth) = (0, 0)
        var last: Range<Int>?
        while at < text.count {
            switch unsafe text[at] {
            case quote:
                guard let end = unsafe endOfString(from: at, in: text) else { return nil }
                last = at + 1..<end - 1
                at = end
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ":"):
                if depth == 1, let last, unsafe text[last].elementsEqual(wanted) {
                    return unsafe valueRange(from: at + 1, in: text)
                }
            default: break
            }
            at += 1
        }
        return nil
    }

    private static let quote = UInt8(ascii: "\"")

    private static func endOfString(from begin: Int, in text: UnsafeRawBufferPointer) -> Int? {
        var at = begin + 1
        while at < text.count {
            if unsafe text[at] == UInt8(ascii: "\\") { at += 1 } else if unsafe text[at] == quote { return at + 1 }
            at += 1
        }
        return nil
    }

    private static func valueRange(from begin: Int, in text: UnsafeRawBufferPointer) -> Range<Int>? {
        var at = begin
        while at < text.count, unsafe [0x20, 9, 10, 13].contains(text[at]) { at += 1 }
        guard at < text.count else { return nil }
        let first = at
        if unsafe text[at] == quote { return unsafe endOfString(from: at, in: text).map { first..<$0 } }
        var depth = 0
        while at < text.count {
            switch unsafe text[at] {
            case quote:
                guard let end = unsafe endOfString(from: at, in: text) else { return nil }
                at = end
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return first..<at }
                depth -= 1
                if depth == 0 { return first..<at + 1 }
            case UInt8(ascii: ","), 0x20, 9, 10, 13: if depth == 0 { return first..<at }
            default: break
            }
            at += 1
        }
        return nil
    }
}
