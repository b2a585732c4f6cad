// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What `vault import` is told.
public struct ImportOptions: Sendable, Equatable {
    /// Nil: to be found out.
    public var format: ImportFormat?
    public var path: String
    public var dryRun = false
    /// The zone of dates that name none; nil for this machine's.
    public var timeZone: String?
    /// What opens a source that is sealed for age.
    public var sealed = SealedOptions()
    /// A new file for all that could not be carried over.
    public var report: String?
    /// Of notes that are to be private.
    public var passwords = NotePasswordOptions()

    public init(_ format: ImportFormat?, _ path: String) {
        self.format = format
        self.path = path
    }
}
