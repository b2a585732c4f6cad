// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Glibc

/// The file or folder that is imported, open.
struct ImportSource: ~Copyable {
    let descriptor: Int32
    let isFolder: Bool
    /// With all links followed: what the agent knows this source by when it is imported again.
    let path: String

    var name: String { ProgramPath.lastName(path) }

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

    deinit { close(descriptor) }

    /// The beginning of a file.
    func head(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress!, $0.count, 0) }
        return Array(bytes[0..<max(got, 0)])
    }
}
