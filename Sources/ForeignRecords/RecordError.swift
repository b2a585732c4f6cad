// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Bytes between the client and `vault-parse` that are not what they should be. It says where, never what stood there.
public struct RecordError: Error, Sendable, Equatable {
    public struct Code: Hashable, Sendable {
        let raw: Int
        /// The input ends too early.
        public static let truncated = Code(raw: 1)
        /// Bytes are left after the last field.
        public static let trailingBytes = Code(raw: 2)
        /// A length or count above its cap.
        public static let tooLarge = Code(raw: 3)
        public static let notUTF8 = Code(raw: 4)
        /// A second encoding of a value that has only one.
        public static let notCanonical = Code(raw: 5)
        /// A path that is empty, absolute, or leaves its folder.
        public static let badPath = Code(raw: 6)
        /// Made by another release of the other program.
        public static let unknownVersion = Code(raw: 7)
        /// A loss that this program has no sentence for.
        public static let unknownLoss = Code(raw: 8)
        /// A time outside the years 1900 to 2200.
        public static let timeOutOfRange = Code(raw: 9)
    }

    /// Compare this.
    public let code: Code
    /// First bad byte, in bytes from the start of the frame's content.
    public let offset: Int?

    public init(_ code: Code, offset: Int? = nil) {
        self.code = code
        self.offset = offset
    }
}

extension RecordError: CustomStringConvertible {
    /// One line for a person; it carries nothing of the input.
    public var description: String {
        let reason =
            switch code {
            case .truncated: "it ends too early"
            case .trailingBytes: "bytes are left after its end"
            case .tooLarge: "a part of it is larger than allowed"
            case .notUTF8: "a text in it is not UTF-8"
            case .notCanonical: "a value in it is not in its one encoding"
            case .badPath: "its path is empty, absolute or leaves the folder"
            case .unknownVersion: "it comes from another release"
            case .unknownLoss: "it names an unknown loss"
            case .timeOutOfRange: "a time in it is out of range"
            default: "it is malformed"
            }
        guard let offset else { return reason }
        return "\(reason) (at byte \(offset))"
    }
}
