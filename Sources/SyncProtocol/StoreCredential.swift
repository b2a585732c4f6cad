// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import SecretMemory

/// `StoreCredential` holds a name and a secret that a server asks for: user and password, access key and secret key, an
/// empty name and a refresh token, a code and its verifier, an empty name and what rclone is given for a remote.
/// Both lie in locked memory, as texts that end with a zero, which is how they travel and how libcurl takes them.
public struct StoreCredential: ~Copyable {
    /// The longest, in bytes: both texts with their ends.
    public static let byteCountMax = 8 << 10

    private let bytes: SecretBytes
    /// Where the secret begins.
    private let second: Int

    /// Takes a name and a secret; nil for bytes of another form.
    ///
    /// - Parameters:
    ///   - bytes: two texts, each with a zero behind it.
    ///   - settings: on a WebDAV server the first has no colon, which would end it in the header.
    public init?(_ bytes: consuming SecretBytes, for settings: StoreSettings) {
        guard (2...Self.byteCountMax).contains(bytes.byteCount) else { return nil }
        let mayHaveColon = if case .webDAV = settings { false } else { true }
        let second: Int? = unsafe bytes.withUnsafeBytes { raw in
            let ends = raw.indices.filter { unsafe raw[$0] == 0 }
            guard ends.count == 2, ends[1] == raw.count - 1 else { return nil }
            let isName = unsafe !raw[..<ends[0]].contains { $0 < 0x20 || !mayHaveColon && $0 == UInt8(ascii: ":") }
            return isName ? ends[0] + 1 : nil
        }
        guard let second else { return nil }
        self.second = second
        self.bytes = bytes
    }

    /// Makes the credential of a name that is empty and a secret.
    ///
    /// - Returns: nil where it is too long or has a zero.
    public init?(secret: UnsafeRawBufferPointer) {
        guard secret.count + 2 <= Self.byteCountMax, unsafe !secret.contains(0) else { return nil }
        var bytes = SecretBytes(zeroes: secret.count + 2)
        unsafe bytes.withUnsafeMutableBytes { target in
            unsafe UnsafeMutableRawBufferPointer(rebasing: target[1...]).copyMemory(from: secret)
        }
        self.bytes = bytes
        second = 1
    }

    /// Lends the bytes as they travel. The pointer must not leave `body`.
    public borrowing func withPacket<R>(_ body: (borrowing SecretBytes) -> R) -> R { body(bytes) }

    /// Lends the two texts. The pointers must not leave `body`.
    public borrowing func withTexts<R>(_ body: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> R) -> R {
        unsafe bytes.withUnsafeBytes { raw in
            let texts = unsafe raw.baseAddress!.assumingMemoryBound(to: CChar.self)
            return unsafe body(texts, texts + second)
        }
    }
}
