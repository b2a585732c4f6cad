// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Splits a command of a setting or variable into words: white space parts them, quotes and backslashes keep it.
/// Nothing is expanded and no shell sees it: `$`, `;`, `|` and backquotes are letters like others (ThreatModel E10).
enum CommandWords {
    /// - Returns: nil for a quote that is not closed, or a backslash at the end.
    static func split(_ text: String) -> [String]? {
        var words: [String] = []
        // Nil between words: a word may be empty, as '' is.
        var word: String.UnicodeScalarView?
        var quote: Unicode.Scalar?
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped {
                // Between double quotes a backslash keeps itself, but before a quote or another backslash.
                if quote != nil && scalar != "\"" && scalar != "\\" { word?.append("\\") }
                word?.append(scalar)
                isEscaped = false
            } else if scalar == "\\" && quote != "'" {
                isEscaped = true
                word = word ?? .init()
            } else if let open = quote {
                if scalar == open { quote = nil } else { word?.append(scalar) }
            } else if scalar == "\"" || scalar == "'" {
                quote = scalar
                word = word ?? .init()
            } else if scalar.properties.isWhitespace {
                if let done = word { words.append(String(done)) }
                word = nil
            } else {
                if word == nil { word = .init() }
                word?.append(scalar)
            }
        }
        guard quote == nil, !isEscaped else { return nil }
        if let done = word { words.append(String(done)) }
        return words
    }
}
