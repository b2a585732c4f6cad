// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc

/// `TargetFile` is a file that is written under no name, or under another one, and gets its own when all of it is
/// there. Nothing is ever written over.
final class TargetFile {
    let descriptor: Int32
    let folder: Int32
    let name: String
    private let temporary: String?
    private let path: String

    /// Makes the file, without a name where the file system can do that, else under another one.
    ///
    /// - Throws: `.conflict` when there is such a file, `.localSaveFailed` when none can be made there.
    init(_ path: String) throws(ClientFailure) {
        try NewFile.checkIsNew(path)
        self.path = path
        let slash = path.lastIndex(of: "/")
        let folderPath = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        let shown = VisibleText.escaped(path)
        guard !name.isEmpty, name != ".", name != ".." else {
            throw .usage("\(shown) is not a file name", hint: "-o PATH")
        }
        folder = unsafe open(folderPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else {
            throw ClientFailure(.localSaveFailed, "cannot write \(shown): \(SystemError.text(errno))")
        }
        // Without a name nothing is left behind, whatever ends us. Some file systems cannot.
        let unnamed = vs_open_unnamed(folder)
        if unnamed >= 0 {
            descriptor = unnamed
            temporary = nil
            // Whatever the mask of this process takes away.
            _ = fchmod(unnamed, 0o600)
            return
        }
        let other = "." + name.prefix(200) + ".part-\(getpid())"
        descriptor = unsafe vs_open_at(folder, other, O_RDWR | O_CREAT | O_EXCL, 0o600)
        temporary = other
        guard descriptor >= 0 else {
            let reason = errno
            close(folder)
            throw ClientFailure(.localSaveFailed, "cannot write \(shown): \(SystemError.text(reason))")
        }
        _ = fchmod(descriptor, 0o600)
    }

    deinit {
        if let temporary { unsafe unlinkat(folder, temporary, 0) }
        close(descriptor)
        close(folder)
    }

    /// Gives it its name, when all of it is on disk.
    ///
    /// - Throws: `.conflict` when somebody else took the name meanwhile.
    func keep() throws(ClientFailure) {
        guard fsync(descriptor) == 0 else { throw failure() }
        let linked: Int32
        if let temporary {
            linked = unsafe linkat(folder, temporary, folder, name, 0)
        } else {
            linked = unsafe vs_name_descriptor(descriptor, folder, name)
        }
        guard linked == 0 else { throw failure() }
        _ = fsync(folder)
    }

    private func failure() -> ClientFailure {
        errno == EEXIST
            ? ClientFailure(
                .conflict, "\(VisibleText.escaped(path)) already exists",
                hint: "name a new file; nothing is ever overwritten")
            : ClientFailure(.localSaveFailed, "cannot write \(VisibleText.escaped(path)): \(SystemError.text(errno))")
    }
}
