// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `SourceShape` says what files of a program look like. A shape sees the beginning of a file, its name, and the names
/// in a folder or archive; never more (`SourceQuestion`).
public indirect enum SourceShape: Sendable {
    /// The file has these bytes at an offset.
    case magic([UInt8], at: Int)
    /// The beginning of the file contains all of these texts, in upper or lower case.
    case text([String])
    /// The file begins with one of these texts, behind white space and a byte order mark, in any case.
    case start([String])
    /// A JSON text whose beginning has these words in quotation marks.
    case json([String])
    /// A database of SQLite whose first pages name these tables or columns.
    case sqlite([String])
    /// An XML text whose first element has this name.
    case xml(String)
    /// HTML with all of these texts.
    case html([String])
    /// A table whose first line names these columns, in any order and case.
    case csv([String])
    /// A zip archive, or a folder, that holds something of each of these names, as paths from its top. `*` stands for
    /// anything, `#` for a hexadecimal digit, `%` for a decimal one; letters in any case.
    case entries([String])
    /// A zip archive.
    case zip
    /// The file's own name, in the same notation. Used only where the content cannot tell.
    case name(String)
    /// A file in the folder whose path is like this, and whose beginning has these texts.
    case sample(String, [String])
    case any([SourceShape])
    case all([SourceShape])
}
