// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CArgon2
internal import CSystemShims
public import SecretMemory

/// `Argon2Cost` says what one derivation costs. The floor and the ceiling are here and nowhere else.
public struct Argon2Cost: Sendable, Equatable {
    public var memoryKiB: UInt32
    public var iterations: UInt32
    public var parallelism: UInt32

    public init(memoryKiB: UInt32, iterations: UInt32, parallelism: UInt32) {
        self.memoryKiB = memoryKiB
        self.iterations = iterations
        self.parallelism = parallelism
    }

    /// RFC 9106's second recommendation: our minimum for memory and iterations.
    public static let recommended = Argon2Cost(memoryKiB: 64 * 1024, iterations: 3, parallelism: 4)
    public static let memoryKiBMin: UInt32 = 64 * 1024
    public static let memoryKiBMax: UInt32 = 4 * 1024 * 1024
    public static let iterationsMin: UInt32 = 3
    public static let iterationsMax: UInt32 = 64
    public static let parallelismMax: UInt32 = 16

    /// Returns whether a file may ask for this. Checked before any memory is taken, since the numbers come from
    /// untrusted bytes (ThreatModel B01, B02).
    ///
    /// - Parameter memoryByteCount: this machine's memory, in bytes; half of it is a ceiling too.
    public func isAcceptable(memoryByteCount: UInt64) -> Bool {
        isBelowCeiling && memoryKiB >= Self.memoryKiBMin && UInt64(memoryKiB) * 1024 <= memoryByteCount / 2
            && iterations >= Self.iterationsMin && parallelism >= 1
    }

    /// The ceiling alone: vectors go below the floor to be quick, but must not take all of a machine either.
    package var isBelowCeiling: Bool {
        memoryKiB <= Self.memoryKiBMax && iterations <= Self.iterationsMax && parallelism <= Self.parallelismMax
    }
}

/// `Argon2id` derives keys by Argon2id v1.3 with libargon2. Spec: RFC 9106; vectors: Vectors/argon2id_rfc9106.json.
public enum Argon2id {
    public static let saltByteCount = 32

    /// Derives a 32-byte key from a password's bytes as they were typed.
    ///
    /// - Parameters:
    ///   - secret: a second factor that is not typed: RFC 9106's secret value K; empty for none.
    ///   - salt: 32 bytes.
    ///   - memoryByteCount: this machine's memory, in bytes.
    /// - Throws: `CryptoError.costOutOfRange` before any memory is taken, `.outOfMemory`, `.libraryFailure`.
    public static func deriveKey(
        password: borrowing SecretBytes, secret: borrowing SecretBytes = SecretBytes(zeroes: 0), salt: [UInt8],
        cost: Argon2Cost,
        memoryByteCount: UInt64
    ) throws(CryptoError) -> SymmetricKey {
        guard cost.isAcceptable(memoryByteCount: memoryByteCount) else { throw CryptoError(.costOutOfRange) }
        guard salt.count == saltByteCount else { throw CryptoError(.badSize) }
        return try SymmetricKey(
            insecureDerive(password: password, secret: secret, salt: salt, cost: cost, byteCount: 32))
    }

    /// Derives with any cost and size: for vectors and tests of PHC strings. Paths of a vault come through `deriveKey`
    /// and `PasswordHash`, which check the cost first.
    package static func insecureDerive(
        password: borrowing SecretBytes, secret: borrowing SecretBytes = SecretBytes(zeroes: 0), salt: [UInt8],
        associatedData: [UInt8] = [], cost: Argon2Cost, byteCount: Int
    ) throws(CryptoError) -> SecretBytes {
        var result: Int32 = 0
        let output = unsafe SecretBytes(byteCount: byteCount) { target in
            result = unsafe password.withUnsafeBytes { passwordBytes in
                unsafe secret.withUnsafeBytes { secretBytes in
                    unsafe run(passwordBytes, salt, secretBytes, associatedData, cost, target)
                }
            }
        }
        guard result != ARGON2_MEMORY_ALLOCATION_ERROR.rawValue else { throw CryptoError(.outOfMemory) }
        guard result == ARGON2_OK.rawValue else { throw CryptoError(.libraryFailure) }
        return output
    }

    private static func run(
        _ password: UnsafeRawBufferPointer, _ salt: [UInt8], _ secret: UnsafeRawBufferPointer,
        _ associatedData: [UInt8],
        _ cost: Argon2Cost, _ output: UnsafeMutableRawBufferPointer
    ) -> Int32 {
        // libargon2 takes mutable pointers but writes to none of these: the flags that would clear them stay off.
        unsafe salt.withUnsafeBytes { saltBytes in
            unsafe associatedData.withUnsafeBytes { dataBytes in
                var context = unsafe argon2_context()
                unsafe context.out = output.bytes
                unsafe context.outlen = UInt32(output.count)
                unsafe context.pwd = UnsafeMutablePointer(mutating: password.bytes)
                unsafe context.pwdlen = UInt32(password.count)
                unsafe context.salt = UnsafeMutablePointer(mutating: saltBytes.bytes)
                unsafe context.saltlen = UInt32(saltBytes.count)
                unsafe context.secret = UnsafeMutablePointer(mutating: secret.bytes)
                unsafe context.secretlen = UInt32(secret.count)
                unsafe context.ad = UnsafeMutablePointer(mutating: dataBytes.bytes)
                unsafe context.adlen = UInt32(dataBytes.count)
                unsafe context.t_cost = cost.iterations
                unsafe context.m_cost = cost.memoryKiB
                unsafe context.lanes = cost.parallelism
                unsafe context.threads = min(cost.parallelism, 16)
                unsafe context.version = UInt32(ARGON2_VERSION_13.rawValue)
                // Because the work is reading at random: with pages of 2 MiB it takes a fifth less time.
                // libargon2 wipes it before it gives it back (FLAG_clear_internal_memory is on by default).
                unsafe context.allocate_cbk = vs_large_pages_map
                unsafe context.free_cbk = vs_large_pages_unmap
                return unsafe argon2id_ctx(&context)
            }
        }
    }
}
