// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol

/// Notes on their way to the agent, some at a time: what it acknowledged stays, whatever happens then.
struct ImportBatches: ~Copyable {
    private static let countMax = 200
    private static let byteCountMax = 1 << 20

    private var records: [[UInt8]] = []
    private var byteCount = 0
    private(set) var acknowledged = 0

    /// - Parameter record: a ForeignRecords.ParsedNote, encoded.
    /// - Returns: false after Ctrl-C.
    mutating func add(_ record: [UInt8], _ report: inout ImportReport, _ conversation: inout Conversation) throws(ClientFailure) -> Bool {
        if records.count >= Self.countMax || byteCount + record.count > Self.byteCountMax {
            guard try send(&report, &conversation) else { return false }
        }
        records.append(record)
        byteCount += record.count
        return true
    }

    /// Sends what waits.
    ///
    /// - Returns: false after Ctrl-C.
    mutating func send(_ report: inout ImportReport, _ conversation: inout Conversation) throws(ClientFailure) -> Bool {
        guard !records.isEmpty else { return true }
        let (outcome, replies) = try conversation.ask(ImportNotes(records: records))
        if outcome.code == .interrupted { return false }
        try Session.require(outcome)
        for reply in replies { try report.add(fromAgent: reply) }
        acknowledged += records.count
        records = []
        byteCount = 0
        return !conversation.wasInterrupted
    }
}
