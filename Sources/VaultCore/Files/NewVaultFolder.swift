// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

/// A vault's directory under another name, which it keeps until all of it is there: after a crash there is a whole vault or none.
///
/// Its lock is held while it is filled. What a crash has left is nobody's, and the next one that makes a vault at this place removes it.
final class NewVaultFolder {
    let directory: VaultDirectory
    private let path: [UInt8]
    private let temporary: [UInt8]
    private var isPublished = false

    /// - Throws: `VaultError.exists`, `.busy` while somebody else makes one here, `.saveFailed`, `.readOnly`, `.notOurs`.
    init(_ path: [UInt8]) throws(VaultError) {
        try Self.refuseExisting(path)
        self.path = path
        temporary = path + Array(".new".utf8)
        Self.makeParents(path)
        if unsafe mkdir(Self.cString(temporary), 0o700) != 0 {
            guard errno == EEXIST else { throw VaultDirectory.failure() }
            try Self.removeRemains(temporary)
            guard unsafe mkdir(Self.cString(temporary), 0o700) == 0 else { throw VaultDirectory.failure() }
        }
        directory = try VaultDirectory(path: temporary)
        try directory.lock()
    }

    deinit {
        guard !isPublished else { return }
        directory.removeContents()
        unsafe rmdir(Self.cString(temporary))
    }

    /// Gives it its name, which must still be free.
    ///
    /// - Returns: the directory under its name.
    /// - Throws: `VaultError.exists`, `.saveFailed`.
    func publish() throws(VaultError) -> VaultDirectory {
        guard directory.sync() else { throw VaultDirectory.failure() }
        // An empty directory makes room; rmdir refuses any other.
        unsafe rmdir(Self.cString(path))
        guard unsafe vs_rename_new(Self.cString(temporary), Self.cString(path)) == 0 else { throw VaultError(errno == EEXIST ? .exists : .saveFailed) }
        isPublished = true
        directory.unlock()
        return try VaultDirectory(path: path)
    }

    /// An empty directory may become a vault; anything else is left alone.
    static func refuseExisting(_ path: [UInt8]) throws(VaultError) {
        var status = stat()
        guard unsafe lstat(cString(path), &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR, let stream = unsafe opendir(cString(path)) else { throw VaultError(.exists) }
        defer { unsafe closedir(stream) }
        var count = 0
        while unsafe readdir(stream) != nil { count += 1 }
        guard count == 2 else { throw VaultError(.exists) }  // "." and ".."
    }

    private static func removeRemains(_ path: [UInt8]) throws(VaultError) {
        let remains = try VaultDirectory(path: path)
        // Whoever fills it holds its lock.
        try remains.lock()
        remains.removeContents()
        guard unsafe rmdir(cString(path)) == 0 else { throw VaultError(.exists) }
    }

    private static func makeParents(_ path: [UInt8]) {
        for end in path.indices.dropFirst() where path[end] == 0x2F { unsafe mkdir(cString(Array(path[0..<end])), 0o700) }
    }

    private static func cString(_ path: [UInt8]) -> [CChar] { path.map { CChar(bitPattern: $0) } + [0] }
}

extension VaultDirectory {
    /// Removes everything in it that a vault may consist of: files, and files in folders of folders. A link is removed, never followed.
    func removeContents(depth: Int = 3) {
        for name in names() {
            if unlink(name) { continue }
            guard depth > 0, let folder = existingFolder(name) else { continue }
            folder.removeContents(depth: depth - 1)
            removeFolder(name)
        }
    }
}
