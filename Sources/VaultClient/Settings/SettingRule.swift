// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient

/// `SettingRule` holds what a setting may be.
struct SettingRule: Sendable {
    enum Kind: Sendable, Equatable {
        case choice([String])
        /// A length of time with bounds in seconds.
        case span(ClosedRange<UInt32>)
        /// From 1% to 100%, or off.
        case percent
        /// A name that is not empty.
        case text
        /// A program and its arguments, as they are typed in a shell.
        case command
    }

    let kind: Kind
    /// Its value without a file; nil when it comes from elsewhere.
    let standard: String?
    let help: String

    init(_ kind: Kind, _ standard: String?, _ help: String) {
        self.kind = kind
        self.standard = standard
        self.help = help
    }

    /// Longest value, in bytes.
    static let byteCountMax = 1024

    func accepts(_ value: String) -> Bool {
        guard !value.isEmpty, value.utf8.count <= Self.byteCountMax, VisibleText.escaped(value) == value else {
            return false
        }
        switch kind {
        case .choice(let words): return words.contains(value)
        case .span(let bounds): return SettingSpan.seconds(value).map(bounds.contains) ?? false
        case .percent: return value == "off" || Self.percent(value) != nil
        case .text: return value.contains { !$0.isWhitespace }
        case .command: return CommandWords.split(value)?.isEmpty == false
        }
    }

    /// Returns a percentage; nil for anything else.
    static func percent(_ text: String) -> Int? {
        let digits = text.utf8.dropLast()
        guard text.hasSuffix("%"), digits.count <= 3, digits.allSatisfy({ (0x30...0x39).contains($0) }),
            !text.hasPrefix("0"), let number = Int(text.dropLast()), (1...100).contains(number)
        else { return nil }
        return number
    }

    /// What is expected, for a message.
    var expectation: String {
        switch kind {
        case .choice(let words): words.map { "\"\($0)\"" }.joined(separator: ", ")
        case .span(let bounds):
            "a time from \"\(SettingSpan.text(seconds: bounds.lowerBound))\" to \"\(SettingSpan.text(seconds: bounds.upperBound))\", "
                + "such as \"\(standard ?? "15m")\""
        case .percent: "\"off\", or a percentage from \"1%\" to \"100%\""
        case .text: "a name in quotation marks, such as \"\(standard ?? "")\""
        case .command: "a program in quotation marks, such as \"nano -w\""
        }
    }
}
