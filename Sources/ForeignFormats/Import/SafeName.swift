// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `SafeName` makes names for attachments out of whatever the source calls them: one part of a path that every system
/// takes (ThreatModel H01).
enum SafeName {
    private static let byteCountMax = AttachmentReference.nameByteCountMax
    private static let endingByteCountMax = 17
    private static let forbidden = Set("<>:\"|?*".unicodeScalars)

    /// Makes a name that is safe.
    ///
    /// - Returns: "attachment" when nothing usable is left.
    static func clean(_ text: String) -> String {
        // The end of a very long text is where the name would be; more is not looked at.
        let tail = String(decoding: Array(text.utf8.suffix(4096)), as: UTF8.self)
        let last = tail.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
        var scalars = String.UnicodeScalarView(last.unicodeScalars.map { isPlain($0) ? $0 : "_" })[...]
        while let first = scalars.first, first == "." || first == "-" || first.properties.isWhitespace {
            scalars.removeFirst()
        }
        while let end = scalars.last, end == "." || end.properties.isWhitespace { scalars.removeLast() }
        let name = String(scalars)
        if name.isEmpty { return "attachment" }
        return shortened(isDevice(name) ? "_" + name : name, to: byteCountMax)
    }

    /// Returns the same name with a number before its extension, so that nobody in `taken` has it.
    ///
    /// - Parameters:
    ///   - taken: names in lower case.
    ///   - hint: numbers tried before for each name: a thousand equal names do not count from two each.
    static func unused(_ name: String, among taken: Set<String>, _ hint: inout [String: Int]) -> String {
        guard taken.contains(name.lowercased()) else { return name }
        let (stem, ending) = split(name)
        var number = hint[name.lowercased(), default: 2]
        while true {
            let suffix = " \(number)" + ending
            let candidate = MarkdownTitle.cut(stem, byteCountMax: byteCountMax - suffix.utf8.count) + suffix
            number += 1
            if !taken.contains(candidate.lowercased()) {
                hint[name.lowercased()] = number
                return candidate
            }
        }
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        // What a terminal obeys, and what turns the direction of text around.
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: !forbidden.contains(scalar)
        }
    }

    /// Returns whether a name is that of a device on some systems, whatever its extension.
    private static func isDevice(_ name: String) -> Bool {
        let stem = name.prefix { $0 != "." }.uppercased()
        if ["CON", "PRN", "AUX", "NUL"].contains(stem) { return true }
        return stem.count == 4 && (stem.hasPrefix("COM") || stem.hasPrefix("LPT")) && stem.last?.isNumber == true
    }

    private static func split(_ name: String) -> (stem: String, ending: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex, name[dot...].utf8.count <= endingByteCountMax
        else { return (name, "") }
        return (String(name[..<dot]), String(name[dot...]))
    }

    private static func shortened(_ name: String, to max: Int) -> String {
        guard name.utf8.count > max else { return name }
        let (stem, ending) = split(name)
        return MarkdownTitle.cut(stem, byteCountMax: max - ending.utf8.count) + ending
    }
}
