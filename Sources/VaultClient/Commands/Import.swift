// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import ParserProtocol

extension CommandTree {
    static let maintenance = Section(
        title: "Import, export, maintenance",
        entries: [
            .group(ImportGroup.self), .group(ExportGroup.self), .group(BackupGroup.self),
            .command(ShareCommand.self), .command(CopyCommand.self), .command(CheckCommand.self),
            .command(RepairCommand.self), .command(SalvageCommand.self), .command(AdoptCommand.self),
            .group(ConfigGroup.self),
            .command(DoctorCommand.self),
            .command(CompletionCommand.self), .command(AboutCommand.self), .command(VersionCommand.self),
        ])
}

/// `ImportGroup` is the heading `vault import`.
enum ImportGroup: CommandGroup {
    static let name = "import"
    static var spec: Spec {
        Spec(
            "Import notes from other programs.",
            discussion: """
                Importing the same source again updates the notes of the first import. What cannot be carried over \
                is listed.
                """)
    }
    static var commands: CommandList {
        CommandList(
            [MadeCommand(ImportSourceCommand.self)]
                + ImportFormat.allCases.map { MadeCommand($0.rawValue, Spec($0), ImportSourceCommand($0)) })
    }
}

/// `ImportSourceCommand` runs `vault import FORMAT`, and `vault import auto`, which finds the format out.
struct ImportSourceCommand: Command {
    static let name = "auto"
    static var spec: Spec {
        Spec(
            "Detect the format of a file or folder, and import it.",
            examples: [
                "vault import auto ~/Downloads/export.jex --dry-run":
                    "See what it is, what would be imported, and what would be lost.",
                "vault import auto ~/Downloads/export.jex": "Import it.",
            ])
    }
    var options: ImportOptions

    init() { options = ImportOptions(nil) }
    init(_ format: ImportFormat) { options = ImportOptions(format) }

    mutating func declare(_ list: inout ArgumentList) {
        let format = options.format?.declaration
        let takesFile = format?.takesFile ?? true
        list.word(
            &options.path, takesFile ? "path" : "directory", format?.usage.argument ?? "The file or folder.",
            completion: takesFile ? .file : .folder)
        options.declare(&list)
        if format?.privateNotes != ImportFormat.PrivateNotes.none {
            options.passwords.declare(&list)
            list.flag(&options.showsTitles, "show-title", "Show the titles of private notes while they are locked.")
        }
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try ImportCommand.run(options, context) }
}

extension Spec {
    fileprivate init(_ format: ImportFormat) {
        let usage = format.declaration.usage
        self.init(usage.abstract, discussion: usage.discussion, examples: usage.examples)
    }
}

/// `ImportOptions` holds what `vault import` is told.
struct ImportOptions: Sendable, Equatable, ArgumentGroup {
    /// Nil: to be found out.
    var format: ImportFormat?
    var path: String
    var dryRun = false
    /// The zone of dates that name none; nil for this machine's.
    var timeZone: String?
    /// What opens a source that is sealed for age.
    var sealed = SealedOptions()
    /// A new file for all that could not be carried over.
    var report: String?
    /// Of notes that are to be private.
    var passwords = NotePasswordOptions()
    var showsTitles = false

    init(_ format: ImportFormat?, _ path: String = "") {
        self.format = format
        self.path = path
    }

    mutating func declare(_ list: inout ArgumentList) {
        list.flag(&dryRun, "dry-run", "Only show what would be imported, and what would be lost.")
        list.option(
            &report, "report", value: "file", "Write a list of what could not be carried over to a new file, as JSON.",
            completion: .file)
        list.option(
            &timeZone, "timezone", value: "zone",
            "The time zone of dates without one, such as Europe/Berlin or +02:00; this machine's by default.")
        list.option(
            &sealed.identity, "identity", value: "file",
            "Decrypt a source that is encrypted with age, with the keys in a file.",
            completion: .file)
        list.option(
            &sealed.passphraseFile, "passphrase-file", value: "file",
            "Read the passphrase of such a source from a file.", completion: .file)
        list.option(&sealed.passphraseDescriptor, "passphrase-fd", value: "n", "Read it from an open descriptor.")
    }
}
