// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// `ArchiveLibrary` does early what libarchive and the C library would look up in files when they first need it.
public enum ArchiveLibrary {
    /// Prepares the libraries; it must be called before the process loses its right to open files: from then on nothing
    /// is looked up.
    ///
    /// Zip keeps local times, and the library asks for the time zone at each; UTC by a name that needs no file gives
    /// the same note on every machine. Names are UTF-8, which the library converts to the locale's own.
    public static func prepare() -> Bool {
        guard unsafe setenv("TZ", "UTC0", 1) == 0 else { return false }
        tzset()
        var none = time_t(0)
        var parts = unsafe tm()
        _ = unsafe localtime_r(&none, &parts)
        _ = unsafe mktime(&parts)
        _ = unsafe setlocale(LC_CTYPE, "C.UTF-8")
        for code in ["UTF-8", "CP437", "ANSI_X3.4-1968", "UTF-16BE", "UTF-16LE"] {
            // Loads the converter, and the list of converters before it.
            guard let converter = unsafe iconv_open("UTF-8", code), unsafe converter != iconv_t(bitPattern: -1) else {
                continue
            }
            unsafe iconv_close(converter)
        }
        return true
    }
}

/// `ArchiveLimits` says how much an archive may hold. What goes beyond ends the import before a note was delivered.
public struct ArchiveLimits: Sendable {
    /// Entries of all kinds.
    public var entryCountMax = 2_000_000
    /// Unpacked, in bytes: what fits on the disks that notes are kept on.
    public var byteCountMax: UInt64 = 1 << 40
    /// Unpacked bytes for each packed one, once `byteCountFree` is passed. Text packs ten times, rarely thirty.
    public var ratioMax: UInt64 = 100
    /// Below it no ratio is asked, in bytes: a small file of one letter packs a thousand times.
    public var byteCountFree: UInt64 = 32 << 20
    /// Parts of a path.
    public var depthMax = 64

    public init() {}
}
