// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import Glibc

/// Standard output as a descriptor that an agent may write to.
///
/// A file or a pipe is written by the agent itself; anything else, or a file that has content, through a pipe of ours.
struct OutputFile {
    let descriptor: Int32
    private let pump: PipePump?

    init() throws(ClientFailure) {
        var status = stat()
        let stream = Streams.output
        let kind = unsafe fstat(stream, &status) == 0 ? status.st_mode & S_IFMT : 0
        let isFresh = kind == S_IFREG && status.st_size == 0 && lseek(stream, 0, SEEK_CUR) == 0 && fcntl(stream, F_GETFL) & O_APPEND == 0
        pump = kind == S_IFIFO || isFresh ? nil : try PipePump(to: stream)
        descriptor = pump?.input ?? stream
    }

    /// Waits until everything has gone through.
    func finish() { pump?.finish() }
}
