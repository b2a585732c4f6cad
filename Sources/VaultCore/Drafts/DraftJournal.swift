// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
public import VaultFormat

/// A `DraftJournal` is the sealed journal of one running edit: each save of the editor replaces the one before.
///
/// It has a key of its own, which opens this draft and nothing else, and its own way to the folder. So it goes on when
/// the vault is locked while somebody writes. Spec: docs/format.md §17.
public final class DraftJournal {
    public let id: DraftID
    /// Saves of this draft that are durable.
    public private(set) var sequence: UInt64
    private let key: SymmetricKey
    private let folder: VaultDirectory
    private let context: [UInt8]
    private let cobblestone: Cobblestone
    /// Padded and sealed, the largest text takes less than this.
    private static let byteCountMax = NoteRecord.bodyByteCountMax + NoteRecord.bodyByteCountMax / 8

    init(_ id: DraftID, key: SymmetricKey, vaultID: VaultID, folder: VaultDirectory) throws(VaultError) {
        let cobblestone = try VaultError.mapping { () throws(CryptoError) in try Cobblestone() }
        self.id = id
        self.key = key
        self.folder = folder
        self.cobblestone = cobblestone
        // The key is this draft's alone, so no epoch is bound: a rotation wraps it again and leaves the journal.
        context = Self.context(id, vaultID)
        sequence = 0
        sequence = try load()?.sequence ?? 0
    }

    static func context(_ id: DraftID, _ vaultID: VaultID) -> [UInt8] {
        Context(kind: .draft, vaultID: vaultID, objectID: id.bytes, epoch: 0).encoded
    }

    /// Puts back a text as it was saved elsewhere, with its number and time.
    func putBack(_ text: DraftText) throws(VaultError) {
        try write(text)
        sequence = text.sequence
    }

    /// Keeps the text that the editor was given if no revision has it: number 0, so that nobody takes it for a save.
    public func begin(_ body: [UInt8]) throws(VaultError) {
        try write(DraftText(sequence: 0, saved: Machine.now, body: body))
    }

    /// Keeps a text; it is durable when this returns.
    ///
    /// - Throws: `VaultError.tooLarge`, `.readOnly`, `.saveFailed`.
    public func save(_ body: [UInt8]) throws(VaultError) {
        try write(DraftText(sequence: sequence + 1, saved: Machine.now, body: body))
        sequence += 1
    }

    private func write(_ text: DraftText) throws(VaultError) {
        guard text.body.count <= NoteRecord.bodyByteCountMax else { throw VaultError(.tooLarge) }
        let sealed = try VaultError.mapping { () throws(CryptoError) in
            try cobblestone.seal(Padme.pad(text.encoded), key: key, context: context)
        }
        try folder.replace(id.hex, with: sealed)
    }

    /// Returns what was saved last; nil before the first save.
    ///
    /// - Throws: `VaultError.integrity` when the file is not this draft's, or was changed.
    public func load() throws(VaultError) -> DraftText? {
        guard let sealed = try folder.read(id.hex, byteCountMax: Self.byteCountMax) else { return nil }
        guard let padded = try? cobblestone.open(sealed, key: key, context: context),
            let content = try? Padme.unpad(padded),
            let text = try? DraftText(parsing: content)
        else { throw VaultError(.integrity) }
        return text
    }

    /// Removes the file; a draft that was saved or thrown away has none.
    func remove() { folder.remove(id.hex) }
}
