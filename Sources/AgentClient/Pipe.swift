// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import CSystemShims
internal import Glibc

/// `PipeSignal` keeps SIGPIPE from a front end: it may not ignore the signal, and must not end because a parser did.
public enum PipeSignal {
    /// Runs `body`, in which a write to a pipe without a reader fails with EPIPE and ends nobody. Other threads are not
    /// touched.
    public static func ignored<R>(_ body: () -> R) -> R {
        var pipe = sigset_t()
        var before = sigset_t()
        var pending = sigset_t()
        unsafe sigemptyset(&pipe)
        unsafe sigaddset(&pipe, SIGPIPE)
        unsafe sigpending(&pending)
        let wasPending = unsafe sigismember(&pending, SIGPIPE) == 1
        unsafe pthread_sigmask(SIG_BLOCK, &pipe, &before)
        let result = body()
        let reason = errno
        var atOnce = timespec()
        // A signal that we raised is taken back; one that waited before is not ours.
        if !wasPending { while unsafe sigtimedwait(&pipe, nil, &atOnce) < 0 && errno == EINTR {} }
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
        errno = reason
        return result
    }
}

/// `Pipe` is a pipe whose ends are closed with it, unless they were taken.
package struct Pipe: ~Copyable {
    package private(set) var readingEnd: Int32
    package private(set) var writingEnd: Int32

    /// Makes a pipe, and holds both of its ends.
    ///
    /// - Throws: `.other` when the process has too many files open.
    package init() throws(ClientFailure) {
        var ends: [Int32] = [-1, -1]
        guard unsafe vs_pipe(&ends) == 0 else {
            throw ClientFailure(.other, "cannot make a pipe: \(SystemError.text(errno))")
        }
        (readingEnd, writingEnd) = (ends[0], ends[1])
    }

    deinit {
        if readingEnd >= 0 { close(readingEnd) }
        if writingEnd >= 0 { close(writingEnd) }
    }

    package mutating func closeReading() { close(takeReading()) }
    package mutating func closeWriting() { if writingEnd >= 0 { close(takeWriting()) } }

    /// Leaves an end to the caller, who closes it.
    package mutating func takeReading() -> Int32 {
        defer { readingEnd = -1 }
        return readingEnd
    }

    package mutating func takeWriting() -> Int32 {
        defer { writingEnd = -1 }
        return writingEnd
    }
}
