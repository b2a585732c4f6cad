// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import ForeignRecords
internal import Glibc

/// What `vault-parse` makes of a container, record after record, while the container is still being sent.
struct ContainerStream: ~Copyable {
    enum Event {
        case record(ImportRecord)
        case skipped(SkippedFile)
        /// Nothing new yet.
        case working
        case interrupted
        /// The parser ended before its summary.
        case died
    }

    private var feed: ContainerFeed
    private var parser: ParserProcess
    private var pending = ByteQueue()
    private var received = ByteQueue()

    init(_ feed: consuming ContainerFeed, _ format: ImportFormat, isFolder: Bool, _ zone: ImportZone) throws(ClientFailure) {
        self.feed = feed
        parser = try ParserProcess([isFolder ? "folder" : "archive", format.rawValue], zone)
    }

    var byteCount: UInt64 { feed.byteCount }

    mutating func nextEvent() throws(ClientFailure) -> Event {
        while true {
            if let event = takeRecord() {
                // Not an event for the caller: the container goes there once more.
                guard case .record(.again) = event else { return event }
                feed.again()
                continue
            }
            if Interrupts.take() { return .interrupted }
            if let skipped = try feed.fill(&pending) { return .skipped(skipped) }
            switch parser.converse(pending: &pending, received: &received) {
            case .nothing: return .working
            case .worked: break
            case .gone:
                if let event = takeRecord() { return event }
                // Ctrl-C reaches the parser too.
                return Interrupts.take() ? .interrupted : .died
            }
        }
    }

    /// A record that cannot be is the parser's death: nothing more is believed.
    private mutating func takeRecord() -> Event? {
        guard let header = received.first(RecordFrame.headerByteCount) else { return nil }
        guard let count = try? RecordFrame.contentByteCount(header: header, max: ImportRecord.byteCountMax) else { return .died }
        guard let bytes = received.first(count, after: RecordFrame.headerByteCount) else { return nil }
        guard let record = try? ImportRecord(parsing: bytes) else { return .died }
        received.drop(RecordFrame.headerByteCount + count)
        return .record(record)
    }
}
