// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import Foundation

/// The checkout that the tests were built from, and the programs that were built with them.
public enum Repository {
    /// Tests/VaultTesting/Repository.swift is three steps below the package.
    public static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// A program lies beside the test bundle, where the build puts it.
    public static func program(_ name: String) -> URL {
        let beside = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name)
        if FileManager.default.isExecutableFile(atPath: beside.path) { return beside }
        return root.appending(path: ".build/debug").appending(path: name)
    }
}
