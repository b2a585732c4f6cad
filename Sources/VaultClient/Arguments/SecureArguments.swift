// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import ArgumentParser

/// Where a note's password comes from.
struct NotePasswordFields: ParsableArguments {
    @Option(help: ArgumentHelp("Read the note's password from a file.", valueName: "file"), completion: .file())
    var notePasswordFile: String?
    @Option(name: .customLong("note-password-fd"), help: ArgumentHelp("Read the note's password from an open descriptor.", valueName: "n"))
    var notePasswordDescriptor: Int32?

    var options: NotePasswordOptions {
        var options = NotePasswordOptions()
        options.file = notePasswordFile
        options.descriptor = notePasswordDescriptor
        return options
    }
}

struct NoteArguments: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "note", abstract: "Give a note its own password.",
        discussion: "While it is locked, it cannot be read or found, even if the vault is open. It locks again by itself.",
        subcommands: [NoteLockArguments.self, NoteUnlockArguments.self, NotePasswordArguments.self, NoteOpenArguments.self])
}

struct NoteLockArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock", abstract: "Lock notes; an ordinary note is given a password first.",
        discussion:
            "Its earlier texts, drafts and attachments are encrypted under its password too, and its words are removed from the search index.")
    @Argument(help: "The notes.") var id: [String]
    @Flag(help: "Show the title while the note is locked.") var showTitle = false
    @OptionGroup var passwords: NotePasswordFields
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try SecureCommands.lock(id, showsTitle: showTitle, passwords.options, context)
    }
}

struct NoteUnlockArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock", abstract: "Unlock a private note for a while.",
        discussion: "It can then be read, searched and changed like any other, until it is not used for five minutes, or until 'vault note lock'.")
    @Argument(help: "The note.") var id: String
    @OptionGroup var passwords: NotePasswordFields
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try SecureCommands.unlock(id, passwords.options, context) }
}

struct NotePasswordArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "passwd", abstract: "Change a note's password.",
        discussion:
            "An old copy of the vault still opens the note with the old password. With --new-key, it opens nothing that is written from now on.")
    @Argument(help: "The note.") var id: String
    @Flag(help: "Also make a new key, and re-encrypt the note with its history and attachments.") var newKey = false
    @OptionGroup var passwords: NotePasswordFields
    @Option(help: ArgumentHelp("Read the new password from a file.", valueName: "file"), completion: .file())
    var newPasswordFile: String?
    @Option(name: .customLong("new-password-fd"), help: ArgumentHelp("Read the new password from an open descriptor.", valueName: "n"))
    var newPasswordDescriptor: Int32?
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        var options = passwords.options
        options.newFile = newPasswordFile
        options.newDescriptor = newPasswordDescriptor
        return try SecureCommands.changePassword(id, newKey: newKey, options, context)
    }
}

struct NoteOpenArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove-password", abstract: "Make a private note an ordinary one again.")
    @Argument(help: "The note.") var id: String
    @OptionGroup var passwords: NotePasswordFields
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try SecureCommands.removePassword(id, passwords.options, context) }
}
