// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A line made of a text's clusters: each run of white space is one space, and it never outgrows its cap.
public struct CollapsedLine {
    /// A cluster above this many bytes is an attack, not a letter: it is shown as U+FFFD.
    static let clusterByteCountMax = 128

    public private(set) var bytes: [UInt8] = []
    public private(set) var clusterCount = 0
    public private(set) var columns = 0
    private let byteCountMax: Int
    private var endsInSpace = false

    public init(byteCountMax: Int) { self.byteCountMax = byteCountMax }

    /// The line without a space at its end.
    public var trimmed: String { String(decoding: bytes.dropLast(endsInSpace ? 1 : 0), as: UTF8.self) }

    /// - Returns: false, and nothing is added, when the line is full.
    public mutating func append(_ original: Cluster) -> Bool {
        let isSpace = original.isWhitespace
        if isSpace, endsInSpace { return true }
        let isOutsized = original.byteCount > Self.clusterByteCountMax
        let cluster: Cluster = isSpace ? .ascii(0x20) : isOutsized ? .other("\u{FFFD}") : withBase(original)
        guard bytes.count + cluster.byteCount <= byteCountMax else { return false }
        switch cluster {
        case .ascii(let byte): bytes.append(byte)
        case .other(let character): bytes.append(contentsOf: character.utf8)
        }
        clusterCount += 1
        columns += cluster.columns
        endsInSpace = isSpace
        return true
    }

    /// Marks that followed a control character stand alone; here they would join the space or "…" before them, so they
    /// get the dotted circle as a base.
    private func withBase(_ cluster: Cluster) -> Cluster {
        guard endsInSpace || clusterCount < 2, case .other(let character) = cluster else { return cluster }
        let based = "\u{25CC}\(character)"
        return based.count == 1 ? .other(Character(based)) : cluster
    }
}
