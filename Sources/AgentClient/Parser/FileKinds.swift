// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
public import ParserProtocol
public import VaultFormat

/// `FileKinds` asks `vault-parse` what files are, by their beginnings: one process for all files of a command.
///
/// A front end looks at no byte of a file that somebody else may have written.
public final class FileKinds {
    /// Most looks for an answer, of 100 ms each: far more than the slowest beginning takes.
    static let lookCountMax = 300
    private let lookCountMax: Int
    private let program: ParserProgram?
    private var running: Running?

    private final class Running {
        var parser: ParserProcess
        init(_ program: ParserProgram?) throws(ClientFailure) { parser = try ParserProcess(["kind"], nil, program) }
    }

    public convenience init() { self.init(nil) }

    init(_ program: ParserProgram?, lookCountMax: Int = FileKinds.lookCountMax) {
        (self.program, self.lookCountMax) = (program, lookCountMax)
    }

    /// Starts the process. Done before a command connects: an agent with many clients does not wait long for one that
    /// says nothing.
    ///
    /// - Throws: `.other` when it does not start or does not answer.
    public func start() throws(ClientFailure) {
        do throws(ClientFailure) { _ = try kind(of: [0x20], name: "") } catch {
            throw ClientFailure(.other, "vault-parse cannot be started", hint: "vault doctor")
        }
    }

    /// Says what a file is.
    ///
    /// - Parameters:
    ///   - head: its first bytes; at most `FileKind.headByteCountMax` are looked at.
    ///   - name: for a message.
    /// - Throws: `.other` when the parser ends on it: a photo that is not known as one would keep its place.
    public func kind(of head: [UInt8], name: String) throws(ClientFailure) -> FileKind {
        do {
            return try kind(of: head)
        } catch let failure as ClientFailure {
            throw failure
        } catch {
            throw ClientFailure(
                .other, "cannot determine what \(VisibleText.escaped(name)) is: vault-parse failed on it",
                hint: "pack it: tar -c FILE | vault attach add ID - --name FILE.tar")
        }
    }

    /// Asks `vault-parse` what a file is, by the beginning of its content.
    ///
    /// - Throws: `ParserFailure`; `ClientFailure` when no process can be started. The next file has a new process then.
    func kind(of head: [UInt8]) throws -> FileKind {
        let running: Running
        if let known = self.running { running = known } else { running = try Running(program) }
        self.running = nil
        var pending = ByteQueue()
        var received = ByteQueue()
        pending.append(RecordFrame.enclosing(Array(head.prefix(FileKind.headByteCountMax))))
        var (looks, isGone) = (0, false)
        while true {
            if let answer = try received.takeFrame(max: FileKind.byteCountMax) {
                guard let kind = try? FileKind(parsing: answer) else { throw ParserFailure.malformed }
                if !isGone { self.running = running }
                return kind
            }
            if isGone { throw ParserFailure.ended }
            guard looks < lookCountMax else { throw ParserFailure.silent }
            switch running.parser.exchange(pending: &pending, received: &received) {
            case .nothing: looks += 1
            case .worked: break
            case .gone: isGone = true
            }
        }
    }
}

extension FileKind {
    /// The kind as an attachment's details have it.
    public var detailsKind: AttachmentDetails.Kind {
        switch kind {
        case .photo: .photo
        case .video: .video
        case .audio: .audio
        case .sketch: .sketch
        case .file: .file
        }
    }
}
