// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignPrograms
internal import ParserProtocol

extension SourceShape {
    func fits(_ view: SourceView) -> Bool {
        switch self {
        case .any(let shapes): return shapes.contains { $0.fits(view) }
        case .all(let shapes): return shapes.allSatisfy { $0.fits(view) }
        case .entries(let patterns): return patterns.allSatisfy { Self.has($0, view.entries) }
        case .sample(let pattern, let texts): return Self.hasSample(pattern, texts, view)
        default: return !view.question.isFolder && fitsFile(view)
        }
    }

    /// Tests the shapes of a file.
    private func fitsFile(_ view: SourceView) -> Bool {
        switch self {
        case .magic(let bytes, let at): return Self.has(view.question.head, bytes, at)
        case .text(let texts): return !view.isZip && texts.allSatisfy(view.contains)
        case .start(let texts): return texts.contains { view.begin.starts(with: Array($0.lowercased().utf8)) }
        case .json(let words):
            guard let first = view.begin.first, first == 0x7B || first == 0x5B else { return false }
            return words.allSatisfy { view.contains("\"\($0)\"") }
        case .sqlite(let words):
            return Self.has(view.question.head, Array("SQLite format 3\0".utf8), 0) && words.allSatisfy(view.contains)
        case .xml(let name): return Self.rootName(view) == Array(name.lowercased().utf8)
        case .html(let texts):
            let isHTML =
                view.begin.starts(with: Array("<!doctype html".utf8)) || Self.rootName(view) == Array("html".utf8)
            return isHTML && texts.allSatisfy(view.contains)
        case .csv(let names): return names.allSatisfy { view.columns.contains(Array($0.lowercased().utf8)) }
        case .zip: return view.isZip
        case .name(let pattern):
            return NamePattern.fits(view.question.name.map(SourceView.lower), Array(pattern.lowercased().utf8))
        case .entries, .sample, .any, .all: return false
        }
    }

    private static func has(_ bytes: [UInt8], _ wanted: [UInt8], _ at: Int) -> Bool {
        bytes.count >= at + wanted.count && bytes[at..<at + wanted.count].elementsEqual(wanted)
    }

    private static func has(_ pattern: String, _ names: [[UInt8]]) -> Bool {
        let pattern = Array(pattern.lowercased().utf8)
        return names.contains { NamePattern.fits($0, pattern) }
    }

    private static func hasSample(_ pattern: String, _ texts: [String], _ view: SourceView) -> Bool {
        let pattern = Array(pattern.lowercased().utf8)
        return view.question.samples.contains { sample in
            guard NamePattern.fits(sample.path.map(SourceView.lower), pattern) else { return false }
            let text = sample.head.map(SourceView.lower)
            return texts.allSatisfy { SourceView.contains(text, Array($0.lowercased().utf8)) }
        }
    }

    /// Returns the name of the first element behind declarations and comments, without the prefix of a name space.
    private static func rootName(_ view: SourceView) -> [UInt8]? {
        var rest = view.begin
        for _ in 0..<64 {
            guard rest.first == 0x3C, let second = rest.dropFirst().first else { return nil }
            guard second == 0x3F || second == 0x21 else {
                let name = rest.dropFirst().prefix { !SourceView.isSpace($0) && $0 != 0x3E && $0 != 0x2F }
                return name.split(separator: 0x3A).last.map { Array($0) }
            }
            let end: [UInt8] = rest.starts(with: Array("<!--".utf8)) ? [0x2D, 0x2D, 0x3E] : [0x3E]
            while !rest.isEmpty, !rest.starts(with: end) { rest = rest.dropFirst() }
            rest = rest.dropFirst(end.count).drop(while: SourceView.isSpace)
        }
        return nil
    }
}

/// `NamePattern` compares a name with a pattern: `*` is anything, `#` a hexadecimal digit, `%` a decimal one,
/// everything else itself. Both are in lower case.
enum NamePattern {
    /// Takes at most name times stars steps: a pattern is ours and has few stars.
    static func fits(_ name: [UInt8], _ pattern: [UInt8]) -> Bool {
        var (at, wanted) = (0, 0)
        var star: (wanted: Int, at: Int)?
        while at < name.count {
            if wanted < pattern.count, pattern[wanted] == 0x2A {
                star = (wanted, at)
                wanted += 1
            } else if wanted < pattern.count, fits(name[at], pattern[wanted]) {
                at += 1
                wanted += 1
            } else if let last = star {
                star = (last.wanted, last.at + 1)
                at = last.at + 1
                wanted = last.wanted + 1
            } else {
                return false
            }
        }
        return pattern[wanted...].allSatisfy { $0 == 0x2A }
    }

    private static func fits(_ byte: UInt8, _ wanted: UInt8) -> Bool {
        switch wanted {
        case 0x23: (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
        case 0x25: (0x30...0x39).contains(byte)
        default: byte == wanted
        }
    }
}
