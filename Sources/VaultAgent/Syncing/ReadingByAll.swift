// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SyncEngine
internal import SyncProtocol
internal import VaultCore
internal import VaultFormat

internal import struct VaultFormat.DeviceID

/// This extension keeps in mind what all devices have read, by their own words: then old revisions may be thinned out,
/// and files may go that a purge took.
extension SyncHost {
    /// Notes how far all have come, when everything is sent and read.
    func noteWhatAllHaveRead() throws(VaultError) {
        let (state, before) = (engine.state, try store.remotes.readMark(over: name))
        let chains = state.chains.filter { $0.value.epoch == state.epoch && !state.forked.contains($0.key) }
        let numbers = chains.mapValues(\.seen.number).merging([state.device: state.own.number]) { $1 }
        let mark = ReadMark(epoch: state.epoch, vector: try vector(numbers))
        // Of a device that speaks no more nobody will ever say that it was read further.
        let isStale = before.map { $0.mark.epoch != mark.epoch || !mark.vector.keys.contains(all: $0.mark.vector.keys) }
        let wasRead = isStale == false && before.map { hasBeenRead($0.mark) } == true
        guard isStale != false || wasRead && (before?.isRead != true || before?.mark != mark) else { return }
        try store.remotes.note(mark, over: name, wasRead: wasRead, isRead: hasBeenRead(mark))
    }

    private func vector(_ numbers: [Identifier: UInt64]) throws(VaultError) -> [DeviceID: UInt64] {
        var vector: [DeviceID: UInt64] = [:]
        for (device, number) in numbers {
            guard let id = try? DeviceID(device.bytes) else { throw VaultError(.integrity) }
            vector[id] = number
        }
        return vector
    }

    private func hasBeenRead(_ mark: ReadMark) -> Bool {
        mark.vector.allSatisfy { engine.passedByAll(Identifier(bytes: $0.key.bytes)) >= $0.value }
    }
}

extension Collection where Element: Equatable {
    fileprivate func contains(all others: some Sequence<Element>) -> Bool { others.allSatisfy { contains($0) } }
}

/// `ObjectRemoval` removes from a remote what was left there of attachments, some at a time.
/// Spec: docs/format.md §25.7.
final class ObjectRemoval {
    private let store: OpenVault
    private let link: any StoreLink
    private let sealers: RemoteSealers
    private var gone: [LeftObject] = []
    private var hasFailed = false
    private var count = 0
    /// Objects that are removed before the index hears of it.
    private static let countAtOnce = 64
    /// Objects that are removed in a round: what is new must not wait for long.
    private static let countMax = 1024

    init(_ store: OpenVault, _ link: any StoreLink, _ sealers: RemoteSealers) {
        (self.store, self.link, self.sealers) = (store, link, sealers)
    }

    /// Begins a round, in which what could not be removed is tried again.
    func beginRound() { (gone, hasFailed, count) = ([], false, 0) }

    /// Asks for the next ones to be removed.
    ///
    /// - Parameter haveAllCome: whether no device of the epoch before is waited for.
    /// - Returns: whether there is something to wait for.
    func step(over name: String, haveAllCome: Bool) throws(VaultError) -> Bool {
        while true {
            if !gone.isEmpty {
                try store.remotes.removed(gone, from: name)
                gone = []
            }
            guard !hasFailed, count < Self.countMax else { return false }
            let left = try store.remotes.left(over: name, haveAllCome: haveAllCome, limit: Self.countAtOnce)
            guard !left.isEmpty else { return false }
            count += left.count
            for object in left { remove(object, 0) }
            guard link.isIdle else { return true }
        }
    }

    private func remove(_ object: LeftObject, _ part: UInt32) {
        // Of an epoch whose names nobody knows any more there is nothing to ask for.
        guard part < object.partCount, let names = sealers[object.epoch]?.names,
            let name = try? names.name(ofPart: part, of: object.object)
        else { return gone.append(object) }
        link.delete(StoreName(name)) { [weak self] answer in
            switch answer {
            case .failed(let reason) where reason.code != .absent: self?.hasFailed = true
            case .bytes, .done, .failed: self?.remove(object, part + 1)
            }
        }
    }
}
