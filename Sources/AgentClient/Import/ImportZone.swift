// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// `ImportZone` is the time zone in which an import reads dates that name none.
public struct ImportZone: Sendable {
    /// For the report.
    public let name: String
    /// The value of TZ with which `vault-parse` loads the rules, before it gives up opening files.
    let variable: String

    private static let machineFile = "/etc/localtime"

    /// Returns the zone of an offset such as "+02:00", or of a name in the time zone database; nil for what this system
    /// does not know.
    public static func zone(_ text: String) -> ImportZone? { offset(text) ?? named(text) }

    private init(name: String, variable: String) { (self.name, self.variable) = (name, variable) }

    /// Reads "+02:00", "-0330", "Z".
    private static func offset(_ text: String) -> ImportZone? {
        if ["Z", "z", "UTC", "GMT"].contains(text) { return ImportZone(name: "UTC", variable: "UTC0") }
        let digits = text.utf8.dropFirst().filter { $0 != UInt8(ascii: ":") }
        guard let sign = text.utf8.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), digits.count == 4,
            text.utf8.count == 5 || (text.utf8.count == 6 && text.utf8.dropFirst(3).first == UInt8(ascii: ":")),
            digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        let (hours, minutes) = (
            String(decoding: digits[..<2], as: UTF8.self), String(decoding: digits[2...], as: UTF8.self)
        )
        guard (Int(hours) ?? 99) <= 14, (Int(minutes) ?? 99) <= 59 else { return nil }
        // POSIX counts westwards.
        let (east, west) = sign == UInt8(ascii: "+") ? ("+", "-") : ("-", "+")
        return ImportZone(
            name: "\(east)\(hours):\(minutes)", variable: "<\(east)\(hours)\(minutes)>\(west)\(hours):\(minutes)")
    }

    /// Reads "Europe/Berlin": a file below the system's own folder of zones, and nothing else.
    private static func named(_ text: String) -> ImportZone? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard !text.isEmpty, text.utf8.count <= 255, parts.allSatisfy({ !$0.isEmpty && $0.first != "." }),
            !text.utf8.contains(0),
            let path = folders.map({ $0 + "/" + text }).first(where: holdsRules)
        else { return nil }
        return ImportZone(name: text, variable: ":" + path)
    }

    /// Returns the zone that a value of TZ means; nil when it means none.
    public static func name(ofVariable text: String) -> String? { variable(text)?.name }

    /// Returns whether the time zone database has rules of this name.
    public static func isNamed(_ text: String) -> Bool { named(text) != nil }

    private static let folders = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/etc/zoneinfo"]

    /// Reads TZ as POSIX and the C library have it: a name, a full path, or the rules themselves.
    public static func variable(_ text: String) -> ImportZone? {
        let plain = text.hasPrefix(":") ? String(text.dropFirst()) : text
        if plain.isEmpty { return ImportZone(name: "UTC", variable: "UTC0") }
        if plain.hasPrefix("/") {
            return holdsRules(plain) ? ImportZone(name: shortName(plain), variable: ":" + plain) : nil
        }
        if let zone = named(plain) ?? offset(plain) { return zone }
        // "CET-1CEST,M3.5.0,M10.5.0/3": a name of at least three letters, and an offset.
        let letters =
            plain.first == "<" ? plain.dropFirst().prefix { $0 != ">" } : plain.prefix { $0.isASCII && $0.isLetter }
        let rest = plain.utf8.dropFirst(letters.utf8.count + (plain.first == "<" ? 2 : 0))
        let digits = rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") ? rest.dropFirst() : rest
        guard letters.utf8.count >= 3, let digit = digits.first, (0x30...0x39).contains(digit), !text.hasPrefix(":")
        else { return nil }
        return ImportZone(name: plain, variable: plain)
    }

    /// The zone that this machine is set to; one without a file of rules is in UTC, as for every program.
    public static var machine: ImportZone {
        guard holdsRules(machineFile) else { return ImportZone(name: "UTC", variable: "UTC0") }
        guard let resolved = unsafe realpath(machineFile, nil) else {
            return ImportZone(name: machineFile, variable: ":" + machineFile)
        }
        defer { unsafe free(resolved) }
        return ImportZone(name: shortName(unsafe String(cString: resolved)), variable: ":" + machineFile)
    }

    private static func shortName(_ path: String) -> String {
        guard let folder = folders.first(where: { path.hasPrefix($0 + "/") }) else { return path }
        return String(path.dropFirst(folder.count + 1))
    }

    /// Says whether a file holds rules by RFC 9636: a file of rules begins with "TZif".
    private static func holdsRules(_ path: String) -> Bool {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { return false }
        defer { close(file) }
        var magic = [UInt8](repeating: 0, count: 4)
        return unsafe pread(file, &magic, 4, 0) == 4 && magic.elementsEqual("TZif".utf8)
    }
}
