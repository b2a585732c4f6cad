// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CPCRE2

/// `RegexPattern` is a pattern of PCRE2 for UTF-8, whose matching ends after a bounded amount of work whatever the
/// pattern and the text are.
///
/// Characters are Unicode's, `^` and `$` are the ends of lines, and lines end with LF, CR or both. The just-in-time
/// compiler is off: it needs memory that is written and then run, which a process that holds keys forbids itself.
///
/// One value serves many texts, one after another; it is not for two threads.
@safe public final class RegexPattern {
    public static let byteCountMax = 1000
    /// Backtracking from one start in the text: about 5 ms. `(a+)+$` on a long word ends with this.
    private static let matchLimit: UInt32 = 50_000
    /// Memory for backtracking; how deep it goes follows from this.
    private static let heapLimitKiB: UInt32 = 16 * 1024
    /// Brackets in brackets: the compiler of patterns calls itself for each.
    static let nestingMax: UInt32 = 100

    private let code: OpaquePointer
    private let data: OpaquePointer
    private let context: OpaquePointer
    private let work: UnsafeMutablePointer<MatchWork>

    /// Compiles a pattern, and limits the work and memory of its matching.
    ///
    /// - Parameter pattern: 1 to 1,000 bytes.
    /// - Throws: `RegexPatternError` with `invalid`, `empty` or `tooLong`.
    public init(_ pattern: String, ignoresCase: Bool = true) throws(RegexPatternError) {
        let code = unsafe try Self.compile(Array(pattern.utf8), ignoresCase: ignoresCase)
        guard let data = unsafe pcre2_match_data_create_8(1, nil) else {
            unsafe pcre2_code_free_8(code)
            throw Self.noMemory
        }
        guard let context = unsafe pcre2_match_context_create_8(nil) else {
            unsafe pcre2_match_data_free_8(data)
            unsafe pcre2_code_free_8(code)
            throw Self.noMemory
        }
        let work = UnsafeMutablePointer<MatchWork>.allocate(capacity: 1)
        unsafe work.initialize(to: MatchWork())
        unsafe pcre2_set_match_limit_8(context, Self.matchLimit)
        unsafe pcre2_set_heap_limit_8(context, Self.heapLimitKiB)
        unsafe pcre2_set_depth_limit_8(context, Self.matchLimit)
        _ = unsafe pcre2_set_callout_8(
            context,
            { block, work in
                guard let block = unsafe block, let work = unsafe work?.assumingMemoryBound(to: MatchWork.self) else {
                    return PCRE2_ERROR_CALLOUT
                }
                return unsafe work.pointee.charge(at: block.pointee.current_position) ? 0 : PCRE2_ERROR_CALLOUT
            }, work)
        unsafe (self.code, self.data, self.context, self.work) = (code, data, context, work)
    }

    deinit {
        unsafe pcre2_match_context_free_8(context)
        unsafe pcre2_match_data_free_8(data)
        unsafe pcre2_code_free_8(code)
        unsafe work.deallocate()
    }

    /// Returns the first match in a text, in bytes; nil without one.
    ///
    /// - Throws: `RegexPatternError` with `tooCostly` or `notUTF8`.
    public func firstMatch(in text: Span<UInt8>) throws(RegexPatternError) -> Range<Int>? {
        try allMatches(in: text, limit: 1).first
    }

    public func firstMatch(in text: [UInt8]) throws(RegexPatternError) -> Range<Int>? { try firstMatch(in: text.span) }

    public func allMatches(in text: [UInt8], limit: Int) throws(RegexPatternError) -> [Range<Int>] {
        try allMatches(in: text.span, limit: limit)
    }

    /// Returns the first matches, in bytes: ascending, apart, at character bounds.
    ///
    /// All of them together may cost what one text may. In a text of 1 MiB that is enough for some thousand matches, in
    /// short texts for all.
    ///
    /// - Throws: `RegexPatternError` with `tooCostly` or `notUTF8`; matches that were found before are lost.
    public func allMatches(in text: Span<UInt8>, limit: Int) throws(RegexPatternError) -> [Range<Int>] {
        unsafe work.pointee.begin(byteCount: text.count)
        var matches: [Range<Int>] = []
        var (start, options): (Int, UInt32) = (0, 0)
        // Behind an empty match only one that is not empty may begin at the same place.
        let notEmpty = PCRE2_NOTEMPTY_ATSTART | PCRE2_ANCHORED
        while matches.count < limit, start <= text.count {
            guard unsafe work.pointee.chargeSearch(byteCount: text.count - start) else { throw Self.tooCostly }
            if let match = try match(in: text, from: start, options: options) {
                guard match.lowerBound >= start else { break }
                matches.append(match)
                start = match.upperBound
                options = match.isEmpty ? notEmpty : 0
            } else if options & notEmpty != 0 {
                start = Self.next(after: start, in: text)
                options = 0
            } else {
                break
            }
            // The text does not change under this loop, and the first run has checked it.
            options |= PCRE2_NO_UTF_CHECK
        }
        return matches
    }

    private func match(in text: Span<UInt8>, from start: Int, options: UInt32) throws(RegexPatternError) -> Range<Int>?
    {
        let result = unsafe text.withUnsafeBufferPointer { raw in
            guard let base = raw.baseAddress else {
                // Older versions refuse a text without an address, even an empty one.
                return unsafe withUnsafePointer(to: 0 as UInt8) { byte in
                    unsafe pcre2_match_8(code, byte, 0, 0, options, data, context)
                }
            }
            return unsafe pcre2_match_8(code, base, raw.count, start, options, data, context)
        }
        guard result >= 0 else {
            if result == PCRE2_ERROR_NOMATCH { return nil }
            throw unsafe Self.error(result, textOffset: Int(clamping: pcre2_get_startchar_8(data)))
        }
        guard let ends = unsafe pcre2_get_ovector_pointer_8(data) else { return nil }
        let (begin, end) = unsafe (ends[0], ends[1])
        return begin <= end && end <= text.count ? begin..<end : nil
    }

    private static func next(after offset: Int, in text: Span<UInt8>) -> Int {
        guard offset < text.count else { return offset + 1 }
        if text[offset] == 0x0D, offset + 1 < text.count, text[offset + 1] == 0x0A { return offset + 2 }
        var next = offset + 1
        while next < text.count, text[next] & 0xC0 == 0x80 { next += 1 }
        return next
    }
}
