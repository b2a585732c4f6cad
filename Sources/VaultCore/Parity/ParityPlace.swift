// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc
internal import VaultFormat

/// An `OpenFile` is an open file, which is closed with the object.
final class OpenFile {
    let descriptor: Int32

    /// Takes over an open descriptor.
    ///
    /// - Returns: nil for what is not a regular file.
    init?(taking opened: Int32) {
        descriptor = opened
        var status = stat()
        guard opened >= 0, unsafe fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    var byteCount: UInt64 {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? UInt64(clamping: status.st_size) : 0
    }

    /// Reads as many of the bytes as are there and can be read: a sector that the disk does not give is damage like any
    /// other.
    func read(_ count: Int, at offset: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = unsafe pread(descriptor, buffer.baseAddress! + filled, count - filled, off_t(offset + filled))
                if got < 0 && errno == EINTR { continue }
                guard got > 0 else { break }
                filled += got
            }
        }
    }

    /// Writes all of the bytes.
    ///
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    func write(_ bytes: some Collection<UInt8>, at offset: Int) throws(VaultError) {
        let all = Array(bytes)
        var done = 0
        while done < all.count {
            let wrote = unsafe all.withUnsafeBytes { raw in
                unsafe pwrite(descriptor, raw.baseAddress! + done, raw.count - done, off_t(offset + done))
            }
            if wrote < 0 && errno == EINTR { continue }
            guard wrote > 0 else { throw VaultDirectory.failure() }
            done += wrote
        }
    }
}

/// Holds covered files, and their parity: a backup's folder, or a folder with an archive in it.
final class ParityPlace {
    enum Kind {
        case backup(VaultDirectory)
        /// A folder of anyone's, and the archive's name. The descriptor is the caller's.
        case archive(Int32, String)
    }

    static let folder = "parity"
    static let suffix = ".parity"
    private static let part = ".new"
    let kind: Kind

    init(_ kind: Kind) { self.kind = kind }

    /// Returns the folder and the name that a covered file has.
    ///
    /// - Parameter makes: makes the folders that it lies in.
    private func slot(_ name: CoveredName, makes: Bool) throws(VaultError) -> (folder: VaultDirectory?, name: String)? {
        let (place, inner, text): (String, String?, String)
        switch name {
        case .piece(let digest):
            text = BackupFolder.hex(digest)
            (place, inner) = (BackupFolder.pieces, String(text.prefix(2)))
        case .object(let object): (place, inner, text) = (ObjectFolder.name, object.folder, object.hex)
        case .snapshot(let snapshot): (place, inner, text) = (BackupFolder.snapshots, nil, snapshot.text)
        case .archive:
            guard case .archive(_, let own) = kind else { return nil }
            return (nil, own)
        }
        guard case .backup(let root) = kind else { return nil }
        var folder = makes ? try root.folder(place) : try root.folderIfThere(place)
        if let inner { folder = makes ? try folder?.folder(inner) : try folder?.folderIfThere(inner) }
        return folder.map { ($0, text) }
    }

    private func open(_ slot: (folder: VaultDirectory?, name: String), _ flags: Int32) -> Int32 {
        if let folder = slot.folder { return folder.open(slot.name, flags | O_NONBLOCK) }
        guard case .archive(let folder, _) = kind else { return -1 }
        return unsafe vs_open_at(folder, slot.name, flags | O_NONBLOCK, 0o600)
    }

    /// Opens a covered file for reading.
    ///
    /// - Returns: nil when it is not there, or is not a file of ours.
    func open(_ name: CoveredName) -> OpenFile? {
        guard let slot = try? slot(name, makes: false) else { return nil }
        return OpenFile(taking: open(slot, O_RDONLY))
    }

    /// Makes a new file beside the one of that name, empty.
    ///
    /// - Throws: `VaultError.readOnly`, `.saveFailed`, `.notOurs`.
    func makePart(_ name: CoveredName) throws(VaultError) -> OpenFile {
        guard var slot = try slot(name, makes: true) else { throw VaultError(.notOurs) }
        slot.name += Self.part
        try remove(slot)
        guard let file = OpenFile(taking: open(slot, O_RDWR | O_CREAT | O_EXCL)) else { throw VaultDirectory.failure() }
        return file
    }

    func openPart(_ name: CoveredName) -> OpenFile? {
        guard var slot = try? slot(name, makes: false) else { return nil }
        slot.name += Self.part
        return OpenFile(taking: open(slot, O_RDWR))
    }

    func dropPart(_ name: CoveredName) {
        guard var slot = try? slot(name, makes: false) else { return }
        slot.name += Self.part
        try? remove(slot)
    }

    /// Gives the new file its name.
    func takePart(_ name: CoveredName) throws(VaultError) {
        guard let slot = try slot(name, makes: false) else { throw VaultError(.notOurs) }
        try rename(slot)
    }

    // MARK: Parity files

    /// Returns the names of parity files.
    func parityNames() throws(VaultError) -> [String] {
        switch kind {
        case .backup(let root):
            return (try root.folderIfThere(Self.folder)?.names() ?? []).filter { ObjectName(hex: $0) != nil }.sorted()
        case .archive(_, let own): return [own + Self.suffix]
        }
    }

    private func paritySlot(_ name: String, makes: Bool) throws(VaultError) -> (folder: VaultDirectory?, name: String)?
    {
        guard case .backup(let root) = kind else { return (nil, name) }
        return (makes ? try root.folder(Self.folder) : try root.folderIfThere(Self.folder)).map { ($0, name) }
    }

    func openParity(_ name: String) -> OpenFile? {
        guard let slot = try? paritySlot(name, makes: false) else { return nil }
        return OpenFile(taking: open(slot, O_RDONLY))
    }

    /// Makes a new parity file, which has no name yet.
    func makeParityPart() throws(VaultError) -> OpenFile {
        guard let slot = try paritySlot(partName + Self.part, makes: true) else { throw VaultError(.notOurs) }
        try remove(slot)
        guard let file = OpenFile(taking: open(slot, O_RDWR | O_CREAT | O_EXCL)) else { throw VaultDirectory.failure() }
        return file
    }

    func dropParityPart() {
        guard let slot = try? paritySlot(partName + Self.part, makes: false) else { return }
        try? remove(slot)
    }

    /// Gives the new parity file its name.
    ///
    /// - Parameter digest: of the table, which is its name in a backup.
    /// - Returns: its name.
    func takeParityPart(_ digest: [UInt8]) throws(VaultError) -> String {
        guard case .backup = kind else {
            try rename((nil, partName))
            return partName
        }
        guard let folder = try paritySlot("", makes: true)?.folder else { throw VaultError(.notOurs) }
        let name = BackupFolder.hex(digest)
        guard folder.giveName(name, to: partName + Self.part) else { throw VaultDirectory.failure() }
        return name
    }

    func removeParity(_ name: String) throws(VaultError) {
        if let slot = try paritySlot(name, makes: false) { try remove(slot) }
    }

    private var partName: String {
        switch kind {
        case .backup: "parity"
        case .archive(_, let own): own + Self.suffix
        }
    }

    private func remove(_ slot: (folder: VaultDirectory?, name: String)) throws(VaultError) {
        if let folder = slot.folder {
            guard folder.unlink(slot.name) || errno == ENOENT else { throw VaultDirectory.failure() }
        } else if case .archive(let folder, _) = kind {
            guard unsafe unlinkat(folder, slot.name, 0) == 0 || errno == ENOENT else { throw VaultDirectory.failure() }
        }
    }

    private func rename(_ slot: (folder: VaultDirectory?, name: String)) throws(VaultError) {
        let part = slot.name + Self.part
        let renamed: Bool
        switch (slot.folder, kind) {
        case (let folder?, _): renamed = folder.giveName(slot.name, to: part)
        case (nil, .archive(let folder, _)): renamed = unsafe renameat(folder, part, folder, slot.name) == 0
        case (nil, .backup): renamed = false
        }
        guard renamed else { throw VaultDirectory.failure() }
    }

    /// Waits until all of that is on disk.
    func sync() throws(VaultError) {
        let isDone: Bool
        switch kind {
        case .backup(let root): isDone = root.syncDisk()
        case .archive(let folder, _): isDone = vs_sync_whole_disk(folder) == 0
        }
        guard isDone else { throw VaultDirectory.failure() }
    }
}
