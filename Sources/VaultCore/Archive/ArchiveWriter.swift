// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import SealedObjects
internal import VaultCrypto
public import VaultFormat

/// An `ArchiveWriter` writes an archive: everything that a vault holds, as one sealed stream under a key of its own. It
/// may run on any thread, and needs constant memory.
///
/// Spec: docs/format.md §21.
public final class ArchiveWriter: ArchiveSink {
    private let sealing: StreamSealing
    private let prefixByteCount: Int

    private init(_ key: ArchiveKey, _ sink: @escaping Sink, progress: @escaping (UInt64) -> Bool) throws(ObjectError) {
        guard let layer = ArchiveStream.layer(key.root, key.header) else { throw ObjectError(.libraryFailure) }
        let prefix = key.prefix
        prefixByteCount = prefix.count
        sealing = try unsafe StreamSealing(layer, prefix: prefix, progress: progress, sink: sink)
    }

    /// A `Sink` takes the archive's bytes in their order, on a thread of the writer's own.
    public typealias Sink = (UnsafeRawBufferPointer) throws(ObjectError) -> Void

    /// Writes an archive of an index.
    ///
    /// - Parameters:
    ///   - sink: when it throws, the bytes it was given are not an archive.
    ///   - made: when, in milliseconds since 1970, UTC.
    ///   - progress: told how many bytes of content are done; false ends the work.
    /// - Returns: what it holds, and its size in bytes.
    /// - Throws: `VaultError` for what fails in the vault, `ObjectError` for what fails where it is written.
    public static func write(
        _ index: FrozenIndex, _ key: ArchiveKey, made: Int64, to sink: @escaping Sink,
        progress: @escaping (UInt64) -> Bool
    ) throws -> (counts: ArchiveCounts, byteCount: UInt64) {
        let writer = try unsafe ArchiveWriter(key, sink, progress: progress)
        let source = ArchiveSource(index, to: writer)
        try FrozenIndex.mapped { try source.run(made: made) }
        let sealed = try writer.sealing.finish()
        return (source.counts, sealed.fileByteCount + UInt64(writer.prefixByteCount))
    }

    func take(_ item: ArchiveItem) throws { try sealing.append(item.encoded) }

    func take(_ content: UnsafeRawBufferPointer) throws { try unsafe sealing.append(content) }
}

/// `ArchiveStream` says how the stream of an archive is sealed.
enum ArchiveStream {
    /// Derives the layer that seals the stream.
    ///
    /// - Returns: nil when the library fails.
    static func layer(_ root: SymmetricKey, _ header: Header) -> SealLayer? {
        // Because an archive's key seals one stream, its identifier alone says which: no object ID and no role.
        let context = Context(kind: .archive, vaultID: header.vaultID, epoch: header.epoch)
        return (try? root.subkey(.export)).map { SealLayer(key: $0, context: context.encoded) }
    }
}
