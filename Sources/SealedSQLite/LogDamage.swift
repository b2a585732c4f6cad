// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `LogDamage` says what a damaged log had behind the last whole commit before the damage, and the database is opened
/// without.
public struct LogDamage: Sendable {
    /// The frames that are not taken. The first may be whole, of a commit that lacks its end.
    let frames: Range<Int>
    /// How many commits are known to be among them.
    public let commitCount: Int
}

/// `TornTail` says what lies behind the last whole commit of a log that counts as sound: a transaction that was begun.
///
/// A power cut leaves such an end before the transaction is acknowledged. So does somebody who damages the last one
/// that was; nothing tells the two apart, so it is dropped, and said.
public struct TornTail: Sendable, Equatable {
    /// Frames that were dropped, the last of them perhaps in part; 0 where not even the log's header is whole.
    public let frameCount: Int
    public let byteCount: Int
    /// When the log was written last, as its file says, in milliseconds since 1970, UTC.
    public let lastWritten: Int64

    /// Measures what lies between two offsets of a log; nil where there is nothing.
    init?(_ log: LogFile, from begin: Int, to end: Int) {
        guard begin < end else { return nil }
        byteCount = end - begin
        let frames = (byteCount + LogSealer.frameByteCount - 1) / LogSealer.frameByteCount
        frameCount = begin < LogSealer.sealedHeaderByteCount ? 0 : frames
        lastWritten = log.file.lastWritten
    }
}

extension SealedStorage {
    /// Lends the page of each authentic frame that was not taken, before anything is written to the log.
    public func forEachLostPage(_ damage: LogDamage, _ body: (ArraySlice<UInt8>) -> Void) {
        for index in damage.frames where log.openOwnFrame(index) {
            body(log.openedContent[LogSealer.frameHeaderByteCount...])
        }
    }
}
