// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import SealedObjects
internal import VaultFormat

/// Copies one object into a backup and opens it on the way, a few megabytes behind: they are still in memory then.
struct ObjectCopy {
    private let record: AttachmentRecord
    private let index: FrozenIndex
    private let folder: BackupFolder

    init(_ record: AttachmentRecord, _ index: FrozenIndex, to folder: BackupFolder) {
        self.record = record
        self.index = index
        self.folder = folder
    }

    /// - Returns: false when it is missing or does not open; then nothing of it stays in the backup.
    /// - Throws: what fails where it is written; `.cancelled`.
    func run(_ sealer: AttachmentSealer, _ step: (Int) throws(VaultError) -> Void) throws(VaultError) -> Bool {
        let found: Int32?
        do throws(VaultError) { found = try ObjectFolder(index.directory).open(record.object) } catch {
            // That says nothing of the file.
            if error.code == .system { throw error }
            found = nil
        }
        guard let opened = found else { return false }
        defer { close(opened) }
        guard let layer = try? sealer.outerLayer(record.object, record.id, epoch: index.header.epoch),
            let check = Check(opened, record, layer)
        else { return false }
        let target = try folder.directory.folder(ObjectFolder.name).folder(record.object.folder)
        do throws(VaultError) {
            try target.copy(record.object.hex, from: opened, byteCount: record.fileByteCount) {
                copied throws(VaultError) in
                try step(copied)
                check.open(copied)
                if check.hasFailed { throw VaultError(.integrity) }
            }
        } catch {
            // What cannot be read is lost; what cannot be written is not.
            guard error.code != .cancelled else { throw error }
            if error.code != .integrity, check.openRest() { throw error }
            return false
        }
        guard check.openRest() else {
            _ = target.unlink(record.object.hex)
            return false
        }
        return true
    }

    /// Opens the object's chunks, in its own pace.
    private final class Check {
        private let reader: ObjectReader
        private var place: Int? = 0
        private(set) var hasFailed = false

        init?(_ file: Int32, _ record: AttachmentRecord, _ layer: SealLayer) {
            let made = try? ObjectReader(
                outerLayerOf: file, layer, fileByteCount: record.fileByteCount, commitment: record.commitment)
            guard let made else { return nil }
            reader = made
        }

        /// About as much as was copied, by mebibytes.
        func open(_ byteCount: Int) {
            for _ in 0..<(byteCount >> 20) where !hasFailed { advance() }
        }

        func openRest() -> Bool {
            while place != nil, !hasFailed { advance() }
            return !hasFailed
        }

        private func advance() {
            guard let now = place else { return }
            do throws(ObjectError) { place = try reader.check(from: now) } catch { hasFailed = true }
        }
    }
}
