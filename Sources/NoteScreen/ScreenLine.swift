// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ScreenLine` is a line that is typed at the bottom of the screen: words to look for, tags, an answer.
struct ScreenLine: Equatable {
    enum Purpose: Equatable {
        case search
        case tags
        case notebook
        case title

        var label: String {
            switch self {
            case .search: "/"
            case .tags: "tags (+work -old): "
            case .notebook: "notebook: "
            case .title: "title: "
            }
        }
    }

    let purpose: Purpose
    /// The note that it is for, whatever is selected when it is finished.
    let noteID: String
    var text = ""
    private static let byteCountMax = 1024

    init(_ purpose: Purpose, _ text: String = "", noteID: String = "") {
        (self.purpose, self.text, self.noteID) = (purpose, text, noteID)
    }

    /// Takes a key; false for one that means nothing here.
    mutating func take(_ key: ScreenKey) -> Bool {
        switch key {
        case .character(let scalar):
            guard text.utf8.count < Self.byteCountMax else { return true }
            text.unicodeScalars.append(scalar)
        case .backspace, .delete: if !text.isEmpty { text.removeLast() }
        case .control("u"): text = ""
        case .control("w"):
            while text.last == " " { text.removeLast() }
            while let last = text.last, last != " " { text.removeLast() }
        default: return false
        }
        return true
    }
}
