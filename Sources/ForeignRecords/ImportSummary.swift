// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// The last record of a stream: `flag isComplete | counts found | counts delivered | UInt64 losses | UInt64 refused`.
///
/// A stream without it ended too early, whatever came before.
public struct ImportSummary: Sendable, Hashable {
    /// False if the container was given up before its end; the refusal before it says why.
    public var isComplete = true
    /// What the source holds.
    public var found = ImportCounts()
    /// What was sent.
    public var delivered = ImportCounts()
    /// Losses of all notes.
    public var lossCount: UInt64 = 0
    public var refusedCount: UInt64 = 0

    public init() {}

    init(_ reader: inout RecordReader) throws(RecordError) {
        isComplete = try reader.flag()
        found = try ImportCounts(&reader)
        delivered = try ImportCounts(&reader)
        lossCount = try reader.u64()
        refusedCount = try reader.u64()
    }

    func write(_ writer: inout RecordWriter) {
        writer.flag(isComplete)
        found.write(&writer)
        delivered.write(&writer)
        writer.u64(lossCount)
        writer.u64(refusedCount)
    }
}
