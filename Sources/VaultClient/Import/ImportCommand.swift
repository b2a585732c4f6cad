// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import ParserProtocol

/// `ImportCommand` runs `vault import FORMAT PATH`: `ImportFeed` does it; here it is told, and reported.
struct ImportCommand: ~Copyable {
    private let context: Context
    private let format: ImportFormat
    private var feed: ImportFeed
    private let teller: Teller

    /// `Teller` tells what is to be told while an import runs. An object, since the feed calls it.
    private final class Teller {
        var report: ImportReport
        var bar: ProgressBar

        init(_ options: ImportOptions, _ context: Context) throws(ClientFailure) {
            report = try ImportReport(options.report)
            bar = ProgressBar(isWanted: context.client.wantsProgress)
        }

        func tell(_ news: ImportNews) throws(ClientFailure) {
            switch news {
            case .reading(let count): bar.show(Progress(label: "reading", done: count, total: 0, isBytes: true))
            case .leftOut(let part): try report.add(part)
            case .loss(let loss, let note): try report.add(loss, of: note)
            case .agentLosses(let losses): try report.add(fromAgent: losses)
            }
        }
    }

    static func run(_ options: ImportOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        let source = try options.source(context)
        let detection = try ImportDetection(source)
        let format: ImportFormat
        if let given = options.format {
            format = given
        } else {
            format = try detection.format()
            context.reporter.talk(
                "\(VisibleText.escaped(options.path)) is \(detection.title(format)): vault import \(format.rawValue)")
        }
        try detection.check(format)
        guard !source.isFolder || format.declaration.folder == .entries || options.sealed.givenCount == 0 else {
            throw .usage(
                "an import of a folder as \(format.rawValue) decrypts nothing",
                hint: "leave out --identity and --passphrase-file")
        }
        // Notes that were imported stay when nobody reads the report any more: a failed write tells of that, not the
        // signal.
        signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, SIG_DFL) }
        let zone = try options.zone()
        try options.checkPassword(source, is: format, zone)
        return try Session.with(context) { conversation throws(ClientFailure) in
            var command = try ImportCommand(format, options, zone, context)
            try command.begin(options, source, &conversation)
            do throws(ClientFailure) { return try command.run(source, &conversation) } catch {
                throw options.dryRun ? error : error.after(imported: command.feed.tally.savedCount)
            }
        }
    }

    private init(_ format: ImportFormat, _ options: ImportOptions, _ zone: ImportZone, _ context: Context)
        throws(ClientFailure)
    {
        self.format = format
        self.context = context
        let teller = try Teller(options, context)
        self.teller = teller
        feed = ImportFeed(
            format, zone, tell: { news throws(ClientFailure) in try teller.tell(news) },
            isCancelled: { Interrupts.take() })
    }

    private mutating func begin(
        _ options: ImportOptions, _ source: borrowing ImportSource, _ conversation: inout Conversation
    ) throws(ClientFailure) {
        // Private notes of a JSON export that come without one are left out.
        let hasPassword =
            switch format.declaration.privateNotes {
            case .none: false
            case .some: !NotePassword.isTyped(options.passwords)
            case .all: true
            }
        try feed.begin(
            source, password: hasPassword ? try NotePassword.ofImport(options.passwords, context) : nil,
            isTrial: options.dryRun,
            tellsLosses: teller.report.isWritten, showsTitles: options.showsTitles, over: &conversation)
    }

    private mutating func run(_ source: borrowing ImportSource, _ conversation: inout Conversation)
        throws(ClientFailure) -> Outcome
    {
        let isHeldHere = Interrupts.hold()
        defer { if isHeldHere { Interrupts.release() } }
        let wantsProgress = conversation.agent.traits.wantsProgress
        conversation.agent.traits.wantsProgress = false
        let ending = try feed.send(source, over: &conversation)
        teller.bar.clear()
        conversation.agent.traits.wantsProgress = wantsProgress
        return try finish(ending, source, &conversation)
    }

    private func finish(
        _ ending: ImportFeed.Ending, _ source: borrowing ImportSource, _ conversation: inout Conversation
    ) throws(ClientFailure) -> Outcome {
        let end = feed.closing
        let tally = feed.tally
        if teller.report.isWritten {
            try keepReport(end, isComplete: ending == .complete && tally.summary?.isComplete ?? true, &conversation)
        }
        let outcome = try conversation.perform(end)
        if !context.options.json { tell() }
        switch ending {
        case .interrupted:
            return Outcome(
                .interrupted, "interrupted: \(tally.savedCount) notes were imported and stay",
                hint: "run the same command again to continue")
        case .failed:
            return Outcome(
                .other, "the source could not be read to its end: \(tally.savedCount) notes were imported and stay",
                hint: "check whether the other program can still open it, and export it again")
        case .complete: return completed(outcome, source)
        }
    }

    private func completed(_ outcome: Outcome, _ source: borrowing ImportSource) -> Outcome {
        let tally = feed.tally
        if tally.isEncrypted, tally.summary?.delivered.notes == 0 {
            return Outcome(
                .doneWithLosses, "the source is encrypted, and nothing could be imported",
                hint: format.declaration.decryptionHint)
        }
        if let summary = tally.summary, !summary.isComplete {
            return Outcome(
                .doneWithLosses, "the import stopped before the end of the source, for the reason given above")
        }
        guard outcome.code == .ok else { return outcome }
        // In a folder of notes all other files are named too, and that there was no note says more than their number.
        let isFolderOfNotes = format.declaration.folder.isOfNotes
        if tally.savedCount == 0, tally.fileCount > 0, !tally.isEncrypted, tally.leftOutCount == 0 || isFolderOfNotes {
            return nothingFound(in: source)
        }
        if tally.leftOutCount == 0 { return outcome }
        return Outcome(
            .doneWithLosses,
            "\(tally.leftOutCount) \(tally.leftOutCount == 1 ? "file was" : "files were") not imported",
            hint: tally.isEncrypted ? format.declaration.decryptionHint : "")
    }

    /// Returns the outcome of an import that found nothing: a caller that looks at the exit code alone must not take a
    /// source that was not understood for one that was imported.
    private func nothingFound(in source: borrowing ImportSource) -> Outcome {
        let name = VisibleText.escaped(source.name)
        let count = feed.tally.fileCount
        let place = source.isFolder ? "\(count) \(count == 1 ? "file" : "files") in \(name)" : name
        return Outcome(
            .doneWithLosses, "nothing was imported: no note was found in \(place), read as \(format.declaration.title)",
            hint: "vault import auto PATH tells what a source is; the formats: \(ImportFormat.list)")
    }

    private func keepReport(_ end: EndImport, isComplete: Bool, _ conversation: inout Conversation)
        throws(ClientFailure)
    {
        let (outcome, replies) = try conversation.ask(ImportTotals())
        try Session.require(outcome)
        guard let totals = replies.first else {
            throw ClientFailure(.other, "the agent did not say what it has imported")
        }
        try teller.report.keep(totals: totals, end, isComplete: isComplete)
    }

    private func tell() {
        teller.report.tell(count: feed.tally.leftOutCount)
        let count = feed.tally.ignoredCount
        guard count > 0 else { return }
        context.reporter.talk(
            "\(count) other \(count == 1 ? "file" : "files") ignored: only .gpg and .age files are entries")
    }
}

extension ClientFailure {
    /// Returns the same failure of one part of an import, when others were saved before: they stay.
    fileprivate func after(imported count: Int) -> ClientFailure {
        guard count > 0 else { return self }
        var outcome = outcome
        for words in [": nothing was changed", "; nothing was changed"] {
            outcome.message = outcome.message.replacing(words, with: "")
        }
        let saved =
            count == 1
            ? "1 note was imported before that and stays" : "\(count) notes were imported before that and stay"
        outcome.message += "; " + saved
        return ClientFailure(outcome)
    }
}
