// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import SealedObjects
public import VaultFormat

/// An `ImportedNote` is a note of another program, with what accompanies its text.
public struct ImportedNote {
    public var draft: NoteDraft
    /// Its identifier if it is new: links of other notes may already contain it.
    public var id: NoteID?
    /// The existing note that it is, if known; one deleted since is created again.
    public var home: NoteID?
    public var flags: NoteRecord.Flags = []
    /// Flags that its source knows of; all others stay what the vault's owner made them.
    public var knownFlags: NoteRecord.Flags = []
    /// Their names are the note's own: safe, and no two the same.
    public var files: [ImportedFile] = []
    /// It holds a secret: it is stored under a password, or not at all.
    public var mustBePrivate = false
    /// For a note that is to be private from its first revision on; nil for an ordinary one, and for one that is there
    /// already.
    public var protecting: NoteProtecting?
    /// It is a book.
    public var book: ImportedBook?
    /// Its place in a book.
    public var place: ImportedPlace?

    public init(_ draft: NoteDraft) { self.draft = draft }
}

/// An `ImportedFile` is a file of an imported note.
public struct ImportedFile {
    public let name: String
    /// What was read of it.
    public let staged: StagedFile
    /// An attachment of the note that has this name and this content: it stays.
    public var same: AttachmentID?
    /// The sealed file that becomes this note's own: each attachment has one home.
    public var own: StagedFile?

    public init(name: String, _ staged: StagedFile) {
        self.name = name
        self.staged = staged
    }
}

/// A `StagedFile` is a sealed file that belongs to no note yet. If no note takes it, it is removed with this object.
public final class StagedFile {
    /// Nil in a dry run: then nothing is written.
    public let file: NewObject?
    public let sealed: SealedObject?
    public let details: AttachmentDetails
    /// SHA-256 of the content, once it was asked for.
    public var digest: [UInt8]?
    /// Whether a note has it: another one needs a copy.
    public var isTaken = false

    public init(_ file: NewObject?, _ sealed: SealedObject?, _ details: AttachmentDetails, digest: [UInt8]? = nil) {
        self.file = file
        self.sealed = sealed
        self.details = details
        self.digest = digest
    }
}

/// `ImportedNames` makes the names of one imported note's files: safe, and no two the same. Linear however many
/// there are.
public struct ImportedNames {
    private var taken: Set<[UInt8]> = []
    private var next: [[UInt8]: Int] = [:]

    public init() {}

    /// Returns a safe name that no other file of the note has.
    ///
    /// - Parameter wanted: whatever the source called it (ThreatModel H01).
    public mutating func add(_ wanted: String) -> String {
        let clean = AttachmentName.clean(wanted)
        let key = TagKey.bytes(clean)
        if taken.insert(key).inserted { return clean }
        var number = next[key] ?? 2
        while true {
            let name = AttachmentName.numbered(clean, number)
            number += 1
            guard taken.insert(TagKey.bytes(name)).inserted else { continue }
            next[key] = number
            return name
        }
    }
}
