// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import VaultCore

/// Keys that are made and shown, and wait for being typed back. Nothing of them is on disk.
enum PendingKeys {
    case recovery(NewRecoveryKey, KeyslotProof, triesLeft: Int)
    case rotation(NextEpoch, triesLeft: Int)
    case archive(PreparedArchive, triesLeft: Int)

    static let tries = 3
    /// How long they are kept: time enough to write a key on paper.
    static let secondsMax = 15.0 * 60
}
