// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims

extension [UInt8] {
    /// Overwrites the bytes with zeros, in a way that no optimiser removes.
    ///
    /// The array must be the only owner of its memory: otherwise a copy is made and wiped, and the bytes stay.
    package mutating func wipe() {
        unsafe withUnsafeMutableBytes { unsafe vs_wipe($0.baseAddress, $0.count) }
    }
}
