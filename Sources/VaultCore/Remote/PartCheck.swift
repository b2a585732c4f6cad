// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import VaultCrypto
public import VaultFormat

/// Tells whether bytes are a part of an attachment's object before the others are there: each chunk authenticates its
/// place in the object. Nothing of the content is given out.
///
/// Spec: docs/format.md §25.7.
public final class PartCheck {
    private let chunks: CobblestoneChunks
    private let parts: PartList

    /// Checks the beginning of an object, which its parts depend on.
    ///
    /// - Parameters:
    ///   - record: names the object and its commitment.
    ///   - begin: the first 56 bytes of part 0.
    /// - Throws: `VaultError.integrity` unless they are the beginning of that object.
    init(_ record: AttachmentRecord, begin: [UInt8], _ keys: VaultKeys, _ vaultID: VaultID, epoch: UInt32)
        throws(VaultError)
    {
        guard let parts = PartList(fileByteCount: record.fileByteCount),
            begin.count == Cobblestone.prefixByteCount,
            SafeCompare.equal(Array(begin.suffix(AttachmentRecord.commitmentByteCount)), record.commitment)
        else { throw VaultError(.integrity) }
        let context = Context(
            kind: .attachment, vaultID: vaultID, objectID: record.object.bytes, role: record.id.bytes, epoch: epoch)
        self.parts = parts
        chunks = try VaultError.mapping { () throws(CryptoError) in
            try CobblestoneChunks(opening: begin, key: keys.attachment, context: context.encoded)
        }
    }

    /// Returns whether these bytes are this part, whole and unchanged.
    ///
    /// - Throws: `VaultError.libraryFailed`.
    public func isPart(_ bytes: [UInt8], _ part: UInt32) throws(VaultError) -> Bool {
        guard part < parts.count else { return false }
        let range = parts.range(of: part)
        guard bytes.count == range.count else { return false }
        if part == 0, Array(bytes.prefix(Cobblestone.prefixByteCount)) != chunks.prefix { return false }
        var scratch = SecretBytes(zeroes: Cobblestone.chunkByteCount)
        var number = Int(parts.firstChunk(of: part))
        var at = part == 0 ? Cobblestone.prefixByteCount : 0
        while at < bytes.count {
            let end = min(at + Cobblestone.chunkByteCount + Cobblestone.tagByteCount, bytes.count)
            guard try isChunk(bytes[at..<end], number, &scratch) else { return false }
            number += 1
            at = end
        }
        return true
    }

    private func isChunk(
        _ sealed: ArraySlice<UInt8>, _ number: Int, _ scratch: inout SecretBytes
    ) throws(VaultError) -> Bool {
        let count = sealed.count - Cobblestone.tagByteCount
        guard count >= 0 else { return false }
        do throws(CryptoError) {
            try unsafe scratch.withUnsafeMutableBytes { target throws(CryptoError) in
                try unsafe sealed.withUnsafeBufferPointer { raw throws(CryptoError) in
                    try unsafe chunks.open(
                        number, UnsafeRawBufferPointer(raw),
                        into: UnsafeMutableRawBufferPointer(rebasing: target[0..<count]))
                }
            }
            return true
        } catch {
            guard error.code == .notAuthentic else { throw VaultError(error) }
            return false
        }
    }
}

extension OpenVault {
    /// Checks the parts of an object of this epoch as they come.
    ///
    /// - Parameters:
    ///   - record: as another device has told it.
    ///   - begin: the first 56 bytes of part 0.
    /// - Throws: `VaultError.integrity` unless they are the beginning of that object.
    public func partCheck(of record: AttachmentRecord, begin: [UInt8]) throws(VaultError) -> PartCheck {
        try PartCheck(record, begin: begin, keys, header.vaultID, epoch: header.epoch)
    }
}
