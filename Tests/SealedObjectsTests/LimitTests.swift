// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import SealedObjects
import Testing

struct LimitTests {
    @Test func aHugeSparseFileIsCancelledAtOnce() async {
        await #expect(processExitsWith: .success) {
            let sources = try [4 << 30, 100 << 30].map { try ScratchFile(sparse: $0) }
            // A cancel that does not work must not fill a disk.
            try limitFiles(to: 1 << 30)
            for source in sources {
                for layers in [1, 2] {
                    let (list, target) = (try Sample.layers(layers), try ScratchFile())
                    for limit in [0, 4 << 20] as [UInt64] {
                        let got = code {
                            _ = try ObjectWriter.seal(from: source.descriptor, to: target.descriptor, layers: list) {
                                $0 < limit
                            }
                        }
                        #expect(got == .cancelled)
                        if limit == 0 { #expect(target.byteCount <= 1 << 20, "no more than was under way") }
                    }
                }
            }
        }
    }

    @Test func aCopyIsCancelledAtOnce() throws {
        let (sample, target) = (try Sample(8 << 20), try ScratchFile())
        #expect(code { try sample.reader().copy(0..<8 << 20, to: target.descriptor) { $0 < 2 << 20 } } == .cancelled)
        #expect(code { try sample.reader().copy(0..<8 << 20, to: target.descriptor) { _ in false } } == .cancelled)
    }

    /// In a process of its own: the limit is the process's.
    @Test func aFullDiskIsToldFromOtherFailures() async {
        await #expect(processExitsWith: .success) {
            let sample = try Sample(1 << 20)
            let (source, target) = (try ScratchFile(sample.content), try ScratchFile())
            try limitFiles(to: 500_000)
            for layers in [1, 2] {
                let got = code {
                    _ = try ObjectWriter.seal(
                        from: source.descriptor, to: target.descriptor, layers: Sample.layers(layers)
                    ) { _ in true }
                }
                #expect(got == .noRoom)
            }
            #expect(code { try sample.reader().copy(0..<1 << 20, to: target.descriptor) { _ in true } } == .noRoom)
        }
    }

    /// In a process of its own: the highest mark counts what all threads have used.
    @Test func memoryDoesNotGrowWithTheFile() async {
        await #expect(processExitsWith: .success) {
            let source = try ScratchFile(sparse: 4 << 30)
            let target = try ScratchFile()
            try limitFiles(to: 1 << 30)
            let small = try Sample(1000, layers: 2)
            _ = try small.copied()
            let before = peakKibibytes()
            for layers in [1, 2] {
                let list = try Sample.layers(layers)
                let got = code {
                    _ = try ObjectWriter.seal(from: source.descriptor, to: target.descriptor, layers: list) {
                        $0 < 96 << 20
                    }
                }
                #expect(got == .cancelled)
            }
            let grown = peakKibibytes() - before
            #expect(before > 0 && grown < 16 << 10, "\(grown) KiB")
        }
    }
}

/// Lets this process write no larger files.
func limitFiles(to byteCount: Int) throws {
    // Beyond the limit the kernel sends a signal unless it is ignored.
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: rlim_t(byteCount), rlim_max: rlim_t(byteCount))
    try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
}

/// VmHWM of this process.
func peakKibibytes() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
}
