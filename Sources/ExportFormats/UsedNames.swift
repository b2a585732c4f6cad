// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Keeps two files of one folder from having one name on any system: case and Unicode's normal forms do not tell names
/// apart everywhere.
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

    /// The same for two names that some file system takes for one: full case folding, and nothing that has no shape.
    /// The normal form is left to the hash of a string, which is that of its NFC.
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
