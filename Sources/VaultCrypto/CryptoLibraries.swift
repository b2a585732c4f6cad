// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CArgon2
internal import COpenSSL

/// Which libraries do the work, as they say themselves at run time.
package enum CryptoLibraries {
    /// For example `OpenSSL 3.0.19 27 Jan 2026`: of the library that was loaded, not of the headers that were compiled
    /// in.
    package static var openSSL: String {
        guard let text = unsafe OpenSSL_version(OPENSSL_VERSION) else { return "unknown" }
        return unsafe String(cString: text)
    }

    /// libargon2 names no release; this is the newest version of the algorithm that it computes.
    package static var argon2Algorithm: String { "0x" + String(ARGON2_VERSION_NUMBER.rawValue, radix: 16) }
}
