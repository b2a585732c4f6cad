// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `SafeName` makes file names that Linux, Windows and macOS all take as they are, from any text (ThreatModel H01).
enum SafeName {
    /// Longest name with its ending, in bytes of UTF-8.
    static let byteCountMax = 120

    /// Makes one part of a path: no separators, wildcards, controls or signs that turn text around; no dot, dash or
    /// space in front, no dot or space behind; not the name of a device; cut between two characters.
    ///
    /// - Parameters:
    ///   - text: untrusted, of any length.
    ///   - byteCountMax: at least 16.
    /// - Returns: `fallback` when nothing usable is left.
    static func clean(_ text: String, byteCountMax: Int = Self.byteCountMax, fallback: String) -> String {
        if isPlain(text, byteCountMax), !isReserved(text) { return text }
        // What lies far beyond the limit is never looked at; what is dropped in front is not counted.
        let usable = text.unicodeScalars.drop { isDroppedInFront($0) }.prefix(4 * byteCountMax)
        let mapped = String(String.UnicodeScalarView(usable.map { isSafe($0) ? $0 : "_" }))
        var name = trimmedBehind(cut(mapped, byteCountMax: byteCountMax))
        if isReserved(name) { name = "_" + cut(name, byteCountMax: byteCountMax - 1) }
        return name.isEmpty ? fallback : name
    }

    /// Returns the longest beginning that fits and ends between two characters; between two scalars if one character is
    /// longer than all the room.
    static func cut(_ text: String, byteCountMax: Int) -> String {
        guard text.utf8.count > byteCountMax else { return text }
        var (result, byteCount) = ("", 0)
        for character in text {
            byteCount += character.utf8.count
            guard byteCount <= byteCountMax else { break }
            result.append(character)
        }
        return result.isEmpty ? cutAtScalar(text, byteCountMax: byteCountMax) : result
    }

    private static func cutAtScalar(_ text: String, byteCountMax: Int) -> String {
        var (scalars, byteCount) = (String.UnicodeScalarView(), 0)
        for scalar in text.unicodeScalars {
            byteCount += UTF8.width(scalar)
            guard byteCount <= byteCountMax else { break }
            scalars.append(scalar)
        }
        return String(scalars)
    }

    /// Returns the name without dots and blanks behind.
    fileprivate static func trimmedBehind(_ text: String) -> String {
        guard let last = text.unicodeScalars.lastIndex(where: { $0 != "." && !$0.properties.isWhitespace }) else {
            return ""
        }
        return String(text.unicodeScalars[...last])
    }

    /// Splits a name such as "photo.jpeg" into "photo" and ".jpeg": a short ending of ASCII letters and digits.
    static func split(_ name: String) -> (stem: String, ending: String) {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return (name, "") }
        let ending = name[dot...]
        let isShort = (2...12).contains(ending.utf8.count)
        guard isShort, ending.utf8.dropFirst().allSatisfy(isAlphanumeric) else { return (name, "") }
        return (String(name[..<dot]), String(ending))
    }

    /// Returns whether a text is nothing but letters, digits and a few harmless signs, as most titles are.
    private static func isPlain(_ text: String, _ byteCountMax: Int) -> Bool {
        let bytes = text.utf8
        guard let first = bytes.first, isAlphanumeric(first) || first == UInt8(ascii: "_"), bytes.count <= byteCountMax
        else { return false }
        var last = first
        for byte in bytes {
            guard isAlphanumeric(byte) || byte == 0x20 || byte == 0x2D || byte == 0x2E || byte == 0x5F || byte == 0x2C
            else { return false }
            last = byte
        }
        return last != 0x20 && last != 0x2E
    }

    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            switch scalar {
            case "<", ">", ":", "\"", "/", "\\", "|", "?", "*": return false
            default: return scalar.value >= 0x20 && scalar.value != 0x7F
            }
        }
        // Joiners hold the parts of an emoji and the letters of some scripts together.
        if scalar.value == 0x200C || scalar.value == 0x200D { return true }
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return false
        default: return true
        }
    }

    private static func isDroppedInFront(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "." || scalar == "-" || scalar.properties.isWhitespace || scalar.value == 0x200C
            || scalar.value == 0x200D
    }

    /// Returns whether a name is that of a device on Windows, whatever follows a dot. Source: learn.microsoft.com,
    /// "Naming Files, Paths, and Namespaces".
    private static func isReserved(_ name: String) -> Bool {
        guard let first = name.utf8.first, "cpanlCPANL".utf8.contains(first) else { return false }
        let stem = trimmedBehind(String(name.prefix { $0 != "." })).uppercased()
        if ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(stem) { return true }
        return stem.count == 4 && (stem.hasPrefix("COM") || stem.hasPrefix("LPT")) && stem.last?.isNumber == true
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

/// `UsedNames` keeps two files of one folder from having one name on any system: case and Unicode's normal forms do not
/// tell names apart everywhere.
///
/// Of each name only a hash is kept, 8 bytes, for millions of them. Should two hashes ever meet, a name gets a number
/// that it did not need.
struct UsedNames {
    /// Room for " (n)".
    private static let suffixByteCountMax = 12

    private var taken: Set<Int> = []
    /// Where counting goes on for a name that was asked for before: a thousand notes of one title are not counted a
    /// thousand times.
    private var next: [Int: Int] = [:]

    /// Takes a stem that is free with all of its endings, in place of each of which a file will lie.
    ///
    /// - Parameters:
    ///   - stem: safe, and with the longest ending within `SafeName.byteCountMax`.
    ///   - folder: names of different folders do not meet.
    ///   - endings: at least one.
    /// - Returns: the stem, with " (2)" and so on if it was taken.
    mutating func claim(_ stem: String, in folder: Int, endings: [String]) -> String {
        let folded = Self.fold(stem)
        if take(folded, in: folder, endings) { return stem }
        let endingByteCount = endings.map(\.utf8.count).max() ?? 0
        let short = SafeName.trimmedBehind(
            SafeName.cut(stem, byteCountMax: SafeName.byteCountMax - endingByteCount - Self.suffixByteCountMax))
        let shortFolded = Self.fold(short)
        let counter = Self.hash(shortFolded, "", folder)
        var number = next[counter] ?? 2
        while !take(shortFolded + " (\(number))", in: folder, endings) { number += 1 }
        next[counter] = number + 1
        return short + " (\(number))"
    }

    private mutating func take(_ folded: String, in folder: Int, _ endings: [String]) -> Bool {
        let hashes = endings.map { Self.hash(folded, $0, folder) }
        guard !hashes.contains(where: taken.contains) else { return false }
        taken.formUnion(hashes)
        return true
    }

    /// Returns the same text for two names that some file system takes for one: full case folding, and nothing that has
    /// no shape. The normal form is left to the hash of a string, which is that of its NFC.
    static func fold(_ name: String) -> String {
        if name.utf8.allSatisfy({ $0 < 0x80 }) { return name.lowercased() }
        let folded = name.uppercased().lowercased()
        return String(
            String.UnicodeScalarView(folded.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }))
    }

    private static func hash(_ folded: String, _ ending: String, _ folder: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(folder)
        hasher.combine(ending.isEmpty ? folded : folded + ending.lowercased())
        return hasher.finalize()
    }
}
