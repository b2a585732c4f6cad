// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSessionBus

/// `BusMessage` is a message from the bus. Its arguments are read one after another; what is missing or of another type
/// reads as nil.
@safe struct BusMessage: ~Copyable {
    enum Kind {
        case signal
        case reply
        case failure
        case other
    }

    private let message: OpaquePointer

    /// Takes ownership of a message, which is released with this value.
    init(taking message: OpaquePointer) { unsafe self.message = message }

    deinit { unsafe session_bus_release(message) }

    var kind: Kind {
        switch unsafe Int(session_bus_message_kind(message)) {
        case SESSION_BUS_SIGNAL: .signal
        case SESSION_BUS_REPLY: .reply
        case SESSION_BUS_ERROR: .failure
        default: .other
        }
    }

    /// The unique name of who sent it, as the bus itself wrote it: a sender cannot choose it.
    var sender: String? { unsafe session_bus_sender(message).map { unsafe String(cString: $0) } }

    var path: String? { unsafe session_bus_path(message).map { unsafe String(cString: $0) } }

    /// The cookie of the call that this answers; 0 for none.
    var answered: UInt64 { unsafe session_bus_answered(message) }

    func isSignal(_ interface: String, _ member: String) -> Bool {
        unsafe session_bus_is_signal(message, interface, member) != 0
    }

    func readBoolean() -> Bool? {
        var value: Int32 = 0
        return unsafe session_bus_read_boolean(message, &value) < 0 ? nil : value != 0
    }

    func readString() -> String? {
        var text: UnsafePointer<CChar>?
        guard unsafe session_bus_read_string(message, &text) >= 0 else { return nil }
        return unsafe text.map { unsafe String(cString: $0) }
    }

    /// Reads a descriptor that is the caller's to close.
    func readDescriptor() -> Int32? {
        let descriptor = unsafe session_bus_read_descriptor(message)
        return descriptor < 0 ? nil : descriptor
    }

    /// Reads the number of a logind user, from a variant that holds (uo).
    func readUser() -> UInt32? {
        var user: UInt32 = 0
        return unsafe session_bus_read_user(message, &user) < 0 ? nil : user
    }
}
