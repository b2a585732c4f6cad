// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SealedObjects
internal import VaultCrypto
internal import VaultFormat

/// An `ArchiveReader` reads an archive: its header first, then with a credential its items, one after the other.
///
/// Do not trust the content as a whole until `next` has returned the end.
public final class ArchiveReader {
    private let stream: StreamOpening
    private let header: UnverifiedHeader
    private var last: ArchiveItem.Kind?
    private var counts = ArchiveCounts()

    /// Reads the header; costs are checked here, before anybody is asked for a password.
    ///
    /// - Parameters:
    ///   - source: a regular file, read from its beginning, or a pipe.
    ///   - progress: told how many bytes are read; false ends the work.
    /// - Throws: `VaultError.notAnArchive`, `.newerFormat`, `.costOutOfRange`; `ObjectError`.
    public init(_ source: Int32, patience: Duration = .seconds(60), progress: @escaping (UInt64) -> Bool) throws {
        stream = try StreamOpening(source, patience: patience, progress: progress)
        guard let prefix = try stream.clear(ArchivePrefix.byteCount), let byteCount = try? ArchivePrefix.parse(prefix),
            let bytes = try stream.clear(byteCount)
        else { throw VaultError(.notAnArchive) }
        do throws(VaultError) { header = try HeaderFile.copy(bytes).header } catch {
            throw error.code == .integrity ? VaultError(.notAnArchive) : error
        }
        guard header.copyID == nil else { throw VaultError(.notAnArchive) }
    }

    /// Of the slots that can open it.
    public var isOpenedByPassword: Bool { header.keyslots.contains { $0.kind.usesArgon2 } }

    /// Tries a credential on the slots of its kind. It takes as long as their costs say.
    ///
    /// - Throws: `VaultError.wrongPassword` while no slot has opened, `.integrity` after one has, `.outOfMemory`.
    public func unlock(_ credential: borrowing Credential) throws(VaultError) {
        var trial = KeyslotTrial(costs: KeyslotCosts(), triesDear: true)
        for slot in header.keyslots {
            guard let root = try trial.open(slot, credential, header) else { continue }
            guard let keys = try? VaultKeys(root), let verified = try? Header.verify(header, keys: keys),
                let layer = ArchiveStream.layer(root, verified)
            else { throw VaultError(.integrity) }
            do throws(ObjectError) { try stream.begin(layer) } catch { throw Self.vaultError(error) }
            return
        }
        throw trial.failure
    }

    /// Reads the next item. After an attachment its content has to be taken with `content`.
    ///
    /// - Throws: `VaultError.integrity` for what does not open, does not parse or stands in the wrong place.
    func next() throws -> ArchiveItem {
        let (kind, byteCount) = try opened { try ArchiveItem.parsePrefix(stream.bytes(ArchiveItem.prefixByteCount)) }
        let item = try opened { try ArchiveItem(kind, parsing: stream.bytes(byteCount)) }
        // The vault once, first; then kinds in their order.
        guard last == nil ? kind == .vault : kind != .vault && kind.rawValue >= last?.rawValue ?? 0 else {
            throw VaultError(.integrity)
        }
        last = kind
        guard case .end(let expected) = item else {
            counts.add(kind)
            return item
        }
        guard expected == counts else { throw VaultError(.integrity) }
        try opened { try stream.finish() }
        return item
    }

    /// Reads the content of the attachment that was the last item, and gives it to `sink`.
    ///
    /// - Throws: `VaultError.integrity`; what `sink` throws.
    func content(_ byteCount: UInt64, to sink: (UnsafeRawBufferPointer) throws -> Void) throws {
        try opened { try unsafe stream.pass(byteCount) { piece in try unsafe sink(piece) } }
    }

    private func opened<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as ObjectError { throw Self.failure(error) } catch is FormatError {
            throw VaultError(.integrity)
        }
    }

    private static func failure(_ error: ObjectError) -> any Error {
        error.code == .notAuthentic ? VaultError(.integrity) : error
    }

    private static func vaultError(_ error: ObjectError) -> VaultError {
        VaultError(
            error.code == .notAuthentic ? .integrity : error.code == .libraryFailure ? .libraryFailed : .saveFailed)
    }
}
