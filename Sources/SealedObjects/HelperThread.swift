// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// A second thread for one piece of work, to be joined before the work's data ends.
@safe final class HelperThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
    private var thread: pthread_t = 0

    /// - Throws: `ObjectError.io` when the system gives no thread.
    init(_ run: @escaping @Sendable () -> Void) throws(ObjectError) {
        let body = unsafe Unmanaged.passRetained(Body(run))
        let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { raw in
            if let raw = unsafe raw { unsafe Unmanaged<Body>.fromOpaque(raw).takeRetainedValue().run() }
            return nil
        }
        let failure = unsafe pthread_create(&thread, nil, start, body.toOpaque())
        guard failure == 0 else {
            unsafe body.release()
            throw ObjectError(.io, systemError: failure)
        }
    }

    func join() { _ = pthread_join(thread, nil) }
}
