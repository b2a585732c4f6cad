// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory

/// A password on its way to the thread that derives a key from it. It is wiped with the last one who holds the box.
final class PasswordBox: Sendable {
    let secret: SecretBytes

    init(_ secret: consuming SecretBytes) { self.secret = secret }
}
