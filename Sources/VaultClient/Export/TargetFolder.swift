// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc

/// `TargetFolder` is a folder that is filled under another name and gets its own when all of it is there. Nothing is
/// ever written over; what was not kept is removed with the value.
final class TargetFolder {
    /// 0700, empty and open.
    let descriptor: Int32
    private let parent: Int32
    private let name: String
    private let temporary: String
    private let path: String
    private var isKept = false
    /// Of its name, in that of the folder that it is made as: together they fit a directory entry.
    private static let beginningByteCountMax = 200

    /// Makes the folder, under a temporary name beside its own.
    ///
    /// - Throws: `.conflict` when there is such a name, `.localSaveFailed` when no folder can be made there.
    init(_ path: String) throws(ClientFailure) {
        try NewFile.checkIsNew(path)
        self.path = path
        let slash = path.lastIndex(of: "/")
        let parentPath = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        let shown = VisibleText.escaped(path)
        guard !name.isEmpty, name != ".", name != ".." else {
            throw .usage("\(shown) is not a folder name", hint: "-o PATH")
        }
        parent = unsafe open(parentPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard parent >= 0 else {
            throw ClientFailure(.localSaveFailed, "cannot write \(shown): \(SystemError.text(errno))")
        }
        var beginning = name[...]
        while beginning.utf8.count > Self.beginningByteCountMax { beginning = beginning.dropLast() }
        temporary = ".\(beginning).part-\(getpid())"
        // Whatever the mask of this process takes away or leaves: 0700, and so that we may open it.
        let mask = umask(0o077)
        let made = unsafe mkdirat(parent, temporary, 0o700)
        let reason = errno
        umask(mask)
        guard made == 0 else {
            close(parent)
            throw ClientFailure(.localSaveFailed, "cannot write \(shown): \(SystemError.text(reason))")
        }
        descriptor = unsafe vs_open_at(parent, temporary, O_RDONLY | O_DIRECTORY, 0)
        guard descriptor >= 0, fchmod(descriptor, 0o700) == 0 else {
            // Everything is set by now: what was made is removed with the value.
            throw ClientFailure(.localSaveFailed, "cannot write \(shown): \(SystemError.text(errno))")
        }
    }

    deinit {
        if !isKept, !FolderRemoval.remove(temporary, in: parent) {
            Streams.warn(
                "could not remove \(VisibleText.escaped(temporary)) beside \(VisibleText.escaped(path)): parts of the export are in it"
            )
        }
        close(descriptor)
        close(parent)
    }

    /// Gives it its name. The agent has synced what is in it.
    ///
    /// - Throws: `.conflict` when somebody else took the name meanwhile.
    func keep() throws(ClientFailure) {
        guard fsync(descriptor) == 0, unsafe vs_rename_new_at(parent, temporary, name) == 0 else { throw failure() }
        isKept = true
        _ = fsync(parent)
    }

    private func failure() -> ClientFailure {
        errno == EEXIST
            ? ClientFailure(
                .conflict, "\(VisibleText.escaped(path)) already exists",
                hint: "name a new folder; nothing is ever overwritten")
            : ClientFailure(
                .localSaveFailed, "cannot write \(VisibleText.escaped(path)): \(SystemError.text(errno))",
                hint: "choose another place with -o")
    }
}
