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
    /// Headers that are looked at in one sweep.
    private static let lookedAtMax = 64

    init(_ link: RemoteLink) { self.link = link }

    /// Begins a sweep unless there was one for this header.
    ///
    /// - Parameters:
    ///   - haveAllCome: whether all devices of the epoch before speak in this one: then there is more to remove.
    ///   - isSuperseded: judges a header of the remote.
    func begin(
        _ own: HeaderSending.Object, haveAllCome: Bool, _ isSuperseded: @escaping ([UInt8], RemoteHeaderName) -> Bool
    ) {
        guard swept != own.name || hadAllCome != haveAllCome else { return }
        hadAllCome = haveAllCome
        link.get(StoreName(own.name)) { [weak self] answer in
            guard case .bytes(own.bytes) = answer, let self else { return }
            list(own.name, isSuperseded)
        }
    }

    private func list(_ own: RemoteHeaderName, _ isSuperseded: @escaping ([UInt8], RemoteHeaderName) -> Bool) {
        link.list(.headers) { [weak self] answer in
            guard case .bytes(let listing) = answer, let self,
                let all = try? StoreListing.names(in: listing, of: .headers)
            else { return }
            swept = own
            let names = all.prefix(RemoteName.listedMax).compactMap { RemoteHeaderName(listed: $0.text) }
            for name in names.filter({ $0.counter < own.counter }).sorted().suffix(Self.lookedAtMax) {
                link.get(StoreName(name)) { [weak self] answer in
                    guard case .bytes(let bytes) = answer, isSuperseded(bytes, name) else { return }
                    self?.link.delete(StoreName(name)) { _ in }
                }
            }
        }
    }
}
