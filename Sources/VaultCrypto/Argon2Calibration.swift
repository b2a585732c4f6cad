// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import SecretMemory

extension Argon2Cost {
    /// What is preferred where memory allows: four times RFC 9106's second recommendation, with its passes and lanes.
    static let preferredMemoryKiB: UInt32 = 256 * 1024

    /// Returns a cost that takes about `targetSeconds` on this machine, never below RFC 9106's second recommendation.
    ///
    /// Memory first, because it is what an attacker's hardware lacks: 256 MiB where a quarter of the machine's memory
    /// allows it and three passes take no more than twice the time, more where there is time for it, and more
    /// iterations only at the limit.
    ///
    /// - Parameters:
    ///   - targetSeconds: 0 gives the floor.
    ///   - memoryByteCount: this machine's memory, in bytes; at most a quarter of it, and 1 GiB, is used.
    /// - Throws: `CryptoError` when a trial derivation fails.
    public static func calibrated(targetSeconds: Double, memoryByteCount: UInt64) throws(CryptoError) -> Argon2Cost {
        try chosen(targetSeconds: targetSeconds, memoryByteCount: memoryByteCount, measure: measure)
    }

    /// Returns a cost of about `targetSeconds`, never below the recommended one: as much memory as is reasonable, then
    /// iterations.
    ///
    /// - Parameter measure: seconds of one derivation. What else runs on the machine makes it longer, never shorter.
    package static func chosen(
        targetSeconds: Double, memoryByteCount: UInt64, measure: (Argon2Cost) throws(CryptoError) -> Double
    ) throws(CryptoError) -> Argon2Cost {
        var cost = recommended
        guard targetSeconds > 0 else { return cost }
        let memoryMax = UInt32(clamping: min(memoryByteCount / 4 / 1024, 1024 * 1024))
        cost.memoryKiB = max(cost.memoryKiB, min(preferredMemoryKiB, memoryMax / 1024 * 1024))
        var seconds = try best(cost, measure)
        while seconds > targetSeconds * 2, cost.memoryKiB > recommended.memoryKiB {
            cost.memoryKiB = max(cost.memoryKiB / 2, recommended.memoryKiB)
            seconds = try best(cost, measure)
        }
        // The time grows with the memory, so more of it need not be tried: somebody waits for a vault.
        while seconds * 2 < targetSeconds, cost.memoryKiB * 2 <= memoryMax {
            cost.memoryKiB *= 2
            seconds *= 2
        }
        let perIteration = seconds / Double(cost.iterations)
        let wanted = UInt32(clamping: Int((targetSeconds / max(perIteration, 0.001)).rounded(.down)))
        cost.iterations = min(max(wanted, cost.iterations), iterationsMax)
        return cost
    }

    /// Returns the fastest of up to four measures: the cost stays for years, and a moment in which the machine was busy
    /// must not decide it.
    private static func best(
        _ cost: Argon2Cost, _ measure: (Argon2Cost) throws(CryptoError) -> Double
    ) throws(CryptoError) -> Double {
        var best = try measure(cost)
        for _ in 0..<3 {
            let again = try measure(cost)
            let agree = abs(again - best) <= 0.05 * best
            best = min(best, again)
            if agree { break }
        }
        return best
    }

    /// Measures by the clock, or by the processor's time shared among the lanes where that is less: others may have had
    /// the processors meanwhile.
    private static func measure(_ cost: Argon2Cost) throws(CryptoError) -> Double {
        let password = SecretBytes(zeroes: 16)
        let (wall, work) = (seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID))
        _ = try Argon2id.insecureDerive(
            password: password, salt: [UInt8](repeating: 1, count: Argon2id.saltByteCount), cost: cost, byteCount: 32)
        let lanes = Double(max(1, min(Int(cost.parallelism), sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
        return min(seconds(CLOCK_MONOTONIC) - wall, (seconds(CLOCK_PROCESS_CPUTIME_ID) - work) / lanes)
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
