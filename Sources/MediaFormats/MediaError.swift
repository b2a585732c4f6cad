// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `MediaError` tells of a picture that cannot be read or stripped. It says where, never what stood there.
public struct MediaError: Error, Sendable, Equatable {
    public struct Code: Hashable, Sendable {
        let raw: Int
        /// The file ends too early.
        public static let truncated = Code(raw: 1)
        /// A length, count or order of parts that the format does not allow.
        public static let malformed = Code(raw: 2)
        /// Above `PhotoMetadata.byteCountMax`.
        public static let tooLarge = Code(raw: 3)
        /// Not a format that metadata can be taken from.
        public static let notSupported = Code(raw: 4)
        /// Perhaps valid, but it has a part of unknown type, whose content cannot be determined.
        public static let notUnderstood = Code(raw: 5)
        /// A stored checksum is not that of the bytes.
        public static let badChecksum = Code(raw: 6)
    }

    /// Compare this.
    public let code: Code
    /// First bad byte, in bytes from the start of the file.
    public let offset: Int?

    public init(_ code: Code, offset: Int? = nil) {
        self.code = code
        self.offset = offset
    }
}

extension MediaError: CustomStringConvertible {
    /// One line for a person; it carries nothing of the file.
    public var description: String {
        let reason =
            switch code {
            case .truncated: "the picture ends too early"
            case .malformed: "the picture is malformed"
            case .tooLarge: "the picture is larger than allowed"
            case .notSupported: "metadata cannot be removed from files of this type"
            case .notUnderstood: "a part of the picture is of an unknown kind"
            case .badChecksum: "a checksum in the picture is wrong"
            default: "the picture cannot be read"
            }
        guard let offset else { return reason }
        return "\(reason) (at byte \(offset))"
    }
}
