// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol
internal import Yams

/// `MarkdownProperties` holds what front matter says of a note. A property whose value was not taken whole stays, in
/// its own words, in `kept`.
struct MarkdownProperties {
    private(set) var title: String?
    private(set) var created: Int64?
    private(set) var updated: Int64?
    private(set) var flags: ParsedNote.Flags = []
    /// Other names of the note; they stay in its text too.
    private(set) var aliases: [String] = []
    /// The identifier that our own export wrote.
    private(set) var ownID: String?
    /// Files that our own export lists, as paths from the note's folder.
    private(set) var attachments: [String] = []
    /// Lines that the note must keep in its text, each with its LF.
    private(set) var kept: [UInt8] = []

    /// `Fate` says what became of an entry.
    private enum Fate {
        case taken
        case kept
    }

    /// Properties that name one time, the one that is believed first.
    private static let createdKeys = ["created", "created_at", "date"]
    private static let updatedKeys = ["updated", "updated_at", "modified", "lastmod"]
    /// Longest key that is named in a loss, in bytes.
    private static let namedKeyByteCountMax = 32

    private var createdRank = Int.max
    private var updatedRank = Int.max

    /// Reads front matter, and adds its tags.
    ///
    /// - Returns: nil if the front matter cannot be read safely; then nothing was taken from it.
    init?(yaml: [UInt8], tags: inout MarkdownTags, _ losses: inout MarkdownLosses) {
        guard let parsed = MarkdownYAML(yaml) else { return nil }
        chooseTimes(among: parsed.entries)
        ownID = parsed.entries.lazy.compactMap(Self.ownID).first
        var keptEntries: [MarkdownYAML.Entry] = []
        for entry in parsed.entries where take(entry, &tags, &losses) == .kept { keptEntries.append(entry) }
        let hasPreamble = parsed.preamble.contains { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") }
        if hasPreamble { losses.add(.frontMatterComment) }
        guard hasPreamble || !keptEntries.isEmpty else { return }
        if parsed.isByLine {
            kept = hasPreamble ? Array(parsed.preamble) : []
            for entry in keptEntries { kept += entry.lines }
        } else {
            kept = yaml
        }
        if kept.last != UInt8(ascii: "\n") { kept.append(UInt8(ascii: "\n")) }
    }

    private mutating func take(
        _ entry: MarkdownYAML.Entry, _ tags: inout MarkdownTags, _ losses: inout MarkdownLosses
    ) -> Fate {
        let key = entry.key.lowercased()
        let fate: Fate
        switch key {
        case "title": fate = takeTitle(entry, &losses)
        case "tags", "tag", "keywords":
            // "tags: #a #b" is a comment to YAML and tags to its author.
            if entry.hasComment, tags.addCommented(entry, &losses) { return .taken }
            fate = tags.add(entry.value, &losses) ? .taken : .kept
        case _ where Self.createdKeys.contains(key): fate = takeTime(entry, chosen: created, &losses)
        case _ where Self.updatedKeys.contains(key): fate = takeTime(entry, chosen: updated, &losses)
        case "aliases", "alias":
            addAliases(entry.value)
            losses.add(.aliasesKept)
            return .kept
        case "attachments" where ownID != nil:
            guard let listed = Self.quotedTexts(entry.value) else {
                addUnknown(entry, &losses)
                return .kept
            }
            attachments += listed.map {
                $0.hasPrefix("[[") && $0.hasSuffix("]]") ? String($0.dropFirst(2).dropLast(2)) : $0
            }
            fate = .taken
        default:
            guard takeOwn(key, entry, &losses) else {
                addUnknown(entry, &losses)
                return .kept
            }
            fate = .taken
        }
        guard fate == .taken, entry.hasComment else { return fate }
        losses.add(.frontMatterComment)
        return .kept
    }

    private mutating func takeTitle(_ entry: MarkdownYAML.Entry, _ losses: inout MarkdownLosses) -> Fate {
        guard case .scalar(let scalar) = entry.value else {
            losses.add(.unreadableTitle)
            return .kept
        }
        guard !scalar.isNull else { return .taken }
        guard title == nil else {
            addUnknown(entry, &losses)
            return .kept
        }
        if MarkdownTitle.hasControlCharacters(scalar.string) { losses.add(.controlCharactersInTitle) }
        guard let clean = MarkdownTitle.clean(scalar.string) else { return .taken }
        title = MarkdownTitle.cut(clean, byteCountMax: ParsedNote.titleByteCountMax)
        guard title != clean else { return .taken }
        losses.add(.titleTooLong)
        return .kept
    }

    /// Takes the times of a note from its properties; of several the best counts, wherever it stands.
    private mutating func chooseTimes(among entries: [MarkdownYAML.Entry]) {
        for entry in entries {
            guard case .scalar(let scalar) = entry.value, let (time, isLocal) = MarkdownDate.local(scalar.string) else {
                continue
            }
            let key = entry.key.lowercased()
            if let rank = Self.createdKeys.firstIndex(of: key), rank < createdRank {
                (created, createdRank) = (time, rank)
                flags = isLocal ? flags.union(.createdWithoutZone) : flags.subtracting(.createdWithoutZone)
            }
            if let rank = Self.updatedKeys.firstIndex(of: key), rank < updatedRank {
                (updated, updatedRank) = (time, rank)
                flags = isLocal ? flags.union(.updatedWithoutZone) : flags.subtracting(.updatedWithoutZone)
            }
        }
    }

    private func takeTime(_ entry: MarkdownYAML.Entry, chosen: Int64?, _ losses: inout MarkdownLosses) -> Fate {
        if case .scalar(let scalar) = entry.value {
            if scalar.isNull { return .taken }
            if let time = MarkdownDate.local(scalar.string)?.milliseconds {
                if time == chosen { return .taken }
                addUnknown(entry, &losses)
                return .kept
            }
        }
        losses.add(.unreadableDate, detail: entry.key)
        return .kept
    }

    /// Takes what our own export writes besides (docs/export.md): places, and where a note came from. Other programs'
    /// values under these names stay.
    private mutating func takeOwn(_ key: String, _ entry: MarkdownYAML.Entry, _ losses: inout MarkdownLosses) -> Bool {
        guard case .scalar(let scalar) = entry.value else { return false }
        if let flag = ParsedNote.Flags.named[key] {
            guard scalar.string == "true" else { return false }
            flags.insert(flag)
            return true
        }
        switch key {
        case "id":
            // The copy gets one of its own.
            return Self.ownID(entry) != nil
        case "imported-from":
            guard scalar.style == .doubleQuoted else { return false }
            losses.add(.flagNotCarried, detail: key)
            return true
        default: return false
        }
    }

    /// Returns a note's identifier, in quotes: nobody else writes them so.
    private static func ownID(_ entry: MarkdownYAML.Entry) -> String? {
        guard entry.key.lowercased() == "id", case .scalar(let scalar) = entry.value, scalar.style == .doubleQuoted,
            scalar.string.utf8.count == 16, scalar.string.utf8.allSatisfy(isBase32)
        else { return nil }
        return scalar.string
    }

    /// Adds one name, or a list of them; what is not text is left out.
    private mutating func addAliases(_ value: Node) {
        let texts: [String] =
            switch value {
            case .scalar(let scalar): scalar.isNull ? [] : scalar.string.split(separator: ",").map(String.init)
            case .sequence(let sequence): sequence.compactMap { $0.scalar.flatMap { $0.isNull ? nil : $0.string } }
            case .mapping, .alias: []
            }
        let names = texts.compactMap(MarkdownTitle.clean).filter { $0.utf8.count <= ParsedNote.titleByteCountMax }
        aliases += names.prefix(MarkdownNames.aliasCountMax - min(aliases.count, MarkdownNames.aliasCountMax))
    }

    /// Returns the texts of a list of nothing but texts in double quotes, as our own export writes it.
    private static func quotedTexts(_ value: Node) -> [String]? {
        guard case .sequence(let sequence) = value else { return nil }
        var texts: [String] = []
        for item in sequence {
            guard case .scalar(let scalar) = item, scalar.style == .doubleQuoted, !scalar.string.isEmpty else {
                return nil
            }
            texts.append(scalar.string)
        }
        return texts
    }

    private static func isBase32(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "2")...UInt8(ascii: "7")).contains(byte)
    }

    /// Counts a property that is not known. Its key may be anything; only what looks like a name is said aloud.
    private func addUnknown(_ entry: MarkdownYAML.Entry, _ losses: inout MarkdownLosses) {
        let isNamed = entry.key.utf8.count <= Self.namedKeyByteCountMax && entry.key.first?.isLetter == true
        losses.add(.unknownFrontMatterKey, detail: isNamed ? entry.key : "")
    }
}

extension Node.Scalar {
    /// Whether nothing stands there, in any of YAML's spellings.
    var isNull: Bool {
        switch style {
        case .plain, .any: ["", "~", "null", "Null", "NULL"].contains(string)
        default: string.isEmpty
        }
    }
}
