// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc

/// `NewFile` makes a file that must not exist yet, for this user alone.
enum NewFile {
    static func checkIsNew(_ path: String, of vault: VaultLocation? = nil) throws(ClientFailure) {
        var status = stat()
        if unsafe lstat(path, &status) == 0 { throw exists(path) }
        try VaultFolders.refuseInside(path, of: vault)
    }

    /// Writes a new file to disk; one that cannot be written to the end is removed.
    ///
    /// - Throws: `.conflict` when the file is there, `.localSaveFailed` when it cannot be written to the end.
    static func write(_ bytes: [UInt8], to path: String) throws(ClientFailure) {
        let name = VisibleText.escaped(path)
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == EEXIST { throw exists(path) }
            throw ClientFailure(.localSaveFailed, "cannot make \(name): \(SystemError.text(errno))")
        }
        let isWritten = Streams.writeAll(bytes, to: descriptor) && fsync(descriptor) == 0
        let reason = errno
        guard close(descriptor) == 0, isWritten else {
            unsafe unlink(path)
            throw ClientFailure(.localSaveFailed, "cannot write \(name): \(SystemError.text(reason))")
        }
    }

    private static func exists(_ path: String) -> ClientFailure {
        ClientFailure(
            .conflict, "\(VisibleText.escaped(path)) already exists",
            hint: "name a new file; nothing is ever overwritten")
    }
}
