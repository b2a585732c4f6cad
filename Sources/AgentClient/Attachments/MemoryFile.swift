// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import CSystemShims
internal import Glibc

/// `MemoryFile` is a file without a name that exists only in memory: for content on its way between two programs.
public final class MemoryFile {
    /// Open for reading and writing; closed with this object.
    public let descriptor: Int32

    /// Writes the bytes to a new file in memory and puts its offset back to the beginning.
    ///
    /// - Throws: `.other` when the kernel gives no memory for it.
    public init(_ bytes: [UInt8]) throws(ClientFailure) {
        descriptor = vs_memory_file()
        guard descriptor >= 0, FileBytes.write(bytes, to: descriptor) else {
            throw ClientFailure(.other, "cannot make a file in memory: \(SystemError.text(errno))")
        }
        rewind()
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Goes back to its beginning.
    public func rewind() { lseek(descriptor, 0, SEEK_SET) }

    /// Returns all of it, at most 512 MiB.
    public func content() throws(ClientFailure) -> [UInt8] {
        rewind()
        do { return try FileBytes.read(descriptor, max: 512 << 20) } catch {
            throw ClientFailure(.other, "the file in memory cannot be read back")
        }
    }
}
