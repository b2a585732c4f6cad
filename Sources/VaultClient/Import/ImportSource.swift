// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import ForeignRecords
internal import Glibc

/// The file or folder that is imported, open.
struct ImportSource: ~Copyable {
    let descriptor: Int32
    let isFolder: Bool
    /// With all links followed: what the agent knows this source by when it is imported again.
    let path: String
    /// Opens it when it is sealed for age, or the entries of a store that are.
    private(set) var opener: AgeOpener?
    /// The beginning of what a sealed file holds.
    private var innerHead: [UInt8]?

    /// Without the ending that only says that it is sealed.
    var name: String {
        let name = ProgramPath.lastName(path)
        return innerHead != nil && name.hasSuffix(".age") && name.utf8.count > 4 ? String(name.dropLast(4)) : name
    }

    /// - Throws: `.notFound`, `.usage` for what is neither a file nor a folder.
    init(_ given: String) throws(ClientFailure) {
        let shown = VisibleText.escaped(given)
        // A pipe is refused, not waited for.
        let opened = unsafe open(given, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard opened >= 0 else {
            throw ClientFailure(errno == ENOENT ? .notFound : .other, "cannot read \(shown): \(SystemError.text(errno))")
        }
        var status = stat()
        let kind = unsafe fstat(opened, &status) == 0 ? status.st_mode & S_IFMT : 0
        guard kind == S_IFREG || kind == S_IFDIR else {
            close(opened)
            throw .usage("\(shown) is neither a file nor a folder", hint: "write it to a file first: it is read more than once")
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
        descriptor = opened
        isFolder = kind == S_IFDIR
        self.path = path
    }

    /// The same, opened when it is sealed for age.
    static func opening(_ given: String, _ options: SealedOptions, _ context: Context) throws(ClientFailure) -> ImportSource {
        var source = try ImportSource(given)
        try source.unseal(options, context)
        return source
    }

    deinit { close(descriptor) }

    /// Sees whether it is sealed, and opens it.
    ///
    /// - Throws: `.usage` when nothing was given that opens it, or something that opens nothing; `.wrongPassword`.
    private mutating func unseal(_ options: SealedOptions, _ context: Context) throws(ClientFailure) {
        let shown = VisibleText.escaped(name)
        let raw = isFolder ? [] : rawHead(1 << 10)
        guard isFolder || SealedSource.isSealed(raw) else {
            guard options.givenCount == 0 else {
                throw .usage(
                    "\(shown) is not encrypted with age, so there is nothing to decrypt", hint: "leave out --identity and --passphrase-file")
            }
            return
        }
        opener = try AgeOpener.make(options, asks: !isFolder && SealedSource.wantsPassphrase(raw), context)
        guard !isFolder else { return }
        guard let opener else { throw .usage("\(shown) is encrypted with age", hint: "--identity FILE, the key that it was encrypted for") }
        let file = dup(descriptor)
        defer { close(file) }
        guard file >= 0, lseek(file, 0, SEEK_SET) == 0 else {
            throw ClientFailure(.other, "cannot read \(shown): \(SystemError.text(errno))")
        }
        innerHead = try SealedSource.head(file, opener, name: name, count: SourceQuestion.headByteCountMax)
    }

    /// Whether `head` is of what a sealed file holds.
    var isSealed: Bool { innerHead != nil }

    /// The beginning of a file, of what is in it when it is sealed.
    func head(_ count: Int) -> [UInt8] { innerHead.map { Array($0.prefix(count)) } ?? rawHead(count) }

    private func rawHead(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress!, $0.count, 0) }
        return Array(bytes[0..<max(got, 0)])
    }
}
