// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// `RescuedVault` is what an agent saved of a vault whose folder was removed while it was unlocked. Spec:
/// docs/format.md §14.
enum RescuedVault {
    /// Returns the commands that make a vault of it again, the newest one; nil where nothing was saved.
    static func commands(into directory: [UInt8]) -> String? {
        guard let place = folder() else { return nil }
        let names = names(in: place)
        let numbers = names.compactMap { name in name.hasPrefix(header) ? number(name.dropFirst(header.count)) : nil }
        guard let newest = numbers.max() else { return nil }
        let ending = newest == 1 ? ".rescued" : ".rescued.\(newest)"
        guard names.contains("manifest" + ending),
            let index = names.first(where: { $0.hasPrefix("index-") && $0.hasSuffix(ending) })
        else { return nil }
        let target = String(decoding: directory, as: UTF8.self)
        let pairs = [
            (index, index.dropLast(ending.count) + ".db"), ("manifest" + ending, "manifest"),
            ("header" + ending, "header"),
        ]
        let copies = pairs.map { from, to in
            "cp -n \(ShellWord.quoted(place + "/" + from)) \(ShellWord.quoted(target + "/" + to))"
        }
        return (["mkdir -p -m 700 \(ShellWord.quoted(target))"] + copies).joined(separator: "; ")
    }

    private static let header = "header.rescued"

    /// Returns the number that a rescued vault's name ends with: 1 for a name without one, nil for another name.
    private static func number(_ ending: Substring) -> Int? {
        if ending.isEmpty { return 1 }
        guard ending.first == ".", ending.dropFirst().allSatisfy(\.isNumber), let number = Int(ending.dropFirst()),
            (2...99).contains(number)
        else { return nil }
        return number
    }

    private static func folder() -> String? {
        if let state = Environment.bytes("XDG_STATE_HOME"), state.first == 0x2F {
            return String(decoding: state, as: UTF8.self) + "/notevault/rescued"
        }
        guard let home = Environment.bytes("HOME"), home.first == 0x2F else { return nil }
        return String(decoding: home, as: UTF8.self) + "/.local/state/notevault/rescued"
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream), names.count < 1000 {
            names.append(
                unsafe withUnsafeBytes(of: &entry.pointee.d_name) { raw in
                    unsafe String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names
    }
}
