// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSessionBus
internal import Glibc

/// `BusConnection` is a connection to a message bus that never waits: calls are queued, answers come with the other
/// messages, told apart by their cookie.
@safe final class BusConnection {
    /// `Step` is what one step of the connection came to.
    enum Step: ~Copyable {
        case message(BusMessage)
        /// Something was done that is of no interest here.
        case progress
        /// There is nothing to do until the descriptor or the deadline says so.
        case idle
        /// The connection is of no more use.
        case lost
    }

    private let bus: OpaquePointer

    /// Connects; it is nil when the library is missing or nobody listens at the address.
    init?(address: String) {
        guard session_bus_load() == 0 else { return nil }
        var bus: OpaquePointer?
        guard unsafe session_bus_open(address, &bus) >= 0, let bus = unsafe bus else { return nil }
        unsafe self.bus = bus
    }

    deinit { unsafe session_bus_close(bus) }

    var descriptor: Int32 { unsafe max(-1, session_bus_descriptor(bus)) }

    /// What to poll(2) for.
    var events: Int16 { Int16(truncatingIfNeeded: unsafe max(0, session_bus_events(bus))) }

    /// When to take a step without being polled, in microseconds of the monotonic clock; nil for never.
    var deadline: UInt64? {
        var deadline: UInt64 = .max
        // A connection that cannot say is looked at now, and found lost.
        guard unsafe session_bus_deadline(bus, &deadline) >= 0 else { return 0 }
        return deadline == .max ? nil : deadline
    }

    func step() -> Step {
        var message: OpaquePointer?
        let result = unsafe session_bus_process(bus, &message)
        if let message = unsafe message { return .message(unsafe BusMessage(taking: message)) }
        return result < 0 ? .lost : result == 0 ? .idle : .progress
    }

    /// Queues a call and asks for an answer. Returns its cookie, never 0; nil when the connection is lost.
    func ask(_ destination: String, _ path: String, _ interface: String, _ member: String, _ arguments: [String])
        -> UInt64?
    {
        var cookie: UInt64 = 0
        let result = unsafe withStrings(arguments) { strings in
            unsafe session_bus_call(bus, destination, path, interface, member, strings, arguments.count, &cookie)
        }
        return result >= 0 && cookie != 0 ? cookie : nil
    }

    /// Asks the bus to pass on the broadcast signals that fit `rule`. No answer is wanted: without the signals nothing
    /// is lost but comfort.
    func addMatch(_ rule: String) {
        _ = unsafe withStrings([rule]) { strings in
            unsafe session_bus_call(
                bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "AddMatch", strings, 1,
                nil)
        }
    }

    private func withStrings<R>(_ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> R) -> R {
        let copies = unsafe texts.map { unsafe UnsafePointer(strdup($0)) }
        defer { unsafe copies.forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) } }
        return unsafe copies.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
    }
}
