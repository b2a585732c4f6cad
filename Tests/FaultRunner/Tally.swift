// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What came of one job, or of one load.
struct Tally {
    /// Calls that it makes.
    var steps = 0
    /// Faults that were injected, or states that were replayed.
    var tried = 0
    var survived = 0
    var failures: [String] = []

    /// - Parameters:
    ///   - steps: what they are called.
    ///   - tried: the same.
    func say(_ name: String, steps: String, tried: String) {
        print("\(name): \(self.steps) \(steps), \(self.tried) \(tried), \(survived) survived")
        for failure in failures.prefix(10) { print("  lost: \(failure)") }
    }
}
