// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CWebPage
internal import NIOHTTP1

/// `PageRoutes` answers with the page's own files, which are parts of the program.
enum PageRoutes {
    static let all: [Route] =
        [
            Route(.GET, "/", needsSession: false) { _, _ in
                Answer(.ok, file("index.html") ?? [], "text/html; charset=utf-8")
            }
        ]
        + names.map { name in
            Route(.GET, "/s/\(name)", needsSession: false) { _, _ in Answer(.ok, file(name) ?? [], type(of: name)) }
        }

    /// Names of all files but the page itself.
    static var names: [String] {
        (0..<vault_page_file_count).map { index in unsafe String(cString: vault_page_file(index).name) }
            .filter { $0 != "index.html" }
    }

    static func file(_ name: String) -> [UInt8]? {
        for index in 0..<vault_page_file_count {
            let file = unsafe vault_page_file(index)
            if unsafe String(cString: file.name) == name {
                return unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.byte_count))
            }
        }
        return nil
    }

    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "svg": "image/svg+xml"
        default: "application/octet-stream"
        }
    }
}
