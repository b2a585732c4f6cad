// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// `BusAddress` names the place where the system bus listens.
enum BusAddress {
    static let standard = "unix:path=/run/dbus/system_bus_socket"

    /// Returns what DBUS_SYSTEM_BUS_ADDRESS says, when it names one socket of this machine by its path; else the
    /// standard place.
    ///
    /// Other kinds of address are passed over, because some make the library run a program (`unixexec:`) or wait for a
    /// name server (`tcp:`), and this process may hold keys. So is a list: one place is tried, and trying it takes no
    /// time.
    static func chosen(_ variable: String?) -> String {
        guard let variable else { return standard }
        let begin = "unix:path=/"
        let path = variable.utf8.dropFirst(begin.utf8.count - 1)
        guard variable.hasPrefix(begin), path.count <= pathByteCountMax, path.allSatisfy(isPlain) else {
            return standard
        }
        return variable
    }

    static var ofThisProcess: String {
        chosen(unsafe getenv("DBUS_SYSTEM_BUS_ADDRESS").map { unsafe String(cString: $0) })
    }

    /// `sun_path` holds 108 bytes with its end.
    private static let pathByteCountMax = 107

    /// Returns whether a byte is neither what separates addresses and their fields nor what quotes bytes.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }
}
