// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// One item of Joplin's archive: title and body as they are, then a blank line and properties, one to a line.
///
/// The reader takes the properties from the last blank line on, so no property may hold one.
struct JEXItem {
    enum Kind: Int {
        case note = 1
        case folder = 2
        case resource = 4
        case tag = 5
        case noteTag = 6
    }

    private(set) var bytes: [UInt8] = []

    /// - Parameter title: nil for items that have none.
    init(title: String?, body: [UInt8]? = nil) {
        bytes.reserveCapacity(1024 + (body?.count ?? 0))
        if let title {
            bytes += Self.escaped(title)
            bytes += "\n\n".utf8
        }
        if let body {
            bytes += body
            bytes += "\n\n".utf8
        }
    }

    mutating func add(_ key: String, _ value: String) {
        bytes += key.utf8
        bytes += ": ".utf8
        bytes += Self.escaped(value)
        bytes.append(UInt8(ascii: "\n"))
    }

    /// One line. The reader takes "\n" and "\r" in all but a body for line ends, so those two letters get a second
    /// backslash.
    private static func escaped(_ text: String) -> [UInt8] {
        let line = Array(OneLine.text(text).utf8)
        guard line.contains(UInt8(ascii: "\\")) else { return line }
        var result: [UInt8] = []
        for at in line.indices {
            if line[at] == UInt8(ascii: "\\"), at + 1 < line.count,
                line[at + 1] == UInt8(ascii: "n") || line[at + 1] == UInt8(ascii: "r")
            {
                result.append(line[at])
            }
            result.append(line[at])
        }
        return result
    }

    /// Properties that every item has; the last of them ends it.
    mutating func end(_ kind: Kind, created: Int64, modified: Int64) {
        for (key, time) in [("created_time", RFC3339.text(created)), ("updated_time", RFC3339.text(modified))] {
            add(key, time)
            add("user_" + key, time)
        }
        add("encryption_cipher_text", "")
        add("encryption_applied", "0")
        add("is_shared", "0")
        bytes += "type_: \(kind.rawValue)".utf8
    }
}
