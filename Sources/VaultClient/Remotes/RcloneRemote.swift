// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc
internal import SecretMemory

/// `RcloneRemote` is a remote that rclone has in its own configuration, from which vault takes what opens it: rclone's
/// file is not needed afterwards, and vault never writes into it.
struct RcloneRemote {
    let name: String
    /// Which of rclone's backends it is.
    let backend: String
    /// The full path of rclone.
    let program: String
    private let section: SecretBox
    /// What a remote is called while rclone asks for it.
    static let ownName = "vault"

    private final class SecretBox {
        let secret: SecretBytes
        init(_ secret: consuming SecretBytes) { self.secret = secret }
    }

    /// All remotes of a configuration, in bytes.
    private static let byteCountMax = 256 << 10
    /// What opens a remote, in bytes.
    private static let sectionByteCountMax = 8 << 10
    /// Backends that stand upon others, which would have to be taken along.
    static let wrappers = [
        "alias", "cache", "chunker", "combine", "compress", "crypt", "hasher", "union", "archive", "http",
    ]
    /// In Google Drive: what lets a program see its own files alone.
    private static let narrowScopes = ["drive.file", "drive.appfolder"]

    /// Asks rclone for a remote.
    ///
    /// - Parameters:
    ///   - program: its path; nil for the first in PATH.
    ///   - file: where it looks; nil for its own configuration.
    /// - Throws: `.notFound` without rclone or without the remote, `.usage` for one that stands upon another.
    init(_ name: String, _ program: String? = nil, file: String? = nil) throws(ClientFailure) {
        let path = try Self.path(program)
        let all = try Self.configuration(path, file)
        var (found, backend) = (SecretBox?.none, "")
        unsafe all.withUnsafeBytes { raw in
            guard let range = unsafe SecretJSON.value(of: name, in: raw) else { return }
            let section = unsafe UnsafeRawBufferPointer(rebasing: raw[range])
            guard let type = unsafe SecretJSON.value(of: "type", in: section), type.count > 2 else { return }
            backend = unsafe String(decoding: section[type.dropFirst().dropLast()], as: UTF8.self)
            found = unsafe SecretBox(SecretBytes(copying: section))
        }
        guard let found else {
            throw ClientFailure(
                .notFound, "rclone has no remote '\(VisibleText.escaped(name))'",
                hint: "rclone listremotes shows them; rclone config makes one")
        }
        guard !Self.wrappers.contains(backend) else {
            throw .usage(
                "'\(VisibleText.escaped(name))' is a '\(backend)' backend, which wraps another remote",
                hint: "name that one: what vault stores is encrypted and checked already")
        }
        guard found.secret.byteCount + 2 <= Self.sectionByteCountMax else {
            throw .usage("what rclone has for '\(VisibleText.escaped(name))' is longer than 8 KiB")
        }
        (self.name, self.backend, self.program) = (name, backend, path)
        section = found
    }

    /// What rclone is given for it, as a remote's secret travels: an empty name, and the section as JSON.
    func secret() -> SecretBytes {
        var pair = SecretBytes(zeroes: section.secret.byteCount + 2)
        unsafe pair.withUnsafeMutableBytes { target in
            unsafe section.secret.withUnsafeBytes { source in
                unsafe UnsafeMutableRawBufferPointer(rebasing: target[1...]).copyMemory(from: source)
            }
        }
        return pair
    }

    /// What its owner should know: a remote that can reach more than it needs.
    var warning: String? {
        guard backend == "drive" else { return nil }
        let isNarrow = unsafe section.secret.withUnsafeBytes { raw in
            guard let range = unsafe SecretJSON.value(of: "scope", in: raw), range.count > 2 else { return false }
            let scope = unsafe String(decoding: raw[range.dropFirst().dropLast()], as: UTF8.self)
            return scope.split(whereSeparator: { $0 == "," || $0 == " " }).allSatisfy {
                Self.narrowScopes.contains(String($0))
            }
        }
        return isNarrow
            ? nil
            : "this remote can reach the whole drive; rclone config with scope drive.file makes one that can reach only its own files"
    }

    /// Our variables without those that are options of rclone's.
    static var plainEnvironment: [String] { Environment.all.filter { !$0.hasPrefix("RCLONE_") } }

    static func path(_ program: String?) throws(ClientFailure) -> String {
        let found = program ?? ProgramPath.find("rclone")
        guard let found, let resolved = unsafe realpath(found, nil) else {
            throw ClientFailure(
                .notFound, "rclone is not installed", hint: "https://rclone.org/install/ has 1.75.1 or newer")
        }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// Returns all that `rclone config dump` prints: rclone decrypts its file itself, and asks for the password.
    private static func configuration(_ path: String, _ file: String?) throws(ClientFailure) -> SecretBytes {
        var ends: [Int32] = [-1, -1]
        guard unsafe vs_pipe(&ends) == 0 else {
            throw ClientFailure(.other, "cannot make a pipe: \(SystemError.text(errno))")
        }
        defer { close(ends[0]) }
        let pid: Int32
        do {
            defer { close(ends[1]) }
            pid = try ChildProgram.start(
                path, (file.map { ["--config", $0] } ?? []) + ["config", "dump"],
                environment: file == nil ? Environment.all : plainEnvironment, input: 0, output: ends[1])
        }
        var all = SecretBytes(zeroes: byteCountMax)
        var count = 0
        while count < byteCountMax {
            let got = unsafe all.withUnsafeMutableBytes { raw in
                unsafe read(ends[0], raw.baseAddress! + count, byteCountMax - count)
            }
            if got < 0 && errno == EINTR { continue }
            guard got > 0 else { break }
            count += got
        }
        guard count < byteCountMax else {
            kill(pid, SIGKILL)
            _ = ChildProgram.wait(for: pid)
            throw ClientFailure(.other, "rclone's configuration is longer than 256 KiB")
        }
        guard ChildProgram.wait(for: pid) == 0 else {
            throw ClientFailure(.other, "rclone does not list its remotes", hint: "rclone config dump says why")
        }
        return all.prefix(count)
    }
}
