// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

/// What every refusal looks like: its exit code, one line that says what is wrong, and a hint.
func expectRefusal(
    _ finished: Finished, _ code: Int32, says words: String = "", hint: Bool = true,
    _ location: SourceLocation = #_sourceLocation
) {
    #expect(finished.code == code, "\(finished.err)", sourceLocation: location)
    let errors = finished.errorLines.filter { $0.hasPrefix("vault: error: ") }
    #expect(errors.count == 1, "\(finished.err)", sourceLocation: location)
    #expect(errors.first?.contains(words) == true || words.isEmpty, "\(finished.err)", sourceLocation: location)
    let hints = finished.errorLines.filter { $0.hasPrefix("vault: hint: ") }
    #expect(hints.count == 1 || !hint, "\(finished.err)", sourceLocation: location)
    #expect(finished.out.isEmpty, "\(finished.text)", sourceLocation: location)
}
