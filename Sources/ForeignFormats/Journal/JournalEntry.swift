// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `JournalEntry` is an entry of jrnl: a time, a title and a text in which "@word" is a tag.
struct JournalEntry {
    private static let tagCountMax = 1000

    let time: String
    private(set) var title: String
    private(set) var body: [UInt8]
    private var tags: [String]
    private(set) var isCut = false
    private let readsTags: Bool

    init(time: String, title: String, body: [UInt8], tags: [String]) {
        (self.time, self.title, self.body, self.tags, readsTags) = (time, title, body, tags, false)
    }

    /// Reads a line that begins an entry: "[2024-01-31 09:05] Title", with seconds, AM or PM, or without brackets in
    /// old journals.
    init?(head line: [UInt8]) {
        var rest = line[...]
        let isBracketed = rest.first == UInt8(ascii: "[")
        let stamp: String
        if isBracketed {
            guard let close = rest.prefix(40).firstIndex(of: UInt8(ascii: "]")) else { return nil }
            stamp = String(decoding: rest[(rest.startIndex + 1)..<close], as: UTF8.self)
            rest = rest[(close + 1)...]
        } else {
            guard rest.count >= 16 else { return nil }
            stamp = String(decoding: rest.prefix(16), as: UTF8.self)
            rest = rest.dropFirst(16)
        }
        guard stamp.utf8.count >= 10, stamp.first?.isNumber == true, rest.first == nil || rest.first == 0x20 else {
            return nil
        }
        let time = Self.in24Hours(stamp)
        // In brackets an unreadable date still begins an entry; without, it is text.
        let looksDated =
            stamp.utf8.prefix(5).last == UInt8(ascii: "-") || stamp.utf8.prefix(5).last == UInt8(ascii: "/")
        guard isBracketed ? looksDated : MarkdownDate.milliseconds(time) != nil else { return nil }
        self.time = time
        var text = MarkdownTitle.clean(String(decoding: rest, as: UTF8.self)) ?? ""
        var tags: [String] = []
        // The star stands behind the title or before it.
        if text.hasSuffix(" *") || text == "*" {
            text = MarkdownTitle.clean(String(text.dropLast())) ?? ""
            tags = ["starred"]
        } else if text.hasPrefix("* ") {
            text = String(text.dropFirst(2))
            tags = ["starred"]
        }
        (title, body, self.tags, readsTags) = (text, [], tags, true)
    }

    mutating func add(line: [UInt8]) {
        guard body.count + line.count < ParsedNote.bodyByteCountMax else {
            isCut = true
            return
        }
        body += line
        body.append(UInt8(ascii: "\n"))
    }

    mutating func endWithOneLineFeed() {
        let lineFeed = UInt8(ascii: "\n")
        guard body.last == lineFeed else { return }
        while body.last == lineFeed { body.removeLast() }
        if !body.isEmpty { body.append(lineFeed) }
    }

    /// The export's own, or the "@words" of title and text.
    var allTags: [String] {
        var result = tags.map { $0.first == "@" ? String($0.dropFirst()) : $0 }
        guard readsTags else { return result }
        var known = Set(result)
        for line in [Array(title.utf8)[...]] + body.split(separator: UInt8(ascii: "\n")) {
            for word in line.split(whereSeparator: { $0 <= 0x20 })
            where word.first == UInt8(ascii: "@") && word.count > 1 && word.count <= 400 {
                let text = String(decoding: word.dropFirst(), as: UTF8.self)
                let tag = String(text.prefix { $0.isLetter || $0.isNumber || "_-/+*#".contains($0) })
                guard !tag.isEmpty, result.count < Self.tagCountMax, known.insert(tag).inserted else { continue }
                result.append(tag)
            }
        }
        return result
    }

    /// Converts a time to 24 hours: "2024-01-31 09:05:30 PM" is "2024-01-31 21:05:30".
    private static func in24Hours(_ stamp: String) -> String {
        let parts = stamp.uppercased().split(separator: " ").map(String.init)
        guard parts.count == 3, parts[2] == "AM" || parts[2] == "PM", let colon = parts[1].firstIndex(of: ":"),
            let hour = Int(parts[1][..<colon]),
            (1...12).contains(hour)
        else { return stamp }
        return "\(parts[0]) \(hour % 12 + (parts[2] == "PM" ? 12 : 0))\(parts[1][colon...])"
    }
}
