// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import VaultTesting

/// Runs the built `vault-parse recovery-page`.
enum PageProcess {
    static func run(_ input: [UInt8], arguments: [String] = ["recovery-page"]) throws -> ProgramRun {
        try ProgramRun(Repository.program("vault-parse"), arguments, input: input)
    }
}
