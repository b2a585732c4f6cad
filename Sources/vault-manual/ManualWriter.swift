// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation
internal import VaultManual

/// `ManualWriter` writes the manual pages, and the table of commands into the page of the command line:
/// `vault-manual FOLDER PAGE`. It is a tool of this repository and is not installed.
@main
struct ManualWriter {
    static func main() throws {
        guard CommandLine.arguments.count == 3 else {
            FileHandle.standardError.write(Data("usage: vault-manual FOLDER PAGE\n".utf8))
            exit(2)
        }
        let page = URL(fileURLWithPath: CommandLine.arguments[2])
        if let text = CommandTable.written(into: try String(contentsOf: page, encoding: .utf8)) {
            try Data(text.utf8).write(to: page)
        }
        let manual = URL(fileURLWithPath: CommandLine.arguments[1])
        for (name, pages) in Dictionary(grouping: Manual.pages, by: \.folder) {
            let folder = manual.appending(path: name)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for page in pages { try Data(page.text.utf8).write(to: folder.appending(path: page.file)) }
            // A command that is gone leaves no page behind.
            for file in try FileManager.default.contentsOfDirectory(atPath: folder.path)
            where !pages.contains(where: { $0.file == file }) {
                try FileManager.default.removeItem(at: folder.appending(path: file))
            }
        }
    }
}
