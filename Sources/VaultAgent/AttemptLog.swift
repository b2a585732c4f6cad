// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Glibc
internal import VaultCore

/// `AttemptLog` counts wrong passwords for a vault in the runtime directory, so that the waiting time grows also when
/// each try starts a new agent.
///
/// Not a defence against who can delete the file (our own user); Argon2id is. It slows a hand at an unattended
/// keyboard.
struct AttemptLog {
    private let path: String?
    private static let countMax: UInt8 = 6

    init(vaultID: [UInt8]) {
        path = (try? AgentAddress.socketPath(vaultID: vaultID)).map { $0 + ".tries" }
    }

    /// Returns the seconds until the next try may begin: 0.25 after the first failure, doubling to 8, less what has
    /// passed since.
    func secondsToWait() -> Double {
        let (count, failedAt) = read()
        guard count > 0 else { return 0 }
        let passed = Double(Machine.now - failedAt) / 1000
        let delay = 0.125 * Double(1 << Int(min(count, Self.countMax)))
        return passed >= 0 ? max(0, delay - passed) : delay
    }

    func failed() { write(min(read().count, Self.countMax - 1) + 1) }

    func succeeded() {
        if let path { unsafe unlink(path) }
    }

    /// Reads one byte of count, and eight of the last failure's time in milliseconds.
    private func read() -> (count: UInt8, failedAt: Int64) {
        guard let path else { return (0, 0) }
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return (0, 0) }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 9)
        guard unsafe bytes.withUnsafeMutableBytes({ unsafe Glibc.read(file, $0.baseAddress!, 9) }) == 9 else {
            return (0, 0)
        }
        return (bytes[0], Int64(bitPattern: bytes[1...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }))
    }

    private func write(_ count: UInt8) {
        guard let path else { return }
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        let now = UInt64(bitPattern: Machine.now)
        let bytes = [count] + stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: now >> $0) }
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress!, $0.count) }
    }
}
