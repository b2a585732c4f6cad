// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import ExportFormats
internal import ForeignCrypto
internal import ParserProtocol
internal import SealedObjects
internal import SecretMemory
internal import VaultCore
internal import VaultFormat

/// `ExportWork` is the writing of an export, on a thread of its own: whatever a disk, a pipe or scrypt takes, nobody
/// else waits for it.
final class ExportWork {
    /// `Ending` says how it ended.
    enum Ending: Sendable {
        case done(ExportReport)
        case failed(Outcome)
    }

    private let order: ExportNotes
    private let queue: ExportQueue
    private let passed: PassedDescriptor
    private let goesOn: @Sendable (UInt64) -> Bool
    private var stream: ExportStream?
    private var age: AgeWriter?
    private var report = ExportReport()
    private var unreadable = UnreadableAttachments()
    /// Of the note that is being written.
    private var attachments: [String: ExportQueue.Wish] = [:]
    /// Attachments are opened into it piece by piece.
    private var buffer = SecretBytes(zeroes: 0)
    private static let pieceByteCount: UInt64 = 1 << 20
    /// What notes that cannot be rendered may take in all: many hostile ones must not hold an export for hours.
    private var secondsToRender = 60.0
    /// Notes between two reports of how far it is.
    private static let questionCount: UInt64 = 16

    init(
        _ order: ExportNotes, _ queue: ExportQueue, _ passed: PassedDescriptor,
        goesOn: @escaping @Sendable (UInt64) -> Bool
    ) {
        self.order = order
        self.queue = queue
        self.passed = passed
        self.goesOn = goesOn
    }

    func run(_ sealing: ExportSealing) -> Ending {
        do {
            try write(sealing)
            return .done(report)
        } catch {
            queue.cancel()
            return .failed(ExportFailure.outcome(stream?.failure ?? error))
        }
    }

    private func write(_ sealing: ExportSealing) throws {
        // Nothing is begun before there is something to write: a filter may fit no note.
        guard queue.hasNext() else { throw ObjectError(.cancelled) }
        let export = try makeExport(sealing)
        while let item = queue.next() {
            switch item {
            case .note(var note, let sources):
                attachments = Dictionary(
                    sources.map { ($0.id.text, ExportQueue.Wish(attachment: $0.id, note: $0.note)) },
                    uniquingKeysWith: { first, _ in first })
                // Each is read twice: a text alone has no contents.
                if order.format != .text {
                    try unreadable.leaveOut(of: &note) { try copy($0) { (_: Span<UInt8>) in } }
                }
                try export.add(note)
                report.noteCount += 1
                report.attachmentCount += UInt64(note.attachments.count)
                // Each question wakes the loop.
                guard report.noteCount % Self.questionCount != 0 || goesOn(report.noteCount) else {
                    throw ObjectError(.cancelled)
                }
            case .end(let lockedCount):
                export.leaveOut(privateNotes: lockedCount)
                report.losses = try export.finish().map { ExportReport.Loss($0, order) }
                if let loss = unreadable.loss { report.losses.append(loss) }
                try age?.finish()
                return
            }
        }
        throw ObjectError(.cancelled)
    }

    private func makeExport(_ sealing: ExportSealing) throws -> any NoteExport {
        let content: ExportFormats.AttachmentContent = { [unowned self] id, sink in try self.copy(id, to: sink) }
        guard order.form != .folder else {
            let target = try FolderTarget(folder: passed.descriptor, durability: .atEnd)
            return order.format == .json
                ? try JSONFilesExport(to: target, content: content) : MarkdownExport(to: target, content: content)
        }
        let sink = try begin(sealing)
        switch (order.format, order.form) {
        case (.html, _):
            let parser = ParserConversation(["html"])
            return try HTMLExport(to: sink, render: { [unowned self] page in render(page, parser) }, content: content)
        case (.text, _): return TextExport(to: sink)
        case (.jex, _): return JEXExport(to: TarStream(sink), content: content)
        case (.json, .archive): return try JSONFilesExport(to: TarStream(sink), content: content)
        case (.json, _): return try JSONExport(to: sink, content: content)
        case (.markdown, _): return MarkdownExport(to: TarStream(sink), content: content)
        }
    }

    /// Has a confined process render a note. One that takes too long is ended, and the next note gets another.
    private func render(_ page: MarkdownPage, _ parser: ParserConversation) -> [HTMLPiece]? {
        guard secondsToRender > 0 else { return nil }
        let begin = BootClock.seconds
        let answer = parser.ask(
            page.encoded, answerByteCountMax: page.answerByteCountMax, seconds: min(10, secondsToRender)
        ) {
            !queue.isCancelled
        }
        if answer == nil { secondsToRender -= BootClock.seconds - begin }
        return answer.flatMap { try? HTMLPiece.list(parsing: $0, referenceCount: page.references.count) }
    }

    /// Returns the sink where the one stream goes: to the descriptor, or through an age file to it.
    private func begin(_ sealing: ExportSealing) throws -> ByteSink {
        let stream = ExportStream(passed) { [queue] in queue.isCancelled }
        self.stream = stream
        age = try sealing.writer(armored: order.isArmored, to: stream)
        guard let age else {
            return { piece in
                try unsafe piece.withUnsafeBufferPointer { try unsafe stream.write(UnsafeRawBufferPointer($0)) }
            }
        }
        return { piece in try unsafe piece.withUnsafeBufferPointer { try unsafe age.write(UnsafeRawBufferPointer($0)) }
        }
    }

    /// Opens an attachment, whose file the loop has found, piece by piece. No byte that is not authentic is passed on.
    private func copy(_ id: String, to sink: ByteSink) throws {
        guard let wish = attachments[id] else { throw VaultError(.integrity) }
        guard let granted = queue.content(wish) else { throw ObjectError(.cancelled) }
        let reader = try granted.get().reader()
        if buffer.byteCount == 0 { buffer = SecretBytes(zeroes: Int(Self.pieceByteCount)) }
        var offset: UInt64 = 0
        while offset < reader.contentByteCount {
            guard !queue.isCancelled else { throw ObjectError(.cancelled) }
            let range = offset..<min(offset + Self.pieceByteCount, reader.contentByteCount)
            try unsafe buffer.withUnsafeMutableBytes { whole in
                let part = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: whole[..<Int(range.upperBound - range.lowerBound)])
                try unsafe reader.read(range, into: part)
                let bytes = unsafe UnsafeBufferPointer(part.assumingMemoryBound(to: UInt8.self))
                try unsafe sink(bytes.span)
            }
            offset = range.upperBound
        }
    }
}
