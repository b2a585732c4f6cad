// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ForeignProgram` is another program whose files are recognised, and not imported as they are.
///
/// This is only a declaration: `vault-parse` checks whether a source has one of the shapes, `vault` prints
/// name and advice. So what is printed never comes from the process that read the untrusted bytes.
public struct ForeignProgram: Sendable {
    /// The answer of `vault-parse`: lower-case letters, digits and dashes, at most 40 bytes.
    public let id: String
    /// What the source is, to be read after "is": with its article.
    public let name: String
    public let shape: SourceShape
    /// Advice for the user: a command, or which export to make and which format it has.
    public let advice: String
    /// The format of ours that reads it as it is; most have none.
    public let format: String?
    /// Whether a format that the user names is tried anyway: what many programs write may be one of ours too.
    public let yields: Bool

    init(
        _ id: String, _ name: String, _ shape: SourceShape, do advice: String, format: String? = nil,
        yields: Bool = false
    ) {
        self.id = id
        self.name = name
        self.shape = shape
        self.advice = advice
        self.format = format
        self.yields = yields
    }

    /// All of them. The first whose shape fits is the answer: the plainest shapes come first, and what many programs
    /// write (a zip, a table) last.
    public static let all: [ForeignProgram] = parts.flatMap { $0 }
    private static let parts: [[ForeignProgram]] = [
        passwordManagers, encryptedFiles, databases, noteArchives, noteDocuments, journals, lists, noteFolders, wikis,
        documents, plainForms,
    ]

    public static func named(_ id: String) -> ForeignProgram? { all.first { $0.id == id } }
}

/// `Advice` holds commands that more than one advice has.
enum Advice {
    static let thenMarkdown = "vault import markdown notes"

    /// Returns the command that turns documents into Markdown.
    static func pandoc(_ form: String, _ ending: String) -> String {
        "mkdir notes && for f in *.\(ending); do pandoc -f \(form) -t gfm -o \"notes/${f%.\(ending)}.md\" \"$f\"; done && \(thenMarkdown)"
    }

    /// A table as one note.
    static let table = "mkdir notes && mlr --icsv --omd cat FILE.csv > notes/table.md && \(thenMarkdown)"

    /// Returns the advice by which passwords become private notes by way of a store of pass.
    static func pass(_ manager: String, _ file: String) -> String {
        "move the entries into a pass store, whose entries become private notes: pass import \(manager) \(file), then vault import pass ~/.password-store"
    }
}
