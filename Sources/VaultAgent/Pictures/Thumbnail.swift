// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc
internal import ParserProtocol
internal import SealedObjects
internal import VaultCore
internal import VaultFormat

/// `Thumbnail` makes the small picture of an attachment: its content goes to a confined program, and what comes back is
/// parsed like anything untrusted.
enum Thumbnail {
    /// Larger files are not decoded.
    static let contentByteCountMax: UInt64 = 128 << 20

    /// Returns whether a picture of it can be shown.
    static func isShown(_ details: AttachmentDetails) -> Bool {
        [.photo, .sketch].contains(details.kind) && details.byteCount <= contentByteCountMax
    }

    /// Returns the record of a picture, or of why there is none; nil when the program failed altogether.
    ///
    /// Blocks until the program is done: for a thread of its own.
    static func make(_ content: AttachmentContent, goesOn: @escaping @Sendable (UInt64) -> Bool) -> [UInt8]? {
        let arguments = content.details.kind == .sketch ? ["sketch", "draw", "pixels"] : ["picture"]
        guard let (pid, input, output) = ParserProgram.start(arguments) else { return nil }
        // One thread writes, this one reads: a program that answers before it has read all must not wait for us.
        let writing = Background<Bool> { _ in
            defer { close(input) }
            do throws(ObjectError) {
                try content.reader().copy(0..<content.details.byteCount, to: input, progress: goesOn)
                return true
            } catch {
                // A program that has seen enough closes its end; anything else means that it was not given the picture.
                return error.code == .closed
            }
        }
        let record = read(output, goesOn)
        close(output)
        var status: Int32 = 0
        if record == nil { kill(pid, SIGKILL) }
        while unsafe waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        var isGiven: Bool?
        while isGiven == nil {
            isGiven = writing.takeResult()
            if isGiven == nil { usleep(200) }
        }
        guard isGiven == true, let record, status == 0, (try? PictureRecord.parse(record)) != nil else { return nil }
        return record
    }

    /// Longer than the program's own limit on its time allows.
    private static let secondsMax = 90.0

    private static func read(_ descriptor: Int32, _ goesOn: (UInt64) -> Bool) -> [UInt8]? {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        let end = BootClock.seconds + secondsMax
        while true {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let isReady = unsafe poll(&waiting, 1, 100) > 0
            guard goesOn(0), BootClock.seconds < end else { return nil }
            guard isReady else { continue }
            let got = unsafe part.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress!, $0.count) }
            if got < 0 && errno == EINTR { continue }
            guard got > 0 else { return got == 0 ? bytes : nil }
            bytes += part[0..<got]
            guard bytes.count <= PictureRecord.byteCountMax else { return nil }
        }
    }
}
