// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory

/// Vectors are public: only here may secrets come from arrays and go back.
extension SecretBytes {
    init(array: [UInt8]) {
        unsafe self.init(byteCount: array.count) { target in unsafe target.copyBytes(from: array) }
    }

    var array: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}
