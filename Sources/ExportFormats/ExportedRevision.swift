// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// An older state of a note.
public struct ExportedRevision: Sendable {
    /// 26 characters of base32.
    public var id: String
    /// Milliseconds since 1970, UTC.
    public var modified: Int64
    /// What was done, in one word: "edit", "move".
    public var operation: String
    public var title: String
    public var body: String
    public var tags: [String]
    public var notebook: String

    public init(
        id: String, modified: Int64, operation: String, title: String, body: String, tags: [String], notebook: String
    ) {
        self.id = id
        self.modified = modified
        self.operation = operation
        self.title = title
        self.body = body
        self.tags = tags
        self.notebook = notebook
    }
}
