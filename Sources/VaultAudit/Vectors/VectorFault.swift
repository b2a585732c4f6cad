// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// The test itself cannot be run as it stands: a field is missing or makes no sense. Always a failure, whatever was
/// expected.
struct VectorFault: Error {
    /// In our words, never in the file's.
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
