// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import Glibc
public import ParserProtocol
public import SecretMemory

/// `ImportFeed` runs an import: reads a source, has it parsed in a process without keys, sends notes and attachments to
/// the agent.
///
/// `begin`, `send` and the request `closing`, in this order on one connection; or `run`, which does all three. What the
/// agent acknowledged stays, whatever happens then. Importing the same source again goes on where it ended, since notes
/// that are there already are found again and not doubled.
public struct ImportFeed: ~Copyable {
    /// `Ending` says how the sending of a source ended.
    public enum Ending: Sendable, Equatable {
        case complete
        /// Somebody cancelled it.
        case interrupted
        /// The source could not be read to its end.
        case failed(ParserFailure)
    }

    /// A `Listener` is told of all that happens. What it throws ends the import.
    public typealias Listener = (ImportNews) throws(ClientFailure) -> Void

    private let format: ImportFormat
    private var setting: ParserSetting
    let tell: Listener
    public internal(set) var tally = ImportTally()
    let kinds: FileKinds
    private var batch = NoteBatch()
    private var namedRefusals: UInt64 = 0
    private var refusals: Set<RefusedEntry> = []
    private var isSecondAttempt = false

    /// Prepares an import; `send` runs it.
    ///
    /// - Parameters:
    ///   - format: what the source is; `ImportDetection` determines it if nobody does.
    ///   - zone: the zone in which dates that name none are read.
    ///   - tell: the front end's part.
    ///   - isCancelled: asked several times a second; once it has said yes, `send` ends.
    public init(
        _ format: ImportFormat, _ zone: ImportZone, tell: @escaping Listener = { _ in },
        isCancelled: @escaping () -> Bool = { false }
    ) {
        self.init(format, ParserSetting(zone: zone, isCancelled: isCancelled), tell)
    }

    init(_ format: ImportFormat, _ setting: ParserSetting, _ tell: @escaping Listener) {
        self.format = format
        self.setting = setting
        self.tell = tell
        kinds = FileKinds(setting.program)
    }

    /// Runs all of an import.
    ///
    /// - Parameters:
    ///   - password: of the private notes: `.pass` needs one, `.json` leaves them out without it, and no other format
    ///     has any.
    ///   - isTrial: whether the agent only says what it would do.
    /// - Returns: how it ended, and what the agent has done.
    /// - Throws: what the agent refuses; what the listener throws; `.other` when vault-parse or gpg cannot be run.
    public mutating func run<Agent: AgentRequester & ~Copyable>(
        _ source: borrowing ImportSource, password: consuming SecretBytes? = nil, isTrial: Bool = false,
        over agent: inout Agent
    ) throws(ClientFailure) -> (ending: Ending, result: ImportResult) {
        try begin(source, password: password, isTrial: isTrial, over: &agent)
        let ending = try send(source, over: &agent)
        let (outcome, replies) = try agent.request(closing)
        guard let result = replies.first else {
            try outcome.require()
            throw ClientFailure(.other, "the agent did not say what it has imported")
        }
        return (ending, result)
    }

    /// Begins the import on a connection.
    ///
    /// - Parameters:
    ///   - password: of the private notes.
    ///   - isTrial: whether the agent only says what it would do.
    ///   - tellsLosses: whether the agent is to tell all that it leaves out itself, as `ImportNews.agentLosses`.
    public mutating func begin<Agent: AgentRequester & ~Copyable>(
        _ source: borrowing ImportSource, password: consuming SecretBytes? = nil, isTrial: Bool = false,
        tellsLosses: Bool = false, showsTitles: Bool = false,
        over agent: inout Agent
    ) throws(ClientFailure) {
        var order = BeginImport(format: format.rawValue, source: source.path)
        order.dryRun = isTrial
        (order.tellsLosses, order.showsTitles) = (tellsLosses, showsTitles)
        let enclosure = Enclosure(secret: password)
        order.hasPassword = enclosure.hasSecret
        try agent.require(order, enclosure)
    }

    /// The request that ends the import, after `send`.
    public var closing: EndImport { tally.closing(setting.zone) }

    // MARK: The source

    /// Sends all of a source.
    public mutating func send<Agent: AgentRequester & ~Copyable>(
        _ source: borrowing ImportSource, over agent: inout Agent
    ) throws(ClientFailure) -> Ending {
        guard source.isFolder else {
            tally.fileCount = source.head(1).count
            return try read(ContainerFeed(whole: source), isFolder: false, &agent)
        }
        let folder = format.declaration.folder
        let walk = FolderWalk(folder: source.descriptor, folder == .notes ? .notes : .everything)
        for skipped in walk.skipped { try leaveOut(LeftOutPart(skipped)) }
        tally.fileCount = walk.files.count + walk.otherCount + walk.skipped.count
        switch folder {
        case .notes, .notesAndFiles: return try readNotes(walk, source, &agent)
        case .entries:
            let entries = walk.files.filter { StoreEntries.isEntry($0) }
            let feed = ContainerFeed(source, entries, try StoreEntries.decryptions(entries, source.gpg, source.opener))
            let ending = try read(feed, isFolder: true, &agent)
            tally.ignoredCount = walk.files.count - entries.count
            return ending
        case .files:
            return try read(ContainerFeed(source, walk.files), isFolder: true, &agent)
        }
    }

    /// Reads a folder of notes. When the parser dies, the file on which it does is looked for and left out, and the
    /// others are read.
    private mutating func readNotes<Agent: AgentRequester & ~Copyable>(
        _ walk: FolderWalk, _ source: borrowing ImportSource, _ agent: inout Agent
    ) throws(ClientFailure) -> Ending {
        var paths =
            walk.others.isEmpty ? walk.files : (walk.files + walk.others).sorted { $0.lexicographicallyPrecedes($1) }
        guard !paths.isEmpty else { return .complete }
        let ending = try read(ContainerFeed(source, paths), isFolder: true, &agent)
        guard case .failed = ending else { return ending }
        var fatal: Set<[UInt8]> = []
        let notes = walk.files.filter { path in FolderWalk.isNote(Array(path.split(separator: 0x2F).last ?? [])) }
        var stream = try NoteStream(notes, folder: source.descriptor, setting)
        search: while true {
            switch try stream.nextEvent() {
            case .note: break
            case .skipped(let file, let path) where file.reason == .notParsed:
                fatal.insert(path)
                try leaveOut(LeftOutPart(file))
            // What cannot be read is named when the others are.
            case .skipped: break
            case .interrupted: return .interrupted
            case .end: break search
            }
        }
        guard !fatal.isEmpty else { return ending }
        paths.removeAll { fatal.contains($0) }
        isSecondAttempt = true
        tally.zonelessDateCount = 0
        return try read(ContainerFeed(source, paths), isFolder: true, &agent)
    }

    private mutating func read<Agent: AgentRequester & ~Copyable>(
        _ feed: consuming ContainerFeed, isFolder: Bool, _ agent: inout Agent
    ) throws(ClientFailure) -> Ending {
        var stream = try ContainerStream(feed, format, isFolder: isFolder, setting)
        while true {
            try tell(.reading(byteCount: stream.byteCount))
            switch try stream.nextEvent() {
            case .working: break
            case .skipped(let file): try leaveOut(LeftOutPart(file))
            case .interrupted: return .interrupted
            case .failed(let failure): return .failed(failure)
            case .record(.note(let note)):
                try look(at: note)
                let record = note.encoded
                if !batch.hasRoom(for: record), try !send(&agent) { return .interrupted }
                batch.add(record)
            case .record(.refused(let entry)): try add(entry)
            case .record(.attachmentStart(let start)):
                if let ending = try relay(start, from: &stream, to: &agent) { return ending }
            case .record(.summary(let summary)):
                tally.summary = summary
                tally.count(summary.refusedCount, named: namedRefusals)
                return try send(&agent) ? .complete : .interrupted
            case .record(.attachmentBytes), .record(.attachmentEnd), .record(.again): return .failed(.malformed)
            }
        }
    }

    // MARK: What comes of it

    mutating func leaveOut(_ part: LeftOutPart) throws(ClientFailure) {
        tally.add(part)
        try tell(.leftOut(part))
    }

    private mutating func add(_ entry: RefusedEntry) throws(ClientFailure) {
        // A first attempt named it already.
        if isSecondAttempt, refusals.contains(entry) { return }
        if format.declaration.folder.isOfNotes { refusals.insert(entry) }
        namedRefusals += 1
        tally.isEncrypted = tally.isEncrypted || entry.reason == .encrypted
        try leaveOut(LeftOutPart(entry))
    }

    private mutating func look(at note: ParsedNote) throws(ClientFailure) {
        for flag in [ParsedNote.Flags.createdWithoutZone, .updatedWithoutZone] where note.flags.contains(flag) {
            tally.zonelessDateCount += 1
        }
        for loss in note.losses where !loss.code.isKept { try tell(.loss(loss, note: note.sourceKey)) }
    }

    /// Sends the notes that wait.
    ///
    /// - Returns: false when somebody cancelled it.
    private mutating func send<Agent: AgentRequester & ~Copyable>(_ agent: inout Agent) throws(ClientFailure) -> Bool {
        guard !batch.records.isEmpty else { return true }
        let (outcome, replies) = try agent.request(ImportNotes(records: batch.records))
        if outcome.code == .interrupted { return false }
        try outcome.require()
        for reply in replies { try tell(.agentLosses(reply)) }
        tally.savedCount += batch.records.count
        batch = NoteBatch()
        return !agent.wasInterrupted
    }
}

/// `NoteBatch` holds notes on their way to the agent, some at a time: what it acknowledged stays.
private struct NoteBatch {
    private static let countMax = 200
    private static let byteCountMax = 1 << 20

    private(set) var records: [[UInt8]] = []
    private var byteCount = 0

    func hasRoom(for record: [UInt8]) -> Bool {
        records.count < Self.countMax && byteCount + record.count <= Self.byteCountMax
    }

    mutating func add(_ record: [UInt8]) {
        records.append(record)
        byteCount += record.count
    }
}

extension ImportSource {
    /// Returns whether a source may hold private notes, for which a password is wanted: read up to the first of them.
    ///
    /// - Throws: `.interrupted` when somebody cancelled it; `.other` when vault-parse cannot be run.
    /// - Returns: true also for an unreadable source; the import reports that.
    public func mayHoldPrivateNotes(
        _ format: ImportFormat, _ zone: ImportZone, isCancelled: @escaping () -> Bool = { false }
    ) throws(ClientFailure) -> Bool {
        switch format.declaration.privateNotes {
        case .some: break
        case .all: return FolderWalk(folder: descriptor, .everything).files.contains { StoreEntries.isEntry($0) }
        case .none: return false
        }
        var stream = try ContainerStream(
            ContainerFeed(whole: self), format, isFolder: isFolder, ParserSetting(zone: zone, isCancelled: isCancelled))
        while true {
            switch try stream.nextEvent() {
            case .record(.note(let note)): if note.flags.contains(.isPrivate) { return true }
            case .record(.summary(let summary)): return !summary.isComplete
            case .interrupted: throw ClientFailure(.interrupted, "interrupted")
            case .failed: return true
            case .working, .skipped, .record: break
            }
        }
    }
}
