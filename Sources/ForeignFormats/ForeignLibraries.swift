// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import COpenSSL

/// `ForeignLibraries` runs early the one-time setup that the importers' libraries do at their first use.
public enum ForeignLibraries {
    /// Prepares the libraries; it must be called before the process loses its right to open files: from then on they
    /// look nothing up.
    ///
    /// libcrypto would read its settings; MD5 needs none of them.
    public static func prepare() -> Bool {
        guard OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil) == 1 else { return false }
        _ = MD5Name().hexadecimal()
        return MarkupParser.prepare()
    }
}
