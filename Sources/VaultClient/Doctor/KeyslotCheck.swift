// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import VaultFormat

/// `KeyslotCheck` says what one try of the password costs somebody who guesses, read from the header's clear fields.
/// Nothing here is trusted: the agent verifies the header when it opens it. Spec: docs/format.md §5
enum KeyslotCheck {
    struct Cost: Equatable {
        let memoryKiB: UInt32
        let iterations: UInt32
        let parallelism: UInt32
    }

    private static let name = "password cost"
    // The numbers of docs/format.md §5, as `Argon2Cost` in VaultCrypto has them too: a front end links no cryptography,
    // and VaultFormat, which both could ask, has layouts and no policy.
    private static let floor = Cost(memoryKiB: 65_536, iterations: 3, parallelism: 1)
    /// RFC 9106 section 4, the second recommended set.
    private static let today = Cost(memoryKiB: 65_536, iterations: 3, parallelism: 4)

    /// How long a try should take, in milliseconds: what `init` and `passwd` aim at.
    private static let targetMilliseconds = PasswordCost.targetMilliseconds

    static func run(_ location: VaultLocation, _ context: Context) -> DoctorCheck {
        let path = String(decoding: location.directory, as: UTF8.self)
        for file in ["header", "header.2"] {
            let descriptor = unsafe open(path + "/" + file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            if let bytes = try? FileBytes.read(descriptor, max: 4096), let costs = costs(bytes) {
                return judge(costs, chosen: chosen(context))
            }
        }
        return .warning(name, "the header cannot be read, so the cost of the password is unknown", hint: "vault check")
    }

    /// Returns what this machine would choose now, measured by an agent of our own; nil when that cannot be found out.
    private static func chosen(_ context: Context) -> Cost? {
        let measured = try? Session.withNewAgent(context) { conversation throws(ClientFailure) in
            let (outcome, replies) = try conversation.ask(MeasureCost(targetMilliseconds: targetMilliseconds))
            try Session.require(outcome)
            return replies.first
        }
        return measured.map { Cost(memoryKiB: $0.memoryKiB, iterations: $0.iterations, parallelism: $0.parallelism) }
    }

    /// Reads the costs of the password slots.
    ///
    /// ```
    /// offset  size  field of the header        offset  size  field of a keyslot
    ///      0     4  magic  "VLT1"                   0     1  kind
    ///      4     2  version, 1                     17     4  memoryKiB
    ///     38     1  count, 1 to 8                  21     4  iterations
    ///     39  165n  keyslots                       25     4  parallelism
    /// ```
    /// In the header of a copy, "VLC1", count and keyslots lie 16 bytes further on.
    ///
    /// - Returns: nil for what is no header of version 1.
    static func costs(_ bytes: [UInt8]) -> [Cost]? {
        let isCopy = bytes.starts(with: "VLC1".utf8)
        let header = isCopy && bytes.count > 38 ? Array(bytes[..<22] + bytes[38...]) : bytes
        guard header.count > 39, isCopy || header.starts(with: "VLT1".utf8), header[4] == 0, header[5] == 1 else {
            return nil
        }
        let count = Int(header[38])
        guard (1...8).contains(count), header.count >= 39 + 165 * count else { return nil }
        return (0..<count).map { 39 + 165 * $0 }.filter { Keyslot.Kind(rawValue: header[$0])?.usesArgon2 == true }.map {
            slot in
            Cost(
                memoryKiB: number(header, slot + 17), iterations: number(header, slot + 21),
                parallelism: number(header, slot + 25))
        }
    }

    /// Compares the costs of the keyslots with the allowed minimum, with what a new vault gets, and with what this
    /// machine would choose.
    ///
    /// - Parameter chosen: what this machine would choose; a slot with less than half of its work is told of, since no
    ///   two measures are the same.
    static func judge(_ costs: [Cost], chosen: Cost? = nil) -> DoctorCheck {
        guard let least = costs.min(by: { work($0) < work($1) }) else {
            return .ok(name, "there is no password, only a recovery key")
        }
        let text = "Argon2id with " + words(least)
        let isBelow = costs.contains {
            $0.memoryKiB < floor.memoryKiB || $0.iterations < floor.iterations || $0.parallelism < floor.parallelism
        }
        if isBelow {
            return .bad(
                name, "\(text) is below the allowed minimum: such a header is refused",
                hint: "restore the header from a backup")
        }
        if costs.contains(where: { work($0) < work(today) }) {
            return .warning(
                name, "\(text) is less than a new vault gets today", hint: "vault passwd --upgrade raises it")
        }
        guard let chosen else { return .ok(name, text) }
        if costs.contains(where: { work($0) * 2 < work(chosen) }) {
            return .warning(
                name, "\(text); this machine would choose \(words(chosen)) today",
                hint: "vault passwd --upgrade raises it")
        }
        return .ok(name, "\(text); this machine would choose \(words(chosen))")
    }

    private static func words(_ cost: Cost) -> String {
        "\(cost.memoryKiB >> 10) MiB, t=\(cost.iterations), p=\(cost.parallelism)"
    }

    /// Returns the memory that is filled, over all passes. More lanes make it quicker for the owner, not cheaper for
    /// the guesser.
    private static func work(_ cost: Cost) -> UInt64 { UInt64(cost.memoryKiB) * UInt64(cost.iterations) }

    private static func number(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
