// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CPCRE2

/// Why a pattern cannot be used.
public struct RegexPatternError: Error, Sendable, Equatable {
    public enum Code: Sendable { case invalid, tooLong, tooCostly }
    public let code: Code
    /// The library's words, for `invalid`.
    public let message: String
    /// Where in the pattern, in bytes.
    public let offset: Int
}

/// A compiled pattern of PCRE2 for UTF-8, whose matching ends after a bounded amount of work whatever the pattern and the text are.
///
/// The just-in-time compiler is left off: it needs memory that is written and run, which a process with keys should not have.
@safe public final class RegexPattern {
    public static let byteCountMax = 1000
    /// Backtracking points of one match: about 5 ms here. `(a+)+$` on a long line ends with this.
    private static let matchLimit: UInt32 = 100_000
    private static let depthLimit: UInt32 = 1000
    private static let heapLimitKiB: UInt32 = 4096

    private let code: OpaquePointer
    private let data: OpaquePointer
    private let context: OpaquePointer

    /// - Throws: `RegexPatternError` with `.invalid` or `.tooLong`.
    public init(_ pattern: String, ignoresCase: Bool = true) throws(RegexPatternError) {
        let bytes = Array(pattern.utf8)
        guard bytes.count <= Self.byteCountMax, !bytes.isEmpty else { throw RegexPatternError(code: .tooLong, message: "", offset: 0) }
        var number: Int32 = 0
        var offset = 0
        // \C would match half a character and make every later offset wrong.
        let options = PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C | PCRE2_MULTILINE | (ignoresCase ? PCRE2_CASELESS : 0)
        let compiled = unsafe bytes.withUnsafeBufferPointer { raw in
            unsafe pcre2_compile_8(raw.baseAddress!, raw.count, options, &number, &offset, nil)
        }
        guard let compiled = unsafe compiled else { throw RegexPatternError(code: .invalid, message: Self.message(number), offset: offset) }
        guard let data = unsafe pcre2_match_data_create_8(1, nil), let context = unsafe pcre2_match_context_create_8(nil) else {
            unsafe pcre2_code_free_8(compiled)
            throw RegexPatternError(code: .tooCostly, message: "", offset: 0)
        }
        unsafe pcre2_set_match_limit_8(context, Self.matchLimit)
        unsafe pcre2_set_depth_limit_8(context, Self.depthLimit)
        unsafe pcre2_set_heap_limit_8(context, Self.heapLimitKiB)
        unsafe (self.code, self.data, self.context) = unsafe (compiled, data, context)
    }

    deinit {
        unsafe pcre2_match_context_free_8(context)
        unsafe pcre2_match_data_free_8(data)
        unsafe pcre2_code_free_8(code)
    }

    /// The first match in a text, in bytes; nil without one, and in text that is not UTF-8.
    ///
    /// - Throws: `.tooCostly` when it takes more work than is allowed.
    public func firstMatch(in text: [UInt8]) throws(RegexPatternError) -> Range<Int>? {
        let result = unsafe text.withUnsafeBufferPointer { raw in
            // An empty array may have no address; the library wants one.
            unsafe pcre2_match_8(code, raw.baseAddress ?? UnsafePointer(bitPattern: 1)!, raw.count, 0, 0, data, context)
        }
        switch result {
        case 0...:
            guard let ends = unsafe pcre2_get_ovector_pointer_8(data) else { return nil }
            let (begin, end) = unsafe (ends[0], ends[1])
            // \K can put the begin behind the end.
            return begin <= end && end <= text.count ? begin..<end : nil
        case PCRE2_ERROR_MATCHLIMIT, PCRE2_ERROR_DEPTHLIMIT, PCRE2_ERROR_HEAPLIMIT, PCRE2_ERROR_NOMEMORY:
            throw RegexPatternError(code: .tooCostly, message: "", offset: 0)
        default: return nil
        }
    }

    private static func message(_ number: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = unsafe buffer.withUnsafeMutableBufferPointer { raw in unsafe pcre2_get_error_message_8(number, raw.baseAddress!, raw.count) }
        return count > 0 ? String(decoding: buffer.prefix(Int(count)), as: UTF8.self) : "not a pattern"
    }
}
