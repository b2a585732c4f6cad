// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SearchText
public import VaultFormat

/// `NoteNames` brings tags and notebooks into one form, no matter who wrote them.
public enum NoteNames {
    /// Returns a tag without "#" before it and white space around it; white space inside becomes one space. It returns
    /// nil when nothing is left.
    public static func tag(_ text: String) -> String? {
        let name = collapsed(text.drop { $0 == "#" || $0.isWhitespace })
        return name.isEmpty ? nil : name
    }

    /// Returns each tag once, without regard to case and diacritics; the first spelling counts.
    public static func tags(_ texts: [String]) -> [String] {
        var known: Set<[UInt8]> = []
        return texts.compactMap(tag).filter { known.insert(TagKey.bytes($0)).inserted }
    }

    /// Returns a path without empty parts: "work//2026/" is "work/2026".
    public static func notebook(_ text: String) -> String {
        text.split(separator: "/").map { collapsed($0) }.filter { !$0.isEmpty }.joined(separator: "/")
    }

    /// Turns line feeds and other controls into spaces: a name is one line everywhere.
    private static func collapsed(_ text: some StringProtocol) -> String {
        text.split {
            $0.isWhitespace || $0.isNewline || $0.unicodeScalars.allSatisfy { $0.value < 0x20 || $0.value == 0x7F }
        }.joined(separator: " ")
    }
}

/// A `NoteChange` is one change of a note's fields.
public enum NoteChange: Sendable, Equatable {
    /// Nil takes a title away that was set: the first line counts again.
    case title(String?)
    case tag([String])
    case untag([String])
    case notebook(String)
    case flag(NoteFlag, Bool)
    /// When it was made, in milliseconds since 1970, UTC.
    case created(Int64)
    /// Every tag with this name, or below it, gets another: "work" and "work/x" become "job" and "job/x".
    case renameTag(String, to: String)
    /// Several tags become one.
    case mergeTags([String], into: String)
    /// A notebook and all below it get another path; empty takes its notes out.
    case renameNotebook(String, to: String)

    func apply(to record: inout NoteRecord) {
        switch self {
        case .title(let title): record.title = title
        case .tag(let tags): record.tags = NoteNames.tags(record.tags + tags)
        case .untag(let tags):
            let gone = Set(NoteNames.tags(tags).map { TagKey.bytes($0) })
            record.tags.removeAll { gone.contains(TagKey.bytes($0)) }
        case .notebook(let path): record.notebook = NoteNames.notebook(path)
        case .flag(let flag, let isSet): record.flags.set(flag, isSet)
        case .created(let moment): record.created = moment
        case .renameTag(let old, let new):
            record.tags = NoteNames.tags(record.tags.map { Self.renamed($0, old, new, fold: TagKey.bytes) })
        case .mergeTags(let old, let new):
            for tag in old { NoteChange.renameTag(tag, to: new).apply(to: &record) }
        case .renameNotebook(let old, let new):
            record.notebook = NoteNames.notebook(Self.renamed(record.notebook, old, new) { Array($0.utf8) })
        }
    }

    /// Returns `path` with `old` at its beginning replaced, whole parts only.
    private static func renamed(_ path: String, _ old: String, _ new: String, fold: (String) -> [UInt8]) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let count = old.split(separator: "/", omittingEmptySubsequences: false).count
        guard parts.count >= count, fold(parts.prefix(count).joined(separator: "/")) == fold(old) else { return path }
        return ([Substring(new)] + parts.dropFirst(count)).filter { !$0.isEmpty }.joined(separator: "/")
    }

    /// The entry's operation: the trash has its own.
    var operation: Entry.Operation {
        guard case .flag(.trashed, let isSet) = self else { return .edit }
        return isSet ? .trash : .restore
    }

    /// Whether the note counts as modified: its order in a list follows its words, not where it was put.
    var isModification: Bool {
        if case .title = self { return true }
        return false
    }
}
