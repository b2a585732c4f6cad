// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import Presentation

extension CommandTree {
    static let notes = Section(
        title: "Reading and writing",
        entries: [
            .command(NewCommand.self), .command(CaptureCommand.self), .command(EditCommand.self),
            .command(AppendCommand.self), .command(PrependCommand.self), .command(ReplaceCommand.self),
            .command(GenerateCommand.self), .command(ShowCommand.self), .command(CatCommand.self),
            .command(ListCommand.self), .command(SearchCommand.self), .command(WatchCommand.self),
            .command(DailyCommand.self), .command(TodoCommand.self), .command(DoneCommand.self),
            .group(TemplateGroup.self), .command(LinksCommand.self),
            .command(BacklinksCommand.self), .group(AttachGroup.self), .group(SketchGroup.self),
            .group(NoteGroup.self), .group(BookGroup.self),
        ])
}

struct NewCommand: Command {
    static let name = "new"
    static var spec: Spec {
        Spec(
            "Write a note.",
            discussion: """
                Without text, it opens an editor on a terminal, and reads standard input elsewhere. Tags written in \
                the text, such as #food, are the note's too (setting tags.inline).
                """,
            examples: [
                "vault new \"buy milk\"": "Write a one-line note.",
                "vault new buy milk +food": "Words after the text that begin with '+' are tags.",
                "vault new -b work/2026 -t urgent --title Plan \"call Ada\"": "Give it a notebook, a tag and a title.",
                "ls | vault new --title Files -": "Keep the output of a program.",
                "vault new": "Write a note in your editor.",
                "vault new --template meeting --title Monday": "Start from a template.",
                "vault new --private --title Codes \"7 3 9\"": "Give it its own password.",
                "vault new --attach photo.jpg": "A note with a photo.",
                "vault new --book Dune --chapter \"2. The desert\" \"Fear is the mind-killer\"":
                    "A note in a chapter of a book; the chapter is added if it is new.",
                "vault new -- \"- a list\"": "After '--', the text may start with a dash.",
            ])
    }
    var options = NewOptions()

    mutating func declare(_ list: inout ArgumentList) {
        list.words(&options.text, "text", "The text; '-' reads standard input.", needed: false)
        list.option(&options.title, "title", "The title; the first line by default.")
        list.option(&options.tags, "tag", letter: "t", "A tag; may be given more than once.")
        list.option(&options.notebook, "notebook", letter: "b", "The notebook, such as work/2026.")
        list.option(&options.template, "template", value: "name", "A template to start from.")
        list.flag(&options.isPrivate, "private", "Give it its own password, which is asked for.")
        list.flag(&options.showsTitle, "show-title", "With --private: show the title while the note is locked.")
        list.option(
            &options.attach, "attach", value: "file", "Attach a file; may be given more than once.", completion: .file)
        list.option(&options.book, "book", "The book to put it in.")
        list.option(&options.date, "date", value: "day", "The day on which it was made: 2026-01-31 or yesterday.")
        list.option(&options.chapter, "chapter", value: "title", "Its chapter there; added if it is new.")
        list.flag(&options.sketches, "sketch", "Draw a sketch for it on the web page's canvas.")
        options.passwords.declare(&list)
        options.editor.declare(&list)
    }

    var complaint: String? {
        if options.sketches && (options.isPrivate || options.text.isEmpty && options.title == nil) {
            return "--sketch needs a text or a title, and no password of the note's own"
        }
        if options.date != nil && options.text.isEmpty { return "--date needs a text; '-' reads standard input" }
        return options.chapter != nil && options.book == nil ? "--chapter needs --book" : nil
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try Self.run(options, context)
    }
}

extension NewCommand {
    /// Parts the words of a text from the tags behind them: `buy milk +food`. Words that are quoted are one word.
    static func tagsBehind(_ words: [String]) -> (words: [String], tags: [String]) {
        let tags = words.dropFirst().reversed().prefix { word in
            word.first == "+" && word.dropFirst().first?.isLetter == true
                && word.dropFirst().allSatisfy { $0.isLetter || $0.isNumber || "-_/".contains($0) }
        }
        return (words.dropLast(tags.count), tags.reversed().map { String($0.dropFirst()) })
    }

    /// Opens an editor where no text is given on a terminal.
    static func run(_ options: NewOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        try FirstVault.makeIfMissing(context)
        if options.sketches {
            var plain = options
            plain.sketches = false
            let made = try run(plain, context)
            return made.code == .ok ? try SketchCommands.new("-", context) : made
        }
        // A file says enough by itself.
        let opensEditor = options.text.isEmpty && options.attach.isEmpty && isatty(0) == 1
        let hasText = !options.text.isEmpty || options.attach.isEmpty
        let (words, tags) = Self.tagsBehind(options.text)
        var note = NewNote(text: opensEditor || !hasText ? "" : try TextInput.read(words, context: context))
        note.title = try options.title.map { title throws(ClientFailure) in try NameCheck.short(title, "title") }
        for tag in options.tags + tags { note.tags.append(try NameCheck.short(tag, "tag")) }
        note.notebook = try NameCheck.short(options.notebook ?? "", "notebook")
        note.template = try options.template.map { name throws(ClientFailure) in try NameCheck.short(name, "template") }
        note.isPrivate = options.isPrivate
        note.showsTitle = options.showsTitle
        note.book = try options.book.map { book throws(ClientFailure) in try NameCheck.short(book, "book") }
        note.date = try NameCheck.short(options.date ?? "", "date")
        note.chapter = try options.chapter.map { title throws(ClientFailure) in try NameCheck.short(title, "chapter") }
        guard options.attach.isEmpty else { return try NewWithFiles.run(note, options, context) }
        if opensEditor { return try EditCommand.run(.new(note), options.editor, passwords: options.passwords, context) }
        guard note.isPrivate else { return try context.send(CreateNote(note)) }
        return try Session.with(context) { conversation throws(ClientFailure) in
            try conversation.perform(CreateNote(note), secret: NotePassword.new(options.passwords, context))
        }
    }
}

/// `NewOptions` holds what `new` is told.
struct NewOptions: Sendable, Equatable {
    var text: [String] = []
    var title: String?
    var tags: [String] = []
    var notebook: String?
    var template: String?
    /// It gets a password of its own.
    var isPrivate = false
    var showsTitle = false
    var book: String?
    var chapter: String?
    var date: String?
    /// A canvas for it is opened.
    var sketches = false
    var passwords = NotePasswordOptions()
    /// Files that are attached to it.
    var attach: [String] = []
    var editor = EditorOptions()
}

struct AppendCommand: Command {
    static let name = "append"
    static var spec: Spec {
        Spec(
            "Add text to the end of a note.",
            examples: [
                "vault append k7 \"and bread\"": "Add a line to the end of a note.",
                "date | vault append k7 -": "Add the output of a program.",
            ])
    }
    var id = ""
    var text: [String] = []

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
        list.words(&text, "text", "The text; '-' or nothing reads standard input.", needed: false)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        let text = try TextInput.read(text, context: context)
        return try context.send(AppendText(ref: try NameCheck.short(id, "ID"), text: text))
    }
}

struct PrependCommand: Command {
    static let name = "prepend"
    static var spec: Spec {
        Spec(
            "Add text to the beginning of a note, below its title.",
            examples: [
                "vault prepend k7 \"first: milk\"": "Add a line to the beginning of a note.",
                "date | vault prepend k7 -": "Add the output of a program.",
            ])
    }
    var id = ""
    var text: [String] = []

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
        list.words(&text, "text", "The text; '-' or nothing reads standard input.", needed: false)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        let text = try TextInput.read(text, context: context)
        return try context.send(AppendText(ref: try NameCheck.short(id, "ID"), text: text, isFirst: true))
    }
}

struct ReplaceCommand: Command {
    static let name = "replace"
    static var spec: Spec {
        Spec(
            "Replace a note's text.",
            examples: [
                "vault replace k7 \"buy oat milk\"": "Replace a note's text; the old one stays in its history.",
                "sort list.txt | vault replace k7 -": "Take the text from a program.",
            ])
    }
    var id = ""
    var text: [String] = []

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
        list.words(&text, "text", "The text; '-' or nothing reads standard input.", needed: false)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        let text = try TextInput.read(text, context: context)
        return try context.send(ReplaceText(ref: try NameCheck.short(id, "ID"), text: text))
    }
}
