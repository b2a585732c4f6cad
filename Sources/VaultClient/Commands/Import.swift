// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol

/// `vault import`.
enum ImportGroup: CommandGroup {
    static let name = "import"
    static var spec: Spec {
        Spec(
            "Import notes from other programs.",
            discussion: """
                Importing the same source again updates the notes of the first import. What cannot be carried over \
                is listed.
                """)
    }
    static var commands: [any Command.Type] {
        [
            ImportAutoCommand.self, ImportMarkdownCommand.self, ImportObsidianCommand.self, ImportJoplinCommand.self,
            ImportStandardNotesCommand.self,
            ImportJrnlCommand.self, ImportPassCommand.self, ImportEnexCommand.self, ImportJSONCommand.self,
        ]
    }
}

struct ImportAutoCommand: Command {
    static let name = "auto"
    static var spec: Spec {
        Spec(
            "Detect the format of a file or folder, and import it.",
            examples: [
                "vault import auto ~/Downloads/export.jex --dry-run":
                    "See what it is, what would be imported, and what would be lost.",
                "vault import auto ~/Downloads/export.jex": "Import it.",
            ])
    }
    var options = ImportOptions(nil)

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&options.path, "path", "The file or folder.", completion: .file)
        options.declare(&list)
        options.passwords.declare(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try ImportCommand.run(options, context) }
}

struct ImportMarkdownCommand: Command {
    static let name = "markdown"
    static var spec: Spec {
        Spec(
            "Import a folder of Markdown and text files.",
            discussion: """
                Folders become notebooks, files that the notes name become attachments. Importing the same folder \
                again updates its notes.
                """,
            examples: [
                "vault import markdown ~/notes --dry-run": "See what would be imported, and what would be lost.",
                "vault import markdown ~/notes": "Import the folder; its folders become notebooks.",
            ])
    }
    var options = ImportOptions(.markdown)

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&options.path, "directory", "The folder.", completion: .folder)
        options.declare(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try ImportCommand.run(options, context) }
}

struct ImportObsidianCommand: Command {
    static let name = "obsidian"
    static var spec: Spec {
        Spec(
            "Import an Obsidian vault.",
            discussion: "Links by name are resolved as Obsidian does; drawings and boards are kept as attachments.",
            examples: ["vault import obsidian ~/Obsidian": "Import notes, links and the files that the notes show."])
    }
    var options = ImportOptions(.obsidian)

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&options.path, "directory", "The folder.", completion: .folder)
        options.declare(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try ImportCommand.run(options, context) }
}

struct ImportJoplinCommand: Command {
    static let name = "joplin"
    static var spec: Spec {
        Spec(
            "Import a Joplin export.",
            discussion: "A .jex file, or the folder of a RAW export.",
            examples: [
                "vault import joplin all.jex --report lost.json":
                    "Import it, and keep a list of what could not be carried over."
            ])
    }
    var options = ImportOptions(.joplin)

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&options.path, "path", "The file or folder.", completion: .file)
        options.declare(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try ImportCommand.run(options, context) }
}

struct ImportStandardNotesCommand: Command {
    static let name = "standardnotes"
    static var spec: Spec {
        Spec(
            "Import a decrypted Standard Notes backup.",
            discussion: "The .zip file, or the text file in it. An encrypted backup is refused: make a decrypted one.",
            examples: ["vault import standardnotes backup.zip": "Import a decrypted backup."])
    }
    var options = ImportOptions(.standardnotes)

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&options.path, "path", "The file or folder.", completion: .file)
        options.declare(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try ImportCommand.run(options, context) }
}

struct ImportJrnlCommand: Command {
    static let name = "jrnl"
    static var spec: Spec {
        Spec(
            "Import a jrnl journal.",
            discussion: """
                A journal file or folder, or what 'jrnl --format json' prints. An encrypted journal is refused: \
                export it first.
                """,
            examples: [
                "vault import jrnl ~/.local/share/jrnl/journal.txt": "Import a journal.",
                "vault import jrnl journal.json": "Import what 'jrnl --format json' has printed.",
                "vault import jrnl ~/journal --timezone Europe/Berlin":
                    "Import a diary that was kept in another time zone.",
            ])
    }
    var options = ImportOptions(.jrnl)

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&options.path, "path", "The file or folder.", completion: .file)
        options.declare(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try ImportCommand.run(options, context) }
}

struct ImportPassCommand: Command {
    static let name = "pass"
    static var spec: Spec {
        Spec(
            "Import a pass or passage store, each entry as a private note.",
            discussion: """
                Your gpg decrypts the entries, or --identity those of passage; nothing is written unencrypted. One \
                password is set for all imported notes, and a second import asks for the same one.
                """,
            examples: [
                "vault import pass ~/.password-store":
                    "Import each entry as a private note; one password is set for all of them.",
                "vault import pass ~/.passage/store --identity ~/.passage/identities": "Import a passage store.",
            ])
    }
    var options = ImportOptions(.pass)

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&options.path, "directory", "The store.", completion: .folder)
        options.declare(&list)
        options.passwords.declare(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try ImportCommand.run(options, context) }
}

struct ImportEnexCommand: Command {
    static let name = "enex"
    static var spec: Spec {
        Spec(
            "Import an Evernote export.",
            discussion: "An .enex file becomes one notebook, named after the file.",
            examples: ["vault import enex recipes.enex": "Import the notebook 'recipes'."])
    }
    var options = ImportOptions(.enex)

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&options.path, "path", "The file or folder.", completion: .file)
        options.declare(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try ImportCommand.run(options, context) }
}

struct ImportJSONCommand: Command {
    static let name = "json"
    static var spec: Spec {
        Spec(
            "Import a JSON export of vault.",
            discussion: """
                Notes that were private need a password again: give it with --note-password-file, or they are left \
                out.
                """,
            examples: [
                "vault import json export.json": "Import what 'vault export json' has written.",
                "vault import json export.json.age --identity ~/key.txt":
                    "Import an export that is encrypted with age.",
            ])
    }
    var options = ImportOptions(.json)

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&options.path, "path", "The file or folder.", completion: .file)
        options.declare(&list)
        options.passwords.declare(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try ImportCommand.run(options, context) }
}

/// What `vault import` is told.
struct ImportOptions: Sendable, Equatable, ArgumentGroup {
    /// Nil: to be found out.
    var format: ImportFormat?
    var path: String
    var dryRun = false
    /// The zone of dates that name none; nil for this machine's.
    var timeZone: String?
    /// What opens a source that is sealed for age.
    var sealed = SealedOptions()
    /// A new file for all that could not be carried over.
    var report: String?
    /// Of notes that are to be private.
    var passwords = NotePasswordOptions()

    init(_ format: ImportFormat?, _ path: String = "") {
        self.format = format
        self.path = path
    }

    mutating func declare(_ list: inout ArgumentList) {
        list.flag(&dryRun, "dry-run", "Only show what would be imported, and what would be lost.")
        list.option(
            &report, "report", value: "file", "Write a list of what could not be carried over to a new file, as JSON.",
            completion: .file)
        list.option(
            &timeZone, "timezone", value: "zone",
            "The time zone of dates without one, such as Europe/Berlin or +02:00; this machine's by default.")
        list.option(
            &sealed.identity, "identity", value: "file",
            "Decrypt a source that is encrypted with age, with the keys in a file.",
            completion: .file)
        list.option(
            &sealed.passphraseFile, "passphrase-file", value: "file",
            "Read the passphrase of such a source from a file.", completion: .file)
        list.option(&sealed.passphraseDescriptor, "passphrase-fd", value: "n", "Read it from an open descriptor.")
    }
}
