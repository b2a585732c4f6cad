// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

/// `SaveWatch` tells when an editor has saved its file: written and closed it, or put another in its place.
struct SaveWatch: ~Copyable {
    enum State: Int32 {
        /// Nothing happened to the file since the last look.
        case quiet = 0
        /// It is being written, or away: what it holds now may be half of a text.
        case unfinished = 1
        case saved = 2
    }

    /// Readable when something happened; negative when the system has no more watches to give.
    let descriptor: Int32
    private let name: String

    /// Begins to watch a folder.
    ///
    /// - Parameter name: the file in the folder.
    init(folder: String, name: String) {
        descriptor = unsafe vs_watch_folder(folder)
        self.name = name
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Returns what happened to the file since the last look; the last event counts.
    func look() -> State {
        guard descriptor >= 0 else { return .saved }
        return State(rawValue: unsafe vs_watch_events(descriptor, name)) ?? .quiet
    }
}
