// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// What an export wrote and what it could not carry; comes as an `output` frame before the `end`, for the client to print with the path.
public struct ExportReport: Sendable, Equatable {
    /// One kind of loss, and how often it came.
    public struct Loss: Sendable, Equatable {
        /// One word for scripts.
        public var code: String
        /// What it is, for people; the number stands behind it.
        public var words: String
        public var count: UInt64
        /// Whether something that was asked for is missing, and not only what the format never has.
        public var isMissing: Bool

        public init(code: String, words: String, count: UInt64, isMissing: Bool) {
            self.code = code
            self.words = words
            self.count = count
            self.isMissing = isMissing
        }
    }

    public var noteCount: UInt64 = 0
    public var attachmentCount: UInt64 = 0
    public var losses: [Loss] = []

    public init() {}

    public var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.u64(noteCount)
        writer.u64(attachmentCount)
        writer.u8(UInt8(clamping: losses.count))
        for loss in losses.prefix(255) {
            writer.text(loss.code)
            writer.text(loss.words)
            writer.u64(loss.count)
            writer.flag(loss.isMissing)
        }
        return writer.bytes
    }

    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        noteCount = try reader.u64()
        attachmentCount = try reader.u64()
        for _ in 0..<(try reader.u8()) {
            losses.append(
                Loss(code: try reader.text(max: 64), words: try reader.text(max: 1024), count: try reader.u64(), isMissing: try reader.flag()))
        }
        try reader.end()
    }
}
