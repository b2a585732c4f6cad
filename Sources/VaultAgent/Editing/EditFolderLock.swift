// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import CSystemShims
internal import Glibc

/// `EditFolderLock` is the folder of an edit that may be over: taken by its lock before anything in it is read, and
/// held until it is removed.
final class EditFolderLock {
    private let path: String
    private let descriptor: Int32
    /// Neither client nor editor holds it any more.
    let isFree: Bool

    enum Failure: Error {
        /// Not there any more, or never one of ours.
        case gone
        /// There, and it cannot be looked at now.
        case unreadable
    }

    /// `Content` says what the editor's files hold.
    enum Content {
        case absent
        /// The newest: what the editor wrote, or with `isTyped` what it had not written yet.
        case text([UInt8], isTyped: Bool)
        /// Too large, no regular file, or it cannot be read: it must not be taken for nothing.
        case unreadable
    }

    /// Opens the folder of an edit, and tries to take its lock.
    ///
    /// - Throws: `Failure.gone` for every path that is no folder of an edit, without touching it.
    init(path: String) throws(Failure) {
        guard EditFolderLayout.isFolder(path) else { throw .gone }
        let opened = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard opened >= 0 else { throw errno == ENOENT ? .gone : .unreadable }
        var status = stat()
        guard unsafe fstat(opened, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            close(opened)
            throw .unreadable
        }
        self.path = path
        descriptor = opened
        isFree = flock(opened, LOCK_EX | LOCK_NB) == 0
    }

    deinit { close(descriptor) }

    func content(byteCountMax: Int) -> Content {
        let writtenName = writtenName
        let newest = content(newestName(writtenName), byteCountMax)
        guard case .text(let typed, true) = newest else { return newest }
        // What was typed is written anew at each change: an editor that was killed meanwhile left the beginning of it,
        // or nothing.
        let written = content(writtenName, byteCountMax)
        guard case .text(let whole, _) = written, typed.count % 4096 == 0 || whole.starts(with: typed) else {
            return newest
        }
        return written
    }

    /// Returns what was saved before, where the note's file may be cut short: an editor writes whole pages until the
    /// last.
    func previous(byteCountMax: Int) -> [UInt8]? {
        guard let size = status(of: EditFolderLayout.fileName)?.st_size, size > 0, size % 4096 == 0,
            case .text(let text, _) = content(EditFolderLayout.previousName, byteCountMax)
        else { return nil }
        return text
    }

    /// The note's file, or the one before where the editor was killed before it wrote anything of the new one.
    private var writtenName: String {
        guard status(of: EditFolderLayout.fileName)?.st_size ?? 0 == 0, status(of: EditFolderLayout.previousName) != nil
        else { return EditFolderLayout.fileName }
        return EditFolderLayout.previousName
    }

    private func content(_ name: String, _ byteCountMax: Int) -> Content {
        let file = unsafe vs_open_at(descriptor, name, O_RDONLY | O_NONBLOCK, 0)
        guard file >= 0 else { return errno == ENOENT ? .absent : .unreadable }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_size <= byteCountMax
        else {
            return .unreadable
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var done = 0
        while done < bytes.count {
            let got = unsafe bytes.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress! + done, $0.count - done) }
            if got < 0 && errno == EINTR { continue }
            guard got > 0 else { return .unreadable }
            done += got
        }
        return .text(bytes, isTyped: [EditFolderLayout.typedName, EditFolderLayout.rescuedName].contains(name))
    }

    /// Returns the name of what was written, unless what was typed or rescued is newer.
    private func newestName(_ writtenName: String) -> String {
        var newest = (name: writtenName, time: Int64.min)
        for name in [writtenName, EditFolderLayout.typedName, EditFolderLayout.rescuedName] {
            guard let found = status(of: name)?.st_mtim else { continue }
            let time = Int64(found.tv_sec) &* 1_000_000_000 &+ Int64(found.tv_nsec)
            if time > newest.time { newest = (name, time) }
        }
        return newest.name
    }

    /// Returns the status of a regular file; nil when there is none of that name.
    private func status(of name: String) -> stat? {
        var status = stat()
        let isFile =
            unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_mode & S_IFMT == S_IFREG
        return isFile ? status : nil
    }

    /// Removes all that is in it, also what an editor that was killed left, and itself.
    ///
    /// - Returns: whether it is gone.
    @discardableResult
    func removeAll() -> Bool {
        FolderContents.remove(in: descriptor)
        return unsafe rmdir(path) == 0
    }

    /// Returns the paths of all folders of edits of this user.
    static func all() -> [String] {
        EditFolderLayout.parents.flatMap { parent in
            var names: [String] = []
            guard let stream = unsafe opendir(parent) else { return names }
            defer { unsafe closedir(stream) }
            while let entry = unsafe readdir(stream) {
                let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { raw in
                    unsafe String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
                }
                if EditFolderLayout.isName(name) { names.append(parent + "/" + name) }
            }
            return names
        }
    }
}
