// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `LogDamage` says what a damaged log had after the last whole commit before the damage. The database is opened
/// without it.
public struct LogDamage: Sendable {
    /// The frames that are not taken. The first may be whole, of a commit that lacks its end.
    let frames: Range<Int>
    /// How many commits are known to be among them.
    public let commitCount: Int
}

/// `TornTail` says what follows the last whole commit of a log that counts as sound: an unfinished transaction.
///
/// A power cut before the transaction is acknowledged leaves such an end. So does somebody who damages the last one
/// that was acknowledged. Nothing tells the two apart, so the tail is dropped and reported.
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
