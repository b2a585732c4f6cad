// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension FoldEngine {
    private static var blockByteCount: Int { 32 }

    /// The fast path for bytes below 128: blocks where it can, bytes at the end, in short runs and where origins are
    /// kept.
    ///
    /// - Returns: the offset of the first byte that it left.
    mutating func runASCII(_ text: Span<UInt8>, from start: Int) -> Int {
        var offset = start
        while offset < text.count {
            // A look eight bytes ahead spares other scripts the trial of a block between two words.
            if text.count - offset >= Self.blockByteCount, text[offset + 8] < 0x80, mayWriteBlock {
                let block = text.extracting(offset..<(offset + Self.blockByteCount))
                let plain = ASCIIFold.plainCount(block, afterSpace: endsInSpace)
                if plain > 0 { putBlock(block.extracting(0..<plain)) }
                offset += plain
                if plain == Self.blockByteCount { continue }
            }
            let byte = text[offset]
            guard byte < 0x80 else { break }
            if ASCIIFold.isSpace(byte) { putSpace(from: offset) } else { put(byte: ASCIIFold.byte(byte), from: offset) }
            offset += 1
        }
        return offset
    }

    /// Blocks keep no origins, so they end before the window and begin again behind it.
    private var mayWriteBlock: Bool { count + Self.blockByteCount <= window.lowerBound || count >= window.upperBound }
}
