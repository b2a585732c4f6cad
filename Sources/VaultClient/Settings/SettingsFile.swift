// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc

/// `SettingsFile` is the file config.toml: it knows where the file is, and who may have written it. It names programs
/// that will be run, so it is never taken from the vault's directory, which other machines write to (ThreatModel A15).
struct SettingsFile {
    let path: String

    /// Most that is read, in bytes.
    static let byteCountMax = 64 << 10

    /// `$XDG_CONFIG_HOME/notevault/config.toml`, else `~/.config/notevault/config.toml`; nil without a home directory.
    static var path: String? {
        if let base = Environment.text("XDG_CONFIG_HOME"), base.hasPrefix("/") {
            return base + "/notevault/config.toml"
        }
        guard let home = Environment.text("HOME"), home.hasPrefix("/") else { return nil }
        return home + "/.config/notevault/config.toml"
    }

    /// Returns the directory of the vault that a command is about; nil when it cannot be told, which the command itself
    /// will report.
    static func vaultDirectory(_ options: GlobalOptions) -> [UInt8]? { (try? VaultLocation(options.vault))?.directory }

    private var name: String { VisibleText.escaped(path) }

    /// Reads all of the file; nil when there is none.
    func read(vaultDirectory: [UInt8]?) throws(ClientFailure) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw ClientFailure(.other, "cannot read \(name): \(SystemError.text(errno))")
        }
        defer { close(descriptor) }
        try checkOwner(descriptor)
        try Self.checkPlace(try Self.realPath(of: descriptor), vaultDirectory, name: name)
        do {
            return try FileBytes.read(descriptor, max: Self.byteCountMax)
        } catch {
            let reason = error == .tooLarge ? "it is larger than 64 KiB" : SystemError.text(error.number)
            throw ClientFailure(.other, "cannot read \(name): \(reason)")
        }
    }

    /// Refuses a file that others own or can change. Root may own it, as with our programs: root could change anything.
    private func checkOwner(_ descriptor: Int32) throws(ClientFailure) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw ClientFailure(.other, "cannot read \(name): \(SystemError.text(errno))")
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw ClientFailure(.failSafe, "\(name) is not a plain file") }
        let quoted = ShellWord.quoted(path)
        guard status.st_uid == getuid() || status.st_uid == 0 else {
            throw ClientFailure(
                .failSafe, "\(name) belongs to another user, who could name programs to run", hint: "ls -l \(quoted)")
        }
        guard status.st_mode & 0o022 == 0 else {
            throw ClientFailure(
                .failSafe, "\(name) can be changed by other users, who could name programs to run",
                hint: "chmod go-w \(quoted)")
        }
    }

    /// Tells where an open file really lies, whatever links led to it.
    static func realPath(of descriptor: Int32) throws(ClientFailure) -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe buffer.withUnsafeMutableBytes { raw in
            unsafe readlink(
                "/proc/self/fd/\(descriptor)", raw.baseAddress!.assumingMemoryBound(to: CChar.self), raw.count)
        }
        guard count > 0, count < buffer.count, let path = String(validating: buffer[0..<count], as: UTF8.self),
            path.hasPrefix("/")
        else {
            throw ClientFailure(.other, "cannot determine where config.toml is", hint: "is /proc mounted?")
        }
        return path
    }

    /// Refuses a place beneath the vault's directory. Directories are compared by what they are: a link or a mount has
    /// another name.
    static func checkPlace(_ realPath: String, _ vaultDirectory: [UInt8]?, name: String) throws(ClientFailure) {
        guard let vaultDirectory else { return }
        let identity = DirectoryIdentity.of(path: vaultDirectory)
        guard !identity.isEmpty else { return }
        var above = realPath[...]
        while let slash = above.lastIndex(of: "/") {
            above = above[..<slash]
            guard DirectoryIdentity.of(path: Array((above.isEmpty ? "/" : above).utf8)) != identity else {
                throw ClientFailure(
                    .failSafe,
                    "\(name) is in the vault's directory, which other machines can write to; it is never read from there",
                    hint: "move it to ~/.config/notevault/config.toml")
            }
        }
    }
}
