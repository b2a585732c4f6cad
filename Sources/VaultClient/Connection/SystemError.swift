// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// The system's words for an error number, in lower case as all messages are.
enum SystemError {
    static func text(_ number: Int32) -> String { unsafe String(cString: strerror(number)).lowercased() }
}
