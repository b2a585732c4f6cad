// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Yams

/// `MarkdownYAML` holds the entries of front matter, each with the lines that it came from.
struct MarkdownYAML {
    struct Entry {
        /// As written.
        let key: String
        let value: Node
        /// Its lines with their LF, up to the next key's line.
        let lines: ArraySlice<UInt8>
        /// Whether the lines hold a comment: more "#" than the values do.
        let hasComment: Bool
    }

    let entries: [Entry]
    /// Whether each entry has lines of its own. If not, every entry's lines are all of the front matter.
    let isByLine: Bool
    /// What stands before the first key.
    let preamble: ArraySlice<UInt8>

    /// Reads front matter.
    ///
    /// - Parameter yaml: at most 64 KiB; untrusted.
    /// - Returns: nil if it is not a plain mapping, or not safe to read: nesting, anchors, types of its own.
    init?(_ yaml: [UInt8]) {
        guard MarkdownYAMLGuard.allows(yaml), let text = String(validating: yaml, as: UTF8.self) else { return nil }
        let root: Node?
        do {
            // The basic resolver makes every scalar a string: no type is guessed and no regular expression is run. The
            // encoding is said, because the default one asks an environment variable and prints to standard output.
            root = try compose(yaml: text, .basic, Constructor([:], [:], [:]), .utf8)
        } catch {
            return nil
        }
        guard let root else {
            (entries, isByLine, preamble) = ([], true, yaml[...])
            return
        }
        guard case .mapping(let mapping) = root, Self.hasNoTypes(root) else { return nil }
        var pairs: [(key: Node.Scalar, value: Node)] = []
        for (key, value) in mapping {
            guard case .scalar(let scalar) = key else { return nil }
            pairs.append((scalar, value))
        }
        let starts = Self.starts(of: pairs.map(\.key), in: yaml)
        isByLine = starts != nil
        preamble = starts.map { yaml[..<($0.first ?? yaml.count)] } ?? []
        entries = pairs.indices.map { at in
            let end = starts.map { at + 1 < $0.count ? $0[at + 1] : yaml.count } ?? yaml.count
            let lines = yaml[(starts?[at] ?? 0)..<end]
            let known = Self.hashes(in: pairs[at].value) + Self.hashes(in: pairs[at].key.string.utf8)
            return Entry(
                key: pairs[at].key.string, value: pairs[at].value, lines: lines,
                hasComment: Self.hashes(in: lines) > known)
        }
    }

    /// Finds where each key's line begins, in bytes; nil unless every key is the first thing on a line of its own.
    private static func starts(of keys: [Node.Scalar], in yaml: [UInt8]) -> [Int]? {
        var lineStarts = [0]
        for at in yaml.indices where yaml[at] == UInt8(ascii: "\n") { lineStarts.append(at + 1) }
        var starts: [Int] = []
        for key in keys {
            guard let mark = key.mark, mark.line >= 1, mark.line <= lineStarts.count, mark.column >= 1 else {
                return nil
            }
            let start = lineStarts[mark.line - 1]
            let indentation = yaml[start...].prefix(mark.column - 1)
            guard indentation.allSatisfy({ $0 == UInt8(ascii: " ") }), start > starts.last ?? -1 else { return nil }
            starts.append(start)
        }
        return starts
    }

    /// Returns whether no part has a tag of its own ("!!binary", "!own"), which asks for a type that is not text, list
    /// or mapping.
    private static func hasNoTypes(_ node: Node) -> Bool {
        switch node {
        case .scalar: node.tag.rawValue == Tag.Name.str.rawValue
        case .sequence(let sequence): node.tag.rawValue == Tag.Name.seq.rawValue && sequence.allSatisfy(hasNoTypes)
        case .mapping(let mapping):
            node.tag.rawValue == Tag.Name.map.rawValue
                && mapping.allSatisfy { hasNoTypes($0.key) && hasNoTypes($0.value) }
        case .alias: false
        }
    }

    private static func hashes(in node: Node) -> Int {
        switch node {
        case .scalar(let scalar): hashes(in: scalar.string.utf8)
        case .sequence(let sequence): sequence.reduce(0) { $0 + hashes(in: $1) }
        case .mapping(let mapping): mapping.reduce(0) { $0 + hashes(in: $1.key) + hashes(in: $1.value) }
        case .alias: 0
        }
    }

    private static func hashes(in bytes: some Sequence<UInt8>) -> Int {
        bytes.reduce(0) { $1 == UInt8(ascii: "#") ? $0 + 1 : $0 }
    }
}

/// `MarkdownYAMLGuard` decides whether front matter may reach the YAML parser at all.
///
/// The parser calls itself for each level of nesting and copies what an anchor names, so both are limited beforehand,
/// on the bytes, by rules that err on the side of refusing. They bound the nesting for good: a block begins at a
/// column, a line opens at most `lineBlockMax` beyond its indentation, and each level of flow takes one opening
/// bracket.
private enum MarkdownYAMLGuard {
    private static let flowDepthMax = 32
    private static let bracketCountMax = 1000
    static let indentationMax = 200
    private static let lineBlockMax = 8

    static func allows(_ yaml: [UInt8]) -> Bool {
        breaksArePlain(yaml) && bracketsAreFew(yaml) && linesAreShallow(yaml) && !mayHoldAnchor(yaml)
    }

    /// Returns whether only line feeds end lines. YAML 1.1 also ends a line at CR, U+0085, U+2028 and U+2029; then its
    /// lines would not be ours.
    private static func breaksArePlain(_ yaml: [UInt8]) -> Bool {
        for at in yaml.indices {
            switch yaml[at] {
            case UInt8(ascii: "\r"): return false
            case 0xC2 where yaml[at...].starts(with: [0xC2, 0x85]): return false
            case 0xE2
            where yaml[at...].starts(with: [0xE2, 0x80, 0xA8]) || yaml[at...].starts(with: [0xE2, 0x80, 0xA9]):
                return false
            default: break
            }
        }
        return true
    }

    /// Returns whether brackets are neither many nor deep. Those in quotes count too: to know a quote needs a YAML
    /// parser.
    private static func bracketsAreFew(_ yaml: [UInt8]) -> Bool {
        var (depth, count) = (0, 0)
        for byte in yaml {
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                count += 1
                guard depth <= flowDepthMax, count <= bracketCountMax else { return false }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
            default: break
            }
        }
        return true
    }

    /// Returns whether no line opens many blocks: "- - - -", "? ? ?" and ": : :" open one for each sign.
    private static func linesAreShallow(_ yaml: [UInt8]) -> Bool {
        yaml.split(separator: UInt8(ascii: "\n")).allSatisfy { line in
            var rest = line.drop(while: isBlank)
            guard rest.startIndex - line.startIndex <= indentationMax else { return false }
            var signs = 0
            while let sign = rest.first, isBlockSign(sign), rest.dropFirst().first.map(isBlank) ?? true {
                signs += 1
                guard signs <= lineBlockMax else { return false }
                rest = rest.dropFirst().drop(while: isBlank)
            }
            return true
        }
    }

    /// Returns whether an anchor may be there: "&name" where a value may begin. Without an anchor an alias names
    /// nothing, and the parser refuses it.
    private static func mayHoldAnchor(_ yaml: [UInt8]) -> Bool {
        for at in yaml.indices where yaml[at] == UInt8(ascii: "&") {
            guard at + 1 < yaml.count, !isBlank(yaml[at + 1]), yaml[at + 1] != UInt8(ascii: "\n") else { continue }
            guard at > 0 else { return true }
            switch yaml[at - 1] {
            case UInt8(ascii: "\n"), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: ","), UInt8(ascii: "["),
                UInt8(ascii: "{"), UInt8(ascii: ":"), UInt8(ascii: "?"):
                return true
            default: break
            }
        }
        return false
    }

    private static func isBlockSign(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: ":")
    }
    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
