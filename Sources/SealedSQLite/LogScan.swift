// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `LogScan` reads a log through before SQLite does, to tell a torn end from damage.
///
/// SQLite stops at the first frame that does not fit and forgets what follows: one flipped bit in the middle would
/// erase acknowledged commits without a word (docs/sealed-sqlite.md §4). The end may be where it is only if nothing
/// acknowledged lies behind it.
struct LogScan {
    /// Frames up to the last commit that SQLite will take.
    let frameCount: Int
    /// Largest log that is looked at, in bytes.
    private static let byteCountMax = 8 << 30
    /// Whether SQLite should see no log at all.
    let isEmpty: Bool

    /// What is lost of the log, where that is accepted; nil for a log without damage.
    let damage: LogDamage?
    /// What is dropped behind the last whole commit of a log that counts as sound; nil where it ends with that commit.
    let tornTail: TornTail?

    /// Finds the last whole commit of a log, and refuses a log that has lost durable ones unless damage is accepted.
    ///
    /// - Parameters:
    ///   - syncedByteCount: size of the log when the manifest was last written; all of it was durable.
    ///   - acceptingDamage: the log ends at the last whole commit before the damage.
    /// - Throws: `SealedSQLiteError.damaged`, `.inputOutput` when the log cannot be read.
    init(_ log: LogFile, syncedByteCount: UInt64, acceptingDamage: Bool = false) throws(SealedSQLiteError) {
        log.file.readFailure = 0
        // A file that was made huge would be read for hours; no transaction of ours is so large.
        let isHuge = log.file.byteCount > Self.byteCountMax
        let byteCount = min(log.file.byteCount, Self.byteCountMax)
        let refusal = SealedSQLiteError(.damaged, isOfLog: true)
        guard !isHuge || acceptingDamage else { throw refusal }
        guard let header = byteCount >= LogSealer.sealedHeaderByteCount ? log.openHeader() : nil else {
            // The header is durable before the first frame is written: a longer log without one was changed. An empty
            // log may follow any manifest, since a checkpoint cuts it before the next manifest; the caller compares
            // generations then.
            try Self.requireRead(log)
            let isNone = byteCount == 0 || (byteCount <= LogSealer.sealedHeaderByteCount && syncedByteCount == 0)
            guard isNone || acceptingDamage else { throw refusal }
            (frameCount, isEmpty, damage) = (0, true, isNone ? nil : try Self.lost(log, from: 0, of: byteCount))
            tornTail = isNone ? TornTail(log, from: 0, to: byteCount) : nil
            return
        }
        let total = Self.frameCount(of: byteCount)
        let (committed, firstBad) = Self.committedPrefix(log, header: header, total: total)
        try Self.requireRead(log)
        let isTooShort = UInt64(LogFile.frameOffset(committed)) < syncedByteCount
        guard !isTooShort || acceptingDamage else { throw refusal }
        let isCutShort = firstBad.map { Self.somethingAcknowledgedFollows(log, from: $0, total: total) } ?? false
        try Self.requireRead(log)
        guard !isCutShort || acceptingDamage else { throw refusal }
        (frameCount, isEmpty) = (committed, false)
        guard isTooShort || isCutShort || isHuge else {
            damage = nil
            tornTail = TornTail(log, from: LogFile.frameOffset(committed), to: byteCount)
            return
        }
        tornTail = nil
        damage = try Self.lost(log, from: committed, of: byteCount)
    }

    private static func frameCount(of byteCount: Int) -> Int {
        max(0, byteCount - LogSealer.sealedHeaderByteCount) / LogSealer.frameByteCount
    }

    /// Looks at the frames that are not taken. Commits among them that are still authentic, though what stands before
    /// them is not, were acknowledged once.
    private static func lost(_ log: LogFile, from first: Int, of byteCount: Int) throws(SealedSQLiteError) -> LogDamage
    {
        let frames = first..<max(first, frameCount(of: byteCount))
        let commitCount = frames.count { log.openOwnFrame($0) && isCommit(log.openedContent) }
        try requireRead(log)
        return LogDamage(frames: frames, commitCount: commitCount)
    }

    /// Throws if the system has failed to read a frame, which is neither good nor bad: taken for the torn end, it would
    /// be overwritten.
    private static func requireRead(_ log: LogFile) throws(SealedSQLiteError) {
        guard log.file.readFailure == 0 else {
            throw SealedSQLiteError(.inputOutput, systemError: log.file.readFailure, isOfReading: true)
        }
    }

    /// Returns how many frames there are up to the last commit before the first frame that is not authentic or does not
    /// continue the log, and the number of that frame.
    private static func committedPrefix(_ log: LogFile, header: [UInt8], total: Int) -> (committed: Int, firstBad: Int?)
    {
        guard var checksum = LogChecksum(header: header) else { return (0, total > 0 ? 0 : nil) }
        var committed = 0
        for index in 0..<total {
            guard log.openOwnFrame(index), checksum.accepts(log.openedContent, saltsOf: header) else {
                return (committed, index)
            }
            if isCommit(log.openedContent) { committed = index + 1 }
        }
        return (committed, nil)
    }

    /// Looks for an authentic commit frame behind a bad one: then the bad one was durable once, unless it is the last
    /// transaction, was never acknowledged, and lost a write when the power failed. Such a loss leaves a sector of
    /// zeros, which ciphertext never is.
    private static func somethingAcknowledgedFollows(_ log: LogFile, from firstBad: Int, total: Int) -> Bool {
        var everyBadFrameIsTorn = true
        for index in firstBad..<total {
            guard log.openOwnFrame(index) else {
                everyBadFrameIsTorn =
                    everyBadFrameIsTorn && hasZeroSector(log.openedSealed, at: LogFile.frameOffset(index))
                continue
            }
            guard isCommit(log.openedContent) else { continue }
            return !(everyBadFrameIsTorn && isLastAuthentic(log, index, total: total))
        }
        return false
    }

    private static func isLastAuthentic(_ log: LogFile, _ index: Int, total: Int) -> Bool {
        for later in index + 1..<max(total, index + 1) where log.openOwnFrame(later) { return false }
        return true
    }

    private static func isCommit(_ frame: [UInt8]) -> Bool { frame[4..<8].contains { $0 != 0 } }

    private static func hasZeroSector(_ sealed: [UInt8], at offset: Int) -> Bool {
        var begin = 0
        while begin < sealed.count {
            let end = min(begin + 512 - (offset + begin) % 512, sealed.count)
            // A sector that only touches the frame counts by the part that we see, if that is more than chance could
            // make zero.
            if end - begin >= 32, sealed[begin..<end].allSatisfy({ $0 == 0 }) { return true }
            begin = end
        }
        return false
    }
}
