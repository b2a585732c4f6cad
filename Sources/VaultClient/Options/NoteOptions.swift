// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What `new` is told.
public struct NewOptions: Sendable, Equatable {
    public var text: [String] = []
    public var title: String?
    public var tags: [String] = []
    public var notebook: String?
    public var template: String?
    /// It gets a password of its own.
    public var isPrivate = false
    public var showsTitle = false
    public var passwords = NotePasswordOptions()
    /// Files that are attached to it.
    public var attach: [String] = []
    public var editor = EditorOptions()
    public init() {}
}

/// What `append` and `replace` are told.
public struct EditOptions: Sendable, Equatable {
    public var note: String
    public var text: [String]
    public init(note: String = "", text: [String] = []) {
        self.note = note
        self.text = text
    }
}

/// What `show` is told.
public struct ShowOptions: Sendable, Equatable {
    public var notes: [String]
    public var raw: Bool
    /// Nil: as the settings say.
    public var images: PictureChoice?
    public init(notes: [String] = [], raw: Bool = false, images: PictureChoice? = nil) {
        self.notes = notes
        self.raw = raw
        self.images = images
    }
}

/// What `cat`, `rm` and `restore` are told.
public struct NotesOptions: Sendable, Equatable {
    public var notes: [String]
    /// Of `cat`: control characters as they are, also on a terminal.
    public var raw = false
    public init(notes: [String] = [], raw: Bool = false) {
        self.notes = notes
        self.raw = raw
    }
}
