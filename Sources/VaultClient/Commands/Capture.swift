// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import TextReading

struct CaptureCommand: Command {
    static let name = "capture"
    static var spec: Spec {
        Spec(
            "Make a note from another program's link, file or text.",
            discussion: """
                Each word is an address, a file, or text. Addresses are put first, files are attached. Desktops \
                call it for "Send to" and "Open with".
                """,
            examples: [
                "vault capture https://example.org/talk --title \"A talk\"": "Keep a link.",
                "xclip -o | vault capture --url https://example.org -": "Keep a quotation and where it comes from.",
                "vault capture photo.jpg": "A note with a photo.",
            ])
    }
    var words: [String] = []
    var url: String?
    var title: String?
    var tags: [String] = []

    mutating func declare(_ list: inout ArgumentList) {
        list.words(&words, "what", "Addresses, files or text; '-' reads text from standard input.", needed: false)
        list.option(&url, "url", "Where it comes from.")
        list.option(&title, "title", "The title; the first line by default.")
        list.option(&tags, "tag", letter: "t", "A tag; may be given more than once.")
    }

    var complaint: String? {
        words.isEmpty && url == nil ? "nothing to save: give an address, a file, text or '-'" : nil
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        var options = NewOptions()
        (options.title, options.tags) = (title, tags)
        var addresses = url.map { [$0] } ?? []
        var texts: [String] = []
        for word in words {
            switch Kind(word) {
            case .address: addresses.append(word)
            case .file(let path): options.attach.append(path)
            case .input: texts.append(try TextInput.read(["-"], context: context))
            case .text: texts.append(word)
            }
        }
        let parts = [addresses.joined(separator: "\n"), texts.joined(separator: " ")].filter { !$0.isEmpty }
        options.text = parts.isEmpty ? [] : [parts.joined(separator: "\n\n")]
        return try NewCommand.run(options, context)
    }

    /// `Kind` says what a word of the line is.
    enum Kind: Equatable {
        case address
        case file(String)
        case input
        case text

        /// Desktops name files by addresses too.
        init(_ word: String) {
            if word == "-" {
                self = .input
            } else if word.hasPrefix("https://") || word.hasPrefix("http://") {
                self = .address
            } else if word.hasPrefix("file:///"), let path = PercentCoding.decoded(word.dropFirst(7)) {
                self = .file(path)
            } else {
                self = unsafe access(word, F_OK) == 0 ? .file(word) : .text
            }
        }
    }
}
