// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Something of a foreign file that the note does not carry in its place. What could not be placed stays in the text,
/// unless the sentence says otherwise.
public struct Loss: Sendable, Hashable {
    /// Longest detail, in bytes.
    public static let detailByteCountMax = 64

    public let code: Code
    /// Which or how many: a short name of ASCII letters, digits, "_", "-" and ".", or a number; often empty. Never text
    /// of the note, and nothing that a terminal would obey.
    public let detail: String

    /// A detail that is not a short name is left out.
    public init(_ code: Code, detail: String = "") {
        self.code = code
        self.detail = Self.isName(detail) ? detail : ""
    }

    /// Whether a text may be a detail.
    public static func isName(_ text: String) -> Bool {
        text.utf8.count <= detailByteCountMax
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}
