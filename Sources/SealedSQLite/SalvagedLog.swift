// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto

/// `SalvagedLog` says which frame of a log that cannot be trusted holds what: every authentic frame counts, whatever
/// stands before it, also where the log's header is lost. It is read in steps, and what it holds grows with the frames
/// that open, never with the size of the file.
final class SalvagedLog {
    /// What lies behind is not looked at, as `LogScan` would not: no transaction of ours makes a log so large.
    static let byteCountMax = 8 << 30

    let file: LogFile
    /// All whole frames that are looked at.
    let frameCount: Int
    /// The salts of which one may be the log's, until something opened under one of them.
    private var salts: [[UInt8]]
    /// Whether there is a log, and nothing of it was opened yet.
    var isLost: Bool { !salts.isEmpty }
    /// Frames that do not open.
    private(set) var lostFrames = 0
    /// Whether one of them lies behind the last commit that is there, or more than is looked at.
    private(set) var endIsLost: Bool
    /// Frames of each page, ascending; only those up to the last commit.
    private(set) var committed: [UInt32: [Int32]] = [:]
    /// What stands behind it.
    private(set) var uncommitted: [PageSalvage.Version] = []
    /// The last page that a frame up to the last commit is of.
    private(set) var lastPage: UInt32 = 0
    /// Frames that commit, ascending.
    private var commits: [Int32] = []
    private(set) var next = 0
    private let isCut: Bool

    /// Opens a log, and counts the frames that will be looked at.
    ///
    /// - Parameters:
    ///   - salts: the first under which the log opens counts.
    ///   - byteCountMax: of what is looked at.
    init(_ file: LogFile, salts: [[UInt8]], byteCountMax: Int = byteCountMax) {
        self.file = file
        let byteCount = file.file.byteCount
        isCut = byteCount > byteCountMax
        endIsLost = isCut
        guard byteCount > LogSealer.sealedHeaderByteCount else {
            (frameCount, self.salts) = (0, [])
            return
        }
        // Without a manifest there is none; the log is lost anyway.
        self.salts = salts.isEmpty ? [[UInt8](repeating: 0, count: 32)] : salts
        let looked = min(byteCount, byteCountMax) - LogSealer.sealedHeaderByteCount
        frameCount = salts.isEmpty ? 0 : looked / LogSealer.frameByteCount
        _ = opens { file.openHeader() != nil }
    }

    /// Returns whether something of the log opens: the first salt under which anything does is the log's.
    private func opens(_ body: () -> Bool) -> Bool {
        guard isLost else { return body() }
        for salt in salts {
            file.renew(salt: salt)
            guard body() else { continue }
            salts = []
            return true
        }
        return false
    }

    /// Reads some frames more.
    ///
    /// - Returns: how many of `frameCount` that were; 0 when all are read.
    func read(frameCount wanted: Int) -> Int {
        let begin = next
        while next < frameCount, next - begin < wanted {
            readFrame(Int32(next))
            next += 1
        }
        return next - begin
    }

    private func readFrame(_ index: Int32) {
        guard opens({ file.openFrame(Int(index)) }) else {
            lostFrames += 1
            endIsLost = true
            return
        }
        // What SQLite has begun this log over was all in the database file then.
        guard file.openOwnFrame(Int(index)) else { return }
        let page = PageSalvage.number(file.openedContent, 0)
        guard page > 0 else { return }
        uncommitted.append(PageSalvage.Version(page: page, frame: index))
        guard PageSalvage.number(file.openedContent, 4) > 0 else { return }
        for version in uncommitted {
            committed[version.page, default: []].append(version.frame)
            lastPage = max(lastPage, version.page)
        }
        commits.append(index)
        (uncommitted, endIsLost) = ([], isCut)
    }

    func isUncommitted(_ frame: Int32) -> Bool { frame > commits.last ?? -1 }

    /// Returns the last frame of the transaction that a frame is of; the frame itself where its end is not there.
    func end(of frame: Int32) -> Int32 {
        var (low, high) = (0, commits.count)
        while low < high {
            let middle = (low + high) / 2
            if commits[middle] < frame { low = middle + 1 } else { high = middle }
        }
        return low < commits.count ? commits[low] : frame
    }
}
