// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import TerminalText
internal import TextReading

/// `OSC8` writes links that a terminal can follow: `OSC 8 ; ; URI ST text OSC 8 ; ; ST`. Source: "Hyperlinks in
/// terminal emulators", egmontkob.
enum OSC8 {
    static func link(_ text: String, to uri: String) -> String { "\u{1B}]8;;\(uri)\u{1B}\\\(text)\u{1B}]8;;\u{1B}\\" }

    /// Returns whether an address may stand inside of the sequence: ASCII that is seen, so no byte of it can end or
    /// begin one (ThreatModel G01). A host in another script is shown, and is no link.
    static func isSafe(_ uri: String) -> Bool {
        uri.utf8.count <= 2083 && uri.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// Returns where the links of a text are that a terminal may follow, in their order.
    static func places(in text: [UInt8]) -> [(range: Range<Int>, uri: String)] {
        LinkDetector.links(in: text).compactMap { link in
            guard let uri = link.uri, isSafe(uri) else { return nil }
            return (link.range, uri)
        }
    }

    /// Returns a text of several lines with its links as links, all of it harmless.
    static func linked(_ text: [UInt8]) -> [UInt8] {
        var safe = SafeText(String(decoding: text, as: UTF8.self), .multiline)
        var result = ""
        var offset = 0
        for link in LinkDetector.links(in: text) {
            guard let uri = link.uri, isSafe(uri), link.range.lowerBound >= offset else { continue }
            result += safe.take(upTo: link.range.lowerBound)
            result += self.link(safe.take(upTo: link.range.upperBound), to: uri)
            offset = link.range.upperBound
        }
        return Array((result + safe.takeRest()).utf8)
    }
}

extension DetectedLink {
    /// Where a terminal may lead a click: never to a note, which only `vault` can open.
    fileprivate var uri: String? {
        switch kind {
        case .url, .email, .phone, .address: target
        case .date, .note, .parcel, .flight: nil
        }
    }
}
