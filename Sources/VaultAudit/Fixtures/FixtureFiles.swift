// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation

/// The files of a whole vault, archive or backup as a test has them: its base's, its own over them, then its edits.
/// Shape: Vectors/README.md.
struct FixtureFiles {
    /// Contents by path below the folder.
    private(set) var contents: [String: [UInt8]] = [:]

    /// What an archive is called among a test's files.
    static let archiveName = "archive"

    init(archive: [UInt8]) { contents = [Self.archiveName: archive] }

    /// - Throws: `VectorFault`.
    init(_ test: VectorTest) throws {
        if test.has("base") { contents = try FixtureFiles(test.earlier("base")).contents }
        for (path, value) in test.fields["files"]?.object ?? [:] {
            guard let bytes = value.text.flatMap({ Data(base64Encoded: $0) }) else {
                throw VectorFault("a file is not base64")
            }
            contents[try Self.checked(path)] = Array(bytes)
        }
        for edit in try test.has("edit") ? test.list("edit") : [] { try apply(edit, of: test) }
    }

    private mutating func apply(_ edit: JSONValue, of test: VectorTest) throws {
        let fields = edit.object ?? [:]
        guard let path = fields["file"]?.text else { throw VectorFault("an edit names no file") }
        switch fields["op"]?.text {
        case "take":
            let named = VectorTest(file: test.file, group: test.group, fields: test.fields.merging(fields) { $1 })
            contents[try Self.checked(path)] = try FixtureFiles(named.earlier("base")).content(
                fields["name"]?.text ?? path)
        case "remove":
            _ = try content(path)
            contents[path] = nil
        case "exchangeFiles":
            guard let other = fields["with"]?.text else { throw VectorFault("an edit names no second file") }
            (contents[path], contents[other]) = (try content(other), try content(path))
        default: contents[path] = try SealedEdit.apply([edit], to: content(path))
        }
    }

    private func content(_ path: String) throws -> [UInt8] {
        guard let bytes = contents[path] else { throw VectorFault("an edit names a file that does not exist") }
        return bytes
    }

    /// A path that leads nowhere but below the folder, whoever wrote the test.
    private static func checked(_ path: String) throws -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let isPlain = parts.allSatisfy { part in
            !part.isEmpty && part.first != "."
                && part.utf8.allSatisfy {
                    (0x2D...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                }
        }
        guard isPlain, parts.count <= 4, path.utf8.count <= 200 else {
            throw VectorFault("a file's path is not a path in a vault")
        }
        return path
    }
}
