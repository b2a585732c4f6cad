// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol

/// `NoteLabels` holds what a list calls a note, and the labels after its title.
public struct NoteLabels: Sendable {
    /// Its title, or what stands in place of one.
    public let title: String
    /// Whether it has a title of its own.
    public let isNamed: Bool
    /// Notebook, tags and marks.
    public let labels: [String]

    public init(_ note: NoteRow) {
        let rendered = RenderedNote(note)
        isNamed = !note.title.isEmpty
        title = isNamed ? note.title : rendered.unnamed
        labels = rendered.labels
    }
}
