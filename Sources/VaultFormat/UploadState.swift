// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `UploadState` says where the changes of a note are: on this device alone, or at the vault's remotes as well. It is
/// on the socket, in JSON, in lists and behind `state:` in a search, and it is never stored.
public enum UploadState: UInt8, Sendable, CaseIterable {
    /// The vault has no remote: the note is on this device.
    case persisted = 0
    /// A remote has not acknowledged all of the note yet.
    case pending
    /// All remotes have acknowledged all that this device has to tell of the note.
    case uploaded

    /// The name for it in JSON, in lists for programs, and after `state:` in a search.
    public var name: String {
        switch self {
        case .persisted: "persisted"
        case .pending: "pending"
        case .uploaded: "uploaded"
        }
    }
}
