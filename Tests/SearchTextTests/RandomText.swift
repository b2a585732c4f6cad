// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import VaultTesting

/// Text of many scripts from a seed: the same seed gives the same text on every machine.
struct RandomText: RandomNumberGenerator {
    private var numbers: SeededGenerator

    init(seed: UInt64) { numbers = SeededGenerator(seed) }

    mutating func next() -> UInt64 { numbers.next() }

    /// Runs of a few scalars of one block each, so that marks meet bases and spaces meet words.
    mutating func string(scalarCount: Int) -> String {
        var scalars = String.UnicodeScalarView()
        while scalars.count < scalarCount {
            let block = Self.blocks.randomElement(using: &self)!
            for _ in 0..<Int.random(in: 1...6, using: &self) {
                if let scalar = Unicode.Scalar(UInt32.random(in: block, using: &self)) { scalars.append(scalar) }
            }
        }
        return String(scalars)
    }

    mutating func bytes(count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) } }

    private static let blocks: [ClosedRange<UInt32>] = [
        0x20...0x7E, 0x20...0x7E, 0x09...0x0D, 0x20...0x20, 0xA0...0x24F, 0x300...0x36F, 0x370...0x3FF, 0x400...0x4FF,
        0x5B0...0x5EA, 0x610...0x65F, 0x6DE...0x6FF, 0x900...0x94D, 0xDCA...0xDDE, 0xE40...0xE4F, 0xF71...0xF84,
        0x1100...0x11FF,
        0x1DC0...0x1DFF, 0x1E00...0x1EFF, 0x1F00...0x1FFF, 0x2000...0x202F, 0x20D0...0x20F0, 0x2190...0x2200,
        0x3000...0x30FF,
        0x3099...0x309A, 0x334...0x338, 0x4E00...0x4EFF, 0xAC00...0xD7A3, 0xF900...0xFAD9, 0xFB1D...0xFB4F,
        0xFF01...0xFFEE,
        0x10400...0x1044F, 0x1D15E...0x1D1AF, 0x1F1E6...0x1F1FF, 0x1F300...0x1F6FF, 0x200D...0x200D, 0xFE0F...0xFE0F,
        0x1F3FB...0x1F3FF, 0x2F800...0x2FA1D, 0xE0020...0xE007F,
    ]
}
