// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// How a picture is written to a terminal.
enum PictureProtocol: Sendable, Equatable {
    /// kitty's graphics protocol: every pixel with its colour and transparency.
    case kitty
    /// DEC's sixels: up to 256 colours, pixels drawn or left out.
    case sixel
    /// Two pixels in each character cell.
    case blocks
    case none

    /// Whether a pager hands it on: it knows colours, but no other sequence.
    var suitsPager: Bool {
        switch self {
        case .blocks, .none: true
        case .kitty, .sixel: false
        }
    }
}
