// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import Glibc

extension Environment {
    /// A password in the environment is seen by every child and by `ps e`: it is never used, and its owner is told.
    static func warnAboutPasswords() {
        for name in ["NOTEVAULT_PASSWORD", "NOTEVAULT_PASSPHRASE", "VAULT_PASSWORD"] {
            guard unsafe getenv(name) != nil else { continue }
            Streams.warn(
                "\(name) is not read: other programs can see it; use --password-file, --password-fd or NOTEVAULT_ASKPASS"
            )
        }
    }
}
