// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What was found in a picture besides the picture, and goes. The raw values are stable: they are fit for a record.
public enum MetadataKind: UInt8, CaseIterable, Sendable {
    /// Where the picture was taken.
    case location = 1
    /// Of the camera, its body or lens, or of the picture itself.
    case serialNumbers = 2
    /// Owner, artist, photographer, editor, copyright.
    case owner = 3
    case dates = 4
    /// A small copy of the picture, which may show what was cut off later.
    case thumbnail = 5
    /// What only the camera's maker can read.
    case makerNotes = 6
    /// Anything may stand in it; it is not read.
    case xmp = 7
    /// Anything may stand in it; it is not read.
    case iptc = 8
    /// Titles, descriptions, keywords and other text.
    case comments = 9
    /// The program that wrote the picture.
    case software = 10
    /// Maker, model, exposure and whatever else the camera noted.
    case cameraSettings = 11
    /// Further pictures or a film in the same file.
    case extraPictures = 12
    /// Bytes behind the end of the picture, or between its parts.
    case trailingData = 13
    /// Parts of an application's own kind.
    case other = 14
}
