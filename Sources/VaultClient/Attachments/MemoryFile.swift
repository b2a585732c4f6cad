// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc

/// A file without a name that lies in memory alone: for content on its way between two programs.
final class MemoryFile {
    let descriptor: Int32

    init(_ bytes: [UInt8]) throws(ClientFailure) {
        descriptor = vs_memory_file()
        guard descriptor >= 0, Streams.writeAll(bytes, to: descriptor) else {
            throw ClientFailure(.other, "cannot make a file in memory: \(SystemError.text(errno))")
        }
        rewind()
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func rewind() { lseek(descriptor, 0, SEEK_SET) }

    func content() throws(ClientFailure) -> [UInt8] {
        rewind()
        do { return try FileBytes.read(descriptor, max: 512 << 20) } catch { throw ClientFailure(.other, "the file in memory cannot be read back") }
    }
}
