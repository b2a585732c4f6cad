// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import CSystemShims
internal import Glibc
internal import ParserProtocol

/// `SourceFile` is a file or pipe that is to be attached, open for reading, with its first bytes, by which
/// `vault-parse` says what it is (`FileKinds`).
public final class SourceFile {
    /// At the beginning of the content; closed with this object, unless it is standard input.
    public let descriptor: Int32
    /// The last part of the path, or the name that was given.
    public let name: String
    /// At most `FileKind.headByteCountMax` bytes; of a pipe those that are in it already.
    public let head: [UInt8]
    private let isOurs: Bool

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: "-" for standard input.
    ///   - name: nil for the path's last part.
    /// - Throws: `.notFound`, `.usage` for what is neither a regular file nor a pipe.
    public init(_ path: String, name: String?) throws(ClientFailure) {
        let shown = path == "-" ? "standard input" : VisibleText.escaped(path)
        isOurs = path != "-"
        // A FIFO waits for its writer, as it does in every program; nothing else is waited for.
        let waits = isOurs && Self.kind(path) == S_IFIFO
        descriptor = isOurs ? unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (waits ? 0 : O_NONBLOCK)) : 0
        guard descriptor >= 0 else {
            throw ClientFailure(
                errno == ENOENT ? .notFound : .other, "cannot read \(shown): \(SystemError.text(errno))")
        }
        self.name = name ?? (isOurs ? String(path.split(separator: "/").last ?? "") : "attachment")
        var status = stat()
        let isKnown = unsafe fstat(descriptor, &status) == 0
        switch isKnown ? status.st_mode & S_IFMT : 0 {
        case S_IFREG: head = Self.head(ofFile: descriptor)
        case S_IFIFO: head = Self.head(ofPipe: descriptor)
        case S_IFDIR:
            if isOurs { close(descriptor) }
            throw .usage("\(shown) is a folder", hint: "tar -c -C FOLDER . | vault attach add ID - --name folder.tar")
        default:
            if isOurs { close(descriptor) }
            throw .usage("\(shown) is neither a file nor a pipe", hint: "pipe it into 'vault attach add ID -'")
        }
    }

    deinit { if isOurs { close(descriptor) } }

    /// Says what is wrong with a path without opening it: a FIFO that is opened and closed has lost its writer.
    public static func check(_ path: String) throws(ClientFailure) {
        switch kind(path) {
        case S_IFIFO, S_IFREG: if unsafe access(path, R_OK) != 0 { _ = try SourceFile(path, name: nil) }
        default: _ = try SourceFile(path, name: nil)
        }
    }

    private static func kind(_ path: String) -> mode_t? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    private static func head(ofFile descriptor: Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: FileKind.headByteCountMax)
        let got = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress!, $0.count, 0) }
        return Array(bytes[0..<max(got, 0)])
    }

    /// Returns the first bytes in a pipe without taking them out: tee(2) copies them.
    private static func head(ofPipe descriptor: Int32) -> [UInt8] {
        var ends: [Int32] = [-1, -1]
        guard unsafe vs_pipe(&ends) == 0 else { return [] }
        defer { for end in ends { close(end) } }
        let copied = vs_tee(descriptor, ends[1], 65536)
        guard copied > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: Int(copied))
        let got = unsafe bytes.withUnsafeMutableBytes { unsafe read(ends[0], $0.baseAddress!, $0.count) }
        return Array(bytes[0..<max(got, 0)])
    }
}
