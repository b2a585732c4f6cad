// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc
internal import SealedObjects

/// `ExportStream` writes one stream to a client's regular file, at own offsets, or to a pipe whose other end is not
/// trusted to take anything. For one thread.
final class ExportStream {
    /// How long a pipe may take nothing.
    private static let patience = Duration.seconds(120)
    /// Milliseconds between two looks whether the export was cancelled.
    private static let sliceMilliseconds: Int32 = 100

    private let passed: PassedDescriptor
    private let isPipe: Bool
    private let isCancelled: () -> Bool
    private var offset: off_t = 0
    /// The first failure; after it nothing more is written.
    private(set) var failure: ObjectError?

    init(_ passed: PassedDescriptor, isCancelled: @escaping () -> Bool) {
        self.passed = passed
        self.isCancelled = isCancelled
        isPipe = passed.byteCount == nil
    }

    /// Writes all of it.
    ///
    /// - Throws: `ObjectError.noRoom`, `.closed`, `.stalled`, `.cancelled`, `.io`.
    func write(_ bytes: UnsafeRawBufferPointer) throws(ObjectError) {
        if let failure { throw failure }
        do throws(ObjectError) {
            try unsafe isPipe ? writeToPipe(bytes) : writeToFile(bytes)
        } catch {
            failure = error
            throw error
        }
    }

    private func writeToFile(_ bytes: UnsafeRawBufferPointer) throws(ObjectError) {
        guard !isCancelled() else { throw ObjectError(.cancelled) }
        var done = 0
        while done < bytes.count {
            let put = unsafe pwrite(passed.descriptor, bytes.baseAddress! + done, bytes.count - done, offset)
            if put < 0 && errno == EINTR { continue }
            guard put > 0 else { throw Self.failure(put < 0 ? errno : ENOSPC) }
            done += put
            offset += off_t(put)
        }
    }

    private func writeToPipe(_ bytes: UnsafeRawBufferPointer) throws(ObjectError) {
        var done = 0
        while done < bytes.count {
            try waitForRoom()
            let put = unsafe vs_write_now(passed.descriptor, bytes.baseAddress! + done, bytes.count - done)
            if put >= 0 {
                done += put
            } else if errno != EINTR && errno != EAGAIN {
                throw Self.failure(errno)
            }
        }
    }

    private func waitForRoom() throws(ObjectError) {
        let clock = SuspendingClock()
        let deadline = clock.now + Self.patience
        while true {
            guard !isCancelled() else { throw ObjectError(.cancelled) }
            var entry = pollfd(fd: passed.descriptor, events: Int16(POLLOUT), revents: 0)
            let ready = unsafe poll(&entry, 1, Self.sliceMilliseconds)
            if ready > 0 {
                if entry.revents & Int16(POLLERR | POLLHUP) != 0 { throw ObjectError(.closed, systemError: EPIPE) }
                return
            }
            if ready < 0, errno != EINTR { throw Self.failure(errno) }
            if clock.now >= deadline { throw ObjectError(.stalled) }
        }
    }

    private static func failure(_ number: Int32) -> ObjectError {
        switch number {
        case ENOSPC, EDQUOT, EFBIG: ObjectError(.noRoom, systemError: number)
        case EPIPE: ObjectError(.closed, systemError: number)
        default: ObjectError(.io, systemError: number)
        }
    }
}
