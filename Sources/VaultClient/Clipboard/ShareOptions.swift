// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What `share` is told.
struct ShareOptions: Sendable, Equatable {
    var note: String
    var target: ShareTarget
    /// Where `--to file` writes.
    var output: String?
    /// Through the terminal, although every program on the way can read it.
    var usesTerminal = false
    var allowsDisk = false
}

/// Where a shared note goes.
enum ShareTarget: String, Sendable, CaseIterable {
    case clip, file
}
