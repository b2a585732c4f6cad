// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import SealedObjects
internal import VaultFormat

/// An `ObjectCopy` copies one object into a backup. What lies there under its name may be the last good copy, which an
/// older snapshot names: it is taken over when it opens, and gives its place only to a copy that was opened to its end.
struct ObjectCopy {
    enum Outcome {
        /// It was there already.
        case takenOver
        case copied
        /// It is missing or does not open, neither here nor there.
        case lost
    }

    private let record: AttachmentRecord
    private let index: FrozenIndex
    private let folder: BackupFolder

    init(_ record: AttachmentRecord, _ index: FrozenIndex, to folder: BackupFolder) {
        self.record = record
        self.index = index
        self.folder = folder
    }

    /// Copies the object, unless a good copy is there.
    ///
    /// - Parameter step: told how many bytes were copied; 0 only asks whether to go on.
    /// - Throws: what fails where it is written; `.cancelled`.
    func run(_ sealer: AttachmentSealer, _ step: (Int) throws(VaultError) -> Void) throws(VaultError) -> Outcome {
        guard let layer = try? sealer.outerLayer(record.object, record.id, epoch: index.header.epoch) else {
            return .lost
        }
        if let found = try open(in: folder.directory) {
            defer { close(found) }
            if try opens(found, layer, step) { return .takenOver }
        }
        guard let source = try open(in: index.directory) else { return .lost }
        defer { close(source) }
        let target = try folder.directory.folder(ObjectFolder.name).folder(record.object.folder)
        do throws(VaultError) {
            try target.copy(
                record.object.hex, from: source, byteCount: record.fileByteCount,
                isWhole: { part throws(VaultError) in try opens(part, layer, step) }, goesOn: step)
            return .copied
        } catch {
            guard error.code != .cancelled else { throw error }
            // What cannot be read is lost; what cannot be written is not.
            guard try opens(source, layer, step) else { return .lost }
            throw error.code == .integrity ? VaultError(.saveFailed, systemError: EIO) : error
        }
    }

    private func open(in directory: VaultDirectory) throws(VaultError) -> Int32? {
        do throws(VaultError) { return try ObjectFolder(directory).open(record.object) } catch {
            // That says nothing of the file.
            if error.code == .system { throw error }
            return nil
        }
    }

    /// Tells whether a file is the object that the record names, to its end.
    private func opens(
        _ file: Int32, _ layer: SealLayer, _ step: (Int) throws(VaultError) -> Void
    ) throws(VaultError) -> Bool {
        let made = try? ObjectReader(
            outerLayerOf: file, layer, fileByteCount: record.fileByteCount, commitment: record.commitment)
        guard let reader = made else { return false }
        var place: Int? = 0
        while let now = place {
            try step(0)
            do throws(ObjectError) { place = try reader.check(from: now) } catch { return false }
        }
        return true
    }
}
