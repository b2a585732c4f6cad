// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// The code under test said no, at a step that Vectors/README.md names.
struct Refusal: Error {
    let stage: String
    let error: String?

    init(_ stage: String, error: String? = nil) {
        self.stage = stage
        self.error = error
    }
}
