// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Requests of an import, in this order: one `begin`; attachments and batches of notes; one `end`. Spec: docs/agent-protocol.md §9.
public enum Importing: Sendable, Equatable {
    /// A password of the private notes follows when the order says so.
    case begin(ImportOrder)
    /// Seals what the descriptor that comes with this request gives. It waits under its key for the notes that name it, and goes with the
    /// connection when none does.
    case attachment(key: String, AddedFile)
    /// Records of ForeignRecords.ParsedNote, each encoded; answered before the next batch is sent.
    case notes([[UInt8]])
    /// What was done so far, as JSON.
    case totals
    case end(ImportEnd)

    public var needsSecret: Bool {
        guard case .begin(let order) = self else { return false }
        return order.hasPassword
    }

    public var needsDescriptor: Bool {
        guard case .attachment = self else { return false }
        return true
    }
}

/// What is imported, and how.
public struct ImportOrder: Sendable, Equatable {
    /// Name of the format; with the source it is part of what a second import finds a note by.
    public var format: String
    /// Where the notes come from, so that two folders do not overwrite each other.
    public var source: String
    public var dryRun = false
    /// Whether a password for private notes follows.
    public var hasPassword = false
    /// Whether the agent is to tell with each batch what it had to leave out itself, as JSON.
    public var tellsLosses = false

    public init(format: String, source: String) {
        self.format = format
        self.source = source
    }
}

/// What the client knows at the end of an import.
public struct ImportEnd: Sendable, Equatable {
    /// What the client and the parser left out. As text the client has told it already; in JSON it joins `losses`.
    public var leftOut: [LeftOutFile] = []
    /// All of them, however many are named.
    public var leftOutCount: UInt64 = 0
    /// By kind, in the order of `countNames`: what the source holds and what the parser delivered; empty when nobody counted.
    public var found: [UInt64] = []
    public var delivered: [UInt64] = []
    /// In which dates were read that name no zone, and how many there were.
    public var timeZone = ""
    public var zonelessDateCount: UInt64 = 0
    public static let countNames = ["notes", "notebooks", "tags", "attachments", "links"]

    public init() {}
}

/// A part of a source that came to nothing: its name, a code for scripts.
public struct LeftOutFile: Sendable, Equatable {
    /// What is not UTF-8 is escaped. At most 16,384 bytes.
    public var path: String
    /// ASCII letters.
    public var code: String

    public init(path: String, code: String) {
        self.path = path
        self.code = code
    }
}
