// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import SecretMemory

/// `NoteGroup` is the heading `vault note`.
enum NoteGroup: CommandGroup {
    static let name = "note"
    static var spec: Spec {
        Spec(
            "Give a note its own password.",
            discussion: """
                While it is locked, it cannot be read or found, even if the vault is open. It locks again automatically.
                """)
    }
    static var commands: CommandList {
        [NoteLockCommand.self, NoteUnlockCommand.self, NotePasswordCommand.self, NoteOpenCommand.self]
    }
}

struct NoteLockCommand: Command {
    static let name = "lock"
    static var spec: Spec {
        Spec(
            "Lock notes; an ordinary note is given a password first.",
            discussion: """
                Its earlier texts, drafts and attachments are encrypted under its password too, and its words are \
                removed from the search index.
                """,
            examples: [
                "vault note lock k7": "Lock a note; the first time, it is given a password.",
                "vault note lock k7 --show-title": "Keep its title visible.",
            ])
    }
    var id: [String] = []
    var showTitle = false
    var passwords = NotePasswordOptions()

    mutating func declare(_ list: inout ArgumentList) {
        list.words(&id, "id", "The notes.")
        list.flag(&showTitle, "show-title", "Show the title while the note is locked.")
        passwords.declare(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try SecureCommands.lock(id, showsTitle: showTitle, passwords, context)
    }
}

struct NoteUnlockCommand: Command {
    static let name = "unlock"
    static var spec: Spec {
        Spec(
            "Unlock private notes for a while.",
            discussion: """
                They can then be read, searched and changed like any other, until they are not used for five minutes, \
                or until 'vault note lock'. Of several notes those are unlocked that the password opens; notes of one \
                import take no longer than one.
                """,
            examples: [
                "vault note unlock k7": "Read and change it for a while.",
                "vault note unlock --all": "All notes that this password opens, such as those of an import.",
                "vault note unlock -b web": "Those of one notebook.",
            ])
    }
    var id: [String] = []
    var all = false
    var notebook: String?
    var passwords = NotePasswordOptions()

    mutating func declare(_ list: inout ArgumentList) {
        list.words(&id, "id", "The notes.", needed: false)
        list.flag(&all, "all", letter: "a", "All notes that the password opens.")
        list.option(&notebook, "notebook", letter: "b", "Only those of this notebook.")
        passwords.declare(&list)
    }

    var complaint: String? {
        if all && !id.isEmpty { return "--all is all of them; leave out the notes" }
        return all || notebook != nil || !id.isEmpty ? nil : "which note? name it, or --all"
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        if notebook == nil, !all, id.count == 1 { return try SecureCommands.unlock(id[0], passwords, context) }
        return try SecureCommands.unlock(all: id, in: notebook, passwords, context)
    }
}

struct NotePasswordCommand: Command {
    static let name = "passwd"
    static var spec: Spec {
        Spec(
            "Change a note's password.",
            discussion: """
                An old copy of the vault still opens the note with the old password. With --new-key, it opens \
                nothing that is written from now on.
                """,
            examples: [
                "vault note passwd k7": "Change the password.",
                "vault note passwd k7 --new-key": "Also re-encrypt everything under a new key.",
            ])
    }
    var id = ""
    var newKey = false
    var passwords = NotePasswordOptions()

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
        list.flag(&newKey, "new-key", "Also make a new key, and re-encrypt the note with its history and attachments.")
        passwords.declare(&list)
        list.option(
            &passwords.newFile, "new-password-file", value: "file", "Read the new password from a file.",
            completion: .file)
        list.option(
            &passwords.newDescriptor, "new-password-fd", value: "n", "Read the new password from an open descriptor.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try SecureCommands.changePassword(id, newKey: newKey, passwords, context)
    }
}

struct NoteOpenCommand: Command {
    static let name = "remove-password"
    static var spec: Spec {
        Spec(
            "Make a private note an ordinary one again.",
            examples: ["vault note remove-password k7": "Make it an ordinary note again."])
    }
    var id = ""
    var passwords = NotePasswordOptions()

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
        passwords.declare(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try SecureCommands.removePassword(id, passwords, context)
    }
}

/// `NotePasswordOptions` tells where the passwords of a private note come from; without either they are asked for on
/// the terminal.
struct NotePasswordOptions: Sendable, Equatable, ArgumentGroup {
    var file: String?
    var descriptor: Int32?
    /// Of a new password, where an old one is needed too.
    var newFile: String?
    var newDescriptor: Int32?

    mutating func declare(_ list: inout ArgumentList) {
        list.option(
            &file, "note-password-file", value: "file", "Read the note's password from a file.", completion: .file)
        list.option(&descriptor, "note-password-fd", value: "n", "Read the note's password from an open descriptor.")
    }
}

/// `SecureCommands` runs `vault note …`: passwords of single notes.
enum SecureCommands {
    /// Locks notes: a private one at once; an ordinary one gets a password first.
    static func lock(_ notes: [String], showsTitle: Bool, _ passwords: NotePasswordOptions, _ context: Context)
        throws(ClientFailure) -> Outcome
    {
        try Session.with(context) { conversation throws(ClientFailure) in
            var outcome = Outcome(.ok)
            for note in try NameCheck.references(notes) {
                if try state(of: note, &conversation) == .ordinary {
                    let password = try NotePassword.new(passwords, context)
                    outcome = try conversation.perform(ProtectNote(ref: note, showsTitle: showsTitle), secret: password)
                } else {
                    outcome = try conversation.perform(LockNotes(refs: [note]))
                }
                guard outcome.code == .ok else { return outcome }
            }
            return outcome
        }
    }

    static func unlock(_ note: String, _ passwords: NotePasswordOptions, _ context: Context) throws(ClientFailure)
        -> Outcome
    {
        try Session.with(context) { conversation throws(ClientFailure) in
            try retried(passwords) { () throws(ClientFailure) in
                try conversation.perform(
                    UnlockNote(ref: short(note)), secret: try NotePassword.known(passwords, context))
            }
        }
    }

    /// Unlocks those of some notes, or of all, that one password opens.
    static func unlock(
        all notes: [String], in notebook: String?, _ passwords: NotePasswordOptions, _ context: Context
    ) throws(ClientFailure) -> Outcome {
        let request = UnlockNotes(
            refs: try NameCheck.references(notes),
            notebook: try notebook.map { name throws(ClientFailure) in try NameCheck.short(name, "notebook") })
        return try Session.with(context) { conversation throws(ClientFailure) in
            try retried(passwords) { () throws(ClientFailure) in
                try conversation.perform(request, secret: try NotePassword.known(passwords, context))
            }
        }
    }

    static func changePassword(
        _ note: String, newKey: Bool, _ passwords: NotePasswordOptions, _ context: Context
    ) throws(ClientFailure) -> Outcome {
        try Session.with(context) { conversation throws(ClientFailure) in
            let old = try NotePassword.known(passwords, context)
            let new = try NotePassword.new(passwords, isSecond: true, context)
            return try conversation.perform(
                ChangeNotePassword(ref: short(note), newKey: newKey), secret: PasswordPair.joined(old, new))
        }
    }

    static func removePassword(_ note: String, _ passwords: NotePasswordOptions, _ context: Context)
        throws(ClientFailure) -> Outcome
    {
        try Session.with(context) { conversation throws(ClientFailure) in
            try retried(passwords) { () throws(ClientFailure) in
                try conversation.perform(
                    RemoveNotePassword(ref: short(note)), secret: try NotePassword.known(passwords, context))
            }
        }
    }

    /// Runs a command again after a wrong password. A person at a terminal may try three times; a script's file does
    /// not change by being read again.
    private static func retried(_ passwords: NotePasswordOptions, _ body: () throws(ClientFailure) -> Outcome)
        throws(ClientFailure) -> Outcome
    {
        let tries = NotePassword.isTyped(passwords) ? 3 : 1
        for attempt in 1..<tries {
            let outcome = try body()
            guard outcome.code == .wrongPassword else { return outcome }
            Streams.say("vault: wrong password; attempt \(attempt) of \(tries)")
        }
        return try body()
    }

    private static func state(of note: String, _ conversation: inout Conversation) throws(ClientFailure) -> NoteSecrecy
        .State?
    {
        let (outcome, replies) = try conversation.ask(NoteState(ref: short(note)))
        try Session.require(outcome)
        return replies.first?.state
    }

    private static func short(_ note: String) throws(ClientFailure) -> String { try NameCheck.short(note, "ID") }
}
