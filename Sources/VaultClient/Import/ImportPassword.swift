// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import ForeignRecords

/// Whether a password for private notes has something to do: one that has not was given by mistake, and is never passed over.
enum ImportPassword {
    /// - Throws: `.usage`, before anything is imported.
    static func check(
        _ options: NotePasswordOptions, _ source: borrowing ImportSource, is format: ImportFormat, _ zone: ImportZone
    ) throws(ClientFailure) {
        guard !NotePassword.isTyped(options) else { return }
        let name = VisibleText.escaped(source.name)
        switch format {
        case .json: guard try !isWithoutPrivateNotes(source, zone) else { throw nothing("there is no private note in \(name)") }
        case .pass:
            let walk = MarkdownWalk(folder: source.descriptor, .everything)
            guard walk.files.contains(where: { StoreEntries.isEntry($0) }) else { throw nothing("there is no private note in \(name)") }
        default: throw nothing("an import of \(format.rawValue) makes no private notes")
        }
    }

    private static func nothing(_ reason: String) -> ClientFailure {
        .usage("\(reason), so the password would have no effect", hint: "leave out --note-password-file and --note-password-fd")
    }

    /// Reads an export up to its first private note. What cannot be read is the import's to tell.
    private static func isWithoutPrivateNotes(_ source: borrowing ImportSource, _ zone: ImportZone) throws(ClientFailure) -> Bool {
        var stream = try ContainerStream(ContainerFeed(whole: source), .json, isFolder: source.isFolder, zone)
        while true {
            switch try stream.nextEvent() {
            case .record(.note(let note)): if note.flags.contains(.isPrivate) { return false }
            case .record(.summary(let summary)): return summary.isComplete
            case .interrupted: throw ClientFailure(.interrupted, "interrupted")
            case .died: return false
            case .working, .skipped, .record: break
            }
        }
    }
}

/// Which files of a password store are its entries.
enum StoreEntries {
    /// Of pass, and of passage, which keeps its entries under age.
    static let endings = [".gpg", ".age"]
    static let endingByteCount = 4

    static func isEntry(_ path: [UInt8]) -> Bool { endings.contains { isEntry(path, endingWith: $0) } }

    static func isEntry(_ path: [UInt8], endingWith ending: String) -> Bool {
        path.count > endingByteCount && path.suffix(endingByteCount).elementsEqual(ending.utf8)
    }

    /// What opens the entries of a store.
    static func decryptions(_ entries: [[UInt8]], _ opener: AgeOpener?) throws(ClientFailure) -> [String: Decryption] {
        var found: [String: Decryption] = [:]
        if entries.contains(where: { isEntry($0, endingWith: ".gpg") }) {
            guard let gpg = ProgramPath.find("gpg") else {
                throw ClientFailure(.other, "gpg is not installed, and the store needs it", hint: "sudo apt install gnupg")
            }
            found[".gpg"] = .gpg(gpg)
        }
        if entries.contains(where: { isEntry($0, endingWith: ".age") }) {
            guard let opener else { throw .usage("the store is encrypted with age", hint: "--identity ~/.passage/identities") }
            found[".age"] = .age(opener)
        }
        return found
    }
}
