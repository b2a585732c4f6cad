// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Glibc

/// Counts wrong passwords for a vault in the runtime directory, so that the waiting time grows also when each try starts a new agent.
///
/// Not a defence against who can delete the file (our own user); Argon2id is. It slows a hand at an unattended keyboard.
struct AttemptLog {
    private let path: String?
    private static let countMax: UInt8 = 6

    init(vaultID: [UInt8]) {
        path = (try? AgentAddress.socketPath(vaultID: vaultID)).map { $0 + ".tries" }
    }

    /// Seconds to wait before the next answer: none, then 0.25 doubling to 8.
    func failedAgain() -> Double {
        let count = min(read() + 1, Self.countMax)
        write(count)
        return 0.125 * Double(1 << Int(count))
    }

    func succeeded() {
        if let path { unsafe unlink(path) }
    }

    private func read() -> UInt8 {
        guard let path else { return 0 }
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        var count: UInt8 = 0
        return unsafe Glibc.read(file, &count, 1) == 1 ? count : 0
    }

    private func write(_ count: UInt8) {
        guard let path else { return }
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        var value = count
        _ = unsafe Glibc.write(file, &value, 1)
    }
}
