// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What was left out of a foreign drawing when it became a sketch, and how often.
public struct SketchLoss: Sendable, Hashable {
    public let code: Code
    /// At least 1.
    public let count: UInt32

    public init(_ code: Code, count: UInt32) {
        self.code = code
        self.count = max(count, 1)
    }

    /// The raw values are those of the record: never reused.
    public enum Code: UInt8, Sendable, Hashable, CaseIterable {
        case text = 1
        case images = 2
        case references = 3
        case scripts = 4
        case styleSheets = 5
        case effects = 6
        case fills = 7
        case gradients = 8
        case dashes = 9
        case animations = 10
        case foreignContent = 11
        case hidden = 12
        case links = 13
        case damagedShapes = 14
        case unknownElements = 15
        case unknownColours = 16
        case farPlaces = 17

        /// A few words for a person; the count is printed before them.
        public var words: String {
            switch self {
            case .text: "texts were left out"
            case .images: "embedded pictures were left out"
            case .references: "copies by reference were left out"
            case .scripts: "scripts were left out"
            case .styleSheets: "style sheets were not applied; colours and widths may differ"
            case .effects: "filters, masks or markers were left out"
            case .fills: "filled areas became outlines"
            case .gradients: "gradients or patterns became black or were left out"
            case .dashes: "dashed lines became solid"
            case .animations: "animations were left out"
            case .foreignContent: "parts in languages other than SVG were left out"
            case .hidden: "hidden parts were left out"
            case .links: "links lost their target"
            case .damagedShapes: "shapes could not be read to their end"
            case .unknownElements: "unknown elements were left out"
            case .unknownColours: "colours could not be read and became black"
            case .farPlaces: "lines were cut at the edge of what a sketch holds"
            }
        }
    }
}
