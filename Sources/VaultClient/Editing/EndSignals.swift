// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

/// `EndSignals` makes SIGTERM and SIGHUP something to wait for, while an editor runs.
struct EndSignals: ~Copyable {
    /// Readable when one came.
    let descriptor: Int32

    init() { descriptor = vs_end_signal_descriptor() }

    /// Lets the signals act again.
    deinit {
        if descriptor >= 0 { close(descriptor) }
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGTERM)
        unsafe sigaddset(&signals, SIGHUP)
        unsafe sigprocmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Takes the signal that came; nil when none did.
    func take() -> Int32? {
        let signal = vs_take_signal(descriptor)
        return signal > 0 ? signal : nil
    }
}
