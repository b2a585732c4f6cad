// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
public import SecretMemory
public import VaultFormat

/// `Credential` is what opens a vault: which kind it is, and its secret. A front end asks for it; nothing here does.
public struct Credential: ~Copyable {
    public let kind: CredentialKind
    /// As `UnlockVault` takes it.
    public let secret: SecretBytes

    /// Makes a credential from a password.
    ///
    /// - Parameter password: at most 4,096 bytes.
    public init(password: consuming SecretBytes) {
        kind = .password
        secret = password
    }

    /// Makes a credential from a password and the content of the key file that belongs to it.
    public init(password: borrowing SecretBytes, keyFile: borrowing SecretBytes) {
        kind = .passwordAndKeyFile
        secret = PasswordPair.joined(password, keyFile)
    }

    /// Makes a credential from a recovery key as it is on paper; upper case and hyphens make no difference.
    public init(recoveryKey: consuming SecretBytes) {
        kind = .recoveryKey
        secret = recoveryKey
    }

    private init(_ kind: CredentialKind, _ secret: consuming SecretBytes) {
        self.kind = kind
        self.secret = secret
    }

    /// Returns the same once more, for a command that opens two vaults.
    public borrowing func duplicate() -> Credential { Credential(kind, secret.duplicate()) }
}

/// `VaultOpening` opens one vault that is locked, through an agent that this process starts.
public struct VaultOpening {
    public let location: VaultLocation
    /// Whether a vault is opened that is older than the one that was seen last.
    public var acceptsRollback = false
    /// Whether a vault without a manifest, or with a damaged log, is opened as far as it is whole.
    public var acceptsLoss = false
    /// Told once when a single command has the vault open and this one waits for longer than two seconds.
    public var whenWaiting: (VaultHolder) -> Void = { _ in }

    /// Asked once when keyslots are too large for this machine or ask for far more work than is known here: whether
    /// the latter are tried. Somebody may have exchanged the header to keep its owner waiting.
    public var whenKeysAreCostly: (ProbedVault) throws(ClientFailure) -> Bool = { _ in false }

    public init(_ location: VaultLocation) { self.location = location }

    /// Waits until nobody has the vault open.
    ///
    /// - Throws: `.conflict` for an agent that stays, a process that is not ours, and after a minute.
    public func waitForTurn() throws(ClientFailure) {
        var turn = VaultHolder.Turn(whenLong: whenWaiting)
        try turn.wait(location)
    }

    /// Shows the vault's directory to an agent that was just started; no secret is asked for before it agrees.
    ///
    /// - Returns: what is to be known of its keyslots.
    @discardableResult
    public func probe<Agent: AgentRequester & ~Copyable>(_ agent: inout Agent) throws(ClientFailure) -> ProbedVault {
        let answer = try agent.request(
            ProbeVault(directory: location.directory, acceptRollback: acceptsRollback, acceptLoss: acceptsLoss))
        try answer.outcome.require()
        return answer.replies.first ?? ProbedVault()
    }

    /// Unlocks the vault in an agent that was just started: shows it the directory, waits for the turn, sends the
    /// secret.
    ///
    /// - Parameters:
    ///   - request: whether the agent stays, and how long; its `credential` is set here.
    ///   - attempts: how often a secret is asked for when it is a wrong one.
    ///   - credential: gives the secret; told the number of the attempt, from 1.
    /// - Returns: what is to be known of the vault that was opened.
    /// - Throws: `.wrongPassword` after the last attempt, `.conflict`, what the agent refuses, what `credential`
    ///   throws.
    public func unlock<Agent: AgentRequester & ~Copyable>(
        _ agent: inout Agent, _ request: UnlockVault, attempts: Int = 1,
        credential: (Int) throws(ClientFailure) -> Credential
    ) throws(ClientFailure) -> [OpenedVault] {
        precondition(attempts > 0, "a vault is not opened without an attempt")
        let probed = try probe(&agent)
        var turn = VaultHolder.Turn(whenLong: whenWaiting)
        try turn.wait(location)
        var request = request
        if !probed.costlyKeys.isEmpty { request.triesDearKeys = try whenKeysAreCostly(probed) }
        var attempt = 1
        while true {
            let key = try credential(attempt)
            request.credential = key.kind
            // A person who types takes longer than a turn does.
            if attempts > 1 { turn = VaultHolder.Turn(whenLong: whenWaiting) }
            var answer = try agent.request(request, Enclosure(secret: key.secret.duplicate()))
            while try turn.comesAgain(after: answer.outcome, location) {
                answer = try agent.request(request, Enclosure(secret: key.secret.duplicate()))
            }
            if answer.outcome.code == .ok { return answer.replies }
            guard answer.outcome.code == .wrongPassword, attempt < attempts else { throw ClientFailure(answer.outcome) }
            attempt += 1
        }
    }
}

extension AgentConnection {
    /// Starts an agent and greets it. It ends with the connection, unless it was unlocked to stay.
    ///
    /// - Throws: `.failSafe` for an agent that others could have changed, `.other` when it does not start or is of
    ///   another version.
    public static func toNew(traits: ClientTraits) throws(ClientFailure) -> AgentConnection {
        try AgentConnection(AgentLauncher.start().takeChannel(), traits: traits, isNew: true)
    }

    /// Starts an agent for `body`, and waits for its end when the connection was closed: the vault is free afterwards.
    ///
    /// - Parameter mayStay: whether the agent may go on, and is not waited for, after what `body` has returned.
    public static func withNew<R>(
        traits: ClientTraits, mayStay: (R) -> Bool = { _ in false },
        _ body: (consuming AgentConnection) throws(ClientFailure) -> R
    ) throws(ClientFailure) -> R {
        let started = try AgentLauncher.start()
        let pid = started.pid
        let result: Result<R, ClientFailure>
        do throws(ClientFailure) {
            result = .success(try body(AgentConnection(started.takeChannel(), traits: traits, isNew: true)))
        } catch {
            result = .failure(error)
        }
        if case .success(let value) = result, mayStay(value) { return value }
        AgentLauncher.waitForEnd(of: pid)
        return try result.get()
    }

    /// Unlocks a vault in an agent that stays until it locks, and gives the connection to it.
    ///
    /// - Parameter request: how long it stays.
    /// - Throws: what `VaultOpening.unlock` throws.
    public static func unlocking(
        _ opening: VaultOpening, _ request: UnlockVault = UnlockVault(), traits: ClientTraits, attempts: Int = 1,
        credential: (Int) throws(ClientFailure) -> Credential
    ) throws(ClientFailure) -> AgentConnection {
        try opening.waitForTurn()
        var agent = try toNew(traits: traits)
        var request = request
        request.stays = true
        _ = try opening.unlock(&agent, request, attempts: attempts, credential: credential)
        return agent
    }
}
