// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import SealedObjects
import Testing

struct SourceTests {
    /// Seals while `change` is done to the source after a part of it was read.
    private func seal(_ source: ScratchFile, layers: Int, changing change: @escaping () -> Void) throws -> ObjectError
        .Code?
    {
        let target = try ScratchFile()
        let list = try Sample.layers(layers)
        var isChanged = false
        return code {
            _ = try ObjectWriter.seal(from: source.descriptor, to: target.descriptor, layers: list) { done in
                if done > 0, !isChanged {
                    change()
                    isChanged = true
                }
                return true
            }
        }
    }

    @Test(arguments: [1, 2])
    func aFileThatChangesWhileItIsReadIsRefused(layers: Int) throws {
        let byteCount = 8 << 20
        let changes: [(ScratchFile) -> Void] = [
            { $0.write([1], at: byteCount) }, { $0.cut(to: byteCount - 1) }, { $0.cut(to: 0) },
            { $0.write([1], at: 0) },
            { $0.write([1], at: byteCount - 1) },
        ]
        for (index, change) in changes.enumerated() {
            let source = try ScratchFile(sparse: byteCount)
            let old = [timespec(tv_sec: 1_000_000_000, tv_nsec: 0), timespec(tv_sec: 1_000_000_000, tv_nsec: 0)]
            unsafe futimens(source.descriptor, old)
            #expect(try seal(source, layers: layers) { change(source) } == .changed, "change \(index)")
        }
        #expect(try seal(ScratchFile(sparse: byteCount), layers: layers) {} == nil)
    }

    /// The kernel says 0 bytes of what it makes while it is read.
    @Test func aFileThatHoldsMoreThanItSaysIsRefused() throws {
        let source = unsafe open("/proc/self/status", O_RDONLY | O_CLOEXEC)
        defer { close(source) }
        let target = try ScratchFile()
        #expect(
            code {
                _ = try ObjectWriter.seal(from: source, to: target.descriptor, layers: Sample.layers(1)) { _ in true }
            } == .changed)
    }

    @Test func anythingButAFileOrPipeIsRefused() throws {
        var sockets: [Int32] = [-1, -1]
        unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets)
        let folder = FileManager.default.temporaryDirectory.path
        let pathOnly: Int32 = 0o10000000
        var others = unsafe [
            open(folder, O_RDONLY | O_DIRECTORY), open("/dev/null", O_RDWR), open("/proc/self/status", pathOnly),
        ]
        others.append(sockets[0])
        defer { (others + [sockets[1]]).forEach { close($0) } }
        let file = try ScratchFile()
        let sample = try Sample(10)
        for descriptor in others {
            #expect(descriptor >= 0)
            #expect(
                code {
                    _ = try ObjectWriter.seal(from: descriptor, to: file.descriptor, layers: sample.layers) { _ in true
                    }
                } == .notAFileOrPipe)
            #expect(
                code {
                    _ = try ObjectWriter.seal(from: file.descriptor, to: descriptor, layers: sample.layers) { _ in true
                    }
                } == .notAFileOrPipe)
            #expect(code { try sample.reader().copy(0..<10, to: descriptor) { _ in true } } == .notAFileOrPipe)
        }
        let pipe = try ScratchPipe()
        #expect(
            code {
                _ = try ObjectWriter.seal(from: file.descriptor, to: pipe.writing, layers: sample.layers) { _ in true }
            } == .notAFileOrPipe)
        #expect(
            code { _ = try ObjectWriter.seal(from: -1, to: file.descriptor, layers: sample.layers) { _ in true } }
                == .io)
    }

    @Test func aTargetThatAppendsIsRefused() throws {
        let (source, target, sample) = (try ScratchFile([1, 2, 3]), try ScratchFile(), try Sample(10))
        _ = fcntl(target.descriptor, F_SETFL, O_APPEND)
        #expect(
            code {
                _ = try ObjectWriter.seal(from: source.descriptor, to: target.descriptor, layers: sample.layers) { _ in
                    true
                }
            } == .io)
        #expect(code { try sample.reader().copy(0..<10, to: target.descriptor) { _ in true } } == .io)
        #expect(target.byteCount == 0)
    }

    @Test(arguments: [1, 2])
    func moreThanIsAllowedIsRefusedAndJustThatMuchIsNot(layers: Int) throws {
        let content = Sample.content(100_000)
        for (limit, expected) in [(UInt64(99_999), ObjectError.Code.tooLarge), (100_000, nil)]
            as [(UInt64, ObjectError.Code?)]
        {
            let (file, pipe, target) = (try ScratchFile(content), try ScratchPipe(), try ScratchFile())
            let sending = pipe.send(content)
            for source in [file.descriptor, pipe.reading] {
                let got = code {
                    _ = try ObjectWriter.seal(
                        from: source, to: target.descriptor, layers: Sample.layers(layers), byteCountMax: limit
                    ) { _ in true }
                }
                #expect(got == expected)
            }
            // A sender that still writes hears that nobody reads, and ends.
            pipe.closeReading()
            _ = sending
        }
    }
}
