// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SyncProtocol
internal import VaultCore
internal import VaultFormat

/// `HeaderSending` puts headers where a program that has only a password finds them: before anything that names them
/// (docs/format.md §25.3).
final class HeaderSending {
    /// A header as it lies in a remote.
    struct Object {
        let name: RemoteHeaderName
        let bytes: [UInt8]
    }

    private var sent: Set<RemoteHeaderName> = []
    private var waiting: [RemoteHeaderName: [(Bool) -> Void]] = [:]

    /// Calls back when the header lies in the remote, at once when it does already.
    func whenSent(over link: any StoreLink, _ header: Object, _ completion: @escaping (Bool) -> Void) {
        guard !sent.contains(header.name) else { return completion(true) }
        waiting[header.name, default: []].append(completion)
        guard waiting[header.name]?.count == 1 else { return }
        link.put(StoreName(header.name), header.bytes) { [self] answer in
            if case .done = answer { finish(header.name, true) } else { finish(header.name, false) }
        }
    }

    /// Returns whether a header with this counter was put in this session.
    func hasSent(_ counter: UInt64) -> Bool { sent.contains { $0.counter == counter } }

    /// Forgets what waits for an answer that will not come, so that it begins again.
    func forget() { waiting = [:] }

    private func finish(_ name: RemoteHeaderName, _ isSent: Bool) {
        if isSent { sent.insert(name) }
        for one in waiting.removeValue(forKey: name) ?? [] { one(isSent) }
    }
}

extension HeaderSending.Object {
    /// Makes the object of the vault's header.
    ///
    /// - Throws: `VaultError.libraryFailed`.
    init(_ header: Header) throws(VaultError) {
        self.init(name: try RemoteHeaders.name(of: header), bytes: header.encoded)
    }

    /// Makes the object of the header with which the vault's epoch began.
    init(beginning former: FormerEpoch) {
        let name = RemoteHeaderName(counter: former.nextStamp.counter, digest: former.nextStamp.digest)
        self.init(name: name, bytes: former.nextHeader)
    }
}
