// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import VaultCore

/// Keys that are made and shown, and wait for being typed back, as often as it takes. Nothing of them is on disk.
enum PendingKeys {
    case recovery(NewRecoveryKey, KeyslotProof)
    case rotation(NextEpoch)
    case archive(PreparedArchive)

    /// How long they are kept: time enough to write a key on paper.
    static let secondsMax = 15.0 * 60
}
