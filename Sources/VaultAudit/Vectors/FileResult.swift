// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What came of one file of vectors.
public struct FileResult: Codable, Sendable {
    /// A test that did not come out as its result says, or was left out.
    public struct Remark: Codable, Sendable, Equatable {
        public let tcId: Int
        public let reason: String
    }

    /// As it was given.
    public let path: String
    /// Hexadecimal; empty when the file could not be read.
    public internal(set) var sha256 = ""
    /// Tests that are there.
    public internal(set) var numberOfTests = 0
    public internal(set) var passed = 0
    /// Of those that passed, how many had to be refused and were, by `RefusalCause`. What is refused for another reason
    /// is not counted here.
    public internal(set) var refused: [String: Int] = [:]
    public internal(set) var failed: [Remark] = []
    public internal(set) var skipped: [Remark] = []
    /// What is wrong with the file as a whole; empty when nothing is.
    public internal(set) var problems: [String] = []

    /// Something ran, all of it passed, and the file holds as many tests as it says.
    public var isSuccess: Bool { passed > 0 && failed.isEmpty && problems.isEmpty }

    init(path: String) { self.path = path }
}
