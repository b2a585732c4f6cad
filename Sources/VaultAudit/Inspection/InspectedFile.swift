// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// One name in a vault's directory, and what the file system tells of it.
public struct InspectedFile: Codable, Sendable, Equatable {
    /// Bytes other than printable ASCII as `\xNN`.
    public let name: String
    /// `file`, `directory`, `link` or `other`.
    public let kind: String
    public let byteCount: Int
    /// Permission bits in octal, e.g. `600`.
    public let mode: String
    /// Last change of the content, RFC 3339 in UTC.
    public let modified: String
}
