// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import SecretMemory

/// `ExportGroup` is the heading `vault export`.
enum ExportGroup: CommandGroup {
    static let name = "export"
    static var spec: Spec {
        Spec(
            "Write notes in a format that other programs read.",
            discussion: "Locked private notes are left out and counted; exit code 12 means that something is missing.")
    }
    static var commands: CommandList {
        [
            ExportMarkdownCommand.self, ExportJSONCommand.self, ExportHTMLCommand.self, ExportJEXCommand.self,
            ExportTextCommand.self,
            ExportVaultCommand.self,
        ]
    }
}

struct ExportMarkdownCommand: Command {
    static let name = "markdown"
    static var spec: Spec {
        Spec(
            "Write a folder of Markdown files, with the attachments beside them.",
            discussion: """
                Notebooks become folders; Obsidian opens it, Joplin imports it. With encryption, or a path that ends \
                in .tar, it is one tar archive.
                """,
            examples: [
                "vault export markdown -o ~/notes": "Write a folder for Obsidian, unencrypted; it asks first.",
                "vault export markdown tag:work -o work.tar --plaintext":
                    "Only some notes, as a tar archive, without asking.",
                "vault export markdown -o notes.tar.age --passphrase":
                    "The same for all notes, encrypted; age -d opens it.",
            ])
    }
    var options = ExportOptions()

    mutating func declare(_ list: inout ArgumentList) {
        options.declare(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try ExportCommand.run(.markdown, options, context) }
}

struct ExportJSONCommand: Command {
    static let name = "json"
    static var spec: Spec {
        Spec(
            "Write everything as JSON, history included.",
            discussion: """
                A path that ends in .json makes one document, .tar an archive of documents and files, anything else \
                a folder of them.
                """,
            examples: [
                "vault export json -o notes.json.age --encrypt-to age1…":
                    "Everything with its history, for the owner of a key.",
                "vault export json -o - --plaintext | jq .notes[].title": "Look at it without writing a file.",
            ])
    }
    var options = ExportOptions()

    mutating func declare(_ list: inout ArgumentList) {
        options.declare(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try ExportCommand.run(.json, options, context) }
}

struct ExportHTMLCommand: Command {
    static let name = "html"
    static var spec: Spec {
        Spec(
            "Write one page for reading and printing, with its pictures in it.",
            discussion: "The page needs no other file and runs no script.",
            examples: ["vault export html notebook:travel -o travel.html --plaintext": "A page to print or to send."])
    }
    var options = ExportOptions()

    mutating func declare(_ list: inout ArgumentList) {
        options.declare(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try ExportCommand.run(.html, options, context) }
}

struct ExportJEXCommand: Command {
    static let name = "jex"
    static var spec: Spec {
        Spec(
            "Write an archive that Joplin imports.",
            examples: ["vault export jex -o notes.jex": "An archive for Joplin."])
    }
    var options = ExportOptions()

    mutating func declare(_ list: inout ArgumentList) {
        options.declare(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try ExportCommand.run(.jex, options, context) }
}

struct ExportTextCommand: Command {
    static let name = "text"
    static var spec: Spec {
        Spec(
            "Write all notes as one text, for reading and searching.",
            examples: ["vault export text -o - --plaintext | less": "Read all notes in one go."])
    }
    var options = ExportOptions()

    mutating func declare(_ list: inout ArgumentList) {
        options.declare(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try ExportCommand.run(.text, options, context) }
}

/// `ExportOptions` holds what `export` is told.
struct ExportOptions: Sendable, Equatable, ArgumentGroup {
    var query: [String] = []
    /// A new file or folder; "-" is standard output.
    var output = ""
    var recipients: [String] = []
    /// Files with a recipient on each line.
    var recipientsFiles: [String] = []
    var usesPassphrase = false
    var passphraseFile: String?
    var passphraseDescriptor: Int32?
    var isArmored = false
    /// Whether it was agreed to that it is in the clear.
    var plaintext = false
    var includesTrash = false
    var includesHistory = true

    mutating func declare(_ list: inout ArgumentList) {
        list.terms(
            &query, "query", "Words and filters that the notes must match, as in 'vault search'; all notes by default.")
        list.required(
            &output, "output", letter: "o", value: "path", "A new file or folder; '-' is standard output.",
            completion: .file)
        declareEncryption(&list)
        list.flag(&plaintext, "plaintext", "Write it unencrypted without asking.")
        list.flag(&includesTrash, "trash", "Include the notes in the trash.")
        list.flag(&includesHistory, "no-history", "Leave out older revisions of the notes.", sets: false)
    }

    /// Declares the age file around an export.
    mutating func declareEncryption(_ list: inout ArgumentList) {
        list.option(&recipients, "encrypt-to", value: "age1…", "Encrypt it for an age key; may be given several times.")
        list.option(
            &recipientsFiles, "recipients-file", value: "file",
            "Encrypt it for the age keys in a file, one on each line.", completion: .file)
        list.flag(&usesPassphrase, "passphrase", "Encrypt it with a passphrase, which is asked for.")
        list.option(
            &passphraseFile, "passphrase-file", value: "file", "Read the passphrase from a file.", completion: .file)
        list.option(&passphraseDescriptor, "passphrase-fd", value: "n", "Read the passphrase from an open descriptor.")
        list.flag(&isArmored, "armor", "Write the encrypted file as text.")
    }

    var wantsPassphrase: Bool { usesPassphrase || passphraseFile != nil || passphraseDescriptor != nil }
    var isSealed: Bool { wantsPassphrase || !recipients.isEmpty || !recipientsFiles.isEmpty }

    /// Refuses what does not go together.
    func check(json: Bool) throws(ClientFailure) {
        guard !output.isEmpty else {
            throw .usage("an export needs a target", hint: "-o PATH, or -o - for standard output")
        }
        guard !(wantsPassphrase && !(recipients.isEmpty && recipientsFiles.isEmpty)) else {
            throw .usage(
                "an age file has recipients or a passphrase, not both", hint: "--encrypt-to age1… or --passphrase")
        }
        guard passphraseFile == nil || passphraseDescriptor == nil else {
            throw .usage(
                "the passphrase comes from a file or a descriptor, not both",
                hint: "--passphrase-file F or --passphrase-fd N")
        }
        guard isSealed || !isArmored else {
            throw .usage("--armor needs --encrypt-to or --passphrase", hint: "vault export --help")
        }
        guard !(isSealed && plaintext) else {
            throw .usage("--plaintext means that nothing is encrypted", hint: "leave it out")
        }
        guard !(json && output == "-") else {
            throw .usage("--json and -o - both write to standard output", hint: "-o PATH")
        }
    }

    /// Tells for whom it is sealed. Recipients are read here and judged by the agent.
    func sealing() throws(ClientFailure) -> ExportNotes.Sealing {
        guard isSealed, !wantsPassphrase else { return wantsPassphrase ? .passphrase : .none }
        var all = recipients
        for path in recipientsFiles { all += try RecipientsFile.read(path) }
        guard all.count <= ExportNotes.recipientCountMax else {
            throw .usage(
                "more than \(ExportNotes.recipientCountMax) recipients for one age file",
                hint: "write a second file for the others")
        }
        guard all.allSatisfy({ $0.utf8.count <= 4096 }) else {
            throw .usage("a recipient is longer than 4 KiB", hint: "give age1… keys")
        }
        return .recipients(all)
    }

    /// Returns the passphrase, typed twice, or read once from where it was said.
    func passphrase(_ context: Context) throws(ClientFailure) -> SecretBytes {
        let source: PasswordSource
        if let passphraseFile {
            source = .file(passphraseFile)
        } else if let passphraseDescriptor {
            source = .descriptor(passphraseDescriptor)
        } else {
            guard !context.options.noInput else {
                throw ClientFailure(
                    .locked, "a passphrase is needed and --no-input was given",
                    hint: "--passphrase-file F or --passphrase-fd N")
            }
            source = .terminal
        }
        return try NewPassword.get(source, prompt: "Passphrase of the export: ")
    }
}
