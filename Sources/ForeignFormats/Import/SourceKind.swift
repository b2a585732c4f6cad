// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What an importer reads: it decides which names mean something.
public enum SourceKind: Sendable {
    /// One file that somebody named: it is read whatever it is called.
    case file
    /// The files in an archive.
    case archive
    /// The files of a folder.
    case folder
}
