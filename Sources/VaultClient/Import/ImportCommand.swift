// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Glibc

/// `vault import markdown DIR`: walk, parse in a process without keys, send to the agent in batches.
///
/// What the agent acknowledged stays, whatever happens then; running it again goes on where it ended, since notes that are
/// there already are found again and not doubled.
struct ImportCommand: ~Copyable {
    private static let batchCountMax = 200
    private static let batchByteCountMax = 1 << 20

    private let context: Context
    private let total: Int
    private var bar: ProgressBar
    private var batch: [[UInt8]] = []
    private var batchByteCount = 0
    private var skipped: [SkippedFile]
    private var acknowledged = 0

    static func run(directory: String, dryRun: Bool, _ context: Context) throws(ClientFailure) -> Outcome {
        let folder = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else {
            let name = VisibleText.escaped(directory)
            throw ClientFailure(
                errno == ENOENT ? .notFound : .other, "cannot read the folder \(name): \(SystemError.text(errno))")
        }
        defer { close(folder) }
        let walk = MarkdownWalk(folder: folder)
        let source = try source(of: directory)
        // A parser that dies is noticed by a failed write, not by the signal.
        signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, SIG_DFL) }
        return try Session.with(context) { conversation throws(ClientFailure) in
            try Session.require(try conversation.perform(.beginImport(source: source, dryRun: dryRun)))
            var command = ImportCommand(walk, context)
            return try command.run(walk, folder, &conversation)
        }
    }

    private init(_ walk: borrowing MarkdownWalk, _ context: Context) {
        self.context = context
        total = walk.files.count
        skipped = walk.skipped
        bar = ProgressBar(isWanted: context.presentation.wantsProgress)
    }

    private mutating func run(
        _ walk: borrowing MarkdownWalk, _ folder: Int32, _ conversation: inout Conversation
    ) throws(ClientFailure) -> Outcome {
        let isHeldHere = Interrupts.hold()
        defer { if isHeldHere { Interrupts.release() } }
        let wantsProgress = conversation.presentation.wantsProgress
        conversation.presentation.wantsProgress = false
        let isComplete = try sendAll(walk.files, folder, &conversation)
        bar.clear()
        conversation.presentation.wantsProgress = wantsProgress
        let outcome = try conversation.perform(.endImport(skipped: SkippedFile.fitting(skipped)))
        tellSkipped(otherCount: walk.otherCount)
        guard isComplete else {
            return Outcome(
                .interrupted, "interrupted: \(acknowledged) of \(total) files were taken over and stay",
                hint: "run the same command again to go on")
        }
        guard outcome.code == .ok, !skipped.isEmpty else { return outcome }
        return Outcome(.doneWithLosses, "\(skipped.count) \(skipped.count == 1 ? "file was" : "files were") not imported")
    }

    /// Whether all files were sent; false after Ctrl-C.
    private mutating func sendAll(
        _ files: [[UInt8]], _ folder: Int32, _ conversation: inout Conversation
    ) throws(ClientFailure) -> Bool {
        guard !files.isEmpty else { return true }
        var stream = try NoteStream(files, folder: folder)
        while true {
            switch try stream.nextEvent() {
            case .note(let record):
                if batch.count >= Self.batchCountMax || batchByteCount + record.count > Self.batchByteCountMax {
                    guard try sendBatch(&conversation) else { return false }
                }
                batch.append(record)
                batchByteCount += record.count
            case .skipped(let file): skipped.append(file)
            case .interrupted: return false
            case .end: return try sendBatch(&conversation)
            }
        }
    }

    private mutating func sendBatch(_ conversation: inout Conversation) throws(ClientFailure) -> Bool {
        guard !batch.isEmpty else { return true }
        let outcome = try conversation.perform(.importBatch(batch))
        if outcome.code == .interrupted { return false }
        try Session.require(outcome)
        acknowledged += batch.count
        batch = []
        batchByteCount = 0
        bar.show(Progress(label: "importing", done: UInt64(acknowledged), total: UInt64(total)))
        return !conversation.wasInterrupted
    }

    private func tellSkipped(otherCount: Int) {
        guard !context.options.json else { return }
        for file in skipped { Streams.warn("not imported: \(file.path): \(file.reason.sentence)") }
        if otherCount > 0 {
            context.reporter.talk(
                "\(otherCount) other \(otherCount == 1 ? "file" : "files") left alone: only .md, .markdown and .txt are notes")
        }
    }

    /// What the agent knows this folder by when it is imported again.
    private static func source(of directory: String) throws(ClientFailure) -> String {
        guard let resolved = unsafe realpath(directory, nil) else {
            throw ClientFailure(.other, "cannot read the folder: \(SystemError.text(errno))")
        }
        defer { unsafe free(resolved) }
        guard let path = unsafe String(validatingCString: resolved), path.utf8.count <= 4000 else {
            throw .usage("the folder's path is not UTF-8 or too long", hint: "rename the folder, or bind it to another name")
        }
        return path
    }
}
