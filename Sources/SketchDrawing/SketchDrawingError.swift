// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Why a sketch was not drawn.
public struct SketchDrawingError: Error, Sendable, Equatable {
    public struct Code: Hashable, Sendable {
        let raw: Int
        /// More pixels than `SketchSize.pixelCountMax`, or a file larger than its cap.
        public static let tooLarge = Code(raw: 1)
        /// A library could not do it: as a rule, memory was refused.
        public static let libraryFailure = Code(raw: 2)
    }

    /// Compare this.
    public let code: Code

    public init(_ code: Code) { self.code = code }
}
