// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation

/// `PictureProtocol` says how a picture is written to a terminal.
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

/// `PictureChoice` is what `--images` and the setting of that name ask for.
public enum PictureChoice: String, Sendable, CaseIterable, ArgumentValue {
    /// The best form that the terminal says it can draw.
    case auto
    /// These three are taken at their word: the terminal is not asked.
    case kitty, sixel, blocks
    case none
}

/// `PictureScreen` shows photos and sketches of a note, below its text.
enum PictureScreen {
    /// Returns whether there is somebody to see them.
    static func mayShow(_ context: Context) -> Bool {
        Terminal.isOutput && !context.style.json && Terminal.canDraw
    }

    static func show(_ pictures: [ShownPicture], _ choice: PictureChoice, _ context: Context) throws(ClientFailure) {
        guard !pictures.isEmpty else { return }
        let screen = PictureProbe(usesColor: context.style.color).screen(for: choice)
        guard screen.form != .none else { return }
        for picture in pictures {
            var drawn = PictureDrawing.drawn(
                pixels: picture.pixels, width: Int(picture.width), height: Int(picture.height), protocol: screen.form,
                geometry: screen.geometry)
            defer { PictureDrawing.wipe(&drawn) }
            let caption = picture.caption.isEmpty ? picture.name : picture.name + ": " + picture.caption
            try Streams.write(VisibleText.escaped(caption) + "\n")
            try Streams.write(drawn)
        }
    }
}
