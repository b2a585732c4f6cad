// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import Foundation

/// A folder for one test, which nobody else may use; it is removed with the value.
public final class TemporaryFolder {
    public let url: URL
    public var path: String { url.path }

    public init() {
        url = FileManager.default.temporaryDirectory.appending(path: "vault-test-\(UUID().uuidString.prefix(13))")
        make("")
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    public func file(_ name: String) -> URL { url.appending(path: name) }

    /// Makes a folder, and those above it.
    public func make(_ name: String) {
        do {
            try FileManager.default.createDirectory(
                at: file(name), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { preconditionFailure("\(error)") }
    }

    public func write(_ bytes: [UInt8], to name: String) {
        let isWritten = FileManager.default.createFile(
            atPath: file(name).path, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
        precondition(isWritten, "\(name) cannot be written")
    }

    public func link(_ name: String, to target: String) {
        do {
            try FileManager.default.createSymbolicLink(atPath: file(name).path, withDestinationPath: target)
        } catch { preconditionFailure("\(error)") }
    }
}
