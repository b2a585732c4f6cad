// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Tells files beside a note from other notes and from the network.
enum MarkdownEmbed {
    /// Longest target that is looked at, in bytes: the longest path of Linux.
    private static let targetByteCountMax = 4096
    private static let endingByteCountMax = 8

    /// "img.png|300" is a file; "Other note#Part" is a note.
    static func isFile(wiki target: ArraySlice<UInt8>) -> Bool {
        guard target.count <= targetByteCountMax else { return false }
        let path = target.prefix { $0 != UInt8(ascii: "|") && $0 != UInt8(ascii: "#") }
        guard let dot = path.lastIndex(of: UInt8(ascii: ".")) else { return false }
        let ending = path[path.index(after: dot)...]
        guard (1...endingByteCountMax).contains(ending.count), ending.allSatisfy(isAlphanumeric) else { return false }
        let lower = ending.map { $0 | 0x20 }
        return !lower.elementsEqual("md".utf8) && !lower.elementsEqual("markdown".utf8)
    }

    /// - Parameter rest: what follows "](".
    static func isFile(destination rest: ArraySlice<UInt8>) -> Bool {
        let start = rest.prefix(64).drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "<") }
        guard let first = start.first, first != UInt8(ascii: ")"), first != UInt8(ascii: "\n"),
            first != UInt8(ascii: "#")
        else { return false }
        // "https:" and "data:" are elsewhere or here already; "//host" is the network.
        if start.starts(with: "//".utf8) { return false }
        let scheme = start.prefix { isAlphanumeric($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
        return scheme.count < 2 || start.dropFirst(scheme.count).first != UInt8(ascii: ":")
            || scheme.elementsEqual("file".utf8)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
