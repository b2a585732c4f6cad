// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

/// Reads or writes a pipe whose other end is not trusted to do its part: waits in poll(2), never in the call itself.
struct PipeBytes {
    let descriptor: Int32
    /// How long nothing may move.
    let patience: Duration
    /// Asked while it waits.
    let gate: ProgressGate

    /// Between two questions whether to go on, in milliseconds.
    private static let sliceMilliseconds: Int32 = 100

    /// Reads what there is, up to the size of `target`.
    ///
    /// - Returns: 0 when all writers have closed it.
    /// - Throws: `ObjectError.stalled`, `.cancelled`, `.io`.
    func read(_ target: UnsafeMutableRawBufferPointer) throws(ObjectError) -> Int {
        while true {
            try wait(for: Int16(POLLIN))
            let got = unsafe vs_read_now(descriptor, target.baseAddress!, target.count)
            if got >= 0 { return got }
            guard errno == EINTR || errno == EAGAIN else { throw ObjectError(errno: errno) }
        }
    }

    /// Writes all of it. The process must ignore SIGPIPE.
    ///
    /// - Throws: `ObjectError.closed`, `.stalled`, `.cancelled`, `.io`.
    func write(_ bytes: UnsafeRawBufferPointer) throws(ObjectError) {
        var done = 0
        while done < bytes.count {
            try wait(for: Int16(POLLOUT))
            let put = unsafe vs_write_now(descriptor, bytes.baseAddress! + done, bytes.count - done)
            if put >= 0 {
                done += put
            } else if errno != EINTR && errno != EAGAIN {
                throw ObjectError(errno: errno)
            }
        }
    }

    private func wait(for event: Int16) throws(ObjectError) {
        let clock = SuspendingClock()
        let deadline = clock.now + patience
        while true {
            try gate.pass()
            var entry = pollfd(fd: descriptor, events: event, revents: 0)
            let ready = unsafe poll(&entry, 1, Self.sliceMilliseconds)
            if ready > 0 {
                if entry.revents & Int16(POLLNVAL) != 0 { throw ObjectError(.io, systemError: EBADF) }
                // A reader is told of the end by the read that follows; a writer only here.
                if event == Int16(POLLOUT), entry.revents & Int16(POLLERR | POLLHUP) != 0 {
                    throw ObjectError(.closed, systemError: EPIPE)
                }
                return
            }
            if ready < 0, errno != EINTR { throw ObjectError(errno: errno) }
            if clock.now >= deadline { throw ObjectError(.stalled) }
        }
    }
}
