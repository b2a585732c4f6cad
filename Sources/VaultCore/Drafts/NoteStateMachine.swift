// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A `NoteStateMachine` says what becomes of a note's text from the first key to the last copy. Every state but the
/// final ones has a way out.
///
/// ```
///          type           save            saved              upload            uploaded
///   new ────────▶ unsaved ─────▶ saving ────────▶ persisted ────────▶ uploading ────────▶ uploaded
///    │             │ ▲  ▲          │              │  ▲  │               │   │               │
///    │      cancel │ │  └──────────┘ saveFailed   │  │  └── upload ◀────┘   │ uploadFailed  │
///    ▼             ▼ │                            │  └──────────────────────┘               │
///  discarded ◀─────┘ └──────────── edit ──────────┴─────────────────────────────────────────┘
///    ▲   │
///    │   └── resume ──▶ unsaved        (a discarded draft is kept for a day)
///    └── cancel ── recovered ◀── interrupt ── new, unsaved, saving        recovered ── resume ──▶ unsaved
/// ```
/// Trashed, pinned, archived, locked and forked are marks beside the state, not states. Every state has a way on but
/// the two that may be last.
public struct NoteStateMachine: Sendable, Equatable {
    public enum State: String, Sendable, CaseIterable {
        /// Begun, without text.
        case new
        /// Has text that the vault's index does not have.
        case unsaved
        case saving
        /// Durable on this machine.
        case persisted
        case uploading
        /// On every server that is set up.
        case uploaded
        /// The program that wrote it ended; its text was kept.
        case recovered
        case discarded

        /// May be the last one.
        public var isFinal: Bool { self == .uploaded || self == .discarded }
    }

    public enum Event: String, Sendable, CaseIterable {
        case type, cancel, interrupt, resume, save, saved, saveFailed, upload, uploaded, uploadFailed, edit
    }

    /// All transitions: a transition that is not listed cannot happen.
    public static let transitions: [State: [Event: State]] = [
        .new: [.type: .unsaved, .cancel: .discarded, .interrupt: .recovered],
        .unsaved: [.type: .unsaved, .save: .saving, .cancel: .discarded, .interrupt: .recovered],
        .saving: [.saved: .persisted, .saveFailed: .unsaved, .interrupt: .recovered],
        .persisted: [.edit: .unsaved, .upload: .uploading],
        .uploading: [.uploaded: .uploaded, .uploadFailed: .persisted, .edit: .unsaved, .upload: .uploading],
        .uploaded: [.edit: .unsaved],
        .recovered: [.resume: .unsaved, .cancel: .discarded],
        .discarded: [.resume: .unsaved],
    ]

    public private(set) var state: State

    public init(_ state: State = .new) { self.state = state }

    /// Goes on by an event.
    ///
    /// - Returns: false, and nothing has changed, when the event cannot happen in this state.
    @discardableResult
    public mutating func handle(_ event: Event) -> Bool {
        guard let next = Self.transitions[state]?[event] else { return false }
        state = next
        return true
    }
}
