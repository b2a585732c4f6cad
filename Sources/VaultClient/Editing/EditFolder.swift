// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc

/// `EditFolder` is a 0700 folder in memory for one editor's file. Its lock is held by this process and by the editor,
/// so it is free only when both have gone.
final class EditFolder {
    let path: String
    /// Inherited by the editor.
    let descriptor: Int32

    private static let memoryFileSystems: Set<Int64> = [0x0102_1994, 0x8584_58F6]  // tmpfs, ramfs: statfs(2)

    /// Makes the folder: in memory, or on a disk if that is allowed and there is none in memory.
    ///
    /// - Parameters:
    ///   - allowsDisk: it may lie on a disk when there is no folder in memory.
    ///   - vaultID: 16 bytes; its agent removes what is left of it, and no other vault's does.
    /// - Throws: `.failSafe` without a folder in memory.
    static func make(allowsDisk: Bool, vaultID: [UInt8] = []) throws(ClientFailure) -> EditFolder {
        let runtime: String
        do { runtime = try AgentAddress.directory() } catch { throw AgentConnection.failure(error) }
        let memory = isUsable(runtime) ? runtime : sharedMemory()
        if let memory { return try EditFolder(in: memory, vaultID) }
        guard allowsDisk else {
            throw ClientFailure(
                .failSafe,
                "there is no folder in memory for the editor's file: on a disk, parts of the text would stay readable",
                hint: "mount a tmpfs at $XDG_RUNTIME_DIR, or --allow-disk-temp")
        }
        guard runtime.utf8.allSatisfy(isPlain) else {
            throw ClientFailure(
                .failSafe, "editors would misread the name of \(VisibleText.escaped(runtime))",
                hint: "XDG_RUNTIME_DIR=/run/user/UID")
        }
        Streams.warn("the editor's file is on a disk; parts of the text may stay readable there")
        return try EditFolder(in: runtime, vaultID)
    }

    private init(in folder: String, _ vaultID: [UInt8]) throws(ClientFailure) {
        path = folder + "/" + EditFolderLayout.name(of: vaultID)
        guard unsafe mkdir(path, 0o700) == 0 else { throw Self.failure("cannot make a folder for the editor") }
        descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw Self.failure("cannot lock the editor's folder")
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Makes the file; nothing that lies there is written over.
    func create(name: String, text: [UInt8]) throws(ClientFailure) {
        let file = unsafe vs_open_at(descriptor, name, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard file >= 0 else { throw Self.failure("cannot make the editor's file") }
        defer { close(file) }
        guard Streams.writeAll(text, to: file) else { throw Self.failure("cannot write the editor's file") }
    }

    /// Returns the file as it is now; nil when it is gone.
    ///
    /// - Throws: `.usage` when it is too large for a note, `.failSafe` when something else than a file of ours lies in
    ///   its place.
    func read(name: String) throws(ClientFailure) -> [UInt8]? {
        let file = unsafe vs_open_at(descriptor, name, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw errno == ELOOP ? Self.notAFile : Self.failure("cannot read the editor's file")
        }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == getuid() else {
            throw Self.notAFile
        }
        do {
            return try FileBytes.read(file, max: Frame.noteByteCountMax)
        } catch {
            guard error == .tooLarge else {
                throw ClientFailure(.other, "cannot read the editor's file: \(SystemError.text(error.number))")
            }
            throw .usage(
                "the text is larger than \(Frame.noteByteCountMax >> 20) MiB", hint: "split it: split -C 16m FILE")
        }
    }

    /// Returns what the editor holds and has not written, as far as it tells; nil when the note's file was written
    /// later.
    func typed() -> [UInt8]? {
        guard let typed = written(EditFolderLayout.typedName), typed > written(EditFolderLayout.fileName) ?? 0 else {
            return nil
        }
        return (try? read(name: EditFolderLayout.typedName)).flatMap { $0 }
    }

    /// Returns when a file was written, in nanoseconds since 1970; nil when it is not there.
    private func written(_ name: String) -> Int64? {
        var status = stat()
        guard unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    }

    /// Removes all that is in it, also what an editor left, and the folder.
    func remove() {
        FolderContents.remove(in: descriptor)
        unsafe rmdir(path)
    }

    private static let notAFile = ClientFailure(.failSafe, "the editor's file was replaced by something else")

    /// Returns whether a folder is in memory and has a name that an editor's switches can hold: vim and Lisp read more
    /// into blanks, commas, quotes and the like.
    static func isUsable(_ path: String) -> Bool {
        path.utf8.allSatisfy(isPlain) && isInMemory(path)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x5F: true
        default: false
        }
    }

    private static func isInMemory(_ path: String) -> Bool {
        let opened = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { return false }
        defer { close(opened) }
        return memoryFileSystems.contains(vs_file_system_type(opened))
    }

    /// Returns `/dev/shm/notevault-UID`, made if it is missing, when it is in memory and ours alone.
    private static func sharedMemory() -> String? {
        let path = "/dev/shm/notevault-\(getuid())"
        _ = unsafe mkdir(path, 0o700)
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid(),
            status.st_mode & 0o077 == 0,
            isInMemory(path)
        else { return nil }
        return path
    }

    private static func failure(_ words: String) -> ClientFailure {
        ClientFailure(.other, "\(words): \(SystemError.text(errno))")
    }
}
