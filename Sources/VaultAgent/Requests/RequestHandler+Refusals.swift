// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol

/// What is said of a request for which there is no open vault.
extension RequestHandler {
    static let isRepairing = Outcome(
        .conflict, "the vault is being repaired", hint: "wait until vault repair has finished")
    static let anotherCopy = Outcome(
        .conflict, "the agent has another copy of this vault open",
        hint: "vault lock, then unlock the one that you want")
    static let locked = Outcome(.locked, "the vault is locked", hint: "vault unlock")
}
