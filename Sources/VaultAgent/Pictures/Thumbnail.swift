// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import ForeignRecords
internal import Glibc
internal import SealedObjects
internal import VaultCore
internal import VaultFormat

/// Makes the small picture of an attachment: its content goes to a confined program, and what comes back is parsed like anything untrusted.
enum Thumbnail {
    /// Larger files are not decoded.
    static let contentByteCountMax: UInt64 = 128 << 20

    /// Whether a picture of it can be shown.
    static func isShown(_ details: AttachmentDetails) -> Bool {
        [.photo, .sketch].contains(details.kind) && details.byteCount <= contentByteCountMax
    }

    /// The record of a picture, or of why there is none; nil when the program failed altogether.
    ///
    /// Blocks until the program is done: for a thread of its own.
    static func make(_ content: AttachmentContent, goesOn: @escaping @Sendable (UInt64) -> Bool) -> [UInt8]? {
        let arguments = content.details.kind == .sketch ? ["sketch", "draw", "pixels"] : ["picture"]
        guard let (pid, input, output) = ParserProgram.start(arguments) else { return nil }
        // One thread writes, this one reads: a program that answers before it has read all must not wait for us.
        let writing = Background<Bool> { _ in
            defer { close(input) }
            return (try? content.reader().copy(0..<content.details.byteCount, to: input, progress: goesOn)) != nil
        }
        let record = read(output)
        close(output)
        var status: Int32 = 0
        if record == nil { kill(pid, SIGKILL) }
        while unsafe waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        while writing.takeResult() == nil { usleep(200) }
        guard let record, status == 0, (try? PictureRecord.parse(record)) != nil else { return nil }
        return record
    }

    private static func read(_ descriptor: Int32) -> [UInt8]? {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let got = unsafe part.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress!, $0.count) }
            if got < 0 && errno == EINTR { continue }
            guard got > 0 else { return got == 0 ? bytes : nil }
            bytes += part[0..<got]
            guard bytes.count <= PictureRecord.byteCountMax else { return nil }
        }
    }
}
