// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc

/// `BackupMending` runs `vault backup mend`: an agent of its own, which has no vault, makes damaged files again from
/// their parity.
enum BackupMending {
    static func run(_ path: String, isTrial: Bool, _ context: Context) throws(ClientFailure) -> Outcome {
        var status = stat()
        let name = VisibleText.escaped(path)
        guard unsafe stat(path, &status) == 0 || hasParity(beside: path) else {
            throw ClientFailure(
                errno == ENOENT ? .notFound : .other, "cannot read \(name): \(SystemError.text(errno))",
                hint: "vault backup mend DIR, or FILE")
        }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        let (folder, file) = isFolder ? (path, nil) : Self.parts(path)
        let opened = isFolder ? try BackupPlace.open(path) : unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else {
            throw ClientFailure(.other, "cannot open \(VisibleText.escaped(folder)): \(SystemError.text(errno))")
        }
        defer { close(opened) }
        return try Session.withNewAgent(context) { conversation throws(ClientFailure) in
            try conversation.perform(MendBackup(archive: file, isTrial: isTrial), descriptor: opened)
        }
    }

    /// Returns whether there is parity beside an archive's path: an archive that is gone as a whole may come back.
    private static func hasParity(beside path: String) -> Bool {
        let reason = errno
        defer { errno = reason }
        return unsafe access(path + ".parity", R_OK) == 0
    }

    /// Returns the folder that a file lies in, and its name there.
    private static func parts(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (slash == path.startIndex ? "/" : String(path[..<slash]), String(path[path.index(after: slash)...]))
    }

    /// Returns an outcome with the hint that a damaged backup which has parity can perhaps be mended.
    static func advised(_ outcome: Outcome, _ path: String, _ folder: Int32) -> Outcome {
        guard outcome.code == .integrity else { return outcome }
        let parity = unsafe vs_open_at(folder, "parity", O_RDONLY | O_DIRECTORY, 0)
        guard parity >= 0 else { return outcome }
        close(parity)
        return Outcome(.integrity, outcome.message, hint: "type: vault backup mend \(ShellWord.quoted(path))")
    }
}

/// `ArchiveCovering` makes the parity of an archive that has just been written.
enum ArchiveCovering {
    /// Makes the parity of an archive, and returns how that ended; the archive is there in any case.
    static func run(
        _ target: TargetFile, percent: Int, _ conversation: inout Conversation, _ context: Context
    ) throws(ClientFailure) -> Outcome {
        let covering = CoverArchive(archive: target.name, percent: UInt32(percent))
        let (outcome, replies) = try conversation.ask(covering, Enclosure(descriptor: target.folder))
        guard outcome.code == .ok else {
            return Outcome(
                .doneWithLosses, "the archive is whole, but has no parity: \(outcome.message)", hint: outcome.hint)
        }
        try conversation.show(replies, of: covering)
        return outcome
    }
}
