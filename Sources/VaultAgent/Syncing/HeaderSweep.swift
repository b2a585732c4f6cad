// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SyncProtocol
internal import VaultCore
internal import VaultFormat

/// `HeaderSweep` removes headers from a remote that have a password or a key of before: once a session for each header
/// that this device has put there, after it was read back. What is not there any more is nobody's loss: a device has
/// its own.
///
/// Spec: docs/format.md §25.3.
final class HeaderSweep {
    typealias Judge = ([UInt8], RemoteHeaderName) -> SupersededHeader?

    private let link: any StoreLink
    private var swept: RemoteHeaderName?
    private var hadAllCome = false
    private var isTried = false
    private var hasRaised = false
    /// The highest counter of a header that is to go, that the vault's key vouches for, and that is not below this
    /// device's: each device counts its own changes. Nil once this device's was raised in this round.
    var counterAbove: UInt64? { hasRaised ? nil : found }
    private var found: UInt64?
    /// Headers that are looked at in one sweep: those that a clone would try come first.
    private static let lookedAtMax = 64

    init(_ link: any StoreLink) { self.link = link }

    /// Begins a round, in which a sweep that came to nothing is tried once more.
    func beginRound() { (isTried, hasRaised, found) = (false, false, nil) }

    /// Begins again with this device's header, which counts higher now; no third sweep is made in this round.
    func raised() { (isTried, hasRaised, found) = (false, true, nil) }

    /// Begins a sweep unless there was one for this header.
    ///
    /// - Parameters:
    ///   - haveAllCome: whether all devices of the epoch before speak in this one: then there is more to remove.
    ///   - judge: says of a header of the remote whether it is to go.
    func begin(_ own: HeaderSending.Object, haveAllCome: Bool, _ judge: @escaping Judge) {
        guard !isTried, swept != own.name || hadAllCome != haveAllCome else { return }
        isTried = true
        link.get(StoreName(own.name)) { [weak self] answer in
            guard case .bytes(own.bytes) = answer, let self else { return }
            list(own.name, haveAllCome, judge)
        }
    }

    private func list(_ own: RemoteHeaderName, _ haveAllCome: Bool, _ judge: @escaping Judge) {
        link.list(.headers) { [weak self] answer in
            guard case .bytes(let listing) = answer, let self,
                let all = try? StoreListing.names(in: listing, of: .headers)
            else { return }
            let names = all.prefix(RemoteName.listedMax).compactMap { RemoteHeaderName(listed: $0.text) }
            let others = names.filter { $0 != own }.sorted().suffix(Self.lookedAtMax)
            // It was done when each of them is known to stay or to be gone.
            var (left, isDone) = (others.count, true)
            let ended = { [weak self] (isRight: Bool) in
                (left, isDone) = (left - 1, isDone && isRight)
                if left <= 0, isDone, let self { (swept, hadAllCome) = (own, haveAllCome) }
            }
            guard !others.isEmpty else { return ended(true) }
            for name in others { look(at: name, own, judge, ended) }
        }
    }

    private func look(
        at name: RemoteHeaderName, _ own: RemoteHeaderName, _ judge: @escaping Judge, _ ended: @escaping (Bool) -> Void
    ) {
        link.get(StoreName(name)) { [weak self] answer in
            guard case .bytes(let bytes) = answer else {
                if case .failed(let reason) = answer { return ended(reason.code == .absent) }
                return ended(false)
            }
            guard let superseded = judge(bytes, name), let self else { return ended(true) }
            if case .ofThisEpoch = superseded, name.counter >= own.counter {
                found = max(found ?? 0, name.counter)
                return ended(false)
            }
            link.delete(StoreName(name)) { answer in if case .done = answer { ended(true) } else { ended(false) } }
        }
    }
}
