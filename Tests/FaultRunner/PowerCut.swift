// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation

/// What a power cut may leave of recorded calls. After each call that changed something:
///
/// - everything up to it, as after kill -9;
/// - only what was waited for with fsync, nothing of the rest;
/// - everything but one call that was not waited for, for each of them: a disk and a file system may write in any
///   order;
/// - of what was not waited for, one call alone;
/// - the last write cut in its middle, and with its first sector missing.
///
/// Nothing is assumed that POSIX does not promise: a name is sure only when its folder was waited for, content only
/// when the file was. A call itself is whole or not there, except for writes.
struct PowerCut {
    let start: DiskImage
    let calls: [RecordedCall]

    struct State {
        /// How many calls there were before the power went.
        let callCount: Int
        let words: String
        let image: DiskImage
    }

    /// Number of places where the power may go.
    var placeCount: Int { calls.count + 1 }

    /// Steps that were acknowledged before the first `count` calls ended.
    func acknowledged(_ count: Int) -> Int {
        calls[..<count].reduce(0) { if case .mark(let number) = $1 { number } else { $0 } }
    }

    /// The image after some calls, of which some are left out.
    func image(_ count: Int, without lost: Set<Int> = [], last: RecordedCall? = nil) -> DiskImage {
        var image = start
        for index in 0..<count where !lost.contains(index) { image.apply(calls[index]) }
        if let last { image.apply(last) }
        return image
    }

    /// Calls that were made and not waited for.
    private func pending(_ count: Int) -> [Int] {
        var waiting: [Int: Set<DiskImage.Inode>] = [:]
        for (index, call) in calls[..<count].enumerated() {
            switch call {
            case .sync(let inode): for key in waiting.keys { waiting[key]?.remove(inode) }
            case .syncAll: waiting = [:]
            default: if !call.waitsFor.isEmpty { waiting[index] = Set(call.waitsFor) }
            }
        }
        return waiting.filter { !$0.value.isEmpty }.keys.sorted()
    }

    func states(after count: Int) -> [State] {
        let pending = pending(count)
        var states = [State(callCount: count, words: "all", image: image(count))]
        // After a call that changes nothing only what is sure may have changed.
        guard count == 0 || !calls[count - 1].waitsFor.isEmpty || !pending.isEmpty else { return states }
        states.append(
            State(callCount: count, words: "only what was waited for", image: image(count, without: Set(pending))))
        for one in pending {
            states.append(State(callCount: count, words: "without call \(one)", image: image(count, without: [one])))
            states.append(
                State(
                    callCount: count, words: "call \(one) alone",
                    image: image(count, without: Set(pending).subtracting([one]))))
        }
        if count > 0, case .write(let inode, let offset, let bytes) = calls[count - 1], bytes.count > 1 {
            let half = RecordedCall.write(inode, offset: offset, Array(bytes[..<(bytes.count / 2)]))
            states.append(State(callCount: count, words: "half of the last write", image: image(count - 1, last: half)))
            let sector = min(512, bytes.count / 2)
            let tail = RecordedCall.write(inode, offset: offset + sector, Array(bytes[sector...]))
            states.append(
                State(
                    callCount: count, words: "the last write without its first sector",
                    image: image(count - 1, last: tail)))
        }
        return states
    }
}
