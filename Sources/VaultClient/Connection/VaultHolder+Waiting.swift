// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient

extension VaultHolder {
    /// Tells why a command waits for its turn.
    static func sayItWaits(_ holder: VaultHolder) {
        Streams.say("vault: note: \(holder.name) has this vault open; this command waits for it to finish")
    }
}
