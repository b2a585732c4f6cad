// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignCrypto
import SecretMemory

/// Keys and whole files in memory, for tests.
enum Age {
    /// The identity of CCTV's vectors, and its recipient.
    static let identityText = "AGE-SECRET-KEY-1EGTZVFFV20835NWYV6270LXYVK2VKNX2MMDKWYKLMGR48UAWX40Q2P2LM0"
    static let otherIdentityText = "AGE-SECRET-KEY-1XMWWC06LY3EE5RYTXM9MFLAZ2U56JJJ36S0MYPDRWSVLUL66MV4QX3S7F6"

    static func identity(_ text: String = identityText) throws -> AgeIdentity { try AgeIdentity(parsing: secret(text)) }
    static func passphrase(_ text: String) throws -> AgePassphrase { try AgePassphrase(secret(text)) }

    static func secret(_ text: String) -> SecretBytes {
        unsafe SecretBytes(byteCount: text.utf8.count) { unsafe $0.copyBytes(from: Array(text.utf8)) }
    }

    /// Bytes that differ from chunk to chunk.
    static func content(_ byteCount: Int) -> [UInt8] {
        (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
    }

    /// A file of `content`, written in pieces of a size.
    static func sealed(_ content: [UInt8], armored: Bool = false, pieces: Int = 10_000, to recipients: [AgeRecipient])
        throws -> [UInt8]
    {
        let output = Output()
        let writer = try unsafe AgeWriter(recipients: recipients, armored: armored, sink: output.sink)
        try write(content, pieces, writer)
        return output.bytes
    }

    static func sealed(_ content: [UInt8], armored: Bool = false, passphrase: String, workFactor: Int) throws -> [UInt8]
    {
        let output = Output()
        let writer = try unsafe AgeWriter(
            passphrase: Age.passphrase(passphrase), workFactor: workFactor, armored: armored, sink: output.sink)
        try write(content, 10_000, writer)
        return output.bytes
    }

    private static func write(_ content: [UInt8], _ pieces: Int, _ writer: AgeWriter) throws {
        for begin in stride(from: 0, to: content.count, by: pieces) {
            try writer.write(Array(content[begin..<min(begin + pieces, content.count)]))
        }
        try writer.finish()
    }

    static func opened(
        _ file: [UInt8], identities: [AgeIdentity], form: AgeReader.Form = .either, sourcePieces: Int = 7000,
        pieces: Int = 10_000
    ) throws -> Opened {
        var opened = Opened()
        do throws(AgeError) {
            let reader = try unsafe AgeReader(
                identities: identities, form: form, source: source(file, pieces: sourcePieces))
            try opened.take(reader, pieces)
        } catch { opened.error = error }
        return opened
    }

    static func opened(_ file: [UInt8], passphrase: AgePassphrase, form: AgeReader.Form = .either) -> Opened {
        var opened = Opened()
        do throws(AgeError) {
            let reader = try unsafe AgeReader(passphrase: passphrase, form: form, source: source(file, pieces: 7000))
            try opened.take(reader, 10_000)
        } catch { opened.error = error }
        return opened
    }

    static func source(_ file: [UInt8], pieces: Int) -> AgeReader.Source {
        var taken = 0
        return { target throws(AgeError) in
            let count = min(pieces, target.count, file.count - taken)
            unsafe target.copyBytes(from: file[taken..<taken + count])
            taken += count
            return count
        }
    }
}

/// What a reader gave out, and how it ended.
struct Opened {
    var content: [UInt8] = []
    var error: AgeError?

    mutating func take(_ reader: AgeReader, _ pieces: Int) throws(AgeError) {
        var buffer = [UInt8](repeating: 0, count: pieces)
        while true {
            let got = try unsafe buffer.withUnsafeMutableBufferPointer { target throws(AgeError) in
                try unsafe reader.read(into: UnsafeMutableRawBufferPointer(target))
            }
            if got == 0 { return }
            content += buffer[..<got]
        }
    }
}

/// Collects what a writer puts out, and fails at a given byte.
final class Output {
    private(set) var bytes: [UInt8] = []
    private(set) var callCount = 0
    private(set) var largestCall = 0
    var limit = Int.max

    var sink: AgeWriter.Sink {
        { part throws(AgeError) in
            self.callCount += 1
            self.largestCall = max(self.largestCall, part.count)
            guard self.bytes.count + part.count <= self.limit else { throw AgeError(.inputOutput, systemError: 28) }
            unsafe self.bytes.append(contentsOf: part)
        }
    }
}
