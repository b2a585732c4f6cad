// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc
internal import VaultCrypto

/// A `NewVaultFolder` is a vault's directory under another name, which it keeps until all of it is there: after a crash
/// there is a whole vault or none.
///
/// The name is random, and a file in it says that a vault is being made; its lock is held meanwhile. Only a directory
/// with such a name and such a file, and whose lock is free, is taken for what a crash has left.
final class NewVaultFolder {
    let directory: VaultDirectory
    private let path: [UInt8]
    private let temporary: [UInt8]
    /// It got its name, and whether that lasts is not known.
    private var isRenamed = false
    private var isPublished = false
    private static let markName = "vault-in-the-making"
    private static let mark = Array("a vault that is not whole; it may be removed\n".utf8)
    private static let ending = Array(".new-".utf8)
    private static let randomByteCount = 8

    /// Makes the directory, with those above it, and removes what a crash has left beside it.
    ///
    /// - Throws: `VaultError.exists`, `.saveFailed`, `.readOnly`, `.notOurs`.
    init(_ path: [UInt8]) throws(VaultError) {
        try Self.refuseExisting(path)
        self.path = path
        Self.makeParents(path)
        Self.removeRemains(beside: path)
        let random = try VaultError.mapping { () throws(CryptoError) in try SecureRandom.bytes(Self.randomByteCount) }
        temporary = path + Self.ending + Array(BackupFolder.hex(random).utf8)
        // Exclusive, and a name that nobody could know: what is in it is ours.
        guard unsafe mkdir(Self.cString(temporary), 0o700) == 0 else { throw VaultDirectory.failure() }
        do throws(VaultError) {
            directory = try VaultDirectory(path: temporary)
        } catch {
            unsafe rmdir(Self.cString(temporary))
            throw error
        }
        try directory.lock()
        try directory.replace(Self.markName, with: Self.mark)
    }

    deinit {
        guard !isPublished else { return }
        directory.removeContents()
        unsafe rmdir(Self.cString(isRenamed ? path : temporary))
    }

    /// Gives it its name, which must still be free.
    ///
    /// - Returns: the directory under its name.
    /// - Throws: `VaultError.exists`, `.saveFailed`.
    func publish() throws(VaultError) -> VaultDirectory {
        guard directory.remove(Self.markName), directory.sync() else { throw VaultDirectory.failure() }
        // An empty directory makes room; rmdir refuses any other.
        unsafe rmdir(Self.cString(path))
        guard unsafe vs_rename_new(Self.cString(temporary), Self.cString(path)) == 0 else {
            let reason = errno
            // The folder above could not be synced: then nothing stays, under neither name.
            var status = stat()
            isRenamed = unsafe lstat(Self.cString(temporary), &status) != 0
            throw reason == EEXIST ? VaultError(.exists) : VaultError.writing(reason)
        }
        isPublished = true
        directory.unlock()
        return try VaultDirectory(path: path)
    }

    /// Refuses a path where something is that is no empty directory: an empty directory may become a vault, and
    /// anything else is left alone.
    static func refuseExisting(_ path: [UInt8]) throws(VaultError) {
        var status = stat()
        guard unsafe lstat(cString(path), &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw VaultError(.exists) }
        guard let stream = unsafe opendir(cString(path)) else { throw .reading(errno, otherwise: .exists) }
        defer { unsafe closedir(stream) }
        var count = 0
        while unsafe readdir(stream) != nil { count += 1 }
        guard count == 2 else { throw VaultError(.exists) }  // "." and ".."
    }

    /// Removes what earlier tries at this place have left.
    private static func removeRemains(beside path: [UInt8]) {
        guard let slash = path.lastIndex(of: 0x2F) else { return }
        let parent = slash == 0 ? [0x2F] : Array(path[..<slash])
        let begin = Array(path[(slash + 1)...]) + ending
        guard let stream = unsafe opendir(cString(parent)) else { return }
        var found: [[UInt8]] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { raw in unsafe Array(raw.prefix { $0 != 0 }) }
            let rest = name.dropFirst(begin.count)
            let isRandom =
                rest.count == 2 * randomByteCount
                && rest.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
            if name.starts(with: begin), isRandom { found.append(parent + [0x2F] + name) }
        }
        unsafe closedir(stream)
        for remains in found { removeRemains(remains) }
    }

    private static func removeRemains(_ path: [UInt8]) {
        // A process that fills it holds its lock; what has no mark was not made here.
        guard let remains = try? VaultDirectory(path: path), (try? remains.read(markName, byteCountMax: 256)) == mark,
            (try? remains.lock()) != nil
        else {
            return
        }
        remains.removeContents(butLast: markName)
        _ = remains.unlink(markName)
        unsafe rmdir(cString(path))
    }

    private static func makeParents(_ path: [UInt8]) {
        for end in path.indices.dropFirst() where path[end] == 0x2F {
            unsafe mkdir(cString(Array(path[0..<end])), 0o700)
        }
    }

    private static func cString(_ path: [UInt8]) -> [CChar] { path.map { CChar(bitPattern: $0) } + [0] }
}

extension VaultDirectory {
    /// Removes everything in it that a vault may consist of: files, and files in folders of folders. A link is removed,
    /// never followed.
    ///
    /// - Parameter kept: a file that stays.
    func removeContents(depth: Int = 3, butLast kept: String? = nil) {
        for name in (try? names()) ?? [] where name != kept {
            if unlink(name) { continue }
            guard depth > 0, let folder = existingFolder(name) else { continue }
            folder.removeContents(depth: depth - 1)
            removeFolder(name)
        }
    }
}
