// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import SecretMemory

/// `KeyFileOnDisk` is a key file: it is read whole into locked memory, or made from what the agent sends.
enum KeyFileOnDisk {
    /// Larger than any key file, so that a wrong file is refused and not cut.
    private static let byteCountMax = 256

    static func exists(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0
    }

    /// Reads a key file, and warns if other users can read it.
    ///
    /// - Throws: `.notFound`, `.usage` for what cannot be a key file.
    static func read(_ path: String) throws(ClientFailure) -> SecretBytes {
        let name = VisibleText.escaped(path)
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw ClientFailure(
                errno == ENOENT ? .notFound : .other, "cannot read the key file \(name): \(SystemError.text(errno))")
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0,
            status.st_size <= byteCountMax
        else {
            throw .usage("\(name) is not a key file of vault", hint: "vault key add --new-key-file NEWFILE makes one")
        }
        if status.st_mode & 0o077 != 0 { Streams.warn("other users can read the key file \(name); chmod 600 it") }
        var buffer = SecretBytes(zeroes: Int(status.st_size))
        let got = unsafe buffer.withUnsafeMutableBytes { raw in
            unsafe Glibc.read(descriptor, raw.baseAddress!, raw.count)
        }
        guard got == buffer.byteCount else { throw ClientFailure(.other, "cannot read the key file \(name)") }
        return buffer
    }

    /// Makes a new one, unless there is one already. It must not lie beside what it protects.
    static func make(_ path: String, _ location: VaultLocation, _ conversation: inout Conversation, _ context: Context)
        throws(ClientFailure)
    {
        guard !exists(path) else { return }
        guard !isInside(path, location) else {
            throw .usage(
                "a key file in the vault's own directory protects nothing", hint: "put it on another disk, or a stick")
        }
        try Session.require(try conversation.perform(MakeKeyFile()))
        guard let text = conversation.received.take() else { throw ClientFailure(.other, "the agent sent no key file") }
        try RecoveryKey.save(text, to: path, endsLine: false)
        context.reporter.talk(
            "key file written to \(VisibleText.escaped(path)); without it the password opens nothing: keep a second copy"
        )
    }

    private static func isInside(_ path: String, _ location: VaultLocation) -> Bool {
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        guard let real = unsafe realpath(folder, nil),
            let vault = unsafe realpath(String(decoding: location.directory, as: UTF8.self), nil)
        else {
            return false
        }
        defer {
            unsafe free(real)
            unsafe free(vault)
        }
        return unsafe (String(cString: real) + "/").hasPrefix(String(cString: vault) + "/")
    }
}
