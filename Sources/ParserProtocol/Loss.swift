// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `Loss` tells of something of a foreign file that the note does not carry in its place. What could not be placed
/// stays in the text, unless the sentence says otherwise.
public struct Loss: Sendable, Hashable {
    /// Longest detail, in bytes.
    public static let detailByteCountMax = 64

    public let code: Code
    /// Which or how many: a short name of ASCII letters, digits, "_", "-" and ".", or a number; often empty. Never text
    /// of the note, and nothing that a terminal would obey.
    public let detail: String

    /// Makes a loss; a detail that is not a short name is left out.
    public init(_ code: Code, detail: String = "") {
        self.code = code
        self.detail = Self.isName(detail) ? detail : ""
    }

    /// Returns whether a text may be a detail.
    public static func isName(_ text: String) -> Bool {
        text.utf8.count <= detailByteCountMax
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}

extension Loss {
    /// `Code` says what was lost. The raw values are those of the record: never reused.
    public enum Code: UInt8, Sendable, Hashable, CaseIterable {
        case notUTF8 = 1
        case damagedUTF16 = 2
        case containsNUL = 3
        case bodyTooLong = 4
        case titleTooLong = 5
        case controlCharactersInTitle = 6
        case tooManyTags = 7
        case tagTooLong = 8
        case unreadableTags = 9
        case unreadableDate = 10
        case unreadableTitle = 11
        case unknownFrontMatterKey = 12
        case aliasesKept = 13
        case frontMatterComment = 14
        case frontMatterInvalid = 15
        case attachmentNotImported = 16
        case pathNotUTF8 = 17
        case notebookTooLong = 18
        case moreLosses = 19
        case linkTargetMissing = 20
        case attachmentMissing = 21
        case dateReplaced = 22
        case attachmentRenamed = 23
        case originalKept = 24
        case encryptedItem = 25
        case linkPartLost = 26
        case noteShownAsLink = 27
        case unsupportedMarkup = 28
        case damagedMarkup = 29
        case attachmentDamaged = 30
        case tooManyExtras = 31
        case flagNotCarried = 32
        case ambiguousLink = 33
        case titleMadeUnique = 34
        case textDamaged = 35
        case historyNotCarried = 36
        case protectionNotCarried = 37
        case linkUnresolved = 38
        case linkPartKept = 39
        case linkTitleLost = 40
        case drawingKept = 41
        case fieldNotCarried = 42
        case shelfKeptAsTag = 43
        case valueCut = 44
        case valueUnreadable = 45
        case bookFileNotImported = 46
        case bookmarkNotCarried = 47
        case highlightRepeated = 48
        case highlightWithoutText = 49
        case ratingRounded = 50

        /// Whether all of it is in the note, in its own words or as a file: counted by kind, and no loss.
        public var isKept: Bool {
            switch self {
            case .unknownFrontMatterKey, .aliasesKept, .frontMatterComment, .containsNUL, .noteShownAsLink,
                .titleMadeUnique, .linkUnresolved,
                .linkPartKept, .drawingKept, .shelfKeptAsTag, .highlightRepeated:
                true
            case .notUTF8, .damagedUTF16, .bodyTooLong, .titleTooLong, .controlCharactersInTitle, .tooManyTags,
                .tagTooLong, .unreadableTags, .unreadableDate, .unreadableTitle, .frontMatterInvalid,
                .attachmentNotImported, .pathNotUTF8, .notebookTooLong, .moreLosses, .linkTargetMissing,
                .attachmentMissing, .dateReplaced, .attachmentRenamed, .originalKept, .encryptedItem, .linkPartLost,
                .unsupportedMarkup, .damagedMarkup, .attachmentDamaged, .tooManyExtras, .flagNotCarried,
                .ambiguousLink, .textDamaged, .historyNotCarried, .protectionNotCarried, .linkTitleLost,
                .fieldNotCarried, .valueCut, .valueUnreadable, .bookFileNotImported, .bookmarkNotCarried,
                .highlightWithoutText, .ratingRounded:
                false
            }
        }

        /// One sentence for a person; the detail, if there is one, is printed after it.
        public var sentence: String {
            switch self {
            case .notUTF8: "the file is not UTF-8; it was read as Windows-1252, so some letters may be wrong"
            case .damagedUTF16: "the file is damaged UTF-16; the bad places are marked with U+FFFD"
            case .containsNUL: "the text contains NUL characters; they were kept"
            case .bodyTooLong: "the text is longer than 16 MiB; the rest was left out"
            case .titleTooLong: "the title is too long and was cut; it is kept in full at the top of the text"
            case .controlCharactersInTitle: "the title contained control characters; they became spaces"
            case .tooManyTags: "the note has more than 256 tags; the others are only in its text"
            case .tagTooLong: "a tag is longer than 100 characters; it is only in the text"
            case .unreadableTags: "the tags could not be read; they are kept at the top of the text"
            case .unreadableDate: "a date could not be read; it is kept at the top of the text"
            case .unreadableTitle: "the title could not be read; it is kept at the top of the text"
            case .unknownFrontMatterKey: "a property has no place in a note; it is kept at the top of the text"
            case .aliasesKept: "other names of the note are kept at the top of the text"
            case .frontMatterComment: "a comment among the properties is kept at the top of the text"
            case .frontMatterInvalid: "the properties could not be read safely; they are kept at the top of the text"
            case .attachmentNotImported: "pictures or files that the text shows were not imported in this version"
            case .pathNotUTF8: "the file's or folder's name is not UTF-8; the bad places are marked with U+FFFD"
            case .notebookTooLong: "the folder's path is too long and was cut"
            case .linkTargetMissing: "links lead to notes that are not in the source; their words were kept"
            case .attachmentMissing: "files that the text shows are not in the source; their words were kept"
            case .dateReplaced: "a date was invalid or outside the years 1900 to 2200; it was left out"
            case .attachmentRenamed: "files whose names were taken or not allowed were renamed"
            case .originalKept: "the text could not be carried over whole; the original is attached"
            case .encryptedItem: "an encrypted part could not be read; export it decrypted from the other program"
            case .linkPartLost:
                "links to a place in a note lead to the whole note, and their words do not name the place"
            case .noteShownAsLink: "notes that were shown within this one are links"
            case .unsupportedMarkup: "a markup that Markdown does not have was left out; its text was kept"
            case .damagedMarkup: "the markup is damaged; what could be read was kept"
            case .attachmentDamaged: "a file could not be read to its end"
            case .tooManyExtras: "there are more files or links than a note can carry; the others are only in the text"
            case .flagNotCarried: "a mark of the other program has no place in a note"
            case .ambiguousLink: "links could mean several notes; they lead to the first"
            case .titleMadeUnique: "the same entry occurs twice; both were kept"
            case .textDamaged: "the text contains bytes that are not UTF-8; the bad places are marked with U+FFFD"
            case .historyNotCarried: "older versions of the note were not imported"
            case .protectionNotCarried:
                "the note had a password of its own where it comes from; here it is an ordinary note"
            case .linkUnresolved: "links lead to notes or files that are not in the source; they were left unchanged"
            case .linkPartKept: "links to a place in a note lead to the whole note; their words name the place"
            case .linkTitleLost: "link titles, shown under the pointer, were left out"
            case .drawingKept: "a drawing, board or table is kept as a file in a note of its own"
            case .fieldNotCarried: "a field of the other program has no place in a book; it was left out"
            case .shelfKeptAsTag: "a book stood on a shelf that is not known here; the shelf's name is a tag"
            case .valueCut: "a value of a book is too long, or there are too many; it was cut or left out"
            case .valueUnreadable: "a number of a book could not be read; it was left out"
            case .bookFileNotImported: "the file of a book was not imported; only what is said of the book was"
            case .bookmarkNotCarried: "bookmarks, which have no text, were left out"
            case .highlightRepeated: "a passage was highlighted again or extended; the longest one was kept"
            case .highlightWithoutText:
                "highlights have no text, or not all of it; a publisher may limit how much is copied"
            case .ratingRounded: "a rating was rounded to a quarter of a star"
            case .moreLosses: "there are more of this kind than are listed here"
            }
        }
    }
}
