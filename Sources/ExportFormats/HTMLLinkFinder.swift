// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Finds `[label](destination)` in a paragraph while it is read from left to right, without looking at a byte twice.
struct HTMLLinkFinder {
    private let bytes: [UInt8]
    /// The next "](", and the last "[" before it.
    private var close = -1
    private var open = -1
    /// The next ")".
    private var end = -1

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The "]" that closes the label, if a label and a destination begin here.
    ///
    /// - Parameter start: a "[" not before the ones asked for earlier.
    mutating func close(ofLabelAt start: Int) -> Int? {
        if close < start {
            open = -1
            var at = start
            while at < bytes.count {
                if bytes[at] == UInt8(ascii: "[") { open = at }
                if bytes[at] == UInt8(ascii: "]"), at + 1 < bytes.count, bytes[at + 1] == UInt8(ascii: "(") { break }
                at += 1
            }
            close = at
        }
        return open == start && close < bytes.count ? close : nil
    }

    /// The ")" behind a place, if it is in the same line.
    mutating func end(ofDestinationAt start: Int) -> Int? {
        if end < start {
            end = start
            while end < bytes.count, bytes[end] != UInt8(ascii: ")"), bytes[end] != UInt8(ascii: "\n") { end += 1 }
        }
        return end < bytes.count && bytes[end] == UInt8(ascii: ")") ? end : nil
    }
}
