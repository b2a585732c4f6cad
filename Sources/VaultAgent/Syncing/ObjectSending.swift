// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SyncProtocol
internal import VaultCore
internal import VaultFormat

/// `ObjectSending` puts objects of attachments into a remote, several parts at once: a remote that is far away answers
/// each request late, and Dropbox puts together into their places what comes together.
///
/// It lives as long as something that it has asked for is not answered.
final class ObjectSending {
    private let store: OpenVault
    private let link: any StoreLink
    private let names: RemoteNames
    /// Whether a part may be there: it is looked at first, since a put that is torn would leave less.
    private let isAgain: Bool
    private var records: ArraySlice<AttachmentRecord>
    /// The part of the first record that comes next.
    private var part: UInt32 = 0
    /// Parts of each object that are under way, and one more while not all of its parts have been read.
    private var openCounts: [ObjectName: Int] = [:]
    private var openCount = 0
    private var openByteCount = 0
    private var hasFailed = false
    private let whenWhole: (ObjectName) -> Void
    private var completion: ((Bool) -> Void)?
    /// How many may be under way. It begins with one, and there are more only while the line is quick enough: a request
    /// that shares a slow line would end at its deadline, which counts on 16 KiB a second for itself alone.
    private var allowance = 1
    /// Parts that lie in memory at once, and their bytes, unless a single part is larger.
    private static let (openCountMax, openByteCountMax) = (8, 32 << 20)
    /// A part that took less, or that came at such a rate, lets another one begin beside it. In seconds, and bytes a
    /// second.
    private static let (quickSeconds, quickRate) = (4.0, 256.0 * 1024)

    /// - Parameters:
    ///   - whenWhole: told of each object whose parts are all in the remote.
    ///   - completion: called once, when nothing is under way any more; false when something could not be put.
    init(
        _ store: OpenVault, _ link: any StoreLink, _ names: RemoteNames, _ records: [AttachmentRecord], isAgain: Bool,
        whenWhole: @escaping (ObjectName) -> Void, _ completion: @escaping (Bool) -> Void
    ) {
        (self.store, self.link, self.names, self.isAgain) = (store, link, names, isAgain)
        self.records = records[...]
        (self.whenWhole, self.completion) = (whenWhole, completion)
    }

    /// Asks for as much as may be under way at once.
    func goOn() {
        while !hasFailed, openCount < allowance, openByteCount < Self.openByteCountMax,
            let record = records.first
        {
            let object = record.object
            if part == 0 { openCounts[object] = 1 }
            guard let bytes = try? store.devices.part(part, of: record),
                let name = try? names.name(ofPart: part, of: object)
            else {
                // All parts were read, or the object is not here.
                records.removeFirst()
                if part == 0 { openCounts[object] = nil } else { endPart(of: object) }
                part = 0
                continue
            }
            part += 1
            openCounts[object, default: 0] += 1
            openCount += 1
            openByteCount += bytes.count
            send(StoreName(name), bytes, object)
        }
        guard openCount == 0, hasFailed || records.isEmpty, let done = completion.take() else { return }
        done(!hasFailed)
    }

    private func send(_ name: StoreName, _ bytes: [UInt8], _ object: ObjectName) {
        guard isAgain else { return put(name, bytes, object) }
        link.get(name) { [self] answer in
            switch answer {
            case .bytes(bytes): end(bytes.count, of: object, isThere: true)
            case .bytes, .done: put(name, bytes, object)
            // Another one has failed meanwhile, and nothing more is begun.
            case .failed where hasFailed: end(bytes.count, of: object, isThere: false)
            case .failed(let reason):
                if reason.code == .absent {
                    put(name, bytes, object)
                } else {
                    end(bytes.count, of: object, isThere: false)
                }
            }
        }
    }

    private func put(_ name: StoreName, _ bytes: [UInt8], _ object: ObjectName) {
        let byteCount = bytes.count
        let begin = BootClock.seconds
        link.put(name, bytes) { [self] answer in
            guard case .done = answer else { return end(byteCount, of: object, isThere: false) }
            learn(seconds: BootClock.seconds - begin, byteCount)
            end(byteCount, of: object, isThere: true)
        }
    }

    /// Takes from how long a part took whether one more may be under way, or fewer must.
    private func learn(seconds: Double, _ byteCount: Int) {
        let isQuick = seconds < Self.quickSeconds || Double(byteCount) / seconds > Self.quickRate
        allowance = isQuick ? min(allowance + 1, Self.openCountMax) : max(allowance / 2, 1)
    }

    private func end(_ byteCount: Int, of object: ObjectName, isThere: Bool) {
        openCount -= 1
        openByteCount -= byteCount
        if isThere { endPart(of: object) } else { hasFailed = true }
        goOn()
    }

    private func endPart(of object: ObjectName) {
        guard let count = openCounts[object] else { return }
        openCounts[object] = count > 1 ? count - 1 : nil
        if count == 1 { whenWhole(object) }
    }
}
