// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SearchText

/// `TagKey` makes the keys by which tags and titles are compared, without regard to case and diacritics.
enum TagKey {
    static func bytes(_ tag: String) -> [UInt8] { TextFold.fold(tag) }

    /// Returns whether a name, `/` between its parts, is another one or lies below it.
    static func isAtOrBelow(_ path: [UInt8], _ above: [UInt8]) -> Bool {
        path == above || (path.count > above.count && path[above.count] == 0x2F && path.starts(with: above))
    }
}
