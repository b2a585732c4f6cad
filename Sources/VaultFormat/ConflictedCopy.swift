// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ConflictedCopy` is a name that a sync program gives to a file that two machines have changed: what the other
/// machine wrote.
public struct ConflictedCopy: Sendable, Equatable {
    public enum Program: Sendable, CaseIterable {
        case dropbox, syncthing, nextcloud, oneDrive, googleDrive, iCloud

        /// What people call it.
        public var name: String {
            switch self {
            case .dropbox: "Dropbox"
            case .syncthing: "Syncthing"
            case .nextcloud: "Nextcloud"
            case .oneDrive: "OneDrive"
            case .googleDrive: "Google Drive"
            case .iCloud: "iCloud"
            }
        }
    }

    /// Which file it is a copy of, by its name in the vault's folder.
    public let original: String
    public let program: Program

    /// Reads a file's name; nil for any that is not such a copy of a file of a vault.
    public init?(_ name: String) {
        guard name.utf8.count <= 255 else { return nil }
        for original in Self.originals(name) {
            let (stem, ending) = Self.parts(original)
            guard name.hasPrefix(stem), name.hasSuffix(ending), name.count > stem.count + ending.count else { continue }
            let middle = String(name.dropFirst(stem.count).dropLast(ending.count))
            guard let program = Self.program(middle) else { continue }
            (self.original, self.program) = (original, program)
            return
        }
        return nil
    }

    /// Returns the vault's files that a name may have been made of. A log or database of an epoch has a number in it,
    /// which the name begins with; an object's name is 64 hexadecimal digits or fewer.
    private static func originals(_ name: String) -> [String] {
        var names = ["header.2", "header", "manifest.next", "manifest.2", "manifest", "lock", "lease", "reserve"]
        if name.hasPrefix("index-") {
            let digits = name.dropFirst(6).prefix { $0.isASCII && $0.isNumber }
            guard !digits.isEmpty, digits.count <= 10 else { return [] }
            names = [".db-wal", ".db", ".map", ".rescued"].map { "index-\(digits)" + $0 }
        }
        let hexadecimal = name.prefix { $0.isASCII && $0.isHexDigit && !$0.isUppercase }
        if hexadecimal.count >= 32 { names = [String(hexadecimal)] }
        return names
    }

    /// Returns a name without its ending, and the ending with its point.
    private static func parts(_ name: String) -> (stem: String, ending: String) {
        guard let point = name.lastIndex(of: ".") else { return (name, "") }
        return (String(name[..<point]), String(name[point...]))
    }

    /// Returns what was put between the name and its ending.
    private static func program(_ middle: String) -> Program? {
        if middle.hasPrefix(".sync-conflict-") { return .syncthing }
        if middle.hasPrefix(" ("), middle.hasSuffix(")") {
            let inner = middle.dropFirst(2).dropLast()
            // Nextcloud begins with the words, Dropbox with whose copy it is.
            if inner.hasPrefix("conflicted copy") { return .nextcloud }
            if inner.contains("conflicted copy") || inner.contains("Case Conflict") { return .dropbox }
            return isNumber(inner) ? .googleDrive : nil
        }
        if middle.hasPrefix("_conflict-") { return .nextcloud }
        if middle.first == " ", isNumber(middle.dropFirst()) { return .iCloud }
        // A machine's name; `-wal` and the like are names of our own.
        let host = middle.dropFirst()
        let isHost = host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
        return middle.first == "-" && !host.isEmpty && isHost && host != "wal" ? .oneDrive : nil
    }

    private static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.count <= 4 && text.allSatisfy { $0.isASCII && $0.isNumber }
    }
}
