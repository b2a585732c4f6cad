// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Glibc
internal import ParserProtocol

/// `ContainerFeed` holds the frames of a container, made as they are wanted: every file of a folder, or one file, as
/// often as the parser asks.
struct ContainerFeed: ~Copyable {
    private let descriptor: Int32
    private let isFolder: Bool
    private let paths: [[UInt8]]
    /// Decrypts files, by the ends of their names; of a source that is one file, that file.
    private let decryptions: [String: Decryption]
    private let opener: AgeOpener?
    private var next = 0
    private var current: ContainerEntry?
    private var readingCount = 0
    private var wantedCount = 1
    /// Of content, over all readings.
    private(set) var byteCount: UInt64 = 0

    private static let lookAheadByteCount = 1 << 20

    /// Makes the feed of a source's files; nothing is read yet.
    ///
    /// - Parameter paths: in a folder, relative to it; of a file its name alone.
    init(_ source: borrowing ImportSource, _ paths: [[UInt8]], _ decryptions: [String: Decryption] = [:]) {
        descriptor = source.descriptor
        isFolder = source.isFolder
        self.paths = paths
        self.decryptions = decryptions
        opener = source.opener
    }

    /// Takes everything that a source holds.
    init(whole source: borrowing ImportSource) {
        let paths =
            source.isFolder ? FolderWalk(folder: source.descriptor, .everything).files : [Array(source.name.utf8)]
        self.init(source, paths)
    }

    /// Sends the container once more, as the parser has asked for.
    mutating func again() { wantedCount += 1 }

    /// Puts frames behind those that wait, as long as there are few.
    ///
    /// - Returns: a file that cannot be read; it is named once.
    mutating func fill(_ pending: inout ByteQueue) throws(ClientFailure) -> SkippedFile? {
        while pending.count < Self.lookAheadByteCount, readingCount < wantedCount {
            if let entry = current {
                let piece = entry.read(max: ContainerFrame.pieceByteCountMax)
                guard let piece, !piece.isEmpty else {
                    send(.fileEnd(isWhole: piece != nil), &pending)
                    current = nil
                    continue
                }
                byteCount += UInt64(piece.count)
                send(.fileBytes(piece), &pending)
            } else if next < paths.count {
                let path = paths[next]
                next += 1
                do throws(FolderFile.Failure) {
                    let (file, modified) = try isFolder ? FolderFile.open(path, in: descriptor) : reopened()
                    let decryption = self.decryption(of: path)
                    let entry = try begin(file, modified, decryption)
                    current = entry
                    // A file that was named is called what is in it already.
                    send(
                        .fileStart(
                            path: isFolder && decryption != nil ? Array(path.dropLast(4)) : path, modified: modified),
                        &pending)
                } catch {
                    if readingCount == 0 { return SkippedFile(bytes: path, reason: error.reason) }
                }
            } else {
                send(.end, &pending)
                readingCount += 1
                next = 0
            }
        }
        return nil
    }

    private func decryption(of path: [UInt8]) -> Decryption? {
        guard isFolder else { return opener.map { .age($0) } }
        return decryptions[String(decoding: path.suffix(StoreEntries.endingByteCount), as: UTF8.self)]
    }

    private func begin(_ file: Int32, _ modified: Int64?, _ decryption: Decryption?) throws(FolderFile.Failure)
        -> ContainerEntry
    {
        guard let decryption else { return ContainerEntry(descriptor: file, modified: modified) }
        do throws(ClientFailure) {
            return try ContainerEntry(decrypting: file, modified: modified, decryption)
        } catch { throw FolderFile.Failure(reason: .notDecrypted) }
    }

    /// Returns the same open file from its beginning: by its name it could have become another one.
    private func reopened() throws(FolderFile.Failure) -> (Int32, Int64?) {
        let file = dup(descriptor)
        guard file >= 0, lseek(file, 0, SEEK_SET) == 0 else { throw FolderFile.Failure(reason: .unreadable) }
        var status = stat()
        return (file, unsafe fstat(file, &status) == 0 ? FolderFile.milliseconds(status.st_mtim) : nil)
    }

    private func send(_ frame: ContainerFrame, _ pending: inout ByteQueue) {
        pending.append(RecordFrame.enclosing(frame.encoded))
    }
}

/// `ContainerEntry` is one file of a container, open to be read to its end: as it is, or through what decrypts it.
final class ContainerEntry {
    let modified: Int64?
    private let descriptor: Int32
    private var decryptor: pid_t?

    init(descriptor: Int32, modified: Int64?) {
        self.descriptor = descriptor
        self.modified = modified
    }

    /// Opens a file whose plaintext comes through a pipe, from the decryptor's hand into the parser's. The decryptor
    /// reads the open file, so that no link is followed; gpg asks for its passphrase on the terminal that `GPG_TTY`
    /// names.
    ///
    /// - Parameter file: closed here.
    init(decrypting file: Int32, modified: Int64?, _ decryption: Decryption) throws(ClientFailure) {
        defer { close(file) }
        var pipe = try Pipe()
        decryptor = try decryption.start(input: file, output: pipe.writingEnd)
        descriptor = pipe.takeReading()
        self.modified = modified
    }

    deinit {
        close(descriptor)
        if let decryptor {
            kill(decryptor, SIGKILL)
            _ = ChildProgram.wait(for: decryptor)
        }
    }

    /// Returns the next bytes of the file, at most `max`: an empty array at its end, nil if it cannot be read or
    /// decrypted to its end.
    func read(max: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: max)
        while true {
            let got = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress!, $0.count) }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { return nil }
            guard got == 0, let pid = decryptor else { return Array(bytes[0..<got]) }
            decryptor = nil
            return ChildProgram.wait(for: pid) == 0 ? [] : nil
        }
    }
}
