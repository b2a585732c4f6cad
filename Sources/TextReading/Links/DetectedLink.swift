// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Something in a note's text that leads elsewhere.
public struct DetectedLink: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        case url, email, phone, date, note
    }

    public var kind: Kind
    /// Bytes of the text that are shown as the link.
    public var range: Range<Int>
    /// An absolute URI for `url`, `email` and `phone`, an ISO date, or the title or identifier of a note.
    public var target: String
    /// What a person reads.
    public var label: String
}
