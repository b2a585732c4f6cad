// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// `AttachmentName` makes names of attachments: one part of a path, safe to make a file of wherever it is taken out
/// (ThreatModel H01).
public enum AttachmentName {
    /// Makes a name of whatever a file was called: no folders, no control characters, at most 255 bytes with its
    /// extension kept.
    ///
    /// - Returns: "attachment" when nothing usable is left.
    public static func clean(_ text: String) -> String {
        let last = text.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
        var name = String(String.UnicodeScalarView(last.unicodeScalars.map { isSafe($0) ? $0 : "_" }))
        // Hidden files, options of programs, and what other systems cut off or give a meaning of their own.
        while let first = name.first, first == "." || first == "-" || first.isWhitespace { name.removeFirst() }
        while let end = name.last, end == "." || end.isWhitespace { name.removeLast() }
        if isReserved(name) { name = "_" + name }
        return name.isEmpty ? "attachment" : shortened(name, to: AttachmentDetails.nameByteCountMax)
    }

    /// Returns the name, with a number before its extension when another one has it. Case does not tell names apart: it
    /// does not everywhere.
    static func unused(_ name: String, among taken: Set<[UInt8]>) -> String {
        var candidate = name
        var number = 2
        while taken.contains(TagKey.bytes(candidate)) {
            candidate = numbered(name, number)
            number += 1
        }
        return candidate
    }

    static func numbered(_ name: String, _ number: Int) -> String {
        let (stem, ending) = split(name)
        let suffix = " \(number)" + ending
        return shortened(stem, to: AttachmentDetails.nameByteCountMax - suffix.utf8.count, keepsEnding: false) + suffix
    }

    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        // Controls, and what turns the direction of text around (ThreatModel G01).
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return false
        default: return !"<>:\"|?*".unicodeScalars.contains(scalar)
        }
    }

    /// Tells whether a name is that of a device on some systems, whatever its extension.
    private static func isReserved(_ name: String) -> Bool {
        let stem = (name.split(separator: ".", omittingEmptySubsequences: false).first ?? "").uppercased()
        if ["CON", "PRN", "AUX", "NUL"].contains(stem) { return true }
        return stem.count == 4 && (stem.hasPrefix("COM") || stem.hasPrefix("LPT")) && stem.last?.isNumber == true
    }

    private static func split(_ name: String) -> (stem: String, ending: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex, name[dot...].utf8.count <= 17 else {
            return (name, "")
        }
        return (String(name[..<dot]), String(name[dot...]))
    }

    private static func shortened(_ name: String, to max: Int, keepsEnding: Bool = true) -> String {
        guard name.utf8.count > max else { return name }
        let (stem, ending) = keepsEnding ? split(name) : (name, "")
        var short = stem
        while short.utf8.count + ending.utf8.count > max { short.removeLast() }
        return short + ending
    }
}
