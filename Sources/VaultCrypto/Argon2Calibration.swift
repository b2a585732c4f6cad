// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory

extension Argon2Cost {
    /// A cost that takes about `targetSeconds` on this machine, never below RFC 9106's second recommendation.
    ///
    /// More memory first, because it is what an attacker's hardware lacks; more iterations only at the limit.
    ///
    /// - Parameters:
    ///   - targetSeconds: 0 gives the floor.
    ///   - memoryByteCount: this machine's memory, in bytes; at most a quarter of it, and 1 GiB, is used.
    /// - Throws: `CryptoError` when a trial derivation fails.
    public static func calibrated(targetSeconds: Double, memoryByteCount: UInt64) throws(CryptoError) -> Argon2Cost {
        var cost = recommended
        guard targetSeconds > 0 else { return cost }
        let memoryMax = UInt32(clamping: min(memoryByteCount / 4 / 1024, 1024 * 1024))
        var seconds = try measure(cost)
        while seconds * 2 < targetSeconds, cost.memoryKiB * 2 <= memoryMax {
            cost.memoryKiB *= 2
            seconds = try measure(cost)
        }
        let perIteration = seconds / Double(cost.iterations)
        let wanted = UInt32(clamping: Int((targetSeconds / max(perIteration, 0.001)).rounded(.down)))
        cost.iterations = min(max(wanted, cost.iterations), iterationsMax)
        return cost
    }

    private static func measure(_ cost: Argon2Cost) throws(CryptoError) -> Double {
        let password = SecretBytes(zeroes: 16)
        let clock = ContinuousClock()
        let begin = clock.now
        _ = try Argon2id.insecureDerive(
            password: password, salt: [UInt8](repeating: 1, count: Argon2id.saltByteCount), cost: cost, byteCount: 32)
        let elapsed = begin.duration(to: clock.now)
        return Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    }
}
