// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignRecords

/// The text of a note: it is taken over as it is, but for attachments that had to get another name.
struct VaultJSONBody {
    private static let mark = Array("](att:".utf8)
    private static let wikiMark = Array("[[".utf8)
    /// How many closing brackets are looked at for one name.
    private static let closingCountMax = 8

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Names the notes that the text leads to. One that is meant by its identifier gets another identifier where it is
    /// stored.
    ///
    /// - Returns: how many such links there are; each of a note's targets counts once.
    func addLinks(_ titles: NoteTitles, _ note: inout NoteAssembly) -> UInt64 {
        guard contains(Self.wikiMark) else { return 0 }
        var targets: Set<String> = []
        _ = MarkdownLinks.replacing(in: bytes) { occurrence in
            guard case .wiki(_, let content) = occurrence else { return nil }
            let part = content.prefix { $0 != UInt8(ascii: "|") }
            guard let target = MarkdownTitle.clean(String(decoding: part, as: UTF8.self)), !targets.contains(target)
            else { return nil }
            if titles.title(of: target) != nil {
                targets.insert(target)
                _ = note.link(to: target, target: target, label: "")
            } else if let found = titles.key(titled: target) {
                targets.insert(target)
                // A title of several notes means here what it meant there, whichever that is.
                if found.isUnique { _ = note.link(to: found.key, target: target, label: "") }
            } else if VaultJSONForm.isNoteID(target) {
                note.losses.add(.linkTargetMissing)
            }
            return nil
        }
        return UInt64(targets.count)
    }

    /// - Parameter names: new names by the old ones.
    func renaming(_ names: [String: String]) -> [UInt8] {
        guard !names.isEmpty else { return bytes }
        var result: [UInt8] = []
        var (at, copied) = (0, 0)
        while at < bytes.count {
            guard bytes[at] == UInt8(ascii: "]"), bytes[at...].starts(with: Self.mark),
                let found = name(at: at + Self.mark.count, names)
            else {
                at += 1
                continue
            }
            result += bytes[copied..<(at + Self.mark.count)]
            result += found.name.utf8
            (at, copied) = (found.end, found.end)
        }
        return result + bytes[copied...]
    }

    /// A name may hold brackets itself, so the next few are tried.
    private func name(at start: Int, _ names: [String: String]) -> (name: String, end: Int)? {
        var closings = 0
        var at = start
        let limit = min(bytes.count, start + 4096)
        while at < limit, bytes[at] != UInt8(ascii: "\n"), closings < Self.closingCountMax {
            if bytes[at] == UInt8(ascii: ")") {
                closings += 1
                if let name = names[String(decoding: bytes[start..<at], as: UTF8.self)] { return (name, at) }
            }
            at += 1
        }
        return nil
    }

    private func contains(_ mark: [UInt8]) -> Bool {
        var last: UInt8 = 0
        for byte in bytes {
            if last == mark[0], byte == mark[1] { return true }
            last = byte
        }
        return false
    }
}
