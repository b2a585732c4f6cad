// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultFormat

/// A long request, served in steps of at most about 20 ms, so that `status`, `lock` and reading never wait for it.
protocol Job {
    /// Does a little more.
    ///
    /// - Returns: nil while there is more to do, then how it ended.
    mutating func step(_ connection: Connection) -> Outcome?

    /// Whether it only waits for a thread, which wakes the loop itself.
    var isWaiting: Bool { get }
    /// Whether it does nothing by itself but tell what others do: it keeps nobody waiting, and the vault not open.
    var isWatching: Bool { get }
    /// The note whose content it works with, so that it ends when that note is locked; nil when it does not matter.
    var note: NoteID? { get }
    /// The vault is locked before it is done, and it is dropped.
    ///
    /// - Returns: what its client hears; nil for the usual answer.
    func locked() -> Outcome?
}

extension Job {
    var isWaiting: Bool { false }
    var isWatching: Bool { false }
    var note: NoteID? { nil }
    func locked() -> Outcome? { nil }
}
