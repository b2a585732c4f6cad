// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignCrypto
import Foundation
import Glibc
import Testing

/// Two threads and a pipe between them, as an export and its reader have it.
struct AgeStreamTests {
    @Test(arguments: [(false, 16 << 20), (true, 1 << 20)])
    func aStreamOfManyChunksGoesThroughAPipe(armored: Bool, total: Int) throws {
        // Where the reader fails, the writer must see an error and not end the run.
        _ = signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [0, 0]
        #expect(unsafe pipe(&ends) == 0)
        let (from, into) = (ends[0], ends[1])
        let identity = try Age.identity()
        let recipient = identity.recipient
        let failed = Flag()
        Thread.detachNewThread {
            do {
                let writer = try AgeWriter(recipients: [recipient], armored: armored, descriptor: into)
                for number in 0..<total / 262_144 {
                    try writer.write([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 262_144))
                }
                try writer.finish()
            } catch { failed.raise() }
            close(into)
        }
        defer { close(from) }
        let reader = try AgeReader(identities: [identity], descriptor: from)
        var buffer = [UInt8](repeating: 0, count: 262_144)
        var done = 0
        var isRight = true
        while true {
            let got = try unsafe buffer.withUnsafeMutableBytes { try unsafe reader.read(into: $0) }
            if got == 0 { break }
            // A read never crosses a chunk, and each block of the content is one byte over and over.
            isRight =
                isRight && buffer[0] == UInt8(truncatingIfNeeded: done / 262_144) && buffer[got - 1] == buffer[0]
                && got <= 65_536
            done += got
        }
        #expect(done == total)
        #expect(isRight)
        #expect(!failed.isRaised)
    }

    @Test func noCallOfASinkIsLargerThanAChunk() throws {
        let output = Output()
        let writer = try unsafe AgeWriter(recipients: [try Age.identity().recipient], sink: output.sink)
        try writer.write([UInt8](repeating: 1, count: 300_000))
        #expect(output.bytes.count > 260_000)
        try writer.finish()
        #expect(output.largestCall == 65_536 + 16)
    }

    @Test func aClosedDescriptorIsAnErrorWithItsNumber() throws {
        let recipient = try Age.identity().recipient
        #expect(throws: AgeError(.inputOutput, systemError: EBADF)) {
            try AgeWriter(recipients: [recipient], descriptor: -1)
        }
        #expect(throws: AgeError(.inputOutput, systemError: EBADF)) {
            try AgeReader(identities: [Age.identity()], descriptor: -1)
        }
    }
}

private final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private var value = false
    func raise() { lock.withLock { value = true } }
    var isRaised: Bool { lock.withLock { value } }
}
