// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import CSystemShims
import Foundation
import Glibc
import SecretMemory
import SyncProtocol
import VaultTesting

/// A running `vault-sync`, confined as ever, asked one thing after the other.
final class Remote {
    struct Silent: Error {}

    let process: SyncProcess
    private let folder: PassedFile?
    private var seen: [SyncProcess.Event] = []

    init(_ order: StartOrder, folder: URL? = nil, _ name: String = "", _ secret: String = "") throws {
        self.folder = folder.map { PassedFile(taking: unsafe Glibc.open($0.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) }
        let texts = Array(name.utf8) + [0] + Array(secret.utf8) + [0]
        let credential = unsafe SecretBytes(byteCount: texts.count) { unsafe $0.copyBytes(from: texts) }
        process = try SyncProcess(
            program: Repository.program("vault-sync").path, order, folder: self.folder?.descriptor,
            credential: credential)
        guard try next(10) == .ready else { throw Silent() }
    }

    /// The next event, within so many seconds.
    func next(_ seconds: Double) throws -> SyncProcess.Event {
        let deadline = Date.now.addingTimeInterval(seconds)
        while seen.isEmpty {
            var readable = pollfd(fd: process.descriptor, events: Int16(POLLIN), revents: 0)
            let left = deadline.timeIntervalSinceNow
            guard left > 0 else { throw Silent() }
            _ = unsafe poll(&readable, 1, Int32(left * 1000) + 1)
            seen += try process.events()
        }
        return seen.removeFirst()
    }

    /// Waits for the answer to one request; what else was said is dropped.
    private func answer(_ ticket: Ticket, _ seconds: Double) throws -> Result<Int, StoreFailure> {
        while true {
            switch try next(seconds) {
            case .done(ticket, let byteCount): return .success(byteCount)
            case .failed(ticket, let failure): return .failure(failure)
            case .done, .failed, .changed, .credential, .ready: continue
            }
        }
    }

    func get(_ name: StoreName, max: Int? = nil, seconds: Double = 30) throws -> Result<[UInt8], StoreFailure> {
        let file = MemoryFile()
        return try answer(process.get(name, into: file.descriptor, max: max), seconds).map { file.bytes($0) }
    }

    @discardableResult
    func put(_ name: StoreName, _ bytes: [UInt8], digest: [UInt8]? = nil, seconds: Double = 30) throws
        -> Result<Int, StoreFailure>
    {
        let file = MemoryFile(bytes)
        let ticket = try process.put(
            name, from: file.descriptor, byteCount: bytes.count, digest: digest ?? Digest.of(bytes))
        return try answer(ticket, seconds)
    }

    func list(_ folder: StoreFolder, seconds: Double = 30) throws -> Result<Set<StoreName>, StoreFailure> {
        let file = MemoryFile()
        let answer = try answer(process.list(folder, into: file.descriptor), seconds)
        return try answer.map { Set(try StoreListing.names(in: file.bytes($0), of: folder)) }
    }

    func delete(_ name: StoreName) throws -> Result<Int, StoreFailure> { try answer(process.delete(name), 30) }

    func watch() throws -> Result<Int, StoreFailure> { try answer(process.watch(), 10) }
}

extension Result {
    fileprivate func map<Other>(_ body: (Success) throws -> Other) rethrows -> Result<Other, Failure> {
        switch self {
        case .success(let value): .success(try body(value))
        case .failure(let failure): .failure(failure)
        }
    }

    var failure: Failure? {
        guard case .failure(let failure) = self else { return nil }
        return failure
    }

    var value: Success? { try? get() }
}

/// A file in memory alone.
final class MemoryFile {
    let descriptor: Int32

    init(_ bytes: [UInt8] = []) {
        descriptor = vs_memory_file()
        precondition(descriptor >= 0, "there is memory for a test")
        let written = unsafe bytes.withUnsafeBytes { raw in
            unsafe raw.isEmpty ? 0 : vs_write_whole(descriptor, raw.baseAddress!, raw.count)
        }
        precondition(written == 0, "there is memory for a test")
    }

    deinit { close(descriptor) }

    func bytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = unsafe bytes.withUnsafeMutableBytes { raw in
            unsafe raw.isEmpty ? 0 : pread(descriptor, raw.baseAddress!, raw.count, 0)
        }
        return got == count ? bytes : []
    }

    var byteCount: Int {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : -1
    }
}

/// SHA-256 by another program: this is a test of transport, not of hashing.
enum Digest {
    static func of(_ bytes: [UInt8]) -> [UInt8] {
        guard let run = try? ProgramRun(URL(filePath: "/usr/bin/sha256sum"), [], input: bytes) else { return [] }
        let digits = Array(run.text.prefix(64))
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    }
}

/// Names that are as random as real ones, the same in each run.
enum Names {
    static func name(_ area: StoreArea, _ number: Int, shard: UInt8? = nil) -> StoreName {
        var generator = SeededGenerator(UInt64(area.rawValue) << 32 | UInt64(number))
        var text = ""
        while text.utf8.count < 64 {
            let part = String(generator.next(), radix: 16)
            text += String(repeating: "0", count: 16 - part.utf8.count) + part
        }
        if let shard { text = StoreFolder(.segment, shard: shard)!.parts[1] + text.dropFirst(2) }
        guard area == .header else { return StoreName(area, text)! }
        let counter = String(number)
        return StoreName(area, String(repeating: "0", count: 20 - counter.utf8.count) + counter + "-" + text.prefix(8))!
    }
}
