// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// One name in a vault's directory, and what the file system tells of it.
public struct InspectedFile: Encodable, Sendable, Equatable {
    /// Bytes other than printable ASCII as `\xNN`.
    public let name: String
    /// `file`, `directory`, `link` or `other`.
    public let kind: String
    public let byteCount: Int
    /// Permission bits in octal, e.g. `600`.
    public let mode: String
    /// Last change of the content, RFC 3339 in UTC.
    public let modified: String
    /// The name as it is.
    let bytes: [UInt8]
    /// The time of the last change since 1970.
    let seconds: Int

    private enum CodingKeys: CodingKey { case name, kind, byteCount, mode, modified }

    init(bytes: [UInt8], kind: String, byteCount: Int, mode: String, modified: String, seconds: Int) {
        self.bytes = bytes
        name = PrintableText.escaped(bytes)
        self.kind = kind
        self.byteCount = byteCount
        self.mode = mode
        self.modified = modified
        self.seconds = seconds
    }
}
