// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import ParserProtocol

/// `EntryPath` checks paths in containers, of which nobody promises anything.
public enum EntryPath {
    /// Checks the path of an entry.
    ///
    /// - Parameters:
    ///   - path: any bytes.
    ///   - isLocal: it was found on this machine, where a backslash or "A:" in a name means nothing.
    /// - Returns: the path without "./" before it and "/" behind it, or why it is refused.
    public static func check(_ path: [UInt8], depthMax: Int = 64, isLocal: Bool = false) -> Result<[UInt8], Refusal> {
        let slash = UInt8(ascii: "/")
        var rest = path[...]
        while rest.starts(with: "./".utf8) { rest = rest.dropFirst(2) }
        while rest.last == slash { rest.removeLast() }
        guard !rest.isEmpty, rest.count <= ForeignFile.pathByteCountMax, !rest.contains(0) else {
            return .failure(Refusal(.unsafePath))
        }
        // Other systems part a path at "\" and begin it with a drive.
        let isDrive = rest.dropFirst().first == UInt8(ascii: ":") && rest.first.map(isLetter) == true
        guard isLocal || (rest.first != UInt8(ascii: "\\") && !isDrive) else { return .failure(Refusal(.unsafePath)) }
        let parts = rest.split(separator: slash, omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && !$0.elementsEqual(".".utf8) }) else {
            return .failure(Refusal(.unsafePath))
        }
        let climbs = parts.contains { part in
            (isLocal ? [part] : part.split(separator: UInt8(ascii: "\\"))).contains { $0.elementsEqual("..".utf8) }
        }
        guard !climbs else { return .failure(Refusal(.unsafePath)) }
        guard parts.count <= depthMax else { return .failure(Refusal(.tooDeep)) }
        return .success(Array(rest))
    }

    public struct Refusal: Error, Sendable, Equatable {
        public let reason: RefusedEntry.Reason
        init(_ reason: RefusedEntry.Reason) { self.reason = reason }
    }

    static func name(_ path: [UInt8]) -> ArraySlice<UInt8> {
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return path[...] }
        return path[path.index(after: slash)...]
    }

    /// Returns the folder that a file lies in; empty at the top.
    static func folder(_ path: [UInt8]) -> ArraySlice<UInt8> {
        path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex)]
    }

    /// Returns the extension in lower case, without its dot; empty for none.
    static func ending(_ path: [UInt8]) -> String {
        let name = name(path)
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return "" }
        return String(decoding: name[name.index(after: dot)...], as: UTF8.self).lowercased()
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
