// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import VaultFormat

/// `AttachGroup` is the heading `vault attach`.
enum AttachGroup: CommandGroup {
    static let name = "attach"
    static var spec: Spec {
        Spec(
            "Manage a note's photos, videos, recordings and files.",
            discussion: "In a note's text, ![caption](att:NAME) marks where one belongs.")
    }
    static var commands: CommandList {
        [
            AttachAddCommand.self, AttachListCommand.self, AttachGetCommand.self, AttachOpenCommand.self,
            AttachRemoveCommand.self,
            AttachRenameCommand.self, AttachCaptionCommand.self, AttachRecordCommand.self,
        ]
    }
}

struct AttachAddCommand: Command {
    static let name = "add"
    static var spec: Spec {
        Spec(
            "Attach files to a note.",
            discussion: "Location and camera data are removed from photos; orientation is kept.",
            examples: [
                "vault attach add k7 photo.jpg talk.opus": "Attach two files.",
                "scan | vault attach add k7 - --name page.png": "Attach the output of a program.",
                "vault attach add k7 photo.jpg --keep-metadata": "Keep location and camera data in the photo.",
            ])
    }
    var id = ""
    var file: [String] = []
    var paste = false
    var caption: String?
    var name: String?
    var keepMetadata = false
    var stripMetadata = false

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
        list.words(&file, "file", "The files; '-' is standard input.", needed: false, completion: .file)
        list.flag(&paste, "paste", "Attach the picture in the clipboard.")
        list.option(&caption, "caption", value: "text", "The caption.")
        list.option(&name, "name", value: "name", "The attachment's name.")
        list.flag(&keepMetadata, "keep-metadata", "Leave photos exactly as they are.")
        list.flag(&stripMetadata, "strip-metadata", "Remove metadata from photos; this is the default.")
    }

    var complaint: String? {
        if file.isEmpty != paste { return paste ? "--paste takes no files" : "a file, '-' or --paste is needed" }
        if keepMetadata && stripMetadata { return "--keep-metadata and --strip-metadata cannot both be given" }
        return nil
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        if paste { return try PasteCommand.run(id, name: name, caption: caption, context) }
        var options = AttachOptions(note: id, files: file)
        options.caption = caption
        options.name = name
        options.keepsMetadata = keepMetadata
        return try AttachCommands.add(options, context)
    }
}

struct AttachListCommand: Command {
    static let name = "ls"
    static var spec: Spec {
        Spec(
            "List a note's attachments.",
            examples: ["vault attach ls k7": "See what is attached to a note."])
    }
    var id = ""
    var images = false

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
        list.flag(&images, "images", "Only photos.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try context.send(ListAttachments(ref: NameCheck.short(id, "ID"), kind: images ? .photo : nil))
    }
}

struct AttachGetCommand: Command {
    static let name = "get"
    static var spec: Spec {
        Spec(
            "Write an attachment to a file, unencrypted.",
            discussion: """
                Without -o, the file has the attachment's name and is in this folder. Nothing is ever overwritten.
                """,
            examples: [
                "vault attach get k7 photo.jpg": "Write it to a file of that name in this folder.",
                "vault attach get k7 talk.opus -o - | mpv -": "Play it without writing a file.",
                "vault attach get k7 1 --range 1M:64k -o part": "Write a part of the first one.",
            ])
    }
    var id = ""
    var name = ""
    var output: String?
    var range: String?

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
        list.word(&name, "name", "The attachment: its name, or its number.")
        list.option(
            &output, "output", letter: "o", value: "path", "A new file; '-' is standard output.", completion: .file)
        list.option(&range, "range", value: "offset:count", "Only a part, such as 1M:64k.")
    }

    var complaint: String? {
        if let range, RangeText.parse(range) == nil { return "a range is OFFSET:COUNT in bytes, such as 1M:64k" }
        return nil
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try AttachCommands.get(id, name, output: output, range: range.flatMap(RangeText.parse), context)
    }
}

struct AttachOpenCommand: Command {
    static let name = "open"
    static var spec: Spec {
        Spec(
            "Open an attachment in the desktop's program for it.",
            discussion: """
                The file is in memory while you look at it; vault cannot control what that program keeps of it.
                """,
            examples: ["vault attach open k7 photo.jpg": "Open it in the desktop's program."])
    }
    var id = ""
    var name = ""
    var allowDiskTemp = false
    var yes = false

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
        list.word(&name, "name", "The attachment.")
        list.flag(&allowDiskTemp, "allow-disk-temp", "Use a disk if there is no folder in memory.")
        list.flag(&yes, "yes", "Do not ask, even if opening it may run a program.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try OpenCommand.run(id, name, allowsDisk: allowDiskTemp, yes: yes, context)
    }
}

struct AttachRemoveCommand: Command {
    static let name = "rm"
    static var spec: Spec {
        Spec(
            "Remove attachments from a note.",
            discussion: """
                'vault undo' brings them back while the note's history has them; after that, 'vault gc' deletes them \
                permanently.
                """,
            examples: ["vault attach rm k7 photo.jpg": "Remove it; vault undo brings it back."])
    }
    var id = ""
    var name: [String] = []

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
        list.words(&name, "name", "The attachments.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try AttachCommands.remove(id, name, context) }
}

struct AttachRenameCommand: Command {
    static let name = "rename"
    static var spec: Spec {
        Spec(
            "Rename an attachment.",
            examples: ["vault attach rename k7 IMG_0001.jpg lake.jpg": "Rename it."])
    }
    var id = ""
    var name = ""
    var new = ""

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
        list.word(&name, "name", "The attachment.")
        list.word(&new, "new", "Its new name.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try context.send(RenameAttachment(ref: NameCheck.short(id, "ID"), name: name, to: NameCheck.short(new, "name")))
    }
}

struct AttachCaptionCommand: Command {
    static let name = "caption"
    static var spec: Spec {
        Spec(
            "Set an attachment's caption.",
            examples: ["vault attach caption k7 lake.jpg \"Early in the morning\"": "Set its caption."])
    }
    var id = ""
    var name = ""
    var text = ""

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
        list.word(&name, "name", "The attachment.")
        list.word(&text, "text", "The caption; '' removes it.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try context.send(
            CaptionAttachment(ref: NameCheck.short(id, "ID"), name: name, caption: NameCheck.short(text, "caption")))
    }
}

struct AttachRecordCommand: Command {
    static let name = "record"
    static var spec: Spec {
        Spec(
            "Record sound into a note, with arecord or pw-record.",
            discussion: """
                Ctrl-C ends the recording. The sound goes straight into the vault and is never on a disk \
                unencrypted.
                """,
            examples: ["vault attach record k7 --name idea.wav": "Record until Ctrl-C."])
    }
    var id = ""
    var name: String?
    var caption: String?
    var seconds: UInt32?

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
        list.option(&name, "name", value: "name", "The attachment's name.")
        list.option(&caption, "caption", value: "text", "The caption.")
        list.option(&seconds, "seconds", value: "seconds", "The duration, with arecord.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try RecordCommand.run(id, name: name, caption: caption, seconds: seconds, context)
    }
}
