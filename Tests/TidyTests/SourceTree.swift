// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import VaultTesting

/// The repository as text, for tests that read the sources themselves.
enum SourceTree {
    static let root = Repository.root

    struct File {
        let path: String
        let text: String
        var module: String { path.split(separator: "/").dropFirst().first.map { String($0) } ?? "" }
        /// Lines without comments.
        var code: [Substring] {
            text.split(separator: "\n", omittingEmptySubsequences: false)
                .filter { !$0.drop { $0 == " " }.hasPrefix("//") }
        }
    }

    static func files(_ folder: String, endings: [String]) throws -> [File] {
        try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
            .filter { path in endings.contains { path.hasSuffix($0) } }
            .map { path in
                let whole = folder + "/" + path
                return File(path: whole, text: try String(contentsOf: root.appending(path: whole), encoding: .utf8))
            }
    }
}
