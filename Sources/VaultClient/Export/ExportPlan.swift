// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc

/// `ExportPlan` tells where an export goes and how it is laid down there, as the path says it.
struct ExportPlan: Equatable {
    enum Place: Equatable {
        case file(String)
        case folder(String)
        case output
    }

    let place: Place
    let form: ExportNotes.Form

    /// Chooses the form and the place of an export, by its format and the name of its output.
    ///
    /// - Throws: `.usage` for names that promise something else than what would be written.
    init(_ format: ExportNotes.Format, _ output: String, isSealed: Bool) throws(ClientFailure) {
        var name = output.lowercased()
        let saysAge = name.hasSuffix(".age")
        if saysAge { name = String(name.dropLast(4)) }
        guard !saysAge || isSealed else {
            throw .usage(
                "a file called .age would not be encrypted", hint: "--encrypt-to age1… or --passphrase, or another name"
            )
        }
        let isOneFile = isSealed || output == "-"
        form =
            switch format {
            case .html, .text: .document
            case .jex: .archive
            case .markdown: isOneFile || name.hasSuffix(".tar") ? .archive : .folder
            case .json: name.hasSuffix(".tar") ? .archive : isOneFile || name.hasSuffix(".json") ? .document : .folder
            }
        if output == "-" {
            place = .output
        } else if form == .folder {
            // A slash behind a folder's name says no more.
            var path = output[...]
            while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
            place = .folder(String(path))
        } else {
            place = .file(output)
        }
    }

    /// Chooses the place of an archive, which is one file, with an age file around it or without.
    init(archiveAt output: String, isSealed: Bool) throws(ClientFailure) {
        guard isSealed || !output.lowercased().hasSuffix(".age") else {
            throw .usage(
                "a file called .age would not be an age file",
                hint: "--encrypt-to age1… or --passphrase, or another name")
        }
        form = .document
        place = output == "-" ? .output : .file(output)
    }

    /// Looks before anything is asked or read.
    func check(of vault: VaultLocation? = nil) throws(ClientFailure) {
        switch place {
        case .file(let path), .folder(let path): try NewFile.checkIsNew(path, of: vault)
        case .output:
            try Terminal.refuseOutput(of: "an export")
        }
    }
}
