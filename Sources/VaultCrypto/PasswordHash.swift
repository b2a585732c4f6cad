// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import SecretMemory

/// `PasswordHash` is an Argon2id hash of a password as a PHC string, e.g. `$argon2id$v=19$m=65536,t=3,p=4$salt$hash`.
///
/// Only the one form that we write is read: fields in this order, no leading zeros, unpadded canonical base64. Spec:
/// C2SP phc-strings, docs/format.md §6; vectors: Vectors/phc_argon2id.json.
public struct PasswordHash: Sendable, Equatable {
    public let cost: Argon2Cost
    /// 8 to 48 bytes; 32 when we made it.
    public let salt: [UInt8]
    /// 12 to 64 bytes; 32 when we made it.
    public let hash: [UInt8]

    /// Hashes a password under a fresh salt.
    ///
    /// - Throws: `CryptoError.costOutOfRange`, `.outOfMemory`, `.libraryFailure`.
    public static func make(
        password: borrowing SecretBytes, cost: Argon2Cost, memoryByteCount: UInt64
    ) throws(CryptoError) -> PasswordHash {
        guard cost.isAcceptable(memoryByteCount: memoryByteCount) else { throw CryptoError(.costOutOfRange) }
        let salt = try SecureRandom.bytes(Argon2id.saltByteCount)
        let hash = try Argon2id.insecureDerive(password: password, salt: salt, cost: cost, byteCount: 32)
        return PasswordHash(cost: cost, salt: salt, hash: unsafe hash.withUnsafeBytes { unsafe Array($0) })
    }

    /// Returns whether a password has this hash, compared in constant time. A cost outside of the limits is refused
    /// first.
    ///
    /// - Throws: `CryptoError.costOutOfRange`, `.outOfMemory`, `.libraryFailure`.
    public func verify(_ password: borrowing SecretBytes, memoryByteCount: UInt64) throws(CryptoError) -> Bool {
        guard cost.isAcceptable(memoryByteCount: memoryByteCount) else { throw CryptoError(.costOutOfRange) }
        return try insecureVerify(password)
    }

    /// Verifies with any cost: for vectors.
    package func insecureVerify(_ password: borrowing SecretBytes) throws(CryptoError) -> Bool {
        let made = try Argon2id.insecureDerive(password: password, salt: salt, cost: cost, byteCount: hash.count)
        return unsafe made.withUnsafeBytes { one in
            unsafe hash.withUnsafeBytes { other in unsafe SafeCompare.equal(one, other) }
        }
    }

    public var encoded: String {
        "$argon2id$v=19$m=\(cost.memoryKiB),t=\(cost.iterations),p=\(cost.parallelism)"
            + "$\(Base64.encode(salt))$\(Base64.encode(hash))"
    }

    private init(cost: Argon2Cost, salt: [UInt8], hash: [UInt8]) {
        self.cost = cost
        self.salt = salt
        self.hash = hash
    }

    /// Reads a hash in the form of a PHC string.
    ///
    /// - Throws: `CryptoError.badEncoding` for anything but the one form.
    public init(parsing text: String) throws(CryptoError) {
        let fields = text.utf8.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false).map { String($0) }
        guard text.utf8.count <= 256, fields.count == 6, fields[0] == "", fields[1] == "argon2id", fields[2] == "v=19"
        else {
            throw CryptoError(.badEncoding)
        }
        cost = try Self.cost(fields[3] ?? "")
        guard let salt = Base64.decode(fields[4] ?? ""), let hash = Base64.decode(fields[5] ?? ""),
            (8...48).contains(salt.count), (12...64).contains(hash.count)
        else { throw CryptoError(.badEncoding) }
        self.salt = salt
        self.hash = hash
    }

    private static func cost(_ text: String) throws(CryptoError) -> Argon2Cost {
        let parts = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw CryptoError(.badEncoding) }
        var values: [UInt32] = []
        for (part, name) in zip(parts, ["m=", "t=", "p="]) {
            let digits = part.dropFirst(2)
            // Digits only and no leading zero: one number has one spelling (ThreatModel B03).
            guard part.starts(with: name.utf8), !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }),
                digits.first != 0x30, let number = UInt32(String(digits) ?? "")
            else { throw CryptoError(.badEncoding) }
            values.append(number)
        }
        guard values[2] < 1 << 24, values[0] >= 8 * values[2] else { throw CryptoError(.badEncoding) }
        return Argon2Cost(memoryKiB: values[0], iterations: values[1], parallelism: values[2])
    }
}
