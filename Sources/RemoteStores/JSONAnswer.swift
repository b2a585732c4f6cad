// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CJSON

/// `JSONAnswer` is a server's JSON, read with json-c: strict (RFC 8259), in UTF-8, at most 32 levels deep. It holds
/// nothing secret: tokens are read by `SecretAnswer`.
@safe
final class JSONAnswer {
    private static let depthMax: Int32 = 32

    /// A value within it; the answer lives as long.
    @safe
    struct Value {
        fileprivate let owner: JSONAnswer
        fileprivate let object: OpaquePointer?

        /// Returns a member of an object; nil of anything else, and for null.
        subscript(name: String) -> Value? {
            var found: OpaquePointer?
            guard unsafe json_object_is_type(object, json_type_object) != 0,
                unsafe json_object_object_get_ex(object, name, &found) != 0, unsafe found != nil
            else { return nil }
            return unsafe Value(owner: owner, object: found)
        }

        /// The text of a string; nil of anything else.
        var text: String? {
            guard unsafe json_object_is_type(object, json_type_string) != 0,
                let bytes = unsafe json_object_get_string(object)
            else { return nil }
            let count = unsafe Int(json_object_get_string_len(object))
            return unsafe String(
                decoding: UnsafeRawBufferPointer(start: UnsafeRawPointer(bytes), count: count), as: UTF8.self)
        }

        /// A whole number; nil of anything else.
        var number: Int? {
            guard unsafe json_object_is_type(object, json_type_int) != 0 else { return nil }
            return unsafe Int(json_object_get_int64(object))
        }

        /// Whether it is true, and not merely something.
        var isTrue: Bool {
            unsafe json_object_is_type(object, json_type_boolean) != 0 && json_object_get_boolean(object) != 0
        }

        /// The elements of a list; nil of anything else.
        var items: [Value]? {
            guard unsafe json_object_is_type(object, json_type_array) != 0 else { return nil }
            return unsafe (0..<json_object_array_length(object)).map { at in
                unsafe Value(owner: owner, object: json_object_array_get_idx(object, at))
            }
        }

        /// How an open union of Dropbox's is called: it has a tag, or is one.
        var tag: String? { text ?? self[".tag"]?.text }
    }

    private let object: OpaquePointer

    /// Reads a whole text; nil for anything that is not one object, or has more values than it may: json-c takes some
    /// hundred bytes for each.
    init?(_ bytes: [UInt8], valueCountMax: Int = 100_000) {
        let marks = bytes.reduce(0) { count, byte in
            count + (byte == UInt8(ascii: ",") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") ? 1 : 0)
        }
        guard bytes.count <= Int(Int32.max), marks <= valueCountMax,
            let tokener = unsafe json_tokener_new_ex(Self.depthMax)
        else { return nil }
        defer { unsafe json_tokener_free(tokener) }
        unsafe json_tokener_set_flags(tokener, cj_strict)
        let parsed = unsafe bytes.withUnsafeBytes { raw in
            let text = unsafe raw.baseAddress?.assumingMemoryBound(to: CChar.self)
            return unsafe json_tokener_parse_ex(tokener, text, Int32(raw.count))
        }
        guard let parsed = unsafe parsed else { return nil }
        guard unsafe json_object_is_type(parsed, json_type_object) != 0 else {
            unsafe json_object_put(parsed)
            return nil
        }
        unsafe object = parsed
    }

    deinit { unsafe json_object_put(object) }

    subscript(name: String) -> Value? { unsafe Value(owner: self, object: object)[name] }

    /// Writes a text of ours as JSON does, so that it can stand in a header: nothing beyond ASCII.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for unit in text.utf16 {
            switch unit {
            case 0x22: quoted += "\\\""
            case 0x5C: quoted += "\\\\"
            case 0x20..<0x7F: quoted.unicodeScalars.append(UnicodeScalar(UInt8(unit)))
            default:
                let digits = String(unit, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            }
        }
        return quoted + "\""
    }
}
