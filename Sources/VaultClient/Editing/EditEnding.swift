// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import VaultFormat

/// `EditEnding` says what becomes of a text when its editor has ended, however it ended.
struct EditEnding {
    let given: EditText
    /// What the draft has of this edit; nil when nothing was kept yet.
    let kept: [UInt8]?
    let folder: EditFolder
    let context: Context

    /// The draft by the name that a person types.
    private var draftName: String { String(Base32.encode(given.draft).prefix(6)) }

    func finish(_ result: EditResult, _ conversation: inout Conversation) throws(ClientFailure) -> Outcome {
        switch result {
        // A draft, and what a new note begins with, is in no note yet: saved as it is, it becomes one.
        case .finished(let text?):
            return given.origin == .note && isUnchanged(text)
                ? try unchanged(&conversation) : try commit(text, &conversation)
        case .finished(nil): return try left("the editor removed its file", saved: kept, &conversation)
        case .failed(let code, let last):
            return try left("the editor exited with status \(code)", saved: last, &conversation)
        case .killed(let signal, let last):
            return try interrupted("the editor was killed by signal \(signal)", last, &conversation)
        case .terminated(let last): return try interrupted("interrupted", last, &conversation)
        }
    }

    /// Returns whether a text is the one that was given. Editors end a last line that had no end; that alone is no
    /// change.
    private func isUnchanged(_ text: [UInt8]) -> Bool { text == given.text || text == given.text + [0x0A] }

    private func unchanged(_ conversation: inout Conversation) throws(ClientFailure) -> Outcome {
        try Session.require(try conversation.perform(CancelEdit(leaving: .forget)))
        try context.print(json: "{\"schema\":2,\"outcome\":\"unchanged\",\"notes\":[]}", text: "nothing was changed")
        return Outcome(.ok)
    }

    /// Ends an edit whose editor was left with an error, which is how a person says no. What was saved before can be
    /// taken back for a day; a draft that was there before the editor stays one.
    ///
    /// - Parameter saved: what the editor saved last.
    private func left(_ words: String, saved: [UInt8]?, _ conversation: inout Conversation) throws(ClientFailure)
        -> Outcome
    {
        let last = saved ?? given.text
        guard given.origin == .draft || !isUnchanged(last) else {
            try Session.require(try conversation.perform(CancelEdit(leaving: .forget)))
            return Outcome(.aborted, "\(words): nothing was saved")
        }
        if last != kept ?? given.text { try Session.require(try conversation.perform(JournalEdit(text: last))) }
        guard given.origin == .draft else {
            try Session.require(try conversation.perform(CancelEdit(leaving: .discard)))
            let fate = given.origin == .new ? "no note was created" : "the note is unchanged"
            return Outcome(
                .aborted, "\(words): \(fate)", hint: "vault draft ls --all keeps what the editor saved, for a day")
        }
        try Session.require(try conversation.perform(CancelEdit(leaving: .keep)))
        return Outcome(.aborted, "\(words): the draft is kept", hint: "vault draft resume \(draftName)")
    }

    /// Keeps the text of an edit that was interrupted as a draft. One of which nothing was kept does not count: no
    /// message points to it.
    private func interrupted(_ words: String, _ last: [UInt8]?, _ conversation: inout Conversation)
        throws(ClientFailure) -> Outcome
    {
        if let last, !isUnchanged(last), last != kept {
            try Session.require(try conversation.perform(JournalEdit(text: last)))
        }
        guard given.origin == .draft || kept != nil || !isUnchanged(last ?? given.text) else {
            try Session.require(try conversation.perform(CancelEdit(leaving: .forget)))
            return Outcome(.interrupted, "\(words); nothing was written")
        }
        return Outcome(.interrupted, "\(words); the text is kept as a draft", hint: "vault draft resume \(draftName)")
    }

    private func commit(_ text: [UInt8], _ conversation: inout Conversation) throws(ClientFailure) -> Outcome {
        // An emptied note goes to the trash, and what hangs on it goes along.
        if given.attachmentCount > 0, text.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
            let count = "\(given.attachmentCount) attachment\(given.attachmentCount == 1 ? "" : "s")"
            guard try Confirmation.ask("The text is empty. Move the note to the trash with its \(count)?") else {
                return try left("cancelled", saved: text, &conversation)
            }
        }
        do throws(ClientFailure) {
            return try conversation.perform(CommitEdit(text: text))
        } catch {
            guard error.outcome.code == .localSaveFailed else { throw error }
        }
        return try commitAgain(text)
    }

    /// Saves a text after the agent ended while somebody wrote. Another one may be there, or the vault is opened once
    /// more to save.
    private func commitAgain(_ text: [UInt8]) throws(ClientFailure) -> Outcome {
        do throws(ClientFailure) {
            let location = try context.location()
            if try Session.running(location, context) == nil {
                Streams.say("vault: the agent ended while you were writing; unlock again to save")
                try Session.require(try UnlockCommand(idle: 15 * 60, max: 8 * 3600).run(context))
            }
            return try Session.with(context) { conversation throws(ClientFailure) in
                let draft = Base32.encode(given.draft)
                try Session.require(
                    try conversation.perform(BeginEdit(target: .draft(ref: draft), folder: folder.path)))
                return try conversation.perform(CommitEdit(text: text))
            }
        } catch {
            throw ClientFailure(
                .localSaveFailed,
                "your text could not be saved; it is in \(VisibleText.escaped(folder.path)), in memory only",
                hint: "vault unlock recovers it as a draft")
        }
    }
}

/// `EditResult` says how an editor ended, and what its file held then.
enum EditResult: Equatable {
    /// Nil when the editor removed the file.
    case finished([UInt8]?)
    case failed(code: Int32, last: [UInt8]?)
    /// The last text that was saved as a whole.
    case killed(signal: Int32, last: [UInt8]?)
    /// This process was asked to end; the last text that was saved as a whole.
    case terminated(last: [UInt8]?)
}
