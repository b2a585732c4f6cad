// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation

/// Photos and sketches of a note, below its text.
enum PictureScreen {
    /// Whether there is somebody to see them.
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
