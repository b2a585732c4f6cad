// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public struct DetectedLink: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable { case url, email, phone, date, note }
    public var kind: Kind
    public var range: Range<Int>
    public var target: String
    public var label: String
}
public enum LinkDetector {
    public static func links(in text: [UInt8]) -> [DetectedLink] { [] }
    public static func links(in text: String) -> [DetectedLink] { links(in: Array(text.utf8)) }
    public static func mayHaveLinks(_ text: Span<UInt8>) -> Bool { false }
    public static func noteTargets(in text: [UInt8]) -> [String] { [] }
}
