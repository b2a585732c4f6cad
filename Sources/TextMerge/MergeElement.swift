// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// One line of a merge's result.
enum MergeElement: Equatable {
    case token(UInt32)
    /// A conflict begins with our side.
    case ours
    /// Their side of the conflict begins.
    case theirs
    case end
}
