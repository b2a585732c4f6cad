// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ImportFormat` says what an import reads. The raw values are the words of `vault import` and of `vault-parse`.
///
/// All that is known of a format is in its declaration below: the client makes its command of it, the agent treats
/// the notes as it says. Only what reads and recognizes the files is elsewhere, in ForeignFormats, since that parses.
public enum ImportFormat: String, Sendable, CaseIterable {
    case markdown, obsidian, joplin, standardnotes, jrnl, pass, enex, json, goodreads, storygraph, calibre, kindle

    public var declaration: Declaration {
        switch self {
        case .markdown: Self.markdownFolder
        case .obsidian: Self.obsidianVault
        case .joplin: Self.joplinExport
        case .standardnotes: Self.standardNotesBackup
        case .jrnl: Self.jrnlJournal
        case .pass: Self.passStore
        case .enex: Self.evernoteExport
        case .json: Self.vaultJSON
        case .goodreads: Self.goodreadsExport
        case .storygraph: Self.storyGraphExport
        case .calibre: Self.calibreLibrary
        case .kindle: Self.kindleClippings
        }
    }

    /// All of them, for a message.
    public static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension ImportFormat {
    /// `Declaration` is a format with its command.
    public struct Declaration: Sendable {
        /// What it is, for a person.
        public let title: String
        /// Whether a single file can be one, and not only a folder.
        public var takesFile = true
        /// Whether a single file may be an archive; any other file stands for itself.
        public var isArchived = false
        public var folder = FolderReading.files
        public var privateNotes = PrivateNotes.none
        /// Whether its program gives each note an identifier of its own, never used twice: where the export lies says
        /// nothing then.
        public var hasIdentifiers = false
        /// Flags that it says of every note: an update follows it there.
        public var knownFlags: ParsedNote.Flags = []
        /// The name of an encrypted one.
        public var noun = "backup"
        /// What to do about a source that is encrypted.
        public var decryptionHint = "export it decrypted from the other program, then import that"
        public let usage: Usage
    }

    /// `FolderReading` says how a folder of it is read.
    public enum FolderReading: Sendable {
        /// Notes, and what they name.
        case notes
        /// Notes, and all other files.
        case notesAndFiles
        /// Entries that another program decrypts; other files are passed over.
        case entries
        /// All files as one source.
        case files

        /// Whether the files are notes one by one, so that one that no parser survives is left out alone.
        public var isOfNotes: Bool {
            switch self {
            case .notes, .notesAndFiles: true
            case .entries, .files: false
            }
        }
    }

    /// `PrivateNotes` says which of its notes are stored under a password.
    public enum PrivateNotes: Sendable { case none, some, all }

    /// `Usage` holds what help says of its command.
    public struct Usage: Sendable {
        /// One sentence.
        public let abstract: String
        public var discussion = ""
        public var argument = "The file or folder."
        public let examples: KeyValuePairs<String, String>
    }
}

extension ImportFormat {
    private static var markdownFolder: Declaration {
        Declaration(
            title: "a folder of Markdown and text files", takesFile: false, isArchived: true, folder: .notes,
            decryptionHint: decryptedFirst,
            usage: Usage(
                abstract: "Import a folder of Markdown and text files.",
                discussion: """
                    Folders become notebooks, files that the notes name become attachments. Importing the same folder \
                    again updates its notes.
                    """,
                argument: "The folder.",
                examples: [
                    "vault import markdown ~/notes --dry-run": "See what would be imported, and what would be lost.",
                    "vault import markdown ~/notes": "Import the folder; its folders become notebooks.",
                ]))
    }

    private static var obsidianVault: Declaration {
        Declaration(
            title: "an Obsidian vault", takesFile: false, folder: .notesAndFiles, decryptionHint: decryptedFirst,
            usage: Usage(
                abstract: "Import an Obsidian vault.",
                discussion:
                    "Links by name are resolved as Obsidian does; drawings and boards are kept as attachments.",
                argument: "The folder.",
                examples: [
                    "vault import obsidian ~/Obsidian": "Import notes, links and the files that the notes show."
                ]))
    }

    private static let decryptedFirst =
        "decrypt it to a .md file first (nb show ID, gpg -d FILE, age -d FILE), then import again"

    private static var joplinExport: Declaration {
        Declaration(
            title: "a Joplin export (.jex, or a RAW folder)", isArchived: true, hasIdentifiers: true,
            knownFlags: .trashed,
            decryptionHint: "in Joplin: wait until all notes are decrypted, export again, then import that file",
            usage: Usage(
                abstract: "Import a Joplin export.", discussion: "A .jex file, or the folder of a RAW export.",
                examples: [
                    "vault import joplin all.jex --report lost.json":
                        "Import it, and keep a list of what could not be carried over."
                ]))
    }

    private static var standardNotesBackup: Declaration {
        Declaration(
            title: "a decrypted Standard Notes backup", isArchived: true, hasIdentifiers: true,
            knownFlags: [.pinned, .archived, .trashed],
            decryptionHint:
                "in Standard Notes: Preferences, Backups, Decrypted, Download backup; then import that file",
            usage: Usage(
                abstract: "Import a decrypted Standard Notes backup.",
                discussion:
                    "The .zip file, or the text file in it. An encrypted backup is refused: make a decrypted one.",
                examples: ["vault import standardnotes backup.zip": "Import a decrypted backup."]))
    }

    private static var jrnlJournal: Declaration {
        Declaration(
            title: "a jrnl journal", noun: "journal",
            decryptionHint: "jrnl --format json > journal.json, then vault import jrnl journal.json",
            usage: Usage(
                abstract: "Import a jrnl journal.",
                discussion: """
                    A journal file or folder, or what 'jrnl --format json' prints. An encrypted journal is refused: \
                    export it first.
                    """,
                examples: [
                    "vault import jrnl ~/.local/share/jrnl/journal.txt": "Import a journal.",
                    "vault import jrnl journal.json": "Import what 'jrnl --format json' has printed.",
                    "vault import jrnl ~/journal --timezone Europe/Berlin":
                        "Import a diary that was kept in another time zone.",
                ]))
    }

    private static var passStore: Declaration {
        Declaration(
            title: "a pass store", takesFile: false, folder: .entries, privateNotes: .all,
            decryptionHint: "check whether gpg opens it: pass show NAME",
            usage: Usage(
                abstract: "Import a pass or passage store, each entry as a private note.",
                discussion: """
                    Your gpg decrypts the entries, or --identity those of passage; nothing is written unencrypted. One \
                    password is set for all imported notes, and a second import asks for the same one.
                    """,
                argument: "The store.",
                examples: [
                    "vault import pass ~/.password-store":
                        "Import each entry as a private note; one password is set for all of them.",
                    "vault import pass ~/.passage/store --identity ~/.passage/identities": "Import a passage store.",
                ]))
    }

    private static var evernoteExport: Declaration {
        Declaration(
            title: "an Evernote export (.enex)",
            usage: Usage(
                abstract: "Import an Evernote export.",
                discussion: "An .enex file becomes one notebook, named after the file.",
                examples: ["vault import enex recipes.enex": "Import the notebook 'recipes'."]))
    }

    private static var vaultJSON: Declaration {
        Declaration(
            title: "a JSON export of vault", isArchived: true, privateNotes: .some, hasIdentifiers: true,
            knownFlags: ParsedNote.Flags(ParsedNote.Flags.named.values),
            usage: Usage(
                abstract: "Import a JSON export of vault.",
                discussion: """
                    Notes that were private need a password again: give it with --note-password-file, or they are \
                    left out.
                    """,
                examples: [
                    "vault import json export.json": "Import what 'vault export json' has written.",
                    "vault import json export.json.age --identity ~/key.txt":
                        "Import an export that is encrypted with age.",
                ]))
    }
}

extension ImportFormat {
    private static var goodreadsExport: Declaration {
        Declaration(
            title: "books of Goodreads (.csv)", hasIdentifiers: true,
            usage: Usage(
                abstract: "Import books of Goodreads, with shelves, ratings and reviews.",
                discussion: """
                    The file that Goodreads makes under My Books, Import and export. Shelves besides the exclusive one \
                    become tags; reviews and private notes become notes of their book.
                    """,
                argument: "The file.",
                examples: [
                    "vault import goodreads goodreads_library_export.csv":
                        "Import books; those that came before are updated."
                ]))
    }

    private static var storyGraphExport: Declaration {
        Declaration(
            title: "books of The StoryGraph (.csv)", hasIdentifiers: true,
            usage: Usage(
                abstract: "Import books of The StoryGraph, with the days on which they were read.",
                discussion: """
                    The file that The StoryGraph makes under Manage Account, Export StoryGraph Library. Moods, pace and \
                    warnings stand at the top of the book's text.
                    """,
                argument: "The file.",
                examples: ["vault import storygraph export.csv": "Import books, ratings, reviews and tags."]))
    }

    private static var calibreLibrary: Declaration {
        Declaration(
            title: "a calibre library", hasIdentifiers: true,
            usage: Usage(
                abstract: "Import what a calibre library knows of its books, with their covers.",
                discussion: """
                    The folder of the library, or one metadata.opf. The books themselves (.epub and others) are not \
                    imported.
                    """,
                argument: "The folder, or a metadata.opf.",
                examples: [
                    "vault import calibre ~/'Calibre Library' --dry-run": "See what would be imported.",
                    "vault import calibre ~/'Calibre Library'": "Import all books, with covers and descriptions.",
                ]))
    }

    private static var kindleClippings: Declaration {
        Declaration(
            title: "highlights of a Kindle (My Clippings.txt)", hasIdentifiers: true,
            usage: Usage(
                abstract: "Import highlights and notes of a Kindle.",
                discussion: """
                    The file My Clippings.txt in the folder 'documents' of the Kindle. Each highlight becomes a note of \
                    its book, together with what was noted there.
                    """,
                argument: "The file.",
                examples: [
                    "vault import kindle 'My Clippings.txt'":
                        "Import what is new on the Kindle."
                ]))
    }
}
