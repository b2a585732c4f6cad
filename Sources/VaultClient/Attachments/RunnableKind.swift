// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

/// `RunnableKind` names what a desktop may run instead of showing: told by a file's name and by its first bytes,
/// whatever type it claims.
enum RunnableKind {
    private static let extensions = Set(
        """
        html htm xhtml xht shtml mhtml mht svgz desktop directory jar jnlp exe com
        bat cmd msi scr pif lnk url webloc ps1 vbs vbe js mjs jse
        wsf hta reg sh bash zsh fish csh ksh command py pyw pyc pl
        rb php lua tcl run bin appimage flatpak flatpakref flatpakrepo snap deb rpm apk
        docm dotm xlsm xltm xlam pptm potm ppam sldm xll swf so ko dll
        app action workflow service ipynb
        """.split { $0 == " " || $0 == "\n" }.map(String.init))
    /// How much of a file is looked through for a script in a picture.
    private static let byteCountMax = 1 << 20

    /// Returns what it is in a word or two; nil for what is only shown.
    static func of(name: String, _ file: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: byteCountMax)
        let got = unsafe bytes.withUnsafeMutableBytes { unsafe pread(file, $0.baseAddress, $0.count, 0) }
        return of(name: name, Array(bytes.prefix(max(0, got))), isWhole: got < byteCountMax)
    }

    static func of(name: String, _ bytes: [UInt8], isWhole: Bool) -> String? {
        // The last two parts: `picture.html.gz` and `x.desktop ` are found as well as `x.desktop`.
        let parts = name.lowercased().split(separator: ".").dropFirst().suffix(2).map { $0.filter { $0 != " " } }
        if let found = parts.last(where: extensions.contains) { return "." + found }
        if bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46]) || bytes.starts(with: [0x4D, 0x5A]) { return "a program" }
        if bytes.starts(with: [0x23, 0x21]) { return "a script" }
        if bytes.starts(with: [0xCA, 0xFE, 0xBA, 0xBE]) { return "a Java class" }
        let text = folded(bytes)
        if text.prefix(4096).firstRange(of: "[desktop entry]") != nil { return "a desktop entry" }
        if ["<html", "<!doctype html", "<script"].contains(where: { text.prefix(4096).firstRange(of: $0) != nil }) {
            return "a web page"
        }
        guard text.prefix(4096).firstRange(of: "<svg") != nil || parts.last == "svg" else { return nil }
        let signs = ["<script", "javascript:", "<foreignobject", " on", "\non", "\ton", "<!entity"]
        let hasScript = !isWhole || signs.contains { text.firstRange(of: $0) != nil }
        return hasScript ? "a picture with a script" : nil
    }

    /// Returns bytes as characters of one byte each, in lower case; of UTF-16 the half that says something.
    private static func folded(_ bytes: [UInt8]) -> String {
        String(
            decoding: bytes.filter { $0 != 0 && $0 < 0x80 }.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 },
            as: UTF8.self)
    }
}

extension StringProtocol {
    /// Finds where a text of ASCII alone begins.
    fileprivate func firstRange(of text: String) -> Int? {
        let (hay, needle) = (Array(utf8), Array(text.utf8))
        guard hay.count >= needle.count else { return nil }
        return (0...(hay.count - needle.count)).first {
            hay[$0] == needle[0] && hay[$0..<$0 + needle.count].elementsEqual(needle)
        }
    }
}
