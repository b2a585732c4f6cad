// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc

/// `SettingsWriter` puts a new text in the place of config.toml: all of it or nothing, for this user alone.
struct SettingsWriter {
    let file: SettingsFile
    let vaultDirectory: [UInt8]?

    /// Returns the text now; empty without a file.
    func current() throws(ClientFailure) -> String {
        String(decoding: try file.read(vaultDirectory: vaultDirectory) ?? [], as: UTF8.self)
    }

    /// Writes beside it, makes that durable, and renames it into place.
    ///
    /// - Throws: `.failSafe` in the vault's directory, `.localSaveFailed` when the disk does not take it.
    func write(_ text: String) throws(ClientFailure) {
        let target = try target()
        let folder = String(target[..<(target.lastIndex(of: "/") ?? target.startIndex)])
        let fresh = target + ".new-\(getpid())"
        unsafe unlink(fresh)
        let descriptor = unsafe open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw cannot("make", fresh, errno) }
        let isWritten = Streams.writeAll(Array(text.utf8), to: descriptor) && fsync(descriptor) == 0
        let reason = errno
        guard close(descriptor) == 0, isWritten, unsafe rename(fresh, target) == 0 else {
            unsafe unlink(fresh)
            throw cannot("write", target, isWritten ? errno : reason)
        }
        let above = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if above >= 0 {
            fsync(above)
            close(above)
        }
    }

    /// Finds where the file really lies, so that a link to it stays a link; its directory is made if it is missing.
    func target() throws(ClientFailure) -> String {
        let path = file.path
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        try Self.makeFolders(folder)
        let place = Self.realPath(path) ?? (Self.realPath(folder).map { $0 + "/config.toml" })
        guard let place else { throw cannot("find", folder, errno) }
        try SettingsFile.checkPlace(place, vaultDirectory, name: VisibleText.escaped(path))
        return place
    }

    private static func realPath(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(validatingCString: resolved)
    }

    /// Makes folders as mkdir -p does, with mode 0700 as the XDG base directory specification asks for.
    private static func makeFolders(_ path: String) throws(ClientFailure) {
        var above = ""
        for part in path.split(separator: "/") {
            above += "/" + part
            guard unsafe mkdir(above, 0o700) != 0, errno != EEXIST else { continue }
            // A directory that is there may also be one that nothing can be made in, such as a mount point.
            var status = stat()
            let reason = errno
            guard unsafe stat(above, &status) == 0 else {
                throw ClientFailure(
                    .localSaveFailed, "cannot make \(VisibleText.escaped(above)): \(SystemError.text(reason))")
            }
        }
    }

    private func cannot(_ act: String, _ path: String, _ reason: Int32) -> ClientFailure {
        ClientFailure(.localSaveFailed, "cannot \(act) \(VisibleText.escaped(path)): \(SystemError.text(reason))")
    }
}
