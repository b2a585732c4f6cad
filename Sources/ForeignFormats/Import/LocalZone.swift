// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// The time zone in which dates are read that name none.
///
/// A parser opens no file, so whoever starts it brings the rules as a function. A time that the clock showed twice is
/// the first of the two; one that it skipped is read with the offset before the change, so that 02:30 becomes 03:30.
/// Spec: docs/cli.md §7.
public struct LocalZone: Sendable {
    /// UTC where nobody said another one.
    @TaskLocal public static var current = LocalZone { _ in 0 }

    private static let daySeconds: Int64 = 86_400
    private let offset: @Sendable (Int64) -> Int64

    /// - Parameter offset: seconds east of UTC at an instant, in seconds since 1970.
    public init(_ offset: @escaping @Sendable (Int64) -> Int64) { self.offset = offset }

    /// The instant at which the clock shows a time.
    ///
    /// - Parameter clock: what it shows, as if it stood in UTC; in seconds since 1970.
    func instant(clock: Int64) -> Int64 {
        // No clock is changed twice within two days.
        let before = offset(clock - Self.daySeconds)
        let first = clock - before
        guard offset(first) != before else { return first }
        let after = offset(clock + Self.daySeconds)
        let second = clock - after
        return offset(second) == after ? second : first
    }
}
