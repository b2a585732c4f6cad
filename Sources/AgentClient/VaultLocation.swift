// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Glibc

/// `VaultLocation` holds a vault's directory and identifier.
public struct VaultLocation: Sendable, Equatable {
    /// The directory's absolute path, as the caller named it.
    public let directory: [UInt8]

    /// Finds the vault's directory, as an absolute path.
    ///
    /// - Parameter vault: a directory's name; nil for `NOTEVAULT_DIR`, or the XDG data directory.
    /// - Throws: `.usage` for an empty name, or without a home directory.
    public init(_ vault: String?) throws(ClientFailure) {
        if vault == "" { throw .usage("the vault's directory has an empty name", hint: "vault --vault DIR …") }
        let named = vault.map { Array($0.utf8) } ?? Environment.bytes("NOTEVAULT_DIR") ?? []
        directory = try Self.absolute(try named.isEmpty ? Self.standard() : named)
    }

    /// The directory for a message.
    public var name: String { VisibleText.escaped(path: directory) }

    /// Tells this directory from a copy of it.
    public var identity: [UInt8] { DirectoryIdentity.of(path: directory) }

    /// Whether something that looks like a vault's header is there.
    public var hasHeader: Bool {
        Self.headerNames.contains { name in
            var status = stat()
            return unsafe lstat(cPath(name), &status) == 0
        }
    }

    private static let headerNames = ["header", "header.2"]

    /// Returns the vault's identifier, or that of a copy of it, read from its header at a fixed offset. It only names
    /// the agent's socket: nothing is trusted.
    ///
    /// The second copy is asked when the first one cannot say.
    ///
    /// ```
    /// offset  size  field
    ///      0     4  magic    "VLT1", or "VLC1" of a copy
    ///      4     2  version  UInt16, big-endian; 1
    ///      6    16  vaultID
    ///     22    16  copyID   only of a copy
    /// ```
    /// - Throws: `.notFound` without a vault, `.integrity` for a file that is not a header, `.failSafe` for a newer
    ///   format.
    /// Spec: docs/format.md §5
    public func vaultID() throws(ClientFailure) -> [UInt8] {
        do {
            return try vaultID(in: Self.headerNames[0])
        } catch {
            if let second = try? vaultID(in: Self.headerNames[1]) { return second }
            throw error
        }
    }

    private func vaultID(in file: String) throws(ClientFailure) -> [UInt8] {
        let descriptor = unsafe open(cPath(file), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw unreadable(errno) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 38)
        let got = unsafe bytes.withUnsafeMutableBytes { raw in unsafe pread(descriptor, raw.baseAddress!, raw.count, 0)
        }
        guard got >= 0 else { throw unreadable(errno) }
        let isCopy = bytes[0..<4].elementsEqual("VLC1".utf8)
        guard got >= (isCopy ? 38 : 22), isCopy || bytes[0..<4].elementsEqual("VLT1".utf8) else {
            throw ClientFailure(
                .integrity, "\(name)/header is not the header of a vault", hint: "restore the header from a backup")
        }
        guard bytes[4] == 0, bytes[5] == 1 else {
            let version = Int(bytes[4]) << 8 | Int(bytes[5])
            throw ClientFailure(
                .failSafe, "the vault at \(name) has format \(version); this program reads format 1",
                hint: "install a newer vault")
        }
        return Array(isCopy ? bytes[22..<38] : bytes[6..<22])
    }

    private func unreadable(_ reason: Int32) -> ClientFailure {
        switch reason {
        case ENOENT, ENOTDIR:
            ClientFailure(
                .notFound, "there is no vault at \(name)",
                hint: RescuedVault.commands(into: directory).map {
                    "vault init; if it was removed while it was unlocked, this puts back what was saved of it: \($0)"
                } ?? "vault init")
        case ELOOP:
            ClientFailure(
                .failSafe, "\(name)/header is a symbolic link",
                hint: "a vault's files are never links; find out who made it")
        case EACCES, EPERM:
            ClientFailure(
                .failSafe, "\(name)/header cannot be read by this user", hint: "ls -ld the directory: it must be yours")
        default: SystemError.failure("cannot read \(name)/header", reason)
        }
    }

    private func cPath(_ file: String) -> String { String(decoding: directory, as: UTF8.self) + "/" + file }

    private static func standard() throws(ClientFailure) -> [UInt8] {
        if let data = Environment.bytes("XDG_DATA_HOME"), data.first == 0x2F { return data + "/notevault/default".utf8 }
        guard let home = Environment.bytes("HOME"), home.first == 0x2F else {
            throw .usage("HOME is not set, so there is no default vault", hint: "vault --vault DIR …")
        }
        return home + "/.local/share/notevault/default".utf8
    }

    /// Returns the absolute path of a relative one: the agent works in `/`. No link is resolved.
    private static func absolute(_ path: [UInt8]) throws(ClientFailure) -> [UInt8] {
        guard String(validating: path, as: UTF8.self) != nil else {
            throw .usage("the name of the vault's directory is not UTF-8", hint: "cd into it and use --vault .")
        }
        guard path.count < 4000 else { throw .usage("the name of the vault's directory is too long") }
        var full = path
        if path.first != 0x2F {
            guard let here = unsafe getcwd(nil, 0) else { throw ClientFailure(.other, "the current directory is gone") }
            defer { unsafe free(here) }
            full = unsafe Array(UnsafeRawBufferPointer(start: here, count: strlen(here))) + [0x2F] + path
        }
        return Self.tidied(full)
    }

    /// Leaves out empty and `.` components; `..` is kept, since only the kernel knows what is above a link.
    public static func tidied(_ path: [UInt8]) -> [UInt8] {
        let parts = path.split(separator: 0x2F).filter { !$0.elementsEqual(".".utf8) }
        return parts.isEmpty ? [0x2F] : parts.flatMap { [0x2F] + $0 }
    }
}
