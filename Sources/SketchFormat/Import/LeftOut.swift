// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What an import leaves out of a foreign drawing. The raw values travel between programs: never reused.
public enum LeftOut: UInt8, Sendable, Hashable, CaseIterable {
    case text = 1
    case images = 2
    /// Copies by reference (`use`), which would have to be followed.
    case references = 3
    /// Script elements and event attributes.
    case scripts = 4
    case styleSheets = 5
    /// Filters, masks, clip paths, markers.
    case effects = 6
    /// Filled areas: only their outline is kept.
    case fills = 7
    case gradients = 8
    case dashes = 9
    case animations = 10
    /// `foreignObject` and elements of other namespaces.
    case foreignContent = 11
    /// What the drawing itself does not show.
    case hidden = 12
    /// Targets of links; what the link showed is kept.
    case links = 13
    /// Shapes whose numbers cannot be read to their end; what came before is kept.
    case damagedShapes = 14
    case unknownElements = 15
    /// Colours in a notation that is not read; they became black.
    case unknownColours = 16
    /// Places so far outside that they were moved to the edge of what a sketch holds.
    case farPlaces = 17
}
