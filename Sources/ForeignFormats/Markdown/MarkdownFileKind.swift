// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `MarkdownFileKind` says what a file of a folder of notes is, by its name.
enum MarkdownFileKind {
    case note
    /// A note that another program encrypted: it must be decrypted first.
    case encrypted
    /// A drawing, a board or a table: a note to Obsidian, kept as a file in a note of its own.
    case drawing
    case file

    private static let textEndings: Set<String> = ["md", "markdown", "txt", "org", "adoc"]
    /// nb's and OpenSSL's, GnuPG's, age's; Meld Encrypt's `.mdenc` stands alone.
    private static let encryptedEndings: Set<String> = ["enc", "gpg", "pgp", "asc", "age"]
    private static let drawingEndings: Set<String> = ["canvas", "excalidraw", "base"]

    init(_ path: [UInt8], _ style: MarkdownFolderImport.Style) {
        let ending = EntryPath.ending(path)
        switch ending {
        case "md", "markdown": self = .note
        case "txt" where style == .markdown: self = .note
        case "mdenc": self = .encrypted
        case _ where Self.encryptedEndings.contains(ending):
            let inner = EntryPath.ending(Array(path.dropLast(ending.utf8.count + 1)))
            self = Self.textEndings.contains(inner) ? .encrypted : .file
        case _ where style == .obsidian && Self.drawingEndings.contains(ending): self = .drawing
        default: self = .file
        }
    }
}

/// `OwnedFile` is a file that may lie in the folder of another note's attachments: "X.files/…" beside "X.md", as our
/// own export writes them.
struct OwnedFile {
    let path: String
    let kind: MarkdownFileKind
    let names: MarkdownNames?
    /// Why it cannot be a note.
    let refusal: RefusedEntry.Reason?

    private static let folderEnding = ".files"

    var mayBeOwned: Bool { path.contains(Self.folderEnding + "/") }

    /// Finds the note in whose folder of attachments the file lies.
    ///
    /// - Parameter isNote: whether a note has this path.
    /// - Returns: the path of the note that has the file; the outermost if there are several.
    func owner(_ isNote: (String) -> Bool) -> String? {
        var end = path.startIndex
        while let slash = path[end...].firstIndex(of: "/") {
            let folder = path[..<slash]
            if folder.hasSuffix(Self.folderEnding) {
                let stem = folder.dropLast(Self.folderEnding.count)
                let owners = [".md", ".markdown"].map { String(stem) + $0 }
                if !stem.isEmpty, stem.last != "/", let owner = owners.first(where: isNote) { return owner }
            }
            end = path.index(after: slash)
        }
        return nil
    }
}
