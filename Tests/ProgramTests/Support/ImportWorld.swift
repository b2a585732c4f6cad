// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// Sources of other programs in a world of their own, and what `vault import` made of them.
extension VaultWorld {
    /// Writes a file below the root, with the folders above it.
    @discardableResult
    func put(_ name: String, _ content: [UInt8]) throws -> String {
        let target = URL(fileURLWithPath: path(name))
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(content).write(to: target)
        return target.path
    }

    @discardableResult
    func put(_ name: String, _ text: String) throws -> String { try put(name, Array(text.utf8)) }

    func imported(_ format: String, _ name: String, _ options: String...) throws -> Finished {
        try vault(["import", format, path(name), "--json"] + options)
    }

    /// How many notes were made, changed and left, and how many attachments are new.
    func tally(_ finished: Finished) throws -> [Int] {
        let told = try JSON(finished)
        return ["created", "updated", "unchanged", "attachments"].map { told[$0].int ?? -1 }
    }

    /// The whole note of a title.
    func note(_ title: String) throws -> JSON { try JSON(require(vault("show", title, "--json")))["notes"][0] }

    func attachment(_ note: String, _ name: String) throws -> [UInt8] {
        try require(vault("attach", "get", note, name, "-o", "-")).out
    }

    /// Sealed files that lie in the vault.
    var objectCount: Int {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: directory + "/objects")) ?? []
        return names.count { $0.split(separator: "/").last?.count ?? 0 > 8 }
    }

    /// Everything that lies in the vault's directory, to look for plaintext.
    func vaultHolds(_ text: String) throws -> Bool {
        let names = try FileManager.default.subpathsOfDirectory(atPath: directory)
        return names.contains { name in
            guard let data = FileManager.default.contents(atPath: directory + "/" + name) else { return false }
            return data.range(of: Data(text.utf8)) != nil
        }
    }

    /// Runs a program of the system in this world.
    @discardableResult
    func system(_ name: String, _ arguments: [String], input: [UInt8] = [], seconds: Double = 60) throws -> Finished {
        guard let program = Programs.system(name) else {
            throw Failed(description: "\(name) is not installed: Scripts/setup.sh test")
        }
        return try require(Command.run([program] + arguments, environment: environment, input: input, seconds: seconds))
    }
}
