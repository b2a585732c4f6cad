// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import VaultCore

/// `PassedDescriptor` is a descriptor that a client passed: its rights opened the file, ours read or write it. Closed
/// with the value.
///
/// Spec: docs/agent-protocol.md §6.
final class PassedDescriptor: @unchecked Sendable {
    /// `Refusal` says why a descriptor is not used.
    enum Refusal: Error, Equatable {
        case notAFileOrPipe
        case wrongAccess
        /// What is written to it would go to its end, wherever we say.
        case appends
    }

    let descriptor: Int32

    init(taking descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Returns another descriptor of the same open file; its owner closes it.
    func duplicate() -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }

    /// Returns the same as a backup's folder.
    func backupFolder() throws(VaultError) -> BackupFolder { try BackupFolder(taking: duplicate()) }

    /// Size of a regular file; nil for a pipe.
    var byteCount: UInt64? {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return UInt64(clamping: status.st_size)
    }

    /// Checks that this is a regular file or a pipe that is open for reading.
    func checkReadable() throws(Refusal) { try check(allowing: O_RDONLY) }

    /// Checks that this is a regular file or a pipe that is open for writing, a file at the place that we say.
    func checkWritable() throws(Refusal) {
        let isFile = try check(allowing: O_WRONLY)
        if isFile && fcntl(descriptor, F_GETFL) & O_APPEND != 0 { throw .appends }
    }

    /// Refuses a descriptor that does not allow the access or is neither a regular file nor a pipe; returns whether it
    /// is a regular file.
    @discardableResult
    private func check(allowing access: Int32) throws(Refusal) -> Bool {
        let flags = fcntl(descriptor, F_GETFL)
        var status = stat()
        // A path alone gives no right to read; fstat would say what it is anyway.
        guard flags >= 0, flags & Self.pathOnly == 0, unsafe fstat(descriptor, &status) == 0 else { throw .wrongAccess }
        guard [access, O_RDWR].contains(flags & O_ACCMODE) else { throw .wrongAccess }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG || kind == S_IFIFO else { throw .notAFileOrPipe }
        return kind == S_IFREG
    }

    /// O_PATH, which Glibc shows only to C.
    static let pathOnly: Int32 = 0o10000000
}
