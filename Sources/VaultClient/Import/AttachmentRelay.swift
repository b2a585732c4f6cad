// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import ForeignRecords
internal import Glibc
internal import VaultFormat

/// Passes a file on from the parser to the agent, through a pipe and a piece at a time: it is never whole in this process.
enum AttachmentRelay {
    /// - Returns: how the import ends, when it ends here.
    static func send(
        _ start: AttachmentStart, _ kinds: FileKinds, _ stream: inout ContainerStream, _ report: inout ImportReport,
        _ conversation: inout Conversation
    ) throws(ClientFailure) -> ImportCommand.Ending? {
        var head: [UInt8] = []
        var isWhole: Bool?
        while head.count < FileKind.headByteCountMax, isWhole == nil {
            switch try next(&stream, &report) {
            case .bytes(let piece): head += piece
            case .end(let whole): isWhole = whole
            case .ending(let ending): return ending
            }
        }
        let found = try kinds.kind(of: head, name: start.name)
        var ends: [Int32] = [-1, -1]
        guard unsafe vs_pipe(&ends) == 0 else { throw ClientFailure(.other, "cannot make a pipe: \(SystemError.text(errno))") }
        var output = ends[1]
        defer { if output >= 0 { close(output) } }
        let request = ImportAttachment(key: start.key, file: file(start, found))
        do throws(ClientFailure) { try conversation.begin(request, descriptor: ends[0]) } catch {
            close(ends[0])
            throw error
        }
        close(ends[0])
        // An agent that refuses closes its end; its answer says why.
        var isTaken = Streams.writeAll(head, to: output)
        while isWhole == nil {
            switch try next(&stream, &report) {
            case .bytes(let piece): if isTaken { isTaken = Streams.writeAll(piece, to: output) }
            case .end(let whole): isWhole = whole
            case .ending(let ending):
                close(output)
                output = -1
                _ = try conversation.finish(request)
                return ending
            }
        }
        close(output)
        output = -1
        let outcome = try conversation.finish(request)
        if outcome.code == .interrupted { return .interrupted }
        try Session.require(outcome)
        if isWhole == false {
            try report.add(leftOut: VisibleText.escaped(start.key), code: "attachmentDamaged", sentence: Loss.Code.attachmentDamaged.sentence)
        }
        return nil
    }

    private enum Piece {
        case bytes([UInt8])
        case end(isWhole: Bool)
        case ending(ImportCommand.Ending)
    }

    private static func next(_ stream: inout ContainerStream, _ report: inout ImportReport) throws(ClientFailure) -> Piece {
        while true {
            switch try stream.nextEvent() {
            case .working: break
            case .skipped(let file): try report.add(file)
            case .interrupted: return .ending(.interrupted)
            case .record(.attachmentBytes(let bytes)): return .bytes(bytes)
            case .record(.attachmentEnd(let isWhole)): return .end(isWhole: isWhole)
            case .died, .record: return .ending(.died)
            }
        }
    }

    /// What it is, by its first bytes and never by its name. Imported photos keep what is in them.
    private static func file(_ start: AttachmentStart, _ found: FileKind) -> AddedFile {
        var file = AddedFile(name: start.name, kind: kind(start.traits, found), mediaType: found.mediaType)
        file.caption = start.traits?.caption ?? ""
        file.created = start.modified ?? 0
        if let width = found.width, let height = found.height { (file.width, file.height) = (width, height) }
        return file
    }

    /// A source that knows is believed where the content allows it: any file may be kept as just a file, and a drawing be a sketch.
    private static func kind(_ traits: AttachmentTraits?, _ found: FileKind) -> AttachmentDetails.Kind {
        switch traits?.kind {
        case .file: .file
        case .sketch where found.mediaType == "image/svg+xml": .sketch
        default: found.detailsKind
        }
    }
}
