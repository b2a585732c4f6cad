// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import COpenSSL

/// The name that ENML calls a file by: MD5 of its bytes, by libcrypto. It finds a file's place in a text and protects
/// nothing.
///
/// Without it, as where a system's rules forbid MD5, files have no name: they then stand at the end of their note.
@safe
final class MD5Name {
    private static let byteCount = 16

    private let context: OpaquePointer?
    private var isWhole: Bool

    init() {
        unsafe context = EVP_MD_CTX_new()
        isWhole = unsafe context != nil && EVP_DigestInit_ex(context, EVP_md5(), nil) == 1
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    func update(_ bytes: [UInt8]) {
        guard isWhole else { return }
        isWhole = unsafe bytes.withUnsafeBytes { unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) } == 1
    }

    /// In lower case; empty if the library has no MD5. Nothing can be added afterwards.
    func hexadecimal() -> String {
        var digest = [UInt8](repeating: 0, count: Self.byteCount)
        guard isWhole, unsafe EVP_DigestFinal_ex(context, &digest, nil) == 1 else { return "" }
        isWhole = false
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
