// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import VaultClient

@main
struct Vault {
    static func main() {
        // exit() skips deinits: all secrets are gone by the time that run() has returned.
        exit(Client.run())
    }
}
