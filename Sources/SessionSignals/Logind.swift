// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// `Logind` holds the names by which logind and the bus itself are known.
enum Logind {
    static let name = "org.freedesktop.login1"
    static let path = "/org/freedesktop/login1"
    static let manager = "org.freedesktop.login1.Manager"
    static let session = "org.freedesktop.login1.Session"

    static let bus = "org.freedesktop.DBus"
    static let busPath = "/org/freedesktop/DBus"
    static let properties = "org.freedesktop.DBus.Properties"

    /// What is heard: both announcements of the manager, `Lock` of every session, and who logind is.
    static let matches = [
        "type='signal',sender='\(bus)',interface='\(bus)',member='NameOwnerChanged',arg0='\(name)'",
        "type='signal',sender='\(name)',path='\(path)',interface='\(manager)',member='PrepareForSleep'",
        "type='signal',sender='\(name)',path='\(path)',interface='\(manager)',member='PrepareForShutdown'",
        "type='signal',sender='\(name)',path_namespace='\(path)/session',interface='\(session)',member='Lock'",
    ]

    /// A delay inhibitor: the machine sleeps when its descriptor is closed, or after logind's InhibitDelayMaxSec (5 s).
    static let inhibition = ["sleep", "vault", "lock the open vault", "delay"]
}

/// `MonotonicClock` reads the clock that sd-bus counts its deadlines on.
enum MonotonicClock {
    static var microseconds: UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
    }
}
