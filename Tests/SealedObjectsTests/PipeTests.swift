// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Glibc
import SealedObjects
import Testing

struct PipeTests {
    private let short = Duration.milliseconds(120)

    @Test(arguments: [1, 2])
    func aSenderThatStallsIsGivenUp(layers: Int) throws {
        let (pipe, target) = (try ScratchPipe(), try ScratchFile())
        unsafe write(pipe.writing, "abc", 3)
        let got = code {
            _ = try ObjectWriter.seal(
                from: pipe.reading, to: target.descriptor, layers: Sample.layers(layers), patience: short
            ) { _ in true }
        }
        #expect(got == .stalled)
        #expect(fcntl(pipe.reading, F_GETFL) & O_NONBLOCK == 0)
    }

    @Test func aReceiverThatTakesNothingIsGivenUp() throws {
        let (pipe, sample) = (try ScratchPipe(), try Sample(1 << 20))
        #expect(
            code { try sample.reader().copy(0..<1 << 20, to: pipe.writing, patience: short) { _ in true } } == .stalled)
        #expect(fcntl(pipe.writing, F_GETFL) & O_NONBLOCK == 0)
    }

    @Test func aReceiverThatGoesAwayIsACleanError() throws {
        let (pipe, sample) = (try ScratchPipe(), try Sample(1 << 20))
        let taken = Received {
            var buffer = [UInt8](repeating: 0, count: 100_000)
            let got = unsafe read(pipe.reading, &buffer, buffer.count)
            pipe.closeReading()
            return got
        }
        #expect(code { try sample.reader().copy(0..<1 << 20, to: pipe.writing) { _ in true } } == .closed)
        #expect((taken.value ?? 0) > 0)
        #expect(
            code { try sample.reader().copy(0..<1, to: pipe.writing) { _ in true } } == .closed,
            "nobody from the beginning")
    }

    @Test func workWithAPipeIsCancelledWhileNothingMoves() throws {
        let (pipe, target, sample) = (try ScratchPipe(), try ScratchFile(), try Sample(1 << 20))
        var asked = 0
        let sealing = code {
            _ = try ObjectWriter.seal(from: pipe.reading, to: target.descriptor, layers: sample.layers) { _ in
                asked += 1
                return asked < 3
            }
        }
        asked = 0
        let opening = code {
            try sample.reader().copy(0..<1 << 20, to: pipe.writing) { _ in
                asked += 1
                return asked < 3
            }
        }
        #expect(sealing == .cancelled && opening == .cancelled)
    }

    @Test func aSenderOfSingleBytesIsHeardToTheEnd() throws {
        let (pipe, target) = (try ScratchPipe(), try ScratchFile())
        let sending = pipe.send(Sample.content(3000), piece: 1)
        let sealed = try ObjectWriter.seal(from: pipe.reading, to: target.descriptor, layers: Sample.layers(1)) { _ in
            true
        }
        #expect(sealed.contentByteCount == 3000)
        _ = sending
    }

    @Test func anEmptyPipeIsAnObjectOfNoContent() throws {
        let (pipe, target) = (try ScratchPipe(), try ScratchFile())
        pipe.closeWriting()
        let sealed = try ObjectWriter.seal(from: pipe.reading, to: target.descriptor, layers: Sample.layers(2)) { _ in
            true
        }
        #expect(sealed.contentByteCount == 0 && sealed.fileByteCount == UInt64(target.byteCount))
    }
}
