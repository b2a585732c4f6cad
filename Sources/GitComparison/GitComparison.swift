// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CGit2
internal import COfflineGit2
public import TextMerge

/// `GitComparison` is the one place that calls libgit2: two functions of it, on buffers.
///
/// See docs/decisions/0008-merge-and-diff.md for what it does as it starts, and what is kept from it.
public struct GitComparison: TokenComparison, Sendable {
    public init() {}

    private static let hasStarted = offline_git2_start() >= 0

    /// Starts the library, so that it looks for nothing later on.
    public static func prepare() -> Bool { hasStarted }

    /// Finds what turns `old` into `new`, as few tokens as the library finds in bounded time.
    public func changes(old: [UInt32], new: [UInt32]) -> [TokenChange]? {
        guard Self.hasStarted else { return nil }
        var found: [TokenChange] = []
        let status = Self.collect(TokenForm.lines(of: old), TokenForm.lines(of: new), into: &found)
        return status == 0 ? found : nil
    }

    private static func collect(_ old: [UInt8], _ new: [UInt8], into found: inout [TokenChange]) -> Int32 {
        var options = unsafe git_diff_options()
        guard unsafe git_diff_options_init(&options, UInt32(GIT_DIFF_OPTIONS_VERSION)) == 0 else { return -1 }
        unsafe options.flags = GIT_DIFF_FORCE_TEXT.rawValue
        unsafe options.context_lines = 0
        unsafe options.interhunk_lines = 0
        return unsafe withUnsafeMutablePointer(to: &found) { list in
            unsafe old.withUnsafeBytes { old in
                unsafe new.withUnsafeBytes { new in
                    unsafe git_diff_buffers(
                        old.baseAddress, old.count, nil, new.baseAddress, new.count, nil, &options, nil, nil,
                        { _, hunk, list in
                            guard let hunk = unsafe hunk?.pointee, let list = unsafe list else { return -1 }
                            guard
                                let old = GitComparison.range(hunk.old_start, hunk.old_lines),
                                let new = GitComparison.range(hunk.new_start, hunk.new_lines)
                            else { return -1 }
                            unsafe list.assumingMemoryBound(to: [TokenChange].self).pointee.append(
                                TokenChange(old: old, new: new))
                            return 0
                        },
                        nil, list)
                }
            }
        }
    }

    /// Returns a stretch of lines counted from 0, or nil for one that cannot be. libgit2's lines count from 1; a
    /// stretch of none is named by the line before it.
    private static func range(_ start: Int32, _ count: Int32) -> Range<Int>? {
        guard start >= 0, count >= 0, start > 0 || count == 0 else { return nil }
        let first = count == 0 ? Int(start) : Int(start) - 1
        return first..<(first + Int(count))
    }

    public func merge(base: [UInt32], ours: [UInt32], theirs: [UInt32]) -> [MergeElement]? {
        guard Self.hasStarted else { return nil }
        let lines = (TokenForm.lines(of: base), TokenForm.lines(of: ours), TokenForm.lines(of: theirs))
        return Self.merged(lines.0, lines.1, lines.2).flatMap(TokenForm.elements)
    }

    private static func merged(_ base: [UInt8], _ ours: [UInt8], _ theirs: [UInt8]) -> [UInt8]? {
        var result = unsafe git_merge_file_result()
        defer { unsafe git_merge_file_result_free(&result) }
        let status = unsafe base.withUnsafeBytes { base in
            unsafe ours.withUnsafeBytes { ours in
                unsafe theirs.withUnsafeBytes { theirs in
                    guard var base = unsafe input(base), var ours = unsafe input(ours),
                        var theirs = unsafe input(theirs)
                    else { return Int32(-1) }
                    return unsafe git_merge_file(&result, &base, &ours, &theirs, nil)
                }
            }
        }
        guard status == 0 else { return nil }
        // Nothing at all is a result too: each side removed what the other one left.
        guard let start = unsafe result.ptr else { return unsafe result.len == 0 ? [] : nil }
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: result.len))
    }

    private static func input(_ bytes: UnsafeRawBufferPointer) -> git_merge_file_input? {
        var input = unsafe git_merge_file_input()
        guard unsafe git_merge_file_input_init(&input, UInt32(GIT_MERGE_FILE_INPUT_VERSION)) == 0 else { return nil }
        unsafe input.ptr = unsafe bytes.assumingMemoryBound(to: CChar.self).baseAddress
        unsafe input.size = bytes.count
        return unsafe input
    }
}
