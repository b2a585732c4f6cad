// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ImportedText` is a text in which names become others: of files that have a name already, of notes that had no
/// identifier yet.
///
/// One pass over the bytes, each looked at a bounded number of times whatever the text.
struct ImportedText {
    /// By the target that stands in `[[target]]` or `[[target|label]]`.
    var targets: [String: String] = [:]
    /// By the name that stands in `(att:name)`.
    var files: [String: String] = [:]

    /// Longest name that is looked for, in bytes.
    private static let nameByteCountMax = 480
    /// Closing brackets that a name of a file may hold, and the one behind it.
    private static let bracketCountMax = 4

    func replacing(in text: String) -> String {
        guard !targets.isEmpty || !files.isEmpty else { return text }
        let bytes = Array(text.utf8)
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var flushed = 0
        var at = 0
        while at + 1 < bytes.count {
            guard let (range, name) = found(bytes, at) else {
                at += 1
                continue
            }
            output += bytes[flushed..<range.lowerBound]
            output += name.utf8
            (flushed, at) = (range.upperBound, range.upperBound)
        }
        output += bytes[flushed...]
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns a name that begins behind the opening signs at `at`, and what takes its place.
    private func found(_ bytes: [UInt8], _ at: Int) -> (Range<Int>, String)? {
        if bytes[at] == UInt8(ascii: "["), bytes[at + 1] == UInt8(ascii: "["), !targets.isEmpty {
            let start = at + 2
            let end = bytes[start..<min(start + Self.nameByteCountMax + 1, bytes.count)].firstIndex { byte in
                byte == UInt8(ascii: "]") || byte == UInt8(ascii: "|") || byte == UInt8(ascii: "[") || byte < 0x20
            }
            guard let end, let new = targets[String(decoding: bytes[start..<end], as: UTF8.self)] else { return nil }
            return (start..<end, new)
        }
        guard !files.isEmpty, bytes[at] == UInt8(ascii: "("), bytes[(at + 1)...].starts(with: "att:".utf8) else {
            return nil
        }
        let start = at + 5
        let limit = min(start + 257, bytes.count)
        var ends: [Int] = []
        for end in start..<max(start, limit) where bytes[end] == UInt8(ascii: ")") {
            ends.append(end)
            // Enough for a name; a text of nothing but brackets is not gone through again and again.
            if ends.count == Self.bracketCountMax { break }
        }
        // A name may hold brackets itself: the longest that is known counts.
        for end in ends.reversed() {
            if let new = files[String(decoding: bytes[start..<end], as: UTF8.self)] { return (start..<end, new) }
        }
        return nil
    }
}
