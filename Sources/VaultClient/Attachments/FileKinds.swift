// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import ForeignRecords
internal import VaultFormat

/// Asks `vault-parse` what files are, by their beginnings: one process for all files of a command.
///
/// The client looks at no byte of a file that somebody else may have written.
final class FileKinds {
    /// So many looks of 100 ms each: far more than the slowest beginning takes.
    private static let lookCountMax = 300
    private var running: Running?

    private final class Running {
        var parser: ParserProcess
        init() throws(ClientFailure) { parser = try ParserProcess(["kind"], nil) }
    }

    /// Starts the process. Done before a command connects: an agent with many clients does not wait long for one that says nothing.
    func start() throws(ClientFailure) {
        do throws(ClientFailure) { _ = try kind(of: [0x20], name: "") } catch {
            throw ClientFailure(.other, "vault-parse cannot be started", hint: "vault doctor")
        }
    }

    /// - Throws: `.other` when the parser ends on it: a photo that is not known as one would keep its place.
    func kind(of head: [UInt8], name: String) throws(ClientFailure) -> FileKind {
        let running: Running
        if let known = self.running { running = known } else { running = try Running() }
        self.running = running
        var pending = ByteQueue()
        var received = ByteQueue()
        pending.append(RecordFrame.enclosing(Array(head.prefix(FileKind.headByteCountMax))))
        var looks = 0
        while looks < Self.lookCountMax {
            if let kind = Self.record(&received) { return kind }
            switch running.parser.exchange(pending: &pending, received: &received) {
            case .nothing: looks += 1
            case .worked: break
            case .gone: looks = Self.lookCountMax
            }
        }
        if let kind = Self.record(&received) { return kind }
        self.running = nil
        throw ClientFailure(
            .other, "cannot determine what \(VisibleText.escaped(name)) is: vault-parse failed on it",
            hint: "pack it: tar -c FILE | vault attach add ID - --name FILE.tar")
    }

    private static func record(_ received: inout ByteQueue) -> FileKind? {
        guard let header = received.first(RecordFrame.headerByteCount),
            let count = try? RecordFrame.contentByteCount(header: header, max: FileKind.byteCountMax),
            let bytes = received.first(count, after: RecordFrame.headerByteCount)
        else { return nil }
        return try? FileKind(parsing: bytes)
    }
}

extension FileKind {
    var detailsKind: AttachmentDetails.Kind {
        switch kind {
        case .photo: .photo
        case .video: .video
        case .audio: .audio
        case .sketch: .sketch
        case .file: .file
        }
    }
}
