// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import CSystemShims
internal import Glibc
internal import ParserProtocol

/// `AttachmentUpload` sends files on their way into a vault. The agent reads them from a descriptor: what is in them
/// never goes through the front end's memory.
public enum AttachmentUpload {
    /// Sends one file. It belongs to the note once `CommitAttachments` was asked for.
    ///
    /// A file's kind is determined by its content. Location, serial numbers and the like are removed from photos on
    /// the way.
    ///
    /// - Parameters:
    ///   - note: an identifier, or the beginning of one.
    ///   - keepsMetadata: whether photos stay as they are.
    /// - Returns: what the agent answers; `.usage` for a photo whose metadata cannot be removed. It is forgotten then.
    /// - Throws: `.other` when vault-parse fails on it; what `AgentRequester` throws.
    public static func put<Agent: AgentRequester & ~Copyable>(
        _ source: SourceFile, to note: String, caption: String = "", keepsMetadata: Bool = false, _ kinds: FileKinds,
        over agent: inout Agent
    ) throws(ClientFailure) -> Outcome {
        let kind = try kinds.kind(of: source.head, name: source.name)
        var file = AddedFile(name: source.name, kind: kind.detailsKind, mediaType: kind.mediaType)
        file.caption = caption
        if let width = kind.width, let height = kind.height { (file.width, file.height) = (width, height) }
        guard kind.kind == .photo, !keepsMetadata, kind.mediaType != "image/bmp" else {
            return try agent.request(PutAttachment(ref: note, file: file), Enclosure(descriptor: source.descriptor))
                .outcome
        }
        file.isStripped = true
        let stripper = try ParserFilter(["strip"], input: source.descriptor)
        let outcome = try agent.request(PutAttachment(ref: note, file: file), Enclosure(descriptor: stripper.output))
            .outcome
        let code = stripper.finish()
        guard outcome.code == .ok, code != 0 else { return outcome }
        // What came out of the pipe was cut short; it is forgotten, and the photo is not attached without a word.
        _ = try agent.request(DropAttachments(count: 1))
        return Outcome(
            .usage, "location and camera data cannot be removed from this photo: its format is not supported",
            hint: "--keep-metadata attaches it unchanged")
    }
}

/// `OutputPipe` is a stream of ours as a descriptor that an agent may write to.
///
/// A file or a pipe is written by the agent itself; a terminal, a device or a file that has content, through a pipe:
/// the agent writes from offset 0.
public struct OutputPipe {
    /// To be passed to the agent.
    public let descriptor: Int32
    private let pump: PipePump?

    /// Makes a descriptor that an agent may write to: a pipe or a new, empty file as it is, any other stream through a
    /// process that copies to it.
    ///
    /// - Throws: `.other` when no process can be started.
    public init(to stream: Int32) throws(ClientFailure) {
        var status = stat()
        let kind = unsafe fstat(stream, &status) == 0 ? status.st_mode & S_IFMT : 0
        let isFresh =
            kind == S_IFREG && status.st_size == 0 && lseek(stream, 0, SEEK_CUR) == 0
            && fcntl(stream, F_GETFL) & O_APPEND == 0
        pump = kind == S_IFIFO || isFresh ? nil : try PipePump(to: stream)
        descriptor = pump?.input ?? stream
    }

    /// Waits until everything has gone through.
    ///
    /// - Throws: `.other` when the stream did not take it; the agent, which wrote into a pipe, does not know.
    public func finish() throws(ClientFailure) {
        guard let code = pump?.finish(), code != 0 else { return }
        let reason = code > 0 ? SystemError.text(code) : "its reader is gone"
        throw ClientFailure(.other, "cannot write to standard output: \(reason)")
    }
}

/// `PipePump` carries what the agent writes into a pipe on to a stream that an agent does not write to.
///
/// A process of its own, because this one waits for the agent's last word meanwhile.
private final class PipePump {
    let input: Int32
    private let pid: pid_t
    private var isOver = false

    init(to stream: Int32) throws(ClientFailure) {
        var pipe = try Pipe()
        pid = vs_start_pump(pipe.readingEnd, stream, pipe.writingEnd)
        guard pid > 0 else { throw ClientFailure(.other, "cannot start a process: \(SystemError.text(errno))") }
        input = pipe.takeWriting()
    }

    deinit { finish() }

    /// - Returns: 0, the system's errno, or minus the signal that ended the process.
    @discardableResult
    func finish() -> Int32 {
        guard !isOver else { return 0 }
        isOver = true
        close(input)
        return ChildProgram.wait(for: pid)
    }
}
