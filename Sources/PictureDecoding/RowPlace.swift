// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Where the pixels of a row belong: `count` of them at `x`, `x + step` and so on.
struct RowPlace {
    let x: Int
    let y: Int
    let step: Int
    let count: Int
}
