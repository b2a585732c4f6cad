// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A note that was read from a foreign file, as `vault-parse` sends it back.
///
/// ```
/// UInt8 version (1 or 2) | flag + text title | text notebook | text sourceKey | flag + Int64 created | flag + Int64 updated
/// | UInt16 count, text tag… | UInt8 count, (UInt8 code, text detail)… | version 2: extras | text body
/// extras: UInt8 flags | UInt16 count, (text name, text key)… attachments | UInt16 count, (text target, text sourceKey)… links
/// ```
/// Numbers are big-endian; a text is its length in bytes as UInt32, then UTF-8; times are milliseconds since 1970, UTC.
/// A note without extras is version 1, so each value has one encoding. The reader trusts none of it: a parser that a
/// file has taken over can still only say one of these values.
public struct ParsedNote: Sendable, Equatable {
    public static let version: UInt8 = 1
    public static let versionWithExtras: UInt8 = 2
    /// Largest record without its length, in bytes.
    public static let byteCountMax = bodyByteCountMax + 256 << 10
    /// Largest text, in bytes: what a note holds.
    public static let bodyByteCountMax = 16 << 20
    public static let titleByteCountMax = 4096
    public static let notebookByteCountMax = 4096
    public static let sourceKeyByteCountMax = 8192
    public static let tagCountMax = 256
    /// Largest tag, in Unicode scalars.
    public static let tagScalarCountMax = 100
    public static let lossCountMax = 64
    /// Attachments and links together, encoded, in bytes: what `byteCountMax` leaves for them.
    public static let extrasByteCountMax = 120 << 10
    /// 1900-01-01T00:00:00Z to 2200-12-31T23:59:59.999Z: what lies outside is a mistake, not a date of a note.
    public static let times: ClosedRange<Int64> = -2_208_988_800_000...7_289_654_399_999

    /// A title that the file sets; without one the first line counts.
    public var title: String?
    public var body = ""
    /// The file's folder with "/" between its parts; empty for none.
    public var notebook = ""
    /// At most 256, none empty.
    public var tags: [String] = []
    public var created: Int64?
    /// When the file says it was changed; without it the file's own time counts.
    public var updated: Int64?
    /// What a second import knows the note by. See `ForeignFile.sourceKey`.
    public var sourceKey: String
    /// At most 64.
    public var losses: [Loss] = []
    public var flags: Flags = []
    /// Files of the note, in order; their bytes came before the note. With `links` at most `extrasByteCountMax`.
    public var attachments: [AttachmentReference] = []
    /// Notes that the text names in `[[…]]`, each target once.
    public var links: [NoteReference] = []

    public init(sourceKey: String) { self.sourceKey = sourceKey }

    /// Whether the file set a title of its own.
    public var titleWasSet: Bool { title != nil }

    public var hasExtras: Bool { !flags.isEmpty || !attachments.isEmpty || !links.isEmpty }
}
