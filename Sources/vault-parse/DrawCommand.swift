// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SketchDrawing

/// `vault-parse sketch import|check|draw FORMAT [WIDTH]`: SVG on standard input, a record on standard output.
enum DrawCommand {
    /// A sketch is at most so large (docs/sketch-format.md); what is imported too.
    private static let byteCountMax = 16 << 20

    @Sendable static func run(_ words: [String]) {
        guard let command = SketchCommand(words) else {
            Pipe.fail("usage: vault-parse sketch import|check|draw FORMAT [WIDTH]", exitCode: 2)
        }
        guard let input = Pipe.wholeInput(max: byteCountMax) else { Pipe.fail("the sketch is too large") }
        Pipe.write(command.run(input))
    }
}
