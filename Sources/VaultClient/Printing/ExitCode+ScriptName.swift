// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol

extension ExitCode {
    /// The name under `error.code` in JSON; part of the schema of docs/cli.md, so it is written out.
    var scriptName: String {
        switch self {
        case .ok: "ok"
        case .other: "other"
        case .usage: "usage"
        case .locked: "locked"
        case .wrongPassword: "wrongPassword"
        case .notFound: "notFound"
        case .ambiguous: "ambiguous"
        case .conflict: "conflict"
        case .network: "network"
        case .localSaveFailed: "localSaveFailed"
        case .aborted: "aborted"
        case .failSafe: "failSafe"
        case .doneWithLosses: "doneWithLosses"
        case .integrity: "integrity"
        case .interrupted: "interrupted"
        }
    }
}
