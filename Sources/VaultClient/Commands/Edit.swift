// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc

struct EditCommand: Command {
    static let name = "edit"
    static var spec: Spec {
        Spec(
            "Change a note in your editor.",
            discussion: """
                This runs $VISUAL, $EDITOR, editor, nano or vi on a file in memory. Each time the editor saves, the \
                text is encrypted into the vault as a draft; when it exits, the draft becomes the note. Leave vim \
                with :cq to save nothing. A note that is emptied goes to the trash.
                """,
            examples: [
                "vault edit k7": "Change a note in your editor.",
                "EDITOR=nano vault edit k7": "Use another editor this time.",
            ])
    }
    var id = ""
    var attach: [String] = []
    var sketches = false
    var editor = EditorOptions()

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
        list.flag(&sketches, "sketch", "Draw a sketch on the web page's canvas instead.")
        list.option(
            &attach, "attach", value: "file", "Attach a file first; may be given more than once.", completion: .file)
        editor.declare(&list)
    }

    var complaint: String? {
        sketches && !attach.isEmpty ? "--sketch opens the page; attach files with vault attach add" : nil
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        if sketches { return try SketchCommands.new(NameCheck.short(id, "ID"), context) }
        if !attach.isEmpty {
            let added = try AttachCommands.add(AttachOptions(note: id, files: attach), context)
            guard added.code == .ok else { return added }
        }
        return try EditCommand.run(.note(ref: NameCheck.short(id, "ID")), editor, context)
    }
}

struct DailyCommand: Command {
    static let name = "daily"
    static var spec: Spec {
        Spec(
            "Write in a day's note.",
            discussion: """
                It is in the notebook 'Daily' and starts from the template 'daily', if there is one. Text is added \
                without an editor, from the line or a pipe. The first word may be a day: 2026-11-21, or today, \
                yesterday or tomorrow with a colon after it, or alone, or before a text in quotation marks.
                """,
            examples: [
                "vault daily woke up early": "Add a line to today's note; it is created if missing.",
                "vault daily yesterday: met Ada": "Add one to yesterday's.",
                "vault daily": "Open today's note in your editor.",
                "vault daily 2026-01-31": "Open the note of another day.",
            ])
    }
    var words: [String] = []
    var editor = EditorOptions()

    mutating func declare(_ list: inout ArgumentList) {
        list.words(&words, "text", "A day, and the text to add.", needed: false)
        editor.declare(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try FirstVault.makeIfMissing(context)
        // In quotation marks the day is a part of the only word, and has its colon.
        let parts = words.count == 1 ? Self.parts(words[0]) : words
        let day = parts.first.flatMap { Self.names($0, before: parts.dropFirst()) ? Self.day($0) : nil }
        let text = parts.dropFirst(day == nil ? 0 : 1).joined(separator: " ")
        return try EditCommand.daily(day ?? "", text: text == "-" ? "" : text, editor, context)
    }

    private static func parts(_ word: String) -> [String] {
        guard let space = word.firstIndex(of: " "), word[..<space].hasSuffix(":") else { return [word] }
        return [String(word[..<space]), String(word[word.index(after: space)...])]
    }

    /// Whether a first word says which day, and is not the beginning of a sentence: "today was hard".
    private static func names(_ word: String, before others: ArraySlice<String>) -> Bool {
        if word.hasSuffix(":") || word.first?.isNumber == true || others.isEmpty { return true }
        return word == word.lowercased() && others.count == 1 && others.contains { $0.contains(where: \.isWhitespace) }
    }

    /// Returns the day that a word names, without its colon.
    static func day(_ word: String) -> String? {
        let name = word.hasSuffix(":") ? String(word.dropLast()) : word
        if ["today", "yesterday", "tomorrow"].contains(name.lowercased()) { return name.lowercased() }
        let parts = name.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let isDate =
            parts.map(\.count) == [4, 2, 2] && parts.allSatisfy { $0.allSatisfy { (0x30...0x39).contains($0) } }
        return isDate ? name : nil
    }
}

/// `EditorOptions` holds what the commands that open an editor are told.
struct EditorOptions: Sendable, Equatable, ArgumentGroup {
    var allowsUnknown = false
    var allowsDisk = false
    var yes = false

    mutating func declare(_ list: inout ArgumentList) {
        list.flag(&allowsUnknown, "allow-unknown-editor", "Use an editor that may keep copies of the text.")
        list.flag(&allowsDisk, "allow-disk-temp", "Put the editor's file on a disk if there is no folder in memory.")
        list.flag(&yes, "yes", "Do not ask about unencrypted swap.")
    }
}

/// These commands open an editor: the text lies in a file in memory while it runs, and each save is sealed into the
/// vault at once.
extension EditCommand {
    /// Runs the editor on a text, and returns how the edit ended.
    ///
    /// - Parameter passwords: of a new private note.
    static func run(
        _ target: EditTarget, _ options: EditorOptions, passwords: NotePasswordOptions? = nil, _ context: Context
    ) throws(ClientFailure) -> Outcome {
        let settings = try context.settings()
        return try Session.with(context) { conversation throws(ClientFailure) in
            let ready: EditorChoice? =
                if case .heads = target { nil } else { try prepare(options, settings, context) }
            let folder = try EditFolder.make(
                allowsDisk: options.allowsDisk, vaultID: context.location().vaultID())
            do throws(ClientFailure) {
                let begun = try begin(target, passwords, folder, &conversation, context)
                guard begun.code == .ok, let text = conversation.editText else {
                    folder.remove()
                    return begun
                }
                // Only versions that conflict need an editor, and the agent has said now that they do.
                let choice =
                    if let ready { ready } else {
                        try prepareLate(options, settings, &conversation, context)
                    }
                let outcome = try edit(text, choice, folder, &conversation, context)
                guard Self.isSafe(outcome) else { return Self.kept(outcome, folder) }
                folder.remove()
                return outcome
            } catch {
                // What could not be handed over is taken up by the next command; all else goes now.
                if error.outcome.code != .localSaveFailed { folder.remove() }
                throw error
            }
        }
    }

    /// Returns whether the text is durable elsewhere, or nobody wanted it, so that the file may go.
    private static func isSafe(_ outcome: Outcome) -> Bool {
        switch outcome.code {
        case .ok, .aborted, .interrupted, .locked, .usage, .notFound, .ambiguous, .conflict: true
        case .other, .wrongPassword, .network, .localSaveFailed, .failSafe, .doneWithLosses, .integrity: false
        }
    }

    private static func kept(_ outcome: Outcome, _ folder: EditFolder) -> Outcome {
        Outcome(
            outcome.code, outcome.message + "; your text is in \(VisibleText.escaped(folder.path)), in memory only",
            hint: "make room; the next vault command recovers it as a draft")
    }

    /// Runs `vault daily`: with text in a pipe there is nothing to edit.
    static func daily(
        _ date: String, text: String, _ options: EditorOptions, _ context: Context
    ) throws(ClientFailure) -> Outcome {
        var day = DailyNote()
        day.date = date
        let settings = try context.settings()
        day.notebook = settings.dailyNotebook
        day.template = settings.dailyTemplate
        guard text.isEmpty else {
            return try context.send(AppendDaily(day: day, text: try TextInput.checked(Array(text.utf8))))
        }
        guard isatty(0) != 1 else { return try run(.daily(day), options, context) }
        return try context.send(AppendDaily(day: day, text: try TextInput.read(["-"], context: context)))
    }

    /// Refuses everything that may be refused, before anything is written.
    private static func prepare(_ options: EditorOptions, _ settings: Settings, _ context: Context)
        throws(ClientFailure) -> EditorChoice
    {
        guard !context.options.noInput else {
            throw .usage("an editor needs a terminal", hint: "echo TEXT | vault new -, or vault replace ID -")
        }
        try EditorSession.requireTerminal()
        let choice = try EditorChoice.find(
            configured: settings.editor, allowsUnknown: options.allowsUnknown,
            mayUse: { path throws(ClientFailure) in try EditorAllowing.allows(path, settings, context) })
        if SwapCheck.isOpen && !options.yes {
            SwapCheck.warn()
            guard try Confirmation.ask("Edit anyway?") else { throw ClientFailure(.aborted, "nothing was edited") }
        }
        return choice
    }

    /// Prepares the editor of an edit that has begun; without an editor nothing of the edit stays.
    private static func prepareLate(
        _ options: EditorOptions, _ settings: Settings, _ conversation: inout Conversation, _ context: Context
    ) throws(ClientFailure) -> EditorChoice {
        do throws(ClientFailure) { return try prepare(options, settings, context) } catch {
            try Session.require(try conversation.perform(CancelEdit(leaving: .forget)))
            throw error
        }
    }

    private static func begin(
        _ target: EditTarget, _ passwords: NotePasswordOptions?, _ folder: EditFolder,
        _ conversation: inout Conversation, _ context: Context
    ) throws(ClientFailure) -> Outcome {
        let request = BeginEdit(target: target, folder: folder.path)
        guard request.needsSecret else { return try conversation.perform(request) }
        return try conversation.perform(
            request, secret: NotePassword.new(passwords ?? NotePasswordOptions(), context))
    }

    private static func edit(
        _ text: EditText, _ choice: EditorChoice, _ folder: EditFolder, _ conversation: inout Conversation,
        _ context: Context
    ) throws(ClientFailure) -> Outcome {
        try folder.create(name: EditFolderLayout.fileName, text: text.text)
        var kept: [UInt8]?
        let result = try EditorSession.run(
            choice: choice, folder: folder, file: EditFolderLayout.fileName, given: text.text
        ) {
            text throws(ClientFailure) in
            try Session.require(try conversation.perform(JournalEdit(text: text)))
            kept = text
        }
        return try EditEnding(given: text, kept: kept, folder: folder, context: context).finish(result, &conversation)
    }
}
