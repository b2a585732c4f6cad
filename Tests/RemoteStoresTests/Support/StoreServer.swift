// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import VaultTesting

/// A server on the loopback interface, started by `servers.py` and ended with the value.
final class StoreServer: @unchecked Sendable {
    private struct Said: Decodable {
        let url: String
        let pid: Int32
        let user: [String]
        let keys: [String]
        let bucket: String?
        let authority: String?
    }

    struct NotStarted: Error {
        let kind: String
        let said: String
    }

    private let process = Process()
    private let input = Pipe()
    private let said: Said
    private let folder: TemporaryFolder
    /// Where its files lie.
    var place: URL { folder.file("server") }

    init(_ kind: String) throws {
        folder = TemporaryFolder()
        // Another user's worker has to get to its files.
        try FileManager.default.setAttributes([.posixPermissions: 0o711], ofItemAtPath: folder.path)
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "servers.py").path
        process.arguments = ["python3", "-B", script, kind, folder.file("server").path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line = Data()
        while let more = try output.fileHandleForReading.read(upToCount: 1), !more.isEmpty, more.first != 10 {
            line += more
        }
        do { said = try JSONDecoder().decode(Said.self, from: line) } catch {
            throw NotStarted(kind: kind, said: String(decoding: line, as: UTF8.self))
        }
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    var url: String { said.url }
    var processID: Int32 { said.pid }
    /// What WebDAV servers ask for.
    var password: [String] { said.user }
    /// What S3 servers ask for.
    var keys: [String] { said.keys }
    var bucket: String { said.bucket ?? "" }
    var authority: [UInt8] { Array((said.authority ?? "").utf8) }

    /// What the server wrote down.
    func log(_ name: String) -> String {
        (try? String(contentsOf: folder.file("server/" + name), encoding: .isoLatin1)) ?? ""
    }

    /// A path in the server's folder.
    func file(_ name: String) -> URL { folder.file("server/" + name) }
}
