// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import VaultFormat

/// An `ObjectFolder` is the folder `objects/` of a vault: one sealed file for each attachment, under a random name.
/// Spec: docs/format.md §19.
struct ObjectFolder {
    static let name = "objects"
    /// What the index does not know is kept here for a while.
    static let quarantineName = "quarantine"
    /// Thirty days, in milliseconds.
    static let quarantineMillisecondsMax: Int64 = 30 * 24 * 3600 * 1000

    private let vault: VaultDirectory

    init(_ vault: VaultDirectory) { self.vault = vault }

    /// Makes the file of a new object, to be written once.
    ///
    /// - Throws: `VaultError.readOnly`, `.saveFailed`, `.notOurs`.
    func create(_ object: ObjectName) throws(VaultError) -> Int32 {
        let folder = try vault.folder(Self.name).folder(object.folder)
        let opened = folder.open(object.hex, O_RDWR | O_CREAT | O_EXCL)
        guard opened >= 0 else { throw VaultDirectory.failure() }
        return opened
    }

    static func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

    /// Waits until the file and its name are on disk.
    func sync(_ descriptor: Int32, _ object: ObjectName) throws(VaultError) {
        guard fsync(descriptor) == 0, let folder = folder(of: object), folder.sync() else {
            throw VaultDirectory.failure()
        }
    }

    /// Opens an object to be read; nil when there is none.
    ///
    /// - Throws: `VaultError.notOurs` for a link, another's file or one with a second name.
    func open(_ object: ObjectName) throws(VaultError) -> Int32? {
        guard let folder = try vault.folderIfThere(Self.name)?.folderIfThere(object.folder) else { return nil }
        let opened = folder.open(object.hex, O_RDONLY | O_NONBLOCK)
        guard opened >= 0 else {
            if errno == ENOENT { return nil }
            throw .reading(errno, otherwise: .notOurs)
        }
        guard VaultDirectory.isOurFile(opened) else {
            Self.close(opened)
            throw VaultError(.notOurs)
        }
        return opened
    }

    /// Tells whether an object's file is there.
    func contains(_ object: ObjectName) -> Bool { folder(of: object)?.identity(object.hex) != nil }

    /// Removes a file. Succeeds if the file is already gone.
    ///
    /// - Returns: whether it is gone.
    @discardableResult
    func remove(_ object: ObjectName) -> Bool {
        do throws(VaultError) {
            return try vault.folderIfThere(Self.name)?.folderIfThere(object.folder)?.remove(object.hex) ?? true
        } catch { return false }
    }

    /// Returns the names of all objects in the folder, and of files that are not objects.
    func all() throws(VaultError) -> (objects: [ObjectName], strange: [String]) {
        guard let root = try vault.folderIfThere(Self.name) else { return ([], []) }
        var objects: [ObjectName] = []
        var strange: [String] = []
        for folderName in try root.names() where folderName != Self.quarantineName {
            guard let folder = try root.folderIfThere(folderName) else {
                strange.append(folderName)
                continue
            }
            for name in try folder.names() {
                if let object = ObjectName(hex: name), object.folder == folderName {
                    objects.append(object)
                } else {
                    strange.append(folderName + "/" + name)
                }
            }
        }
        return (objects, strange)
    }

    /// Puts a file that the index does not know out of the way. Nothing is lost for thirty days.
    func quarantine(_ object: ObjectName) throws(VaultError) {
        guard let from = folder(of: object) else { return }
        let to = try vault.folder(Self.name).folder(Self.quarantineName)
        guard from.move(object.hex, to: to) else {
            // It was given up meanwhile by its writer.
            if errno == ENOENT { return }
            throw VaultDirectory.failure()
        }
        // From now on the thirty days count.
        to.touch(object.hex)
    }

    /// Removes what has lain in quarantine for longer than that.
    ///
    /// - Returns: how many files were removed.
    func emptyQuarantine(now: Int64 = Machine.now) throws(VaultError) -> Int {
        guard let folder = try vault.folderIfThere(Self.name)?.folderIfThere(Self.quarantineName) else { return 0 }
        return try folder.names().count { name in
            guard let modified = folder.modified(name),
                now.subtractingReportingOverflow(modified).partialValue > Self.quarantineMillisecondsMax
            else { return false }
            folder.remove(name)
            return true
        }
    }

    /// Removes some of what lies in quarantine, however long it has lain there.
    ///
    /// - Returns: whether there is more.
    func removeQuarantine(limit: Int) throws(VaultError) -> Bool {
        guard let folder = try vault.folderIfThere(Self.name)?.folderIfThere(Self.quarantineName) else { return false }
        let names = try folder.names()
        for name in names.prefix(limit) { folder.remove(name) }
        return names.count > limit
    }

    /// Counts the objects, their bytes, and those of the largest.
    func usage() throws(VaultError) -> (count: Int, byteCount: UInt64, largest: UInt64) {
        guard let root = try vault.folderIfThere(Self.name) else { return (0, 0, 0) }
        var usage = (count: 0, byteCount: UInt64(0), largest: UInt64(0))
        for folder in try root.names() where folder != Self.quarantineName {
            guard let files = try root.folderIfThere(folder) else { continue }
            for name in try files.names() where ObjectName(hex: name) != nil {
                let size = files.byteCount(name)
                // Anybody may put a file here whose size is a lie.
                usage = (
                    usage.count + 1, UInt64(clamping: min(usage.byteCount, 1 << 60) + min(size, 1 << 60)),
                    max(usage.largest, size)
                )
            }
        }
        return usage
    }

    private func folder(of object: ObjectName) -> VaultDirectory? {
        vault.existingFolder(Self.name)?.existingFolder(object.folder)
    }
}
