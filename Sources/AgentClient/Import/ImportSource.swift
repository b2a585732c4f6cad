// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Glibc
internal import ParserProtocol

/// `SealedFile` says what the first bytes of a file that is encrypted with age tell of it.
public struct SealedFile: Sendable {
    /// As it is shown.
    public let name: String
    /// Whether a passphrase opens it; else an identity does.
    public let wantsPassphrase: Bool
}

/// `ImportSource` is the file or folder that is imported, open.
public struct ImportSource: ~Copyable {
    let descriptor: Int32
    public let isFolder: Bool
    /// With all links followed: the agent recognizes this source by it when it is imported again.
    public let path: String
    /// Decrypts the file, or the entries of a store that are encrypted with age.
    public var opener: AgeOpener?
    /// Decrypts the entries of a store of pass.
    public var gpg: GPGProgram?
    /// The beginning of what a sealed file holds.
    private var innerHead: [UInt8]?

    /// The last part of its path, without the ending that only says that it is sealed.
    public var name: String {
        let name = Self.lastName(path)
        return innerHead != nil && name.hasSuffix(".age") && name.utf8.count > 4 ? String(name.dropLast(4)) : name
    }

    /// Opens a source.
    ///
    /// - Parameters:
    ///   - given: a path; links are followed.
    ///   - key: asked for what decrypts the file when it is encrypted with age, and for nothing else.
    /// - Throws: `.notFound`, `.usage` for what is neither a file nor a folder; what `key` throws; `.wrongPassword`,
    ///   `.integrity`.
    public init(_ given: String, key: (SealedFile) throws(ClientFailure) -> AgeOpener) throws(ClientFailure) {
        let (descriptor, path, isFolder) = try Self.open(given)
        do throws(ClientFailure) {
            let sealed = isFolder ? nil : try Self.unseal(descriptor, Self.lastName(path), key)
            (opener, innerHead) = (sealed?.opener, sealed?.head)
        } catch {
            close(descriptor)
            throw error
        }
        (self.descriptor, self.path, self.isFolder) = (descriptor, path, isFolder)
    }

    deinit { close(descriptor) }

    private static func open(_ given: String) throws(ClientFailure) -> (descriptor: Int32, path: String, isFolder: Bool)
    {
        let shown = VisibleText.escaped(given)
        // A pipe is refused, not waited for.
        let opened = unsafe Glibc.open(given, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard opened >= 0 else {
            throw ClientFailure(
                errno == ENOENT ? .notFound : .other, "cannot read \(shown): \(SystemError.text(errno))")
        }
        var status = stat()
        let kind = unsafe fstat(opened, &status) == 0 ? status.st_mode & S_IFMT : 0
        guard kind == S_IFREG || kind == S_IFDIR else {
            close(opened)
            throw .usage(
                "\(shown) is neither a file nor a folder", hint: "write it to a file first: it is read more than once")
        }
        guard let resolved = unsafe realpath(given, nil) else {
            close(opened)
            throw ClientFailure(.other, "cannot read \(shown): \(SystemError.text(errno))")
        }
        defer { unsafe free(resolved) }
        guard let path = unsafe String(validatingCString: resolved), path.utf8.count <= 4000 else {
            close(opened)
            throw .usage("the path is not UTF-8 or too long", hint: "rename it, or bind it to another name")
        }
        return (opened, path, kind == S_IFDIR)
    }

    /// Returns what opens an encrypted file, and the beginning of its decrypted content; nil for a file that is not
    /// encrypted.
    private static func unseal(
        _ descriptor: Int32, _ name: String, _ key: (SealedFile) throws(ClientFailure) -> AgeOpener
    ) throws(ClientFailure) -> (opener: AgeOpener, head: [UInt8])? {
        let raw = head(descriptor, 1 << 10)
        guard SealedSource.isSealed(raw) else { return nil }
        let shown = VisibleText.escaped(name)
        let opener = try key(SealedFile(name: shown, wantsPassphrase: SealedSource.wantsPassphrase(raw)))
        let file = dup(descriptor)
        defer { close(file) }
        guard file >= 0, lseek(file, 0, SEEK_SET) == 0 else {
            throw ClientFailure(.other, "cannot read \(shown): \(SystemError.text(errno))")
        }
        return (opener, try SealedSource.head(file, opener, name: name, count: SourceQuestion.headByteCountMax))
    }

    /// Whether it is a file that is encrypted with age.
    public var isSealed: Bool { innerHead != nil }

    /// Returns the beginning of a file, of what is in it when it is sealed.
    func head(_ count: Int) -> [UInt8] { innerHead.map { Array($0.prefix(count)) } ?? Self.head(descriptor, count) }

    private static func lastName(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }

    private static func head(_ descriptor: Int32, _ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress!, $0.count, 0) }
        return Array(bytes[0..<max(got, 0)])
    }
}
