// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `SnapshotDamage` says what a snapshot of a damaged vault lacks: pages and items that did not open when it was made.
///
/// ```
/// UInt32 pages | UInt64 entries | UInt64 changes | UInt64 losses
/// | UInt32 count, count x (UInt8 kind | flag + noteID 10 | text title | text name)
/// ```
/// Spec: docs/format.md §22.
public struct SnapshotDamage: Sendable, Equatable {
    /// Losses that are named; more of them are only counted.
    public static let lossCountMax = 4096
    public static let textByteCountMax = 1024

    /// Pages of the index that did not open.
    public var pageCount: UInt32 = 0
    /// Links of the history's chain that are missing.
    public var entryCount: UInt64 = 0
    /// Steps that undo could have taken back.
    public var changeCount: UInt64 = 0
    /// Of all losses, also of those that are not named.
    public private(set) var lossCount: UInt64 = 0
    public private(set) var losses: [Loss] = []

    public struct Loss: Sendable, Equatable, Hashable {
        public enum Kind: UInt8, Sendable, CaseIterable {
            /// A note with all of its revisions.
            case note = 1
            /// The newest text of a note that an older one is left of.
            case text
            /// An older revision of a note.
            case revision
            case attachment
            /// An unfinished edit.
            case draft
        }

        public var kind: Kind
        /// Nil for a draft that belongs to no note yet.
        public var noteID: NoteID?
        /// As far as it is known; empty for a private note.
        public var title: String
        /// Of an attachment, as far as it is known.
        public var name: String

        public init(_ kind: Kind, _ noteID: NoteID?, title: String = "", name: String = "") {
            self.kind = kind
            self.noteID = noteID
            self.title = Self.cut(title)
            self.name = Self.cut(name)
        }

        /// Returns a text, or the beginning of one that is longer than may be kept.
        private static func cut(_ text: String) -> String {
            guard text.utf8.count > textByteCountMax else { return text }
            var cut = ""
            for character in text where cut.utf8.count + String(character).utf8.count <= textByteCountMax {
                cut.append(character)
            }
            return cut
        }
    }

    public init() {}

    public var isEmpty: Bool { self == SnapshotDamage() }

    public mutating func add(_ loss: Loss) {
        lossCount += 1
        if losses.count < Self.lossCountMax { losses.append(loss) }
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        let at = reader.offset
        pageCount = try reader.u32()
        entryCount = try reader.u64()
        changeCount = try reader.u64()
        lossCount = try reader.u64()
        let count = try reader.u32()
        guard count <= Self.lossCountMax, UInt64(count) <= lossCount else { throw FormatError(.tooLarge, offset: at) }
        for _ in 0..<count {
            guard let kind = Loss.Kind(rawValue: try reader.u8()) else {
                throw FormatError(.unknownKind, offset: reader.offset - 1)
            }
            let noteID = try reader.flag() ? try NoteID(reader.bytes(NoteID.byteCount)) : nil
            losses.append(
                Loss(
                    kind, noteID,
                    title: try reader.text(max: Self.textByteCountMax),
                    name: try reader.text(max: Self.textByteCountMax)))
        }
        // Nothing lost is version 1: each list has one encoding.
        guard !isEmpty else { throw FormatError(.notCanonical, offset: at) }
    }

    func encode(to writer: inout ByteWriter) {
        writer.u32(pageCount)
        writer.u64(entryCount)
        writer.u64(changeCount)
        writer.u64(lossCount)
        writer.u32(UInt32(losses.count))
        for loss in losses {
            writer.u8(loss.kind.rawValue)
            writer.flag(loss.noteID != nil)
            if let noteID = loss.noteID { writer.raw(noteID.bytes) }
            writer.text(loss.title)
            writer.text(loss.name)
        }
    }
}
