// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// What README.md quotes is what the examples have: they are built and tried (`Examples/try.sh`).
struct ReadmeTests {
    @Test func eachSwiftBlockStandsInAnExample() throws {
        let readme = try String(contentsOf: SourceTree.root.appending(path: "README.md"), encoding: .utf8)
        let examples = try SourceTree.files("Examples/Sources", endings: [".swift"]).map { Self.trimmed($0.text) }
        let blocks = readme.components(separatedBy: "```swift\n").dropFirst()
            .map { Self.trimmed($0.components(separatedBy: "```")[0]) }
        #expect(blocks.count >= 2)
        for block in blocks {
            #expect(examples.contains { $0.contains(block) }, "no example has these lines:\n\(block)")
        }
    }

    /// Lines without the spaces before them: an example's stand deeper than a quotation's.
    private static func trimmed(_ text: String) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }
}
