// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol

extension AgentConnection {
    /// Says what to tell when the agent went away. Only an `end` promises that something was saved.
    public func lost(_ effect: RequestEffect) -> ClientFailure {
        let gone = "the agent ended before it answered"
        switch effect {
        case .change:
            return ClientFailure(
                .localSaveFailed, "\(gone); the change may not have been saved", hint: "vault unlock, then vault ls")
        // An earlier step of the same command was answered: "nothing was changed" would not be true of the command.
        case _ where hasChanged:
            return ClientFailure(.other, "\(gone); what was saved before that is safe", hint: "vault unlock")
        case .nothing:
            return ClientFailure(
                .other, "\(gone); nothing was changed", hint: "vault unlock, then run the command again")
        case .upkeep:
            return ClientFailure(
                .other, "\(gone); no note was changed", hint: "vault unlock, then run the command again")
        case .output:
            return ClientFailure(
                .other, "\(gone); nothing in the vault was changed, and what was being written is incomplete",
                hint: "vault unlock, then run the command again")
        }
    }
}
