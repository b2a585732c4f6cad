// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// Reads environment variables.
enum Environment {
    /// The value as bytes; nil when it is not set.
    static func bytes(_ name: String) -> [UInt8]? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }

    /// The value as text; nil when it is not set or not UTF-8.
    static func text(_ name: String) -> String? { bytes(name).flatMap { String(validating: $0, as: UTF8.self) } }

    /// A password in the environment is seen by every child and by `ps e`: it is never used, and its owner is told.
    static func warnAboutPasswords() {
        for name in ["NOTEVAULT_PASSWORD", "NOTEVAULT_PASSPHRASE", "VAULT_PASSWORD"] {
            guard unsafe getenv(name) != nil else { continue }
            Streams.warn(
                "\(name) is not read: other programs can see it; use --password-file, --password-fd or NOTEVAULT_ASKPASS")
        }
    }
}
