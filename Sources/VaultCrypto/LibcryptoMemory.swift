// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CArgon2
internal import COpenSSL
internal import CSystemShims

/// `LibcryptoMemory` holds what libcrypto derives from our keys: its contexts hold key schedules and HMAC states,
/// and are in ordinary heap memory unless a program says otherwise.
///
/// A program that holds keys for long calls `divert` before anything else of libcrypto, uses every algorithm once, and
/// then calls `lock`: the tables that libcrypto makes at first use hold no secret and stay where they are, and each
/// small block from then on is in locked memory. See docs/decisions/0035-libcrypto-in-locked-memory.md.
public enum LibcryptoMemory {
    /// Seven times the most that an agent at work was seen to use.
    public static let arenaByteCount = 128 << 10

    /// Takes libcrypto's allocations over.
    ///
    /// - Returns: false when libcrypto has allocated something already: then nothing was changed.
    public static func divert() -> Bool {
        unsafe CRYPTO_set_mem_functions(vs_libcrypto_malloc, vs_libcrypto_realloc, vs_libcrypto_free) == 1
    }

    /// Lets small blocks come from locked memory from now on. The tables that are there by now stay.
    ///
    /// - Returns: false where the kernel has no memory for it.
    public static func lock() -> Bool { vs_libcrypto_arena_begin(arenaByteCount) == 0 }

    /// Whether all of libcrypto's contexts since `lock` were in memory that the kernel keeps out of swap.
    /// RLIMIT_MEMLOCK may forbid that for some.
    public static var isLocked: Bool {
        let state = vs_libcrypto_arena_state()
        return state.byteCount > 0 && state.lockedByteCount > 0 && state.unlockedCount == 0 && state.peakByteCount > 0
    }
}

/// `CryptoLibraries` says which libraries do the work, as they say themselves at run time.
package enum CryptoLibraries {
    /// The version of the library that was loaded, not of the headers that were compiled in, such as `OpenSSL 3.0.19 27
    /// Jan 2026`.
    package static var openSSL: String {
        guard let text = unsafe OpenSSL_version(OPENSSL_VERSION) else { return "unknown" }
        return unsafe String(cString: text)
    }

    /// libargon2 names no release; this is the newest version of the algorithm that it computes.
    package static var argon2Algorithm: String { "0x" + String(ARGON2_VERSION_NUMBER.rawValue, radix: 16) }
}
