// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
public import SecretMemory

/// `SignInCode` is the code that a service shows to whoever lets this device in, as it was typed.
public enum SignInCode {
    private static let byteCounts = 8...512

    /// Returns it as a request that says `signsIn` takes it: a name, a zero, an empty password, a zero.
    ///
    /// - Throws: `.usage` for what cannot be one.
    public static func secret(_ typed: borrowing SecretBytes) throws(ClientFailure) -> SecretBytes {
        let count = typed.byteCount
        guard byteCounts.contains(count) else { throw .usage("not a Dropbox code", hint: "copy all of it") }
        var pair = SecretBytes(zeroes: count + 2)
        unsafe pair.withUnsafeMutableBytes { target in
            unsafe typed.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
        }
        return pair
    }
}
