// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import VaultFormat

/// A folder that a program keeps alike on several machines, known by what the program keeps in its uppermost folder.
///
/// No machine sees the lock of another one there, and the file system looks like any other. So a lease is written, as
/// on a network file system: it comes to the other machine with the rest. Spec: docs/format.md §14.
enum SyncedFolder {
    /// How many folders above the vault's are looked at, and how many names of one.
    private static let depthMax = 16
    private static let nameCountMax = 10_000

    /// The program that carries a vault's folder to other machines; nil where none is known to.
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
        let opened = unsafe open(text, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard let names = try? VaultDirectory.names(taking: opened) else { return nil }
        return names.prefix(nameCountMax).lazy.compactMap { program(marking: $0, in: folder) }.first
    }

    private static func program(marking name: String, in folder: [UInt8]) -> ConflictedCopy.Program? {
        switch name {
        case ".stfolder": return .syncthing
        case ".dropbox.cache": return .dropbox
        case ".dropbox":
            // A folder of this name holds the program's settings, in every home that has it.
            let path = (folder + Array("/.dropbox".utf8)).map { CChar(bitPattern: $0) } + [0]
            var status = stat()
            return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? .dropbox : nil
        case ".nextcloudsync.log", ".owncloudsync.log": return .nextcloud
        default:
            let isDatabase = name.hasSuffix(".db") && (name.hasPrefix(".sync_") || name.hasPrefix("._sync_"))
            return isDatabase ? .nextcloud : nil
        }
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
