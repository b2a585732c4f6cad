// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Glibc
internal import ParserProtocol
internal import VaultFormat

/// This extension carries a file on its way from the parser to the agent, through a pipe and a piece at a time: it is
/// never whole in this process.
extension ImportFeed {
    /// Sends one file from the parser's stream to the agent. A file that the source gives only in part is reported as
    /// damaged.
    ///
    /// - Returns: how the import ends, if it ends within this file; else nil.
    mutating func relay<Agent: AgentRequester & ~Copyable>(
        _ start: AttachmentStart, from stream: inout ContainerStream, to agent: inout Agent
    ) throws(ClientFailure) -> Ending? {
        var head: [UInt8] = []
        var isWhole: Bool?
        while head.count < FileKind.headByteCountMax, isWhole == nil {
            switch try piece(&stream) {
            case .bytes(let piece): head += piece
            case .end(let whole): isWhole = whole
            case .ending(let ending): return ending
            }
        }
        let found = try kinds.kind(of: head, name: start.name)
        let request = ImportAttachment(key: start.key, file: start.file(found))
        var pipe = try Pipe()
        try agent.send(request, Enclosure(descriptor: pipe.readingEnd))
        pipe.closeReading()
        // An agent that refuses closes its end; its answer says why.
        var isTaken = PipeSignal.ignored { FileBytes.write(head, to: pipe.writingEnd) }
        while isWhole == nil {
            switch try piece(&stream) {
            case .bytes(let piece):
                if isTaken { isTaken = PipeSignal.ignored { FileBytes.write(piece, to: pipe.writingEnd) } }
            case .end(let whole): isWhole = whole
            case .ending(let ending):
                pipe.closeWriting()
                _ = try agent.answer(to: request)
                return ending
            }
        }
        pipe.closeWriting()
        let (outcome, _) = try agent.answer(to: request)
        if outcome.code == .interrupted { return .interrupted }
        try outcome.require()
        if isWhole == false { try leaveOut(LeftOutPart(.attachmentDamaged, of: VisibleText.escaped(start.key))) }
        return nil
    }

    private enum Piece {
        case bytes([UInt8])
        case end(isWhole: Bool)
        case ending(Ending)
    }

    private mutating func piece(_ stream: inout ContainerStream) throws(ClientFailure) -> Piece {
        while true {
            switch try stream.nextEvent() {
            case .working: break
            case .skipped(let file): try leaveOut(LeftOutPart(file))
            case .interrupted: return .ending(.interrupted)
            case .record(.attachmentBytes(let bytes)): return .bytes(bytes)
            case .record(.attachmentEnd(let isWhole)): return .end(isWhole: isWhole)
            case .failed(let failure): return .ending(.failed(failure))
            case .record: return .ending(.failed(.malformed))
            }
        }
    }
}

extension AttachmentStart {
    /// Says what it is, by its first bytes and never by its name. Imported photos keep what is in them.
    fileprivate func file(_ found: FileKind) -> AddedFile {
        var file = AddedFile(name: name, kind: kind(found), mediaType: found.mediaType)
        file.caption = traits?.caption ?? ""
        file.created = modified ?? 0
        if let width = found.width, let height = found.height { (file.width, file.height) = (width, height) }
        return file
    }

    /// Returns what an attachment is kept as. A source that knows is believed where the content allows it: any file may
    /// be kept as just a file, and a drawing be a sketch.
    private func kind(_ found: FileKind) -> AttachmentDetails.Kind {
        switch traits?.kind {
        case .file: .file
        case .sketch where found.mediaType == "image/svg+xml": .sketch
        case .sketch, .photo, .video, .audio, nil: found.detailsKind
        }
    }
}
