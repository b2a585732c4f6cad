// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SearchText

/// Tags and titles are compared without regard to case and diacritics.
enum TagKey {
    static func bytes(_ tag: String) -> [UInt8] { TextFold.fold(tag) }
}
