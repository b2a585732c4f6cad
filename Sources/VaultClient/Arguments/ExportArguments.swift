// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import ArgumentParser

struct ExportArguments: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write notes in a format that other programs read.",
        discussion: "Locked private notes are left out and counted; exit code 12 means that something is missing.",
        subcommands: [
            ExportMarkdownArguments.self, ExportJSONArguments.self, ExportHTMLArguments.self, ExportJEXArguments.self, ExportTextArguments.self,
            ExportVaultArguments.self,
        ])
}

struct ExportMarkdownArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "markdown", abstract: "Write a folder of Markdown files, with the attachments beside them.",
        discussion:
            "Notebooks become folders; Obsidian opens it, Joplin imports it. With encryption, or a path that ends in .tar, it is one tar archive.")
    @OptionGroup var fields: ExportFields
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try ExportCommand.run(.markdown, fields.options, context) }
}

struct ExportJSONArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "json", abstract: "Write everything as JSON, history included.",
        discussion: "A path that ends in .json makes one document, .tar an archive of documents and files, anything else a folder of them.")
    @OptionGroup var fields: ExportFields
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try ExportCommand.run(.json, fields.options, context) }
}

struct ExportHTMLArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "html", abstract: "Write one page for reading and printing, with its pictures in it.",
        discussion: "The page needs no other file and runs no script.")
    @OptionGroup var fields: ExportFields
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try ExportCommand.run(.html, fields.options, context) }
}

struct ExportJEXArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "jex", abstract: "Write an archive that Joplin imports.")
    @OptionGroup var fields: ExportFields
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try ExportCommand.run(.jex, fields.options, context) }
}

struct ExportTextArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "text", abstract: "Write all notes as one text, for reading and searching.")
    @OptionGroup var fields: ExportFields
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try ExportCommand.run(.text, fields.options, context) }
}

/// What the formats share.
struct ExportFields: ParsableArguments {
    @Argument(help: "Words and filters that the notes must match, as in 'vault search'; all notes by default.") var query: [String] = []
    @Option(name: .shortAndLong, help: ArgumentHelp("A new file or folder; '-' is standard output.", valueName: "path"), completion: .file())
    var output: String
    @OptionGroup var age: AgeFields
    @Flag(help: "Write it unencrypted without asking.") var plaintext = false
    @Flag(help: "Include the notes in the trash.") var trash = false
    @Flag(help: "Leave out older revisions of the notes.") var noHistory = false

    var options: ExportOptions {
        var options = age.options
        options.query = query
        options.output = output
        options.plaintext = plaintext
        options.includesTrash = trash
        options.includesHistory = !noHistory
        return options
    }
}

/// The age file around an export.
struct AgeFields: ParsableArguments {
    @Option(help: ArgumentHelp("Encrypt it for an age key; may be given several times.", valueName: "age1…")) var encryptTo: [String] = []
    @Option(help: ArgumentHelp("Encrypt it for the age keys in a file, one on each line.", valueName: "file"), completion: .file())
    var recipientsFile: [String] = []
    @Flag(help: "Encrypt it with a passphrase, which is asked for.") var passphrase = false
    @Option(help: ArgumentHelp("Read the passphrase from a file.", valueName: "file"), completion: .file()) var passphraseFile: String?
    @Option(name: .customLong("passphrase-fd"), help: ArgumentHelp("Read the passphrase from an open descriptor.", valueName: "n"))
    var passphraseDescriptor: Int32?
    @Flag(help: "Write the encrypted file as text.") var armor = false

    var options: ExportOptions {
        var options = ExportOptions()
        options.recipients = encryptTo
        options.recipientsFiles = recipientsFile
        options.usesPassphrase = passphrase
        options.passphraseFile = passphraseFile
        options.passphraseDescriptor = passphraseDescriptor
        options.isArmored = armor
        return options
    }
}
