// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import WebProtocol

/// `PageImport` imports a file that was dropped on the page: its size (`UInt64`, big-endian) and its bytes come over
/// standard input. It lies in a folder of this account in memory while it is imported, and what could not be carried
/// over is printed as JSON.
enum PageImport {
    /// The hidden command: `vault __import KIND DIRECTORY`.
    static let command = "__import"
    private static let pieceByteCount = 256 << 10

    /// Runs the hidden command.
    ///
    /// - Returns: the exit code of `vault import auto`.
    static func run(_ words: [String]) -> Int32 {
        guard words.count == 2, let kind = ImportedFileKind.allCases.first(where: { $0.ending == words[0] }) else {
            return 2
        }
        guard let folder = try? PrivateFolder.make("import") else { return 1 }
        defer { PrivateFolder.remove(folder) }
        let (file, report) = ("\(folder)/dropped.\(kind.ending)", "\(folder)/report.json")
        guard copy(to: file) else { return 1 }
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

    /// Copies what comes; false when it is not as much as was announced.
    private static func copy(to path: String) -> Bool {
        var head = [UInt8](repeating: 0, count: 8)
        for index in head.indices { guard unsafe read(0, &head[index], 1) == 1 else { return false } }
        var left = head.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        defer { close(file) }
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
