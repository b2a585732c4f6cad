// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What client and agent agree on about the folder of an edit: a 0700 directory in memory, held by flock(2) on itself as long as the client or
/// its editor lives, with the note's text in one file.
public enum EditFolderLayout {
    /// The name ends as Markdown does, so that editors colour it.
    public static let fileName = "note.md"
    public static let namePrefix = "edit-"
}
