// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import CSystemShims
import ExportFormats
import Foundation
import Glibc
import SealedObjects
import SecretMemory
import Synchronization
import Testing

@testable import VaultAgent

/// Where an export's one stream goes, and what becomes of an export when it cannot.
struct ExportStreamTests {
    private func write(_ stream: ExportStream, _ bytes: [UInt8]) -> ObjectError? {
        do throws(ObjectError) {
            try unsafe bytes.withUnsafeBufferPointer { raw throws(ObjectError) in
                try unsafe stream.write(UnsafeRawBufferPointer(raw))
            }
            return nil
        } catch { return error }
    }

    private func pipe() -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        #expect(unsafe vs_pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    @Test func aFileIsWrittenAtOwnOffsetsAndTheDescriptorsStaysWhereItIs() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "vault-stream-\(UUID().uuidString)").path
        defer { unsafe unlink(path) }
        let file = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        let stream = ExportStream(PassedDescriptor(taking: file)) { false }
        #expect(write(stream, Array("one ".utf8)) == nil && write(stream, Array("two".utf8)) == nil)
        #expect(lseek(file, 0, SEEK_CUR) == 0)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "one two")
    }

    @Test func aFailureIsTheLastWord() {
        // A descriptor that a disk refuses all writes to looks like this one to who writes.
        let stream = ExportStream(PassedDescriptor(taking: unsafe open("/proc/self/status", O_RDONLY | O_CLOEXEC))) {
            false
        }
        #expect(write(stream, [1])?.code == .io && stream.failure?.code == .io)
        #expect(write(stream, [])?.code == .io)
    }

    @Test func whatFailsHasItsExitCode() {
        let ends = pipe()
        let stream = ExportStream(PassedDescriptor(taking: ends.write)) { false }
        close(ends.read)
        #expect(write(stream, [1])?.code == .closed)
        #expect(ExportFailure.outcome(ObjectError(.noRoom)).code == .localSaveFailed)
        #expect(ExportFailure.outcome(ExportError(.noRoom)).code == .localSaveFailed)
        #expect(ExportFailure.outcome(ExportError(.writeFailed)).code == .localSaveFailed)
        #expect(ExportFailure.outcome(ExportError(.sizeChanged)).code == .integrity)
    }

    @Test func aFullPipeIsLeftWhenTheExportIsCancelled() {
        let ends = pipe()
        defer { close(ends.read) }
        let asked = Mutex(0)
        // The pipe takes less than this, and nobody reads.
        let stream = ExportStream(PassedDescriptor(taking: ends.write)) {
            asked.withLock { count in
                count += 1
                return count > 3
            }
        }
        #expect(write(stream, [UInt8](repeating: 0, count: 4 << 20))?.code == .cancelled)
    }

    @Test func recipientsAreToldApartWithoutRepeatingWhatMayBeASecret() {
        let secret = "AGE-SECRET-KEY-1QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ"
        for (text, words) in [
            (secret, "secret key"), (secret.lowercased(), "secret key"), ("age1", "mistyped"),
            ("ssh-rsa x", "not supported"), ("", "age1"),
        ] {
            do throws(ExportSealing.Refusal) {
                _ = try ExportSealing.make(.recipients([text]), passphrase: nil)
                Issue.record("\(text) was taken")
            } catch {
                #expect(
                    error.outcome.code == .usage && error.outcome.message.contains(words), "\(error.outcome.message)")
                #expect(text.isEmpty || text.count < 10 || !error.outcome.message.contains(text))
            }
        }
    }
}
