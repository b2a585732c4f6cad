// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// What an export wrote and what it could not carry; the client tells it with the path, which the agent does not know.
public struct ExportReport: ReplyValue {
    /// One kind of loss, and how often it came.
    public struct Loss: ReplyValue {
        /// One word for scripts.
        public var code = ""
        /// What it is, for people; the number follows it.
        public var words = ""
        public var count: UInt64 = 0
        /// Whether something that was asked for is missing, and not only what the format never has.
        public var isMissing = false
        public init() {}

        public init(code: String, words: String, count: UInt64, isMissing: Bool) {
            (self.code, self.words, self.count, self.isMissing) = (code, words, count, isMissing)
        }

        public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
            try fields.text(&code, max: 64)
            try fields.text(&words, max: 1024)
            try fields.u64(&count)
            try fields.flag(&isMissing)
        }
    }

    public var noteCount: UInt64 = 0
    public var attachmentCount: UInt64 = 0
    public var losses: [Loss] = []
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.u64(&noteCount)
        try fields.u64(&attachmentCount)
        try fields.values(&losses)
    }
}
