// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ExitCode` is what the programs answer to their caller. Documented in docs/cli.md and by `vault help exit-codes`.
public enum ExitCode: UInt8, Sendable, CaseIterable {
    case ok = 0
    case other = 1
    case usage = 2
    case locked = 3
    case wrongPassword = 4
    case notFound = 5
    case ambiguous = 6
    case conflict = 7
    case network = 8
    case localSaveFailed = 9
    case aborted = 10
    case failSafe = 11
    case doneWithLosses = 12
    case integrity = 13
    case interrupted = 130

    /// One line for the table of exit codes.
    public var meaning: String {
        switch self {
        case .ok: "done"
        case .other: "another failure; the message says which"
        case .usage: "invalid command line"
        case .locked: "the vault is locked, or input is needed and --no-input was given"
        case .wrongPassword: "wrong password or key, or the vault is damaged: deliberately indistinguishable"
        case .notFound: "no such note, vault or file"
        case .ambiguous: "more than one note matches; the candidates are listed"
        case .conflict: "something else changed it meanwhile, or it already exists"
        case .network: "the network failed; everything is safe on this machine"
        case .localSaveFailed: "the change could not be saved on this machine"
        case .aborted: "cancelled"
        case .failSafe: "stopped by a fail-safe, such as an older copy of the vault"
        case .doneWithLosses: "done, but something could not be carried over; the report lists it"
        case .integrity: "integrity failure: the vault's files were damaged or changed"
        case .interrupted: "interrupted"
        }
    }
}
