// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `SyncProblem` says why something of a remote cannot be taken, other than by the store.
enum SyncProblem: UInt8, Sendable {
    /// This vault's key is not the one of the remote.
    case rotated = 1
    /// Another device has changed the key.
    case endedElsewhere
    /// A newer program has written there.
    case newerFormat
    /// A device has sealed what no program writes.
    case malformed
    /// Two devices have changed the key at once, and the other one's counts.
    case endedTwice
}
