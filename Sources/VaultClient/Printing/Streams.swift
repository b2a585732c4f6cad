// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc

/// `Streams` writes to the standard streams without stdio, whose buffers would keep note text.
enum Streams {
    static let output: Int32 = 1
    static let talk: Int32 = 2

    /// Writes all bytes.
    ///
    /// - Throws: `.other` when the stream takes no more. A reader that went away ends the process by SIGPIPE.
    static func write(_ bytes: [UInt8], to descriptor: Int32 = output) throws(ClientFailure) {
        guard writeAll(bytes, to: descriptor) else {
            let reason = unsafe String(cString: strerror(errno))
            throw ClientFailure(.other, "cannot write to standard output: \(reason.lowercased())")
        }
    }

    static func write(_ text: String) throws(ClientFailure) { try write(Array(text.utf8)) }

    /// Writes a line on standard error. Nobody can be told when that fails.
    static func say(_ line: String) { _ = writeAll(Array((line + "\n").utf8), to: talk) }

    static func warn(_ text: String) { say("vault: warning: " + text) }

    @discardableResult
    static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool { FileBytes.write(bytes, to: descriptor) }
}
