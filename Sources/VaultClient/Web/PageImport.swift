// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import VaultFormat
internal import WebProtocol

/// `PageImport` imports a file that was dropped on the page: a `DroppedFile` and its bytes come over standard input. It
/// lies in a folder of this account in memory while it is imported, and what could not be carried over is printed as
/// JSON.
///
/// The folder has one name always: a later import from the same place updates the notes of the first.
enum PageImport {
    /// The hidden command: `vault __import KIND DIRECTORY`.
    static let command = "__import"
    private static let pieceByteCount = 256 << 10

    /// Runs the hidden command.
    ///
    /// - Returns: the exit code of `vault import auto`.
    static func run(_ words: [String]) -> Int32 {
        // Whoever reads the report may have gone.
        signal(SIGPIPE, SIG_IGN)
        guard words.count == 2, let kind = ImportedFileKind.allCases.first(where: { $0.ending == words[0] }),
            let head = try? DroppedFile(parsing: (0..<DroppedFile.byteCount).compactMap { _ in readByte() }),
            head.name.lowercased().hasSuffix("." + kind.ending), let folder = PrivateFolder.only("import")
        else { return 1 }
        defer { PrivateFolder.remove(folder) }
        let (file, report) = ("\(folder)/\(head.name)", "\(folder)/.report")
        guard hasRoom(for: head.contentByteCount, in: folder), copy(head.contentByteCount, to: file) else { return 1 }
        let silence = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(silence) }
        let arguments = [
            "import", "auto", file, "--report", report, "--no-input", "--quiet", "--vault", words[1],
        ]
        guard let pid = try? ChildProgram.start("/proc/self/exe", arguments, input: silence, output: silence) else {
            return 1
        }
        let code = ChildProgram.wait(for: pid)
        let opened = unsafe open(report, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { return code }
        defer { close(opened) }
        if let bytes = try? FileBytes.read(opened, max: 64 << 20) { _ = Streams.writeAll(bytes, to: 1) }
        return code
    }

    /// Half of what is left is for others.
    private static func hasRoom(for byteCount: UInt64, in folder: String) -> Bool {
        var room = statvfs()
        guard unsafe statvfs(folder, &room) == 0 else { return false }
        return byteCount < UInt64(room.f_bavail) * UInt64(room.f_frsize) / 2
    }

    private static func readByte() -> UInt8? {
        var byte: UInt8 = 0
        return unsafe read(0, &byte, 1) == 1 ? byte : nil
    }

    /// Copies what comes; false when it is not as much as was announced.
    private static func copy(_ byteCount: UInt64, to path: String) -> Bool {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        defer { close(file) }
        var left = byteCount
        var piece = [UInt8](repeating: 0, count: pieceByteCount)
        while true {
            let got = unsafe read(0, &piece, piece.count)
            if got < 0 && errno == EINTR { continue }
            guard got > 0 else { return got == 0 && left == 0 }
            guard UInt64(got) <= left, Streams.writeAll(Array(piece[..<got]), to: file) else { return false }
            left -= UInt64(got)
        }
    }
}
