// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What a damaged log had behind the last whole commit before the damage, and the database is opened without.
public struct LogDamage: Sendable {
    /// The frames that are not taken. The first may be whole, of a commit that lacks its end.
    let frames: Range<Int>
    /// How many commits are known to be among them; none where the log's header does not open.
    public let commitCount: Int
}

extension SealedStorage {
    /// Lends the page of each authentic frame that was not taken, before anything is written to the log.
    public func forEachLostPage(_ damage: LogDamage, _ body: (ArraySlice<UInt8>) -> Void) {
        for index in damage.frames where log.openFrame(index) {
            body(log.openedContent[LogSealer.frameHeaderByteCount...])
        }
    }
}
