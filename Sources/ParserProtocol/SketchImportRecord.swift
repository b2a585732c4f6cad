// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `SketchImportRecord` is what `vault-parse sketch import` answers.
///
/// ```
/// offset  size  field
///      0     1  status     SketchStatus; if it is not 0, this is all
///      1     1  lossCount  UInt8
///      2    5n  losses     UInt8 code, UInt32 big-endian count, at least 1; codes ascending, each once
///   2+5n        svg        all that is left; the sketch in its master form, 1 byte to 16 MiB
/// ```
/// The reader still has to parse the sketch: this says only where it is.
public struct SketchImportRecord: Sendable, Hashable {
    public static let svgByteCountMax = 16 << 20
    /// Largest record, in bytes.
    public static let byteCountMax = svgByteCountMax + 2 + 5 * SketchLoss.Code.allCases.count

    public let status: SketchStatus
    /// By ascending code.
    public let losses: [SketchLoss]
    /// Empty unless the status is `ok`.
    public let svg: [UInt8]

    /// Makes the answer for a file that was not imported.
    ///
    /// - Parameter status: why there is no sketch.
    public init(refused status: SketchStatus) {
        precondition(status != .ok, "a refusal has a reason")
        self.status = status
        losses = []
        svg = []
    }

    /// Makes the answer that holds a sketch, and what it lost sorted by kind.
    ///
    /// - Throws: `RecordError`: `tooLarge`; `notCanonical` for an empty sketch or one loss twice.
    public init(svg: [UInt8], losses: [SketchLoss]) throws(RecordError) {
        guard svg.count <= Self.svgByteCountMax else { throw RecordError(.tooLarge) }
        let losses = losses.sorted { $0.code.rawValue < $1.code.rawValue }
        guard !svg.isEmpty, Set(losses.map(\.code)).count == losses.count else { throw RecordError(.notCanonical) }
        status = .ok
        self.losses = losses
        self.svg = svg
    }

    /// Reads an answer of `vault-parse sketch import`.
    ///
    /// - Throws: `RecordError`: `truncated`, `trailingBytes`, `tooLarge`, `notCanonical`, `unknownLoss`.
    public init(parsing bytes: [UInt8]) throws(RecordError) {
        guard bytes.count <= Self.byteCountMax else { throw RecordError(.tooLarge) }
        var reader = RecordReader(bytes)
        let status = try reader.sketchStatus()
        guard status == .ok else {
            try reader.end()
            self.init(refused: status)
            return
        }
        var losses: [SketchLoss] = []
        for _ in 0..<(try reader.u8()) {
            let at = reader.offset
            guard let code = SketchLoss.Code(rawValue: try reader.u8()) else {
                throw RecordError(.unknownLoss, offset: at)
            }
            let count = try reader.u32()
            guard count > 0, code.rawValue > losses.last?.code.rawValue ?? 0 else {
                throw RecordError(.notCanonical, offset: at)
            }
            losses.append(SketchLoss(code, count: count))
        }
        guard reader.remaining > 0 else { throw RecordError(.truncated, offset: reader.offset) }
        try self.init(svg: Array(try reader.raw(reader.remaining)), losses: losses)
    }

    public var encoded: [UInt8] {
        var writer = RecordWriter(reserving: 2 + 5 * losses.count + svg.count)
        writer.u8(status.rawValue)
        guard status == .ok else { return writer.bytes }
        writer.u8(UInt8(losses.count))
        for loss in losses {
            writer.u8(loss.code.rawValue)
            writer.u32(loss.count)
        }
        writer.raw(svg)
        return writer.bytes
    }
}

/// `SketchLoss` says what was left out of a foreign drawing when it became a sketch, and how often.
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
