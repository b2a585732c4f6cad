// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import SyncProtocol
internal import TextMerge

/// `StoreLink` is a host's way to one remote: requests, each answered once, and never before the caller that polls has
/// called `step`. Nobody waits.
protocol StoreLink: AnyObject {
    /// Readable when there is something for `step`; nil while nothing can come.
    var descriptor: Int32? { get }
    /// Whether all that was asked is answered.
    var isIdle: Bool { get }
    /// Requests that were answered with anything but an error.
    var answeredCount: Int { get }
    /// The last reason why something could not be had.
    var failure: StoreFailure? { get }
    /// Called when something on the remote may be new; asked for where there is something of the kind.
    var whenChanged: (() -> Void)? { get set }

    func forgetFailure()
    func get(_ name: StoreName, _ completion: @escaping (RemoteLink.Answer) -> Void)
    func list(_ folder: StoreFolder, _ completion: @escaping (RemoteLink.Answer) -> Void)
    func delete(_ name: StoreName, _ completion: @escaping (RemoteLink.Answer) -> Void)
    func put(_ name: StoreName, _ bytes: [UInt8], _ completion: @escaping (RemoteLink.Answer) -> Void)

    /// Takes answers in, and sends what waited for them.
    func step()
    /// Forgets what was asked; it is answered to nobody.
    func end()
}

/// `SyncSurroundings` are what hosts need of other processes.
struct SyncSurroundings {
    /// Makes the way to a remote, given what it asks for; it makes the vault's folder there on demand.
    let link: (RemoteSettings, _ creates: Bool, @escaping () -> SecretBytes?) -> any StoreLink
    /// Compares texts at once; nil where a process of its own does it.
    let comparison: (any TokenComparison)?

    /// A `vault-sync` for each remote, and a `vault-parse` for texts.
    static var processes: SyncSurroundings {
        SyncSurroundings(link: { RemoteLink($0, creates: $1, credential: $2) }, comparison: nil)
    }
}
