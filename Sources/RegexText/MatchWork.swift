// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CPCRE2
internal import Glibc

/// `MatchWork` counts the work that one text may cost while PCRE2 runs.
///
/// PCRE2's own match limit counts backtracking from one start only, and begins anew at the next; it does not count the
/// bytes that an item such as `\w++` runs over. `\w++\d` on a long word is within that limit and still takes quadratic
/// time. So PCRE2 calls back before each item of the pattern, and here each call and each way in the text is charged.
///
/// What fails inside one item is not seen: a count like `a{60000}`, a back reference. For that the time used is looked
/// at as well.
struct MatchWork {
    /// Charges for any text, and for each of its bytes on top: a pattern that runs through a text once takes one to
    /// three a byte.
    static let unitsBase = 250_000
    static let unitsPerByte = 4
    /// Bytes of a unit of work, as a shift: a unit is a call or a way of eight bytes; both take 10 to 30 ns.
    private static let bytesPerUnitShift = 3
    /// Bytes that are searched in the time of a unit, as a shift: before each match PCRE2 may search the rest of the
    /// text for its first byte, about 1 KiB.
    private static let searchedBytesPerUnitShift = 10
    /// Calls between two looks at the clock: a power of two.
    private static let callsPerLook = 32
    /// Many times what the units allow, so that a slow or busy machine refuses nothing that another allows.
    private static let nanosecondsBase = 100_000_000
    private static let nanosecondsPerByte = 500

    private var unitsLeft = 0
    private var calls = 0
    private var position = 0
    private var nanosecondsMax = 0
    /// Both clocks at the first look; 0 before it.
    private var began = 0
    private var processorBegan = 0

    /// Sets everything back for a text.
    mutating func begin(byteCount: Int) {
        self = MatchWork()
        unitsLeft = Self.unitsBase + Self.unitsPerByte * byteCount
        nanosecondsMax = Self.nanosecondsBase + Self.nanosecondsPerByte * byteCount
    }

    /// Charges what comes before a match in the rest of a text.
    mutating func chargeSearch(byteCount: Int) -> Bool {
        unitsLeft -= byteCount >> Self.searchedBytesPerUnitShift
        return unitsLeft >= 0
    }

    /// Charges one call at a place in the text.
    ///
    /// - Returns: false when the match is to end.
    mutating func charge(at newPosition: Int) -> Bool {
        unitsLeft -= 1 + abs(newPosition - position) >> Self.bytesPerUnitShift
        position = newPosition
        calls &+= 1
        guard unitsLeft >= 0 else { return false }
        return calls & (Self.callsPerLook - 1) != 0 || isInTime()
    }

    /// Returns whether a match may go on. The time of the wall is cheap to ask for, but goes on while others run: only
    /// the processor's time of this thread ends a match.
    private mutating func isInTime() -> Bool {
        let now = Self.nanoseconds(CLOCK_MONOTONIC)
        guard began > 0 else {
            (began, processorBegan) = (now, Self.nanoseconds(CLOCK_THREAD_CPUTIME_ID))
            return true
        }
        if now - began <= nanosecondsMax { return true }
        return Self.nanoseconds(CLOCK_THREAD_CPUTIME_ID) - processorBegan <= nanosecondsMax
    }

    private static func nanoseconds(_ clock: clockid_t) -> Int {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
