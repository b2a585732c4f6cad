// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Glibc
internal import ParserProtocol

/// `ParserSetting` says how a parser is run for an import.
struct ParserSetting {
    let zone: ImportZone
    /// Asked several times a second.
    var isCancelled: () -> Bool = { false }
    /// Nil for the one that is installed.
    var program: ParserProgram?
}

/// `ContainerStream` is what `vault-parse` makes of a container, record after record, while the container is still
/// being sent.
struct ContainerStream: ~Copyable {
    enum Event {
        case record(ImportRecord)
        case skipped(SkippedFile)
        /// Nothing new yet.
        case working
        case interrupted
        /// The parser gave no summary.
        case failed(ParserFailure)
    }

    private var feed: ContainerFeed
    private var parser: ParserProcess
    private let isCancelled: () -> Bool
    private var pending = ByteQueue()
    private var received = ByteQueue()

    init(_ feed: consuming ContainerFeed, _ format: ImportFormat, isFolder: Bool, _ setting: ParserSetting)
        throws(ClientFailure)
    {
        self.feed = feed
        isCancelled = setting.isCancelled
        parser = try ParserProcess([isFolder ? "folder" : "archive", format.rawValue], setting.zone, setting.program)
    }

    /// Bytes of content that were sent, over all readings.
    var byteCount: UInt64 { feed.byteCount }

    mutating func nextEvent() throws(ClientFailure) -> Event {
        while true {
            if let event = takeRecord() {
                // Not an event for the caller: the container goes there once more.
                guard case .record(.again) = event else { return event }
                feed.again()
                continue
            }
            if isCancelled() { return .interrupted }
            if let skipped = try feed.fill(&pending) { return .skipped(skipped) }
            switch parser.converse(pending: &pending, received: &received) {
            case .nothing: return .working
            case .worked: break
            case .gone:
                if let event = takeRecord() { return event }
                // Ctrl-C reaches the parser too.
                return isCancelled() ? .interrupted : .failed(.ended)
            }
        }
    }

    /// Takes a record that has arrived; nil when none is whole. After a record that cannot be, nothing more is
    /// believed.
    private mutating func takeRecord() -> Event? {
        do throws(ParserFailure) {
            guard let bytes = try received.takeFrame(max: ImportRecord.byteCountMax) else { return nil }
            guard let record = try? ImportRecord(parsing: bytes) else { return .failed(.malformed) }
            return .record(record)
        } catch { return .failed(error) }
    }
}
