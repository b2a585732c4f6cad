// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import RecoveryPage

/// A page's file as text, with each byte a letter so that places stay the same, and what is drawn on it.
struct DrawnPage {
    struct Line {
        let font: String
        let size: Double
        let x: Double
        let y: Double
        /// As it stands in the file, with its escapes.
        let text: String
    }

    let file: String
    /// The page's own stream.
    let content: String

    init(_ bytes: [UInt8]) {
        file = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        content = file.components("stream\n", "\nendstream").first { $0.hasPrefix("BT /F2 ") } ?? ""
    }

    var lines: [Line] {
        content.split(separator: "\n").compactMap { line in
            guard line.hasPrefix("BT /"), line.hasSuffix(") Tj ET"), let bracket = line.firstIndex(of: "(") else {
                return nil
            }
            let words = line[..<bracket].split(separator: " ")
            guard words.count == 7, let size = Double(words[2]), let x = Double(words[4]), let y = Double(words[5])
            else { return nil }
            return Line(
                font: String(words[1].dropFirst()), size: size, x: x, y: y,
                text: String(line[line.index(after: bracket)...].dropLast(") Tj ET".count)))
        }
    }

    /// The numbers before an operator, for each time it is used.
    func numbers(before name: String) -> [[Double]] {
        content.split(separator: "\n").filter { $0.hasSuffix(" " + name) }.map {
            $0.split(separator: " ").compactMap { Double($0) }
        }
    }

    /// The loops of the code: what is drawn between the only `cm` and the only `f*`.
    var loops: [[(x: Int, y: Int)]] {
        var loops: [[(x: Int, y: Int)]] = []
        for line in (content.components(" cm\n", "f* Q").first ?? "").split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 3, let x = Int(words[0]), let y = Int(words[1]) else { return [] }
            if words[2] == "m" { loops.append([]) }
            loops[loops.count - 1].append((x, y))
        }
        return loops
    }
}

extension String {
    /// All parts that lie between two marks.
    func components(_ start: String, _ end: String) -> [String] {
        ranges(of: start).map { self[$0.upperBound...] }.compactMap { rest in
            rest.firstRange(of: end).map { String(rest[..<$0.lowerBound]) }
        }
    }
}
