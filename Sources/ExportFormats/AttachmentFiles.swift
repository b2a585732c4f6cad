// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Names for the files of one note's attachments, in their order.
struct AttachmentFiles {
    private(set) var names: [String] = []
    private(set) var renamedCount = 0

    init(_ attachments: [ExportedAttachment]) {
        var used = UsedNames()
        for attachment in attachments {
            let (stem, ending) = SafeName.split(attachment.name)
            let room = SafeName.byteCountMax - ending.utf8.count
            let name =
                used.claim(SafeName.clean(stem, byteCountMax: room, fallback: "attachment"), in: 0, endings: [ending])
                + ending
            if !name.utf8.elementsEqual(attachment.name.utf8) { renamedCount += 1 }
            names.append(name)
        }
    }
}
