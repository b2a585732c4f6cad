// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import SecretMemory

/// `RecoveryKey` hands a new recovery key to its owner, once, straight from locked memory: to the terminal or to a new
/// file.
enum RecoveryKey {
    /// Shows it on the terminal.
    static func show(_ key: borrowing SecretBytes, opens what: String = "the vault without the password")
        throws(ClientFailure)
    {
        let terminal = unsafe open("/dev/tty", O_WRONLY | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { throw PasswordSource.failure(.noTerminal) }
        defer { close(terminal) }
        let before =
            "\nRecovery key. It opens \(what). Write it on paper now; it is never shown again:\n\n    "
        let after = "\n\n"
        guard Streams.writeAll(Array(before.utf8), to: terminal), write(key, to: terminal),
            Streams.writeAll(Array(after.utf8), to: terminal)
        else { throw ClientFailure(.other, "the recovery key cannot be shown") }
    }

    /// Asks for it back; the person reads from paper, so what is typed may be seen. Nothing, or far too much, is no
    /// answer.
    static func askBack() throws(ClientFailure) -> SecretBytes {
        while true {
            do throws(PasswordReader.Failure) {
                return try PasswordReader.ask(prompt: "Type the recovery key back: ", echo: true)
            } catch {
                guard error == .empty || error == .tooLong else { throw PasswordSource.failure(error) }
                Streams.say("vault: type the whole key; Ctrl-C cancels, and nothing is written")
            }
        }
    }

    /// Checks whether the file can be new; asked before the person is asked for anything.
    static func checkIsNew(_ path: String) throws(ClientFailure) {
        var status = stat()
        if unsafe lstat(path, &status) == 0 { throw exists(VisibleText.escaped(path)) }
    }

    private static func exists(_ name: String) -> ClientFailure {
        ClientFailure(.conflict, "\(name) already exists", hint: "name a new file")
    }

    /// Writes it to a file that must not exist yet, for this user alone.
    ///
    /// - Throws: `.conflict` when the file is there, `.localSaveFailed` when it cannot be written to the end.
    static func save(_ key: borrowing SecretBytes, to path: String, endsLine: Bool = true) throws(ClientFailure) {
        let name = VisibleText.escaped(path)
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == EEXIST { throw exists(name) }
            throw ClientFailure(.localSaveFailed, "cannot make \(name): \(SystemError.text(errno))")
        }
        let isWritten =
            write(key, to: descriptor) && Streams.writeAll(endsLine ? [0x0A] : [], to: descriptor)
            && fsync(descriptor) == 0
        let reason = errno
        guard close(descriptor) == 0, isWritten else {
            unsafe unlink(path)
            throw ClientFailure(.localSaveFailed, "cannot write \(name): \(SystemError.text(reason))")
        }
    }

    private static func write(_ key: borrowing SecretBytes, to descriptor: Int32) -> Bool {
        unsafe key.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let wrote = unsafe Glibc.write(descriptor, bytes.baseAddress! + done, bytes.count - done)
                if wrote < 0 && errno == EINTR { continue }
                guard wrote > 0 else { return false }
                done += wrote
            }
            return true
        }
    }
}
