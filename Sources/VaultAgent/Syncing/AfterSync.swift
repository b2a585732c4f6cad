// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore

/// `AfterSync` reads and sends everything over the remotes, and then begins a job for which this must not be old: a
/// change of the key ends what other devices say under the one of before, and what was not sent is not missing.
final class AfterSync: Job {
    private let hosts: [SyncHost]
    private let refusal: (SyncHost) -> Outcome?
    private let make: () throws(VaultError) -> any Job
    private var next: (any Job)?

    /// Begins a round over each remote.
    ///
    /// - Parameter refusal: says why the job cannot begin after it.
    init(
        _ hosts: [SyncHost], unless refusal: @escaping (SyncHost) -> Outcome?,
        _ make: @escaping () throws(VaultError) -> any Job
    ) {
        self.hosts = hosts
        self.refusal = refusal
        self.make = make
        for host in hosts { host.begin() }
    }

    /// Begins a round before a change of the key.
    ///
    /// - Parameter revoking: the device that is given up with it.
    convenience init(
        _ hosts: [SyncHost], _ revoking: Revocation, _ make: @escaping () throws(VaultError) -> any Job
    ) {
        self.init(
            hosts,
            unless: { host in
                host.refusalOfEndedEpoch ?? host.refusalOfRotation(besides: revoking) ?? host.refusalOfOldState
            }, make)
    }

    var isWaiting: Bool { next?.isWaiting ?? true }

    func step(_ connection: Connection) -> Outcome? {
        if next != nil { return next?.step(connection) }
        guard !hosts.contains(where: \.isRunning) else { return nil }
        for host in hosts {
            if let refused = refusal(host) { return refused }
        }
        do throws(VaultError) { next = try make() } catch { return error.outcome }
        return nil
    }
}
