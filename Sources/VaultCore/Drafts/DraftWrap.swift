// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
internal import VaultFormat

/// `DraftFields` say what a new private note is to be called, before it is one: for an ordinary note these are columns
/// of the draft's row.
struct DraftFields: Equatable {
    var title: String?
    var notebook = ""
    var tags: [String] = []

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.flag(title != nil)
        if let title { writer.text(title) }
        writer.text(notebook)
        writer.u32(UInt32(tags.count))
        for tag in tags { writer.text(tag) }
        return writer.bytes
    }

    init() {}

    init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        title = try reader.flag() ? try reader.text(max: NoteRecord.titleByteCountMax) : nil
        notebook = try reader.text(max: NoteRecord.titleByteCountMax)
        let count = try reader.u32()
        guard count <= NoteRecord.tagCountMax else { throw FormatError(.tooLarge) }
        for _ in 0..<count { tags.append(try reader.text(max: NoteRecord.titleByteCountMax)) }
        try reader.end()
    }
}

/// A `DraftWrap` wraps a draft's key: under the vault's key, and for a private note under the note's key before that.
/// Spec: docs/format.md §17 and §18.
struct DraftWrap {
    let layer: VaultLayer
    let id: DraftID

    /// Size of an ordinary note's: a private one's is larger.
    static let ordinaryByteCount = Cobblestone.sealedByteCount(SymmetricKey.byteCount)
    private static let fieldsByteCountMax = 2 << 20

    func wrap(_ draftKey: SymmetricKey, note: NoteID?, _ noteKeys: NoteKeys?, fields: DraftFields) throws -> [UInt8] {
        // Because a draft's key is content to the vault: sealed under a subkey of its own, bound to this draft.
        guard let note, let noteKeys else { return try layer.seal(draftKey, .draftKey(id)) }
        let cobblestone = try Cobblestone()
        let inner = try unsafe draftKey.withInsecureBytes { raw throws(CryptoError) in
            try unsafe cobblestone.seal(
                raw, key: noteKeys.draftKey, context: innerContext(.innerDraftKey, note, noteKeys))
        }
        var writer = ByteWriter()
        writer.lengthPrefixed(inner)
        writer.lengthPrefixed(
            try cobblestone.seal(
                Padme.pad(fields.encoded), key: noteKeys.draftFields,
                context: innerContext(.innerDraftFields, note, noteKeys)))
        return try layer.seal(writer.bytes, .draftKey(id))
    }

    /// Opens the wrapped key of a draft.
    ///
    /// - Throws: `VaultError.integrity`; `.noteLocked` when it is a private note's and no key is given.
    func unwrap(_ wrapped: [UInt8], note: NoteID?, _ noteKeys: NoteKeys?) throws(VaultError) -> SymmetricKey {
        guard wrapped.count > Self.ordinaryByteCount else {
            guard let key = layer.openKey(wrapped, .draftKey(id)) else { throw VaultError(.integrity) }
            return key
        }
        let (inner, _) = try parts(wrapped)
        guard let note, let noteKeys else { throw VaultError(.noteLocked) }
        guard
            let secret = try? Cobblestone().openSecret(
                inner, key: noteKeys.draftKey, context: innerContext(.innerDraftKey, note, noteKeys)),
            let key = try? SymmetricKey(secret)
        else { throw VaultError(.integrity) }
        return key
    }

    /// Returns what a new private note is to be called.
    func fields(_ wrapped: [UInt8], note: NoteID, _ noteKeys: NoteKeys) throws(VaultError) -> DraftFields {
        let (_, sealed) = try parts(wrapped)
        guard
            let padded = try? Cobblestone().open(
                sealed, key: noteKeys.draftFields, context: innerContext(.innerDraftFields, note, noteKeys)),
            let content = try? Padme.unpad(padded), let fields = try? DraftFields(parsing: content)
        else { throw VaultError(.integrity) }
        return fields
    }

    private func parts(_ wrapped: [UInt8]) throws(VaultError) -> (key: [UInt8], fields: [UInt8]) {
        guard let content = layer.open(wrapped, .draftKey(id)) else { throw VaultError(.integrity) }
        return try Self.parts(of: content)
    }

    /// Splits what a private note's draft has within the vault's layer; both parts are still sealed.
    static func parts(of content: [UInt8]) throws(VaultError) -> (key: [UInt8], fields: [UInt8]) {
        var reader = ByteReader(content)
        guard let inner = try? reader.lengthPrefixed(max: 256),
            let fields = try? reader.lengthPrefixed(max: fieldsByteCountMax),
            (try? reader.end()) != nil
        else { throw VaultError(.integrity) }
        return (inner, fields)
    }

    private func innerContext(_ kind: Context.Kind, _ note: NoteID, _ noteKeys: NoteKeys) -> [UInt8] {
        Context(kind: kind, vaultID: layer.vaultID, objectID: id.bytes, role: note.bytes, epoch: noteKeys.epoch).encoded
    }
}
