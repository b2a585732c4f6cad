// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import ForeignRecords
internal import CSystemShims
internal import Glibc

/// Reads one file of a folder into the record that vault-parse takes.
enum FolderFile {
    struct Failure: Error {
        let reason: SkippedFile.Reason
    }

    /// Goes down part by part, so that a folder that became a link since the walk is refused too.
    ///
    /// - Throws: why the file is left out.
    static func read(_ path: [UInt8], in folder: Int32) throws(Failure) -> ForeignFile {
        let (file, modified) = try open(path, in: folder)
        defer { close(file) }
        return try record(path, modified: modified, content: try content(file))
    }

    /// - Returns: a descriptor that the caller closes, and when the file was changed.
    static func open(_ path: [UInt8], in folder: Int32) throws(Failure) -> (Int32, Int64) {
        var directory = dup(folder)
        defer { if directory >= 0 { close(directory) } }
        let parts = path.split(separator: 0x2F).map { Array($0) }
        for part in parts.dropLast() {
            let next = MarkdownWalk.open(part, in: directory, O_RDONLY | O_DIRECTORY)
            close(directory)
            directory = next
        }
        guard let name = parts.last else { throw Failure(reason: .unreadable) }
        // A pipe that took the file's place must not make us wait for a writer.
        let file = MarkdownWalk.open(name, in: directory, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { throw Failure(reason: errno == ELOOP ? .symbolicLink : .unreadable) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw Failure(reason: .notAFile)
        }
        return (file, milliseconds(status.st_mtim))
    }

    private static func content(_ file: Int32) throws(Failure) -> [UInt8] {
        do {
            return try FileBytes.read(file, max: Int(MarkdownWalk.fileByteCountMax))
        } catch {
            throw Failure(reason: error == .tooLarge ? .tooLarge : .unreadable)
        }
    }

    private static func record(_ path: [UInt8], modified: Int64, content: [UInt8]) throws(Failure) -> ForeignFile {
        do {
            return try ForeignFile(path: path, modified: modified, content: content)
        } catch {
            throw Failure(reason: error.code == .tooLarge ? .pathTooLong : .unreadable)
        }
    }

    /// A file system's time may be any number; one that does not fit is kept at the end of the range.
    static func milliseconds(_ time: timespec) -> Int64 {
        let (product, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1000)
        return overflow ? (time.tv_sec < 0 ? .min : .max) : product &+ Int64(time.tv_nsec) / 1_000_000
    }
}
