// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension CommandExamples {
    /// Attachments, and passwords of single notes.
    static let attachments: [String: [CommandExample]] = [
        "attach add": [
            CommandExample("vault attach add k7 photo.jpg talk.opus", "Attach two files."),
            CommandExample("scan | vault attach add k7 - --name page.png", "Attach the output of a program."),
            CommandExample("vault attach add k7 photo.jpg --keep-metadata", "Keep location and camera data in the photo."),
        ],
        "attach ls": [CommandExample("vault attach ls k7", "See what is attached to a note.")],
        "attach get": [
            CommandExample("vault attach get k7 photo.jpg", "Write it to a file of that name in this folder."),
            CommandExample("vault attach get k7 talk.opus -o - | mpv -", "Play it without writing a file."),
            CommandExample("vault attach get k7 1 --range 1M:64k -o part", "Write a part of the first one."),
        ],
        "attach open": [CommandExample("vault attach open k7 photo.jpg", "Open it in the desktop's program.")],
        "attach rm": [CommandExample("vault attach rm k7 photo.jpg", "Remove it; vault undo brings it back.")],
        "attach rename": [CommandExample("vault attach rename k7 IMG_0001.jpg lake.jpg", "Rename it.")],
        "attach caption": [CommandExample("vault attach caption k7 lake.jpg \"Early in the morning\"", "Set its caption.")],
        "attach record": [CommandExample("vault attach record k7 --name idea.wav", "Record until Ctrl-C.")],
        "sketch new": [CommandExample("vault sketch new k7", "Draw on the web page, where there is one.")],
        "sketch import": [CommandExample("vault sketch import k7 plan.svg", "Import a drawing from another program.")],
        "sketch ls": [CommandExample("vault sketch ls k7", "See the sketches of a note.")],
        "sketch export": [
            CommandExample("vault sketch export k7 plan.svg --format pdf", "Write plan.pdf, with real paths."),
            CommandExample("vault sketch export k7 plan.svg --format png --width 800 -o plan.png", "Write a picture 800 pixels wide."),
        ],
        "note lock": [
            CommandExample("vault note lock k7", "Lock a note; the first time, it is given a password."),
            CommandExample("vault note lock k7 --show-title", "Keep its title visible."),
        ],
        "note unlock": [CommandExample("vault note unlock k7", "Read and change it for a while.")],
        "note passwd": [
            CommandExample("vault note passwd k7", "Change the password."),
            CommandExample("vault note passwd k7 --new-key", "Also re-encrypt everything under a new key."),
        ],
        "note remove-password": [CommandExample("vault note remove-password k7", "Make it an ordinary note again.")],
    ]
}
