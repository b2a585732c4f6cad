// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Where an export of several files goes. Names in paths are made by `SafeName`; a target checks them all the same.
public protocol ExportTarget: AnyObject {
    /// Makes a folder, before anything in it. Its parents are there.
    ///
    /// - Parameter modified: milliseconds since 1970, UTC.
    func addFolder(_ path: [String], modified: Int64) throws

    /// Makes a file from exactly `byteCount` bytes.
    ///
    /// - Throws: `ExportError.sizeChanged` if the content is longer or shorter.
    func addFile(_ path: [String], byteCount: UInt64, modified: Int64, content: (ByteSink) throws -> Void) throws

    /// Ends the export. Nothing can be added afterwards.
    func finish() throws
}

extension ExportTarget {
    func addFile(_ path: [String], modified: Int64, bytes: [UInt8]) throws {
        try addFile(path, byteCount: UInt64(bytes.count), modified: modified) { sink in try sink(bytes.span) }
    }
}
