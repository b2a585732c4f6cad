// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SyncProtocol
internal import VaultCore
internal import VaultFormat

/// `HeaderSweep` removes headers from a remote that have a password or a key of before: once for each header that this
/// device has put there, after it was read back. What is not there any more is nobody's loss: a device has its own.
///
/// Spec: docs/format.md §25.3.
final class HeaderSweep {
    private let link: RemoteLink
    private var swept: RemoteHeaderName?
    private var hadAllCome = false
    private var isTried = false
    /// The highest counter of a header that is to go and is not below this device's: each device counts its own
    /// changes.
    private(set) var counterAbove: UInt64?
    /// Headers that are looked at in one sweep: those that a clone would try come first.
    private static let lookedAtMax = 64

    init(_ link: RemoteLink) { self.link = link }

    /// A sweep that came to nothing is tried once more in another round.
    func beginRound() { (isTried, counterAbove) = (false, nil) }

    /// Begins a sweep unless there was one for this header.
    ///
    /// - Parameters:
    ///   - haveAllCome: whether all devices of the epoch before speak in this one: then there is more to remove.
    ///   - isSuperseded: judges a header of the remote.
    func begin(
        _ own: HeaderSending.Object, haveAllCome: Bool, _ isSuperseded: @escaping ([UInt8], RemoteHeaderName) -> Bool
    ) {
        guard !isTried, swept != own.name || hadAllCome != haveAllCome else { return }
        isTried = true
        link.get(StoreName(own.name)) { [weak self] answer in
            guard case .bytes(own.bytes) = answer, let self else { return }
            list(own.name, haveAllCome, isSuperseded)
        }
    }

    private func list(
        _ own: RemoteHeaderName, _ haveAllCome: Bool, _ isSuperseded: @escaping ([UInt8], RemoteHeaderName) -> Bool
    ) {
        link.list(.headers) { [weak self] answer in
            guard case .bytes(let listing) = answer, let self,
                let all = try? StoreListing.names(in: listing, of: .headers)
            else { return }
            (swept, hadAllCome) = (own, haveAllCome)
            let names = all.prefix(RemoteName.listedMax).compactMap { RemoteHeaderName(listed: $0.text) }
            for name in names.filter({ $0 != own }).sorted().suffix(Self.lookedAtMax) {
                link.get(StoreName(name)) { [weak self] answer in
                    guard case .bytes(let bytes) = answer, isSuperseded(bytes, name), let self else { return }
                    guard name.counter >= own.counter else { return link.delete(StoreName(name)) { _ in } }
                    counterAbove = max(counterAbove ?? 0, name.counter)
                }
            }
        }
    }
}
