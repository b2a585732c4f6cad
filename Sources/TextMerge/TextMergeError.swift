// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Why texts were not compared or merged. It never says what stood in them.
public struct TextMergeError: Error, Sendable, Equatable {
    public struct Code: Hashable, Sendable {
        let raw: Int
        /// A text above `TextMerge.byteCountMax`.
        public static let tooLarge = Code(raw: 1)
    }

    /// Compare this.
    public let code: Code

    public init(_ code: Code) { self.code = code }
}
