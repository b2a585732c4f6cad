// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import VaultFormat

/// A `SyncedFolder` is a folder that a program keeps alike on several machines, known by what the program keeps in its
/// uppermost folder.
///
/// No machine sees the lock of another one there, and the file system looks like any other. So a lease is written, as
/// on a network file system: it comes to the other machine with the rest. Spec: docs/format.md §14.
enum SyncedFolder {
    /// How many folders above the vault's are looked at.
    private static let depthMax = 16
    /// O_PATH, which Glibc shows only to C.
    private static let pathAlone: Int32 = 0x20_0000

    /// Returns the program that carries a vault's folder to other machines; nil where none is known to.
    static func program(of directory: VaultDirectory) -> ConflictedCopy.Program? {
        var path = directory.canonicalPath
        for _ in 0..<depthMax {
            if let program = program(in: path) { return program }
            guard let end = path.lastIndex(of: UInt8(ascii: "/")), end > 0 else { return nil }
            path.removeSubrange(end...)
        }
        return nil
    }

    private static func program(in folder: [UInt8]) -> ConflictedCopy.Program? {
        let text = folder.map { CChar(bitPattern: $0) } + [0]
        // A folder that may be passed through and not read has its marks all the same.
        let opened = unsafe open(text, Self.pathAlone | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard opened >= 0 else { return nil }
        defer { close(opened) }
        if has(".stfolder", nil, opened) { return .syncthing }
        // A folder of the name `.dropbox` holds the program's settings, in every home that has it.
        if has(".dropbox.cache", nil, opened) || has(".dropbox", S_IFREG, opened) { return .dropbox }
        if has(".nextcloudsync.log", nil, opened) || has(".owncloudsync.log", nil, opened) { return .nextcloud }
        let listed = unsafe openat(opened, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard let names = try? VaultDirectory.names(taking: listed) else { return nil }
        return names.contains(where: isNextcloudDatabase) ? .nextcloud : nil
    }

    /// Tells whether a folder has a file of a name.
    ///
    /// - Parameter kind: of the file, as in its mode; nil for any.
    private static func has(_ name: String, _ kind: mode_t?, _ folder: Int32) -> Bool {
        var status = stat()
        guard unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return false }
        return kind == nil || status.st_mode & S_IFMT == kind
    }

    private static func isNextcloudDatabase(_ name: String) -> Bool {
        name.hasSuffix(".db") && (name.hasPrefix(".sync_") || name.hasPrefix("._sync_"))
    }
}

extension VaultDirectory {
    /// Whether other machines may write the same files without being seen: a lease says who has the vault open.
    var needsLease: Bool { fileSystemKind.needsLease || SyncedFolder.program(of: self) != nil }

    /// What the owner of a vault there should know, a sentence; nil for a folder of this machine alone.
    public var sharingWarning: String? {
        if let warning = fileSystemKind.warning { return warning }
        return SyncedFolder.program(of: self).map {
            "\($0.name) carries the vault's folder to other machines: lock the vault here before you unlock it there"
        }
    }
}
