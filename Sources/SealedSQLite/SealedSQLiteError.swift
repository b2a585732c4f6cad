// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import Synchronization

/// `SealedSQLiteError` tells of a sealed database that cannot be opened or used.
public struct SealedSQLiteError: Error, Sendable, Equatable {
    public struct Code: Hashable, Sendable {
        let raw: Int
        /// The log was damaged or cut within what was acknowledged, or a page is not authentic.
        public static let damaged = Code(raw: 1)
        /// The file is missing, is not a regular file, is linked from elsewhere, or is another user's.
        public static let notAFile = Code(raw: 2)
        /// SQLite opened something else than our sealed file: nothing may be written to it.
        public static let notSealed = Code(raw: 3)
        /// The disk is full or read-only.
        public static let noRoom = Code(raw: 5)
        /// The operating system refused.
        public static let inputOutput = Code(raw: 4)
    }

    /// Compare this.
    public let code: Code
    /// The system's errno where there was one, else 0.
    public let systemError: Int32
    /// Whether something could not be opened or read: then nothing was to be saved.
    public let isOfReading: Bool
    /// Whether the damage is in the log: the database may be opened without the lost part.
    public let isOfLog: Bool
    /// Whether a page is authentic but does not belong there: an older version was put in its place.
    public let isOfOldPage: Bool

    public init(
        _ code: Code, systemError: Int32 = 0, isOfReading: Bool = false, isOfLog: Bool = false,
        isOfOldPage: Bool = false
    ) {
        self.code = code
        self.isOfLog = isOfLog
        self.isOfOldPage = isOfOldPage
        self.systemError = systemError
        self.isOfReading = isOfReading
    }

    /// Compares the codes: the system's reason is a detail, and no other error.
    public static func == (one: SealedSQLiteError, other: SealedSQLiteError) -> Bool { one.code == other.code }
}

/// `SystemReason` is what the system said to the last call on a file of ours that failed: SQLite passes on that one
/// failed, and not why.
///
/// One for all databases of the process: it is asked right after a failure, and two that fail at once most likely do so
/// for one reason.
enum SystemReason {
    private static let last = Atomic<Int32>(0)

    static func note(_ number: Int32) { last.store(number, ordering: .relaxed) }

    /// Returns the last one, told once; 0 when there was none.
    static func take() -> Int32 { last.exchange(0, ordering: .relaxed) }
}
