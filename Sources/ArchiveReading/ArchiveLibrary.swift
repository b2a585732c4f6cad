// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// What libarchive and the C library would look up in files when they first need it.
public enum ArchiveLibrary {
    /// Call it before the process loses its right to open files: from then on nothing is looked up.
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
