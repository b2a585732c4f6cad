// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// `BookChange` says in words what a revision changed of a book, or of a note's place in one.
enum BookChange {
    static func words(_ old: NoteRecord, _ new: NoteRecord) -> String {
        guard let before = old.book, let after = new.book else {
            if old.bookPlace?.book != new.bookPlace?.book {
                return new.bookPlace == nil ? "out of a book" : "into a book"
            }
            return old.bookPlace?.chapter == new.bookPlace?.chapter ? "moved in its chapter" : "into another chapter"
        }
        var words: [String] = []
        if before.shelf != after.shelf { words.append("shelf \(after.shelf.name)") }
        if before.rating != after.rating { words.append("rating") }
        if before.readings != after.readings { words.append("readings") }
        if before.log != after.log { words.append(before.log.count < after.log.count ? "log +1" : "log") }
        if before.chapters != after.chapters { words.append("chapters") }
        if before.cover != after.cover { words.append("cover") }
        var same = before
        (same.shelf, same.rating, same.readings) = (after.shelf, after.rating, after.readings)
        (same.log, same.chapters, same.cover) = (after.log, after.chapters, after.cover)
        if same != after { words.append("details") }
        return words.joined(separator: ", ")
    }
}
