// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Glibc
internal import ParserProtocol

/// `NoteStream` reads the notes of a folder, one file after the other: it finds the files on which vault-parse dies.
///
/// A few files are ahead of the answers, so that parser and agent work at the same time; never more than 2 MiB of them,
/// unless one file alone is larger. A file on which the parser dies is left out, and a new parser gets the next one.
struct NoteStream: ~Copyable {
    enum Event {
        /// A file of which the parser made a note.
        case note
        /// A file, and its path as it is.
        case skipped(SkippedFile, path: [UInt8])
        case interrupted
        case end
    }

    private let folder: Int32
    private let files: [[UInt8]]
    private let setting: ParserSetting
    private var parser: ParserProcess
    private var next = 0
    /// Files that were sent and not answered yet, oldest first.
    private var sent: [(index: Int, key: String)] = []
    private var pending = ByteQueue()
    private var received = ByteQueue()
    private var deathsInARow = 0

    private static let lookAheadCount = 64
    private static let lookAheadByteCount = 2 << 20
    private static let deathsInARowMax = 20

    init(_ files: [[UInt8]], folder: Int32, _ setting: ParserSetting) throws(ClientFailure) {
        self.files = files
        self.folder = folder
        self.setting = setting
        parser = try ParserProcess(["markdown"], setting.zone, setting.program)
    }

    /// Returns the next event of the source: a note, a file that was skipped, its end, or an interruption. A parser
    /// that dies is started again.
    ///
    /// - Throws: `.other` when the parser dies on every file.
    mutating func nextEvent() throws(ClientFailure) -> Event {
        while true {
            switch try takeRecord() {
            case .some(let event): return event
            case nil: break
            }
            if let skipped = fill() { return skipped }
            if sent.isEmpty { return .end }
            if setting.isCancelled() { return .interrupted }
            if case .gone = parser.exchange(pending: &pending, received: &received) {
                // What it answered before it went still counts.
                if let event = try takeRecord() { return event }
                // Ctrl-C reaches the parser too; its end is no news about the file then.
                if setting.isCancelled() { return .interrupted }
                return try startAgain()
            }
        }
    }

    /// Takes one whole record; one that is not this file's note is treated as the parser's death.
    private mutating func takeRecord() throws(ClientFailure) -> Event? {
        guard let first = sent.first else { return nil }
        do throws(ParserFailure) {
            guard let record = try received.takeFrame(max: ParsedNote.byteCountMax) else { return nil }
            guard let note = try? ParsedNote(parsing: record), note.sourceKey == first.key else { throw .malformed }
        } catch { return try startAgain() }
        sent.removeFirst()
        deathsInARow = 0
        return .note
    }

    /// Sends files ahead.
    ///
    /// - Returns: a file that cannot be read.
    private mutating func fill() -> Event? {
        while next < files.count, sent.count < Self.lookAheadCount, pending.count < Self.lookAheadByteCount {
            let path = files[next]
            do throws(FolderFile.Failure) {
                let file = try FolderFile.read(path, in: folder)
                pending.append(RecordFrame.enclosing(file.encoded))
                sent.append((next, file.sourceKey))
                next += 1
            } catch {
                next += 1
                return .skipped(SkippedFile(bytes: path, reason: error.reason), path: path)
            }
        }
        return nil
    }

    /// Leaves the oldest unanswered file out and sends the others to a new parser.
    private mutating func startAgain() throws(ClientFailure) -> Event {
        deathsInARow += 1
        guard deathsInARow <= Self.deathsInARowMax, let first = sent.first else {
            throw ClientFailure(
                .other, "vault-parse cannot be run", hint: "install all of vault's programs from one build")
        }
        parser = try ParserProcess(["markdown"], setting.zone, setting.program)
        pending = ByteQueue()
        received = ByteQueue()
        sent = []
        next = first.index + 1
        return .skipped(SkippedFile(bytes: files[first.index], reason: .notParsed), path: files[first.index])
    }
}
