// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCore
internal import VaultFormat

/// `NoteVersion` is a note that is to be read, as it is or as one of its revisions has it.
struct NoteVersion {
    let note: NoteID
    /// As `history` numbers them: 0 is the newest; nil for the note as it is.
    var number: Int?
}

extension RequestContext {
    /// Finds notes by their names. A revision stands behind a name, `ID@3`, or is the next word, `ID @3`. What is a
    /// note's name as it stands is that note.
    func versions(_ refs: [String]) throws(VaultError) -> [NoteVersion] {
        var versions: [NoteVersion] = []
        for ref in refs {
            if let last = versions.last, let number = Self.revisionNumber(ref[...]) {
                if last.number == nil { versions.removeLast() }
                versions.append(NoteVersion(note: last.note, number: number))
                continue
            }
            do throws(VaultError) {
                versions.append(NoteVersion(note: try store.notes.resolve(ref)))
            } catch {
                guard error.code == .notFound, let mark = ref.lastIndex(of: "@"), mark > ref.startIndex else {
                    throw error
                }
                guard let number = Self.revisionNumber(ref[mark...]) else { throw error }
                versions.append(NoteVersion(note: try store.notes.resolve(String(ref[..<mark])), number: number))
            }
        }
        return versions
    }

    /// Reads `@3`: a mark and one to nine digits.
    private static func revisionNumber(_ text: Substring) -> Int? {
        let digits = text.utf8.dropFirst()
        guard text.hasPrefix("@"), (1...9).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int(text.dropFirst())
    }
}
