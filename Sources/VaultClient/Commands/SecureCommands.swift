// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import SecretMemory

/// `vault note …`: passwords of single notes.
enum SecureCommands {
    /// A private note is locked at once; an ordinary one gets a password first.
    static func lock(_ notes: [String], showsTitle: Bool, _ passwords: NotePasswordOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        try Session.with(context) { conversation throws(ClientFailure) in
            var outcome = Outcome(.ok)
            for note in try NoteCommands.references(notes) {
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

    static func unlock(_ note: String, _ passwords: NotePasswordOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        try Session.with(context) { conversation throws(ClientFailure) in
            try retried(passwords) { () throws(ClientFailure) in
                try conversation.perform(UnlockNote(ref: short(note)), secret: try NotePassword.known(passwords, context))
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

    static func removePassword(_ note: String, _ passwords: NotePasswordOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        try Session.with(context) { conversation throws(ClientFailure) in
            try retried(passwords) { () throws(ClientFailure) in
                try conversation.perform(RemoveNotePassword(ref: short(note)), secret: try NotePassword.known(passwords, context))
            }
        }
    }

    /// A person at a terminal may try three times; a script's file does not change by being read again.
    private static func retried(_ passwords: NotePasswordOptions, _ body: () throws(ClientFailure) -> Outcome) throws(ClientFailure) -> Outcome {
        let tries = NotePassword.isTyped(passwords) ? 3 : 1
        for attempt in 1..<tries {
            let outcome = try body()
            guard outcome.code == .wrongPassword else { return outcome }
            Streams.say("vault: wrong password; attempt \(attempt) of \(tries)")
        }
        return try body()
    }

    private static func state(of note: String, _ conversation: inout Conversation) throws(ClientFailure) -> NoteSecrecy.State? {
        let (outcome, replies) = try conversation.ask(NoteState(ref: short(note)))
        try Session.require(outcome)
        return replies.first?.state
    }

    private static func short(_ note: String) throws(ClientFailure) -> String { try NoteCommands.short(note, "ID") }
}
