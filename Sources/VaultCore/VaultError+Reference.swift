// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension VaultError {
    /// A `Reference` is what a word of a request was to name.
    public enum Reference: Sendable, Equatable {
        case note(String)
        /// A row of the last list, and how many it has.
        case row(Int, of: Int)
        /// The note that was touched last, before there is one.
        case lastNote
        case book(String)
        case chapter(String)
        case template(String)
        case notebook(String)
        case tag(String)
    }
}
