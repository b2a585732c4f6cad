// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation

/// A folder for one test; it is removed at the end.
final class TemporaryFolder {
    let path: String

    init() {
        let folder = FileManager.default.temporaryDirectory.appending(path: "agent-client-\(UUID().uuidString)")
        path = folder.path
        make("")
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func make(_ name: String) {
        try? FileManager.default.createDirectory(atPath: path + "/" + name, withIntermediateDirectories: true)
    }

    func write(_ bytes: [UInt8], to name: String) {
        _ = FileManager.default.createFile(atPath: path + "/" + name, contents: Data(bytes))
    }

    func link(_ name: String, to target: String) {
        try? FileManager.default.createSymbolicLink(atPath: path + "/" + name, withDestinationPath: target)
    }
}
