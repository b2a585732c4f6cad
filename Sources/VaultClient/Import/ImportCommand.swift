// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import ForeignRecords
internal import Glibc

/// `vault import FORMAT PATH`: read, parse in a process without keys, send to the agent in batches.
///
/// What the agent acknowledged stays, whatever happens then; running it again goes on where it ended, since notes that are
/// there already are found again and not doubled.
struct ImportCommand: ~Copyable {
    enum Ending {
        case complete
        case interrupted
        case died
    }

    private let context: Context
    private let format: ImportFormat
    private var batches = ImportBatches()
    private var report: ImportReport
    private var bar: ProgressBar
    private var summary: ImportSummary?
    private var namedRefusals: UInt64 = 0
    private var isEncrypted = false
    private let kinds = FileKinds()
    /// Files in the source, of any kind; hidden ones do not count.
    private var fileCount = 0
    private var refusals: Set<RefusedEntry> = []
    private var isSecondAttempt = false
    private let zone: ImportZone
    private var zonelessDateCount: UInt64 = 0

    static func run(_ options: ImportOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        let source = try ImportSource.opening(options.path, options.sealed, context)
        let detection = try ImportDetection(source)
        let format: ImportFormat
        if let given = options.format {
            format = given
        } else {
            format = try detection.format()
            context.reporter.talk("\(VisibleText.escaped(options.path)) is \(detection.title(format)): vault import \(format.rawValue)")
        }
        try detection.check(format)
        guard !source.isFolder || format == .pass || options.sealed.givenCount == 0 else {
            throw .usage("an import of a folder as \(format.rawValue) decrypts nothing", hint: "leave out --identity and --passphrase-file")
        }
        // A parser that dies is noticed by a failed write, not by the signal.
        signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, SIG_DFL) }
        let zone = try ImportZone(options.timeZone)
        try ImportPassword.check(options.passwords, source, is: format, zone)
        return try Session.with(context) { conversation throws(ClientFailure) in
            var command = try ImportCommand(format, options, zone, context)
            try command.begin(options, source, &conversation)
            return try command.run(source, &conversation)
        }
    }

    private init(_ format: ImportFormat, _ options: ImportOptions, _ zone: ImportZone, _ context: Context) throws(ClientFailure) {
        self.format = format
        self.zone = zone
        self.context = context
        report = try ImportReport(options.report)
        bar = ProgressBar(isWanted: context.client.wantsProgress)
    }

    private func begin(_ options: ImportOptions, _ source: borrowing ImportSource, _ conversation: inout Conversation) throws(ClientFailure) {
        var order = BeginImport(format: format.rawValue, source: source.path)
        order.dryRun = options.dryRun
        order.tellsLosses = report.isWritten
        // Private notes of a JSON export that come without one are left out.
        order.hasPassword = format == .pass || (format == .json && !NotePassword.isTyped(options.passwords))
        guard order.hasPassword else { return try Session.require(try conversation.perform(order)) }
        let password = try NotePassword.ofImport(options.passwords, context)
        try Session.require(try conversation.perform(order, secret: password))
    }

    private mutating func run(_ source: borrowing ImportSource, _ conversation: inout Conversation) throws(ClientFailure) -> Outcome {
        let isHeldHere = Interrupts.hold()
        defer { if isHeldHere { Interrupts.release() } }
        let wantsProgress = conversation.agent.traits.wantsProgress
        conversation.agent.traits.wantsProgress = false
        let (ending, otherCount) = try sendAll(source, &conversation)
        bar.clear()
        conversation.agent.traits.wantsProgress = wantsProgress
        return try finish(ending, source, otherCount: otherCount, &conversation)
    }

    /// - Returns: how it ended, and how many files were left alone because they are of other kinds.
    private mutating func sendAll(
        _ source: borrowing ImportSource, _ conversation: inout Conversation
    ) throws(ClientFailure) -> (Ending, Int) {
        guard source.isFolder else {
            fileCount = source.head(1).count
            return (try readContainer(ContainerFeed(whole: source), isFolder: false, &conversation), 0)
        }
        let walk = MarkdownWalk(folder: source.descriptor, format == .markdown ? .notes : .everything)
        for skipped in walk.skipped { try report.add(skipped) }
        fileCount = walk.files.count + walk.otherCount + walk.skipped.count
        switch format {
        case .markdown, .obsidian: return (try readNotes(walk, source, &conversation), 0)
        case .pass:
            let entries = walk.files.filter { StoreEntries.isEntry($0) }
            let feed = ContainerFeed(source, entries, try StoreEntries.decryptions(entries, source.opener))
            return (try readContainer(feed, isFolder: true, &conversation), walk.files.count - entries.count)
        default: return (try readContainer(ContainerFeed(source, walk.files), isFolder: true, &conversation), 0)
        }
    }

    /// A folder of notes. When the parser dies, the file on which it does is looked for and left out, and the others are read.
    private mutating func readNotes(
        _ walk: MarkdownWalk, _ source: borrowing ImportSource, _ conversation: inout Conversation
    ) throws(ClientFailure) -> Ending {
        var paths = walk.others.isEmpty ? walk.files : (walk.files + walk.others).sorted { $0.lexicographicallyPrecedes($1) }
        guard !paths.isEmpty else { return .complete }
        let ending = try readContainer(ContainerFeed(source, paths), isFolder: true, &conversation)
        guard ending == .died else { return ending }
        var fatal: Set<[UInt8]> = []
        let notes = walk.files.filter { path in MarkdownWalk.isNote(Array(path.split(separator: 0x2F).last ?? [])) }
        var stream = try NoteStream(notes, folder: source.descriptor, zone)
        search: while true {
            switch try stream.nextEvent() {
            case .note: break
            case .skipped(let file, let path) where file.reason == .notParsed:
                fatal.insert(path)
                try report.add(file)
            // What cannot be read is named when the others are.
            case .skipped: break
            case .interrupted: return .interrupted
            case .end: break search
            }
        }
        guard !fatal.isEmpty else { return .died }
        paths.removeAll { fatal.contains($0) }
        isSecondAttempt = true
        zonelessDateCount = 0
        return try readContainer(ContainerFeed(source, paths), isFolder: true, &conversation)
    }

    private mutating func readContainer(
        _ feed: consuming ContainerFeed, isFolder: Bool, _ conversation: inout Conversation
    ) throws(ClientFailure) -> Ending {
        var stream = try ContainerStream(feed, format, isFolder: isFolder, zone)
        while true {
            bar.show(Progress(label: "reading", done: stream.byteCount, total: 0, isBytes: true))
            switch try stream.nextEvent() {
            case .working: break
            case .skipped(let file): try report.add(file)
            case .interrupted: return .interrupted
            case .died: return .died
            case .record(.note(let note)):
                try add(note)
                guard try batches.add(note.encoded, &report, &conversation) else { return .interrupted }
            case .record(.refused(let entry)):
                // A first attempt named it already.
                if isSecondAttempt, refusals.contains(entry) { break }
                if format == .markdown || format == .obsidian { refusals.insert(entry) }
                namedRefusals += 1
                isEncrypted = isEncrypted || entry.reason == .encrypted
                try report.add(leftOut: entry.name, code: "\(entry.reason)", sentence: entry.reason.sentence)
            case .record(.attachmentStart(let start)):
                if let ending = try AttachmentRelay.send(start, kinds, &stream, &report, &conversation) { return ending }
            case .record(.summary(let summary)):
                self.summary = summary
                return try batches.send(&report, &conversation) ? .complete : .interrupted
            case .record(.attachmentBytes), .record(.attachmentEnd), .record(.again): return .died
            }
        }
    }

    private mutating func add(_ note: ParsedNote) throws(ClientFailure) {
        for flag in [ParsedNote.Flags.createdWithoutZone, .updatedWithoutZone] where note.flags.contains(flag) { zonelessDateCount += 1 }
        guard report.isWritten else { return }
        for loss in note.losses where !loss.code.isKept { try report.add(loss, of: note.sourceKey) }
    }

    // MARK: The end

    private mutating func finish(
        _ ending: Ending, _ source: borrowing ImportSource, otherCount: Int, _ conversation: inout Conversation
    ) throws(ClientFailure) -> Outcome {
        if let summary { report.count(summary.refusedCount, named: namedRefusals) }
        var end = EndImport()
        end.leftOut = report.leftOut
        end.leftOutCount = report.leftOutCount
        end.found = summary?.found.list ?? []
        end.delivered = summary?.delivered.list ?? []
        end.timeZone = zone.name
        end.zonelessDateCount = zonelessDateCount
        if report.isWritten { try keepReport(end, isComplete: ending == .complete && summary?.isComplete ?? true, &conversation) }
        let outcome = try conversation.perform(end)
        if !context.options.json { tell(otherCount: otherCount) }
        switch ending {
        case .interrupted:
            return Outcome(
                .interrupted, "interrupted: \(batches.acknowledged) notes were imported and stay", hint: "run the same command again to continue")
        case .died:
            return Outcome(
                .other, "the source could not be read to its end: \(batches.acknowledged) notes were imported and stay",
                hint: "check whether the other program can still open it, and export it again")
        case .complete: return completed(outcome, source)
        }
    }

    private func completed(_ outcome: Outcome, _ source: borrowing ImportSource) -> Outcome {
        if isEncrypted, summary?.delivered.notes == 0 {
            return Outcome(.doneWithLosses, "the source is encrypted, and nothing could be imported", hint: format.decryptionHint)
        }
        if let summary, !summary.isComplete {
            return Outcome(.doneWithLosses, "the import stopped before the end of the source, for the reason given above")
        }
        guard outcome.code == .ok else { return outcome }
        // In a folder of notes all other files are named too, and that there was no note says more than their number.
        let isFolderOfNotes = format == .markdown || format == .obsidian
        if batches.acknowledged == 0, fileCount > 0, !isEncrypted, report.leftOutCount == 0 || isFolderOfNotes { return nothingFound(in: source) }
        if report.leftOutCount == 0 { return outcome }
        return Outcome(
            .doneWithLosses, "\(report.leftOutCount) \(report.leftOutCount == 1 ? "file was" : "files were") not imported",
            hint: isEncrypted ? format.decryptionHint : "")
    }

    /// Whoever looks at the exit code alone must not take a source that was not understood for one that was imported.
    private func nothingFound(in source: borrowing ImportSource) -> Outcome {
        let name = VisibleText.escaped(source.name)
        let place = source.isFolder ? "\(fileCount) \(fileCount == 1 ? "file" : "files") in \(name)" : name
        return Outcome(
            .doneWithLosses, "nothing was imported: no note was found in \(place), read as \(format.title)",
            hint: "vault import auto PATH tells what a source is; the formats: \(ImportFormat.list)")
    }

    private mutating func keepReport(_ end: EndImport, isComplete: Bool, _ conversation: inout Conversation) throws(ClientFailure) {
        let (outcome, replies) = try conversation.ask(ImportTotals())
        try Session.require(outcome)
        guard let totals = replies.first else { throw ClientFailure(.other, "the agent did not say what it has imported") }
        try report.keep(totals: totals, end, isComplete: isComplete)
    }

    private func tell(otherCount: Int) {
        report.tell()
        guard otherCount > 0 else { return }
        let files = "\(otherCount) other \(otherCount == 1 ? "file" : "files") ignored: "
        context.reporter.talk(files + "only .gpg and .age files are entries")
    }
}

extension ImportCounts {
    /// In the order of `EndImport.countNames`.
    fileprivate var list: [UInt64] { [notes, notebooks, tags, attachments, links] }
}
