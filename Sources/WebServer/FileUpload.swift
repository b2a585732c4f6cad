// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import ParserProtocol
internal import Presentation
internal import WebProtocol

/// `FileUpload` attaches a file that a browser sends: what it is, is said by its content, and from photos the place,
/// the serial numbers and the like are removed on the way, as `vault attach add` does.
struct FileUpload {
    private let site: Site
    private let note: String
    private let name: String
    private let upload: Upload

    init(_ site: Site, _ exchange: Exchange) throws(ClientFailure) {
        guard let upload = exchange.upload else { throw .usage("the request is malformed", hint: "") }
        (self.site, self.upload) = (site, upload)
        (note, name) = (exchange.parameters[0], try exchange.fileName())
    }

    func run() throws(ClientFailure) -> Answer {
        var head: [ByteBuffer] = []
        var headCount = 0
        while headCount < FileKind.headByteCountMax, let piece = upload.next() {
            headCount += piece.readableBytes
            head.append(piece)
        }
        let kind = try Self.kind(of: head.reduce(into: [UInt8]()) { $0 += $1.readableBytesView }, site)
        var file = AddedFile(name: name, kind: kind.detailsKind, mediaType: kind.mediaType)
        if let width = kind.width, let height = kind.height { (file.width, file.height) = (width, height) }
        file.isStripped = kind.kind == .photo && kind.mediaType != "image/bmp"
        // A line of its own: what was put goes with it, unless it is committed.
        let line = try site.agents.new()
        let outcome = try put(file, head, over: line)
        guard outcome.code == .ok else { return .failure(outcome) }
        guard upload.isWhole else {
            throw ClientFailure(.other, "the file did not come to its end", hint: "attach it again")
        }
        let answer = try line.asked(CommitAttachments(ref: note), Enclosure())
        if answer.status == .ok { site.agents.keep(line) }
        return answer
    }

    /// Says what a file is, by its beginning, which goes to a confined program.
    static func kind(of head: [UInt8], _ site: Site) throws(ClientFailure) -> FileKind {
        let bytes = Array(head.prefix(FileKind.headByteCountMax))
        let parser = try site.supervisor.parser(.kind)
        defer {
            close(parser.output)
            try? site.supervisor.tell(.parsed, parser.number)
        }
        _ = PipeWriting.write(RecordFrame.enclosing(bytes), to: parser.input)
        close(parser.input)
        guard let answer = try? FileBytes.read(parser.output, max: FileKind.byteCountMax + RecordFrame.headerByteCount),
            answer.count > RecordFrame.headerByteCount,
            let kind = try? FileKind(parsing: Array(answer.dropFirst(RecordFrame.headerByteCount)))
        else {
            // Without an answer a photo would keep its place.
            throw ClientFailure(
                .other, "cannot determine what this file is: vault-parse failed on it",
                hint: "vault attach add ID FILE in a terminal says more")
        }
        return kind
    }

    private func put(_ file: AddedFile, _ head: [ByteBuffer], over line: AgentLine) throws(ClientFailure) -> Outcome {
        let request = PutAttachment(ref: note, file: file)
        let input: Int32
        var stripper: UInt8?
        // On every way out: a parser that nobody waits for keeps its number.
        defer { if let stripper { try? site.supervisor.tell(.parsed, stripper) } }
        if file.isStripped {
            let parser = try site.supervisor.parser(.strip)
            defer { close(parser.output) }
            (input, stripper) = (parser.input, parser.number)
            try sent(request, parser.output, line, input)
        } else {
            var pipe = try Pipe()
            input = pipe.takeWriting()
            try sent(request, pipe.readingEnd, line, input)
        }
        var isWritten = true
        for piece in head where isWritten { isWritten = PipeWriting.write(Array(piece.readableBytesView), to: input) }
        while isWritten, let piece = upload.next() {
            isWritten = PipeWriting.write(Array(piece.readableBytesView), to: input)
        }
        close(input)
        // What is left is not wanted any more; the agent says why.
        while upload.next() != nil {}
        let (outcome, _) = try line.connection.answer(to: request)
        if let number = stripper {
            stripper = nil
            do throws(ClientFailure) { try site.supervisor.tell(.parsed, number) } catch {
                guard outcome.code == .ok else { return outcome }
                return Outcome(
                    .usage, "location and camera data cannot be removed from this photo: its format is not supported",
                    hint: "vault attach add --keep-metadata in a terminal attaches it unchanged")
            }
        }
        guard outcome.code == .ok, !isWritten else { return outcome }
        // Somebody stopped reading in the middle, and says that all is well.
        return Outcome(.other, "the file could not be passed on to its end", hint: "attach it again")
    }

    private func sent(_ request: PutAttachment, _ output: Int32, _ line: AgentLine, _ input: Int32)
        throws(ClientFailure)
    {
        do throws(ClientFailure) { try line.connection.send(request, Enclosure(descriptor: output)) } catch {
            close(input)
            throw error
        }
    }
}

/// `PipeWriting` writes to a pipe, whose reader may end first.
enum PipeWriting {
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        unsafe bytes.withUnsafeBytes { unsafe write($0, to: descriptor) }
    }

    static func write(_ raw: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var done = 0
        while done < raw.count {
            let sent = unsafe Glibc.write(descriptor, raw.baseAddress! + done, raw.count - done)
            if sent < 0 && errno == EINTR { continue }
            guard sent > 0 else { return false }
            done += sent
        }
        return true
    }
}
