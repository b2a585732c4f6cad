// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// Begins an import on this connection: then attachments and batches of notes, and one `EndImport`.
/// A password of the private notes is the secret when `hasPassword` says so.
public struct BeginImport: Operation {
    public static let id: UInt8 = 0x60
    public static let traits: OperationTraits = [.writes]
    /// Name of the format; with the source it is part of what a second import finds a note by.
    public var format = ""
    /// Where the notes come from, so that two folders do not overwrite each other.
    public var source = ""
    public var dryRun = false
    /// Whether a password for private notes follows.
    public var hasPassword = false
    /// Whether the agent is to tell with each batch what it had to leave out itself.
    public var tellsLosses = false
    /// Whether the titles of new private notes are told while they are locked.
    public var showsTitles = false
    public init() {}

    public init(format: String, source: String) {
        self.format = format
        self.source = source
    }

    public var needsSecret: Bool { hasPassword }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&format, max: 32)
        try fields.text(&source, max: 4096)
        try fields.flag(&dryRun)
        try fields.flag(&hasPassword)
        try fields.flag(&tellsLosses)
        try fields.flag(&showsTitles)
    }
}

/// Seals what the descriptor gives. It waits under its key for the notes that name it, and goes with the connection
/// when none does.
public struct ImportAttachment: Operation {
    public static let id: UInt8 = 0x61
    public static let traits: OperationTraits = [.writes, .descriptor]
    public var key = ""
    public var file: AddedFile = AddedFile(name: "", kind: .file, mediaType: "")
    public init() {}

    public init(key: String, file: AddedFile) {
        (self.key, self.file) = (key, file)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&key, max: 1024)
        try file.code(&fields)
    }
}

/// Saves a batch of notes; answered before the next batch is sent.
public struct ImportNotes: Operation {
    public static let id: UInt8 = 0x62
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = ImportLosses
    /// Records of ParserProtocol.ParsedNote, each encoded.
    public var records: [[UInt8]] = []
    public init() {}

    public init(records: [[UInt8]]) {
        self.records = records
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.list(&records, else: []) { (fields, record) throws(FormatError) in
            try fields.bytes(&record, max: Frame.byteCountMax)
        }
    }
}

/// What was done so far.
public struct ImportTotals: Operation {
    public static let id: UInt8 = 0x63
    public static let traits: OperationTraits = []
    public typealias Reply = ImportResult
    public init() {}
}

/// What the client knows at the end of an import.
public struct EndImport: Operation {
    public static let id: UInt8 = 0x64
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = ImportResult
    /// What the client and the parser left out. As text the client has told it already; in JSON it joins `losses`.
    public var leftOut: [LeftOutFile] = []
    /// All of them, however many are named.
    public var leftOutCount: UInt64 = 0
    /// By kind, in the order of `countNames`: what the source holds; empty when nobody counted.
    public var found: [UInt64] = []
    /// The same of what the parser delivered.
    public var delivered: [UInt64] = []
    /// The zone in which dates that name none were read.
    public var timeZone = ""
    /// How many such dates there were.
    public var zonelessDateCount: UInt64 = 0
    public static let countNames = ["notes", "notebooks", "tags", "attachments", "links"]
    public init() {}

    private static let zeroes = [UInt64](repeating: 0, count: countNames.count)

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.list(&leftOut, max: .max, else: LeftOutFile(path: "", code: "")) {
            (fields, file) throws(FormatError) in try file.code(&fields)
        }
        try fields.u64(&leftOutCount)
        try fields.text(&timeZone, max: 4096)
        try fields.u64(&zonelessDateCount)
        var isCounted = !found.isEmpty
        try fields.flag(&isCounted)
        guard isCounted else { return }
        if fields.isReading { (found, delivered) = (Self.zeroes, Self.zeroes) }
        for at in found.indices { try fields.u64(&found[at]) }
        for at in delivered.indices { try fields.u64(&delivered[at]) }
    }
}

/// `LeftOutFile` names a part of a source that came to nothing: its name, a code for scripts.
public struct LeftOutFile: Sendable, Equatable {
    /// What is not UTF-8 is escaped. At most 16,384 bytes.
    public var path: String
    /// ASCII letters.
    public var code: String

    public init(path: String, code: String) {
        self.path = path
        self.code = code
    }

    mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&path, max: 16384)
        try fields.text(&code, max: 64)
    }
}

/// What the agent had to leave out of notes itself.
public struct ImportLosses: ReplyValue {
    /// Something that a note does not carry in its place.
    public struct Loss: ReplyValue {
        /// The note's name in the source.
        public var path = ""
        /// One word for scripts.
        public var code = ""
        /// Which or how many; often empty.
        public var detail = ""
        /// What it is, for people; the detail follows it.
        public var sentence = ""
        public init() {}

        public init(path: String, code: String, detail: String, sentence: String) {
            (self.path, self.code, self.detail, self.sentence) = (path, code, detail, sentence)
        }

        public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
            try fields.text(&path)
            try fields.text(&code)
            try fields.text(&detail)
            try fields.text(&sentence)
        }
    }

    public var losses: [Loss] = []
    public init() {}
    public init(_ losses: [Loss]) { self.losses = losses }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) { try fields.values(&losses) }
}

/// What an import has done, so far or in the end.
public struct ImportResult: ReplyValue {
    /// One kind of thing that notes keep, though not in a place of its own: no loss.
    public struct Kept: ReplyValue {
        /// One word for scripts.
        public var code = ""
        /// Name of the property; empty where the kind has none.
        public var detail = ""
        /// What it is, for people.
        public var sentence = ""
        /// In how many notes.
        public var count = 0
        public init() {}

        public init(code: String, detail: String, sentence: String, count: Int) {
            (self.code, self.detail, self.sentence, self.count) = (code, detail, sentence, count)
        }

        public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
            try fields.text(&code)
            try fields.text(&detail)
            try fields.text(&sentence)
            try fields.count(&count)
        }
    }

    /// Whether it only says what it would do.
    public var dryRun = false
    /// Notes.
    public var created = 0
    public var updated = 0
    public var unchanged = 0
    /// Attachments that are new, or have another content than before.
    public var attachments = 0
    /// Private notes that are locked: what was created may double one of them.
    public var notCompared = 0
    /// The most frequent first.
    public var kept: [Kept] = []
    /// All losses of the agent's and of the notes; those of `EndImport.leftOut` are not among them.
    public var lossCount = 0
    /// The first of them; told at the end only.
    public var losses: [ImportLosses.Loss] = []
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.flag(&dryRun)
        try fields.count(&created)
        try fields.count(&updated)
        try fields.count(&unchanged)
        try fields.count(&attachments)
        try fields.count(&notCompared)
        try fields.values(&kept)
        try fields.count(&lossCount)
        try fields.values(&losses)
    }
}
