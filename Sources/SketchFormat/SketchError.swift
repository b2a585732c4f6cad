// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `SketchError` says why bytes are not a sketch. It says where, never what stood there.
public struct SketchError: Error, Sendable, Equatable {
    public struct Code: Hashable, Sendable {
        let raw: Int
        /// It does not begin as a sketch does, or is not SVG at all.
        public static let notASketch = Code(raw: 1)
        /// Something is in a place where a sketch cannot have it.
        public static let unexpected = Code(raw: 2)
        /// A number, count or colour that a sketch cannot hold.
        public static let outOfRange = Code(raw: 3)
        /// A second way to write a sketch, or a picture that differs from the strokes.
        public static let notCanonical = Code(raw: 4)
        /// More than 16 MiB.
        public static let tooLarge = Code(raw: 5)
        public static let tooManyStrokes = Code(raw: 6)
        public static let tooManyPoints = Code(raw: 7)
        /// Not UTF-8, or with characters that XML forbids.
        public static let notText = Code(raw: 8)
        /// XML that is not well-formed.
        public static let malformed = Code(raw: 9)
        /// A document type with declarations, where entities would come from.
        public static let declarations = Code(raw: 10)
        /// A reference to an entity other than XML's own five.
        public static let unknownEntity = Code(raw: 11)
        /// Elements within elements, deeper than 64.
        public static let tooDeep = Code(raw: 12)
        public static let tooManyAttributes = Code(raw: 13)
        public static let tooManyElements = Code(raw: 14)
    }

    /// Compare this.
    public let code: Code
    /// First bad byte, in bytes from the start.
    public let offset: Int?

    public init(_ code: Code, offset: Int? = nil) {
        self.code = code
        self.offset = offset
    }
}

extension SketchError: CustomStringConvertible {
    /// One line for a person; it carries nothing of the input.
    public var description: String {
        let reason =
            switch code {
            case .notASketch: "it does not begin as a sketch"
            case .unexpected: "it holds something that a sketch cannot have"
            case .outOfRange: "a value in it is out of range"
            case .notCanonical: "it is not in the one form of a sketch, or shows another picture than it holds"
            case .tooLarge: "it is larger than 16 MiB"
            case .tooManyStrokes: "it has more than 10,000 strokes"
            case .tooManyPoints: "it has more than 1,000,000 points"
            case .notText: "it is not UTF-8 text"
            case .malformed: "it is not well-formed XML"
            case .declarations: "its document type contains declarations"
            case .unknownEntity: "it refers to an entity that XML does not have"
            case .tooDeep: "its elements are nested too deeply"
            case .tooManyAttributes: "an element has too many attributes"
            case .tooManyElements: "it has too many elements"
            default: "it is malformed"
            }
        guard let offset else { return reason }
        return "\(reason) (at byte \(offset))"
    }
}
