// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol
internal import Yams

/// `MarkdownTags` holds the tags of one note: the first spelling of each counts, whatever its case.
struct MarkdownTags {
    private(set) var list: [String] = []
    private var known: Set<String> = []
    /// Whether a tag found no room; then there is no use in looking for more.
    private(set) var isFull = false

    /// Adds a tag without its "#".
    ///
    /// - Returns: whether the note has the tag now.
    mutating func add(_ tag: String, _ losses: inout MarkdownLosses) -> Bool {
        guard !tag.isEmpty else { return true }
        // A scalar is at least one byte, so most tags need no count.
        let limit = ParsedNote.tagScalarCountMax
        guard tag.utf8.count <= limit || tag.unicodeScalars.count <= limit else {
            losses.add(.tagTooLong)
            return false
        }
        let folded = tag.lowercased()
        if known.contains(folded) { return true }
        guard list.count < ParsedNote.tagCountMax else {
            losses.add(.tooManyTags)
            isFull = true
            return false
        }
        known.insert(folded)
        list.append(tag)
        return true
    }
}

extension MarkdownTags {
    /// Adds what a property holds: a list of tags, or one text with commas or blanks between them.
    ///
    /// - Returns: whether all of it was taken.
    mutating func add(_ value: Node, _ losses: inout MarkdownLosses) -> Bool {
        switch value {
        case .scalar(let scalar):
            if scalar.isNull { return true }
            let text = scalar.string
            // With commas a tag may be of several words; without them each word is a tag.
            let parts = text.contains(",") ? text.split(separator: ",") : text.split(whereSeparator: \.isWhitespace)
            return addAll(parts.map(String.init), &losses)
        case .sequence(let sequence):
            var texts: [String] = []
            for item in sequence {
                guard case .scalar(let scalar) = item else {
                    losses.add(.unreadableTags)
                    return false
                }
                if !scalar.isNull { texts.append(scalar.string) }
            }
            return addAll(texts, &losses)
        case .mapping, .alias:
            losses.add(.unreadableTags)
            return false
        }
    }

    /// Adds "#a #b", "a, #b" and lists of "- #a", in which YAML takes the "#" for a comment's.
    ///
    /// - Returns: false, and nothing was added, if it may be a comment: "#" before a blank, or words without "#" after
    ///   it.
    mutating func addCommented(_ entry: MarkdownYAML.Entry, _ losses: inout MarkdownLosses) -> Bool {
        guard let colon = entry.lines.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let bytes = entry.lines[entry.lines.index(after: colon)...]
        let text = String(decoding: bytes, as: UTF8.self)
        var words = text.contains(",") ? text.split(separator: ",") : text.split(whereSeparator: \.isWhitespace)
        switch entry.value {
        case .scalar(let scalar):
            guard scalar.style == .plain, bytes.dropLast().allSatisfy({ $0 != UInt8(ascii: "\n") }) else {
                return false
            }
        case .sequence(let sequence):
            guard sequence.allSatisfy({ $0.scalar?.isNull == true }) else { return false }
            words = text.split(whereSeparator: \.isWhitespace).filter { $0 != "-" }
            guard words.allSatisfy({ $0.first == "#" }) else { return false }
        case .mapping, .alias: return false
        }
        let tags = words.compactMap { MarkdownTitle.clean(String($0)) }
        let commented = tags.drop { $0.first != "#" }
        let areTags = commented.allSatisfy {
            $0.first == "#" && $0.count > 1 && $0.dropFirst().first?.isWhitespace == false
        }
        guard areTags, !tags.contains(where: { $0.dropFirst().contains("#") }) else { return false }
        return addAll(tags, &losses)
    }

    private mutating func addAll(_ texts: [String], _ losses: inout MarkdownLosses) -> Bool {
        var areAllTaken = true
        for text in texts {
            if MarkdownTitle.hasControlCharacters(text) {
                losses.add(.unreadableTags)
                areAllTaken = false
                continue
            }
            let clean = MarkdownTitle.clean(text) ?? ""
            let tag = clean.first == "#" ? MarkdownTitle.clean(String(clean.dropFirst())) ?? "" : clean
            if !add(tag, &losses) { areAllTaken = false }
        }
        return areAllTaken
    }
}
