// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SyncProtocol
internal import VaultCore
internal import VaultFormat

/// `HeaderSending` puts the vault's header where whoever has only a password finds it: before anything that names it
/// (docs/format.md §25.3).
final class HeaderSending {
    private var sent: UInt64?
    private var waiting: [(Bool) -> Void] = []

    /// Calls back when the header lies in the remote, at once when it does already.
    func whenSent(over link: RemoteLink, _ header: Header, _ completion: @escaping (Bool) -> Void) {
        if sent == header.counter { return completion(true) }
        waiting.append(completion)
        guard waiting.count == 1 else { return }
        guard let name = try? RemoteHeaders.name(of: header) else { return finish(header, false) }
        link.put(StoreName(name), header.encoded) { [self] answer in
            if case .done = answer { finish(header, true) } else { finish(header, false) }
        }
    }

    /// What waits for an answer that will not come begins again.
    func forget() { waiting = [] }

    private func finish(_ header: Header, _ isSent: Bool) {
        if isSent { sent = header.counter }
        let all = waiting
        waiting = []
        for one in all { one(isSent) }
    }
}
