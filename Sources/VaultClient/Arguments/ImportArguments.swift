// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import ArgumentParser

struct ImportArguments: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import notes from other programs.",
        discussion: "Importing the same source again updates the notes of the first import. What cannot be carried over is listed.",
        subcommands: [
            ImportAutoArguments.self, ImportMarkdownArguments.self, ImportObsidianArguments.self, ImportJoplinArguments.self,
            ImportStandardNotesArguments.self, ImportJrnlArguments.self, ImportPassArguments.self, ImportEnexArguments.self, ImportJSONArguments.self,
        ])
}

/// What all of them take.
struct ImportFields: ParsableArguments {
    @Flag(help: "Only show what would be imported, and what would be lost.") var dryRun = false
    @Option(help: ArgumentHelp("Write a list of what could not be carried over to a new file, as JSON.", valueName: "file"), completion: .file())
    var report: String?

    @Option(help: ArgumentHelp("The time zone of dates without one, such as Europe/Berlin or +02:00; this machine's by default.", valueName: "zone"))
    var timezone: String?

    @Option(help: ArgumentHelp("Decrypt a source that is encrypted with age, with the keys in a file.", valueName: "file"), completion: .file())
    var identity: String?
    @Option(help: ArgumentHelp("Read the passphrase of such a source from a file.", valueName: "file"), completion: .file())
    var passphraseFile: String?
    @Option(name: .customLong("passphrase-fd"), help: ArgumentHelp("Read it from an open descriptor.", valueName: "n"))
    var passphraseDescriptor: Int32?

    func options(_ format: ImportFormat?, _ path: String) -> ImportOptions {
        var options = ImportOptions(format, path)
        options.dryRun = dryRun
        options.report = report
        options.timeZone = timezone
        options.sealed.identity = identity
        options.sealed.passphraseFile = passphraseFile
        options.sealed.passphraseDescriptor = passphraseDescriptor
        return options
    }
}

struct ImportAutoArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "auto", abstract: "Detect the format of a file or folder, and import it.")
    @Argument(help: "The file or folder.", completion: .file()) var path: String
    @OptionGroup var fields: ImportFields
    @OptionGroup var passwords: NotePasswordFields
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        var options = fields.options(nil, path)
        options.passwords = passwords.options
        return try ImportCommand.run(options, context)
    }
}

struct ImportMarkdownArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "markdown", abstract: "Import a folder of Markdown and text files.",
        discussion:
            "Folders become notebooks, files that the notes name become attachments. Importing the same folder again updates its notes."
    )
    @Argument(help: "The folder.", completion: .directory) var directory: String
    @OptionGroup var fields: ImportFields
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try ImportCommand.run(fields.options(.markdown, directory), context)
    }
}

struct ImportObsidianArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "obsidian", abstract: "Import an Obsidian vault.",
        discussion: "Links by name are resolved as Obsidian does; drawings and boards are kept as attachments.")
    @Argument(help: "The folder.", completion: .directory) var directory: String
    @OptionGroup var fields: ImportFields
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try ImportCommand.run(fields.options(.obsidian, directory), context)
    }
}

struct ImportJoplinArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "joplin", abstract: "Import a Joplin export.", discussion: "A .jex file, or the folder of a RAW export.")
    @Argument(help: "The file or folder.", completion: .file()) var path: String
    @OptionGroup var fields: ImportFields
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try ImportCommand.run(fields.options(.joplin, path), context) }
}

struct ImportStandardNotesArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "standardnotes", abstract: "Import a decrypted Standard Notes backup.",
        discussion: "The .zip file, or the text file in it. An encrypted backup is refused: make a decrypted one.")
    @Argument(help: "The file or folder.", completion: .file()) var path: String
    @OptionGroup var fields: ImportFields
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try ImportCommand.run(fields.options(.standardnotes, path), context) }
}

struct ImportJrnlArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "jrnl", abstract: "Import a jrnl journal.",
        discussion: "A journal file or folder, or what 'jrnl --format json' prints. An encrypted journal is refused: export it first.")
    @Argument(help: "The file or folder.", completion: .file()) var path: String
    @OptionGroup var fields: ImportFields
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try ImportCommand.run(fields.options(.jrnl, path), context) }
}

struct ImportPassArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "pass", abstract: "Import a pass or passage store, each entry as a private note.",
        discussion:
            "Your gpg decrypts the entries, or --identity those of passage; nothing is written unencrypted. One password is set for all imported notes, and a second import asks for the same one."
    )
    @Argument(help: "The store.", completion: .directory) var directory: String
    @OptionGroup var fields: ImportFields
    @OptionGroup var passwords: NotePasswordFields
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        var options = fields.options(.pass, directory)
        options.passwords = passwords.options
        return try ImportCommand.run(options, context)
    }
}

struct ImportEnexArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "enex", abstract: "Import an Evernote export.", discussion: "An .enex file becomes one notebook, named after the file.")
    @Argument(help: "The file or folder.", completion: .file()) var path: String
    @OptionGroup var fields: ImportFields
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try ImportCommand.run(fields.options(.enex, path), context) }
}

struct ImportJSONArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "json", abstract: "Import a JSON export of vault.",
        discussion: "Notes that were private need a password again: give it with --note-password-file, or they are left out.")
    @Argument(help: "The file or folder.", completion: .file()) var path: String
    @OptionGroup var fields: ImportFields
    @OptionGroup var passwords: NotePasswordFields
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        var options = fields.options(.json, path)
        options.passwords = passwords.options
        return try ImportCommand.run(options, context)
    }
}
