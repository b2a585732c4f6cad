// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `AsideName` is the name under which a file of a vault is put aside for one that was rescued: it may hold another
/// machine's notes. Spec: docs/format.md §14.
public enum AsideName {
    private static let mark = ".aside-"

    /// Returns the name under which a file is put aside.
    ///
    /// - Parameters:
    ///   - name: of the file; a log keeps its ending, so that it lies beside its index.
    ///   - stamp: when, as `20261124T150412345Z`: two rescues within a second have names of their own.
    public static func of(_ name: String, at stamp: String) -> String {
        name.hasSuffix("-wal") ? String(name.dropLast(4)) + mark + stamp + "-wal" : name + mark + stamp
    }

    /// Returns whether a name is one of these.
    public static func isOne(_ name: String) -> Bool {
        stamp(of: name, behind: "manifest") != nil || stamp(of: name, behind: "manifest.2") != nil || isIndex(name)
            || (name.hasSuffix("-wal") && isIndex(String(name.dropLast(4))))
    }

    /// Returns the stamp of an index that was put aside; nil for another file.
    public static func stamp(ofIndex name: String) -> String? {
        guard name.hasPrefix("index-") else { return nil }
        let digits = name.dropFirst(6).prefix { $0.isASCII && $0.isNumber }
        return digits.isEmpty || digits.count > 10 ? nil : stamp(of: name, behind: "index-\(digits).db")
    }

    private static func isIndex(_ name: String) -> Bool { stamp(ofIndex: name) != nil }

    private static func stamp(of name: String, behind file: String) -> String? {
        guard name.hasPrefix(file + mark) else { return nil }
        let stamp = name.dropFirst(file.count + mark.count)
        // A hint of before had whole seconds.
        let isTime =
            [16, 19].contains(stamp.count) && stamp.allSatisfy { $0.isASCII && ($0.isNumber || $0 == "T" || $0 == "Z") }
        return isTime ? String(stamp) : nil
    }
}
