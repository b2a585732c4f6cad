// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// What was dropped from the end of a log that was not whole.
public struct TornLogEnd: ReplyValue {
    /// Frames, the last of them perhaps in part; 0 where the log had not even a whole header.
    public var frameCount = 0
    public var byteCount = 0
    /// When the log was written last, in milliseconds since 1970, UTC; 0 where that is not known.
    public var lastWritten: Int64 = 0
    public init() {}

    public init(frameCount: Int, byteCount: Int, lastWritten: Int64) {
        (self.frameCount, self.byteCount, self.lastWritten) = (frameCount, byteCount, lastWritten)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.count(&frameCount)
        try fields.count(&byteCount)
        try fields.i64(&lastWritten)
    }
}
