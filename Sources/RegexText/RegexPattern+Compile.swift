// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CPCRE2

extension RegexPattern {
    static let noMemory = RegexPatternError(.tooCostly, message: "there is not enough memory for the pattern")

    static let tooCostly = RegexPatternError(.tooCostly, message: "the pattern takes too much work on this text")

    static func compile(_ pattern: [UInt8], ignoresCase: Bool) throws(RegexPatternError) -> OpaquePointer {
        guard !pattern.isEmpty else { throw RegexPatternError(.empty, message: "the pattern is empty") }
        guard pattern.count <= byteCountMax else {
            throw RegexPatternError(
                .tooLong, offset: byteCountMax, message: "the pattern has more than \(byteCountMax) bytes")
        }
        guard let context = unsafe pcre2_compile_context_create_8(nil) else { throw noMemory }
        defer { unsafe pcre2_compile_context_free_8(context) }
        unsafe pcre2_set_max_pattern_length_8(context, byteCountMax)
        unsafe pcre2_set_parens_nest_limit_8(context, nestingMax)
        unsafe pcre2_set_newline_8(context, UInt32(PCRE2_NEWLINE_ANYCRLF))
        // \C matches one byte of a character, so that offsets would no longer be at character bounds. The callouts are
        // for `MatchWork`.
        let fixed = PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C | PCRE2_AUTO_CALLOUT
        let options = ignoresCase ? fixed | PCRE2_CASELESS : fixed
        var (number, offset): (Int32, Int) = (0, 0)
        let code = unsafe pattern.withUnsafeBufferPointer { raw in
            unsafe pcre2_compile_8(raw.baseAddress, raw.count, options, &number, &offset, context)
        }
        guard let code = unsafe code else {
            throw RegexPatternError(.invalid, offset: min(max(offset, 0), pattern.count), message: message(number))
        }
        return unsafe code
    }

    /// Returns what a match that ended without an answer is called here.
    static func error(_ number: Int32, textOffset: Int) -> RegexPatternError {
        switch number {
        case PCRE2_ERROR_UTF8_ERR21...PCRE2_ERROR_UTF8_ERR1:
            RegexPatternError(.notUTF8, offset: textOffset, message: "the text is not UTF-8")
        case PCRE2_ERROR_RECURSELOOP: RegexPatternError(.invalid, message: message(number))
        default: tooCostly
        }
    }

    private static func message(_ number: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = unsafe buffer.withUnsafeMutableBufferPointer { raw in
            unsafe pcre2_get_error_message_8(number, raw.baseAddress, raw.count)
        }
        return count > 0 ? String(decoding: buffer.prefix(Int(count)), as: UTF8.self) : "not a valid pattern"
    }
}
