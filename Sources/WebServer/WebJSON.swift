// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Presentation

/// `WebJSON` writes what the page's answers have besides those of `--json`.
enum WebJSON {
    /// How a request ended.
    static func error(_ outcome: Outcome) -> [UInt8] {
        let candidates = outcome.candidates.map {
            JSONText.object([("id", .string($0.id)), ("title", .string($0.title))])
        }
        return JSONText.object([
            (
                "error",
                .object([
                    ("code", .int(Int64(outcome.code.rawValue))), ("message", .string(outcome.message)),
                    ("hint", .string(outcome.hint)), ("candidates", .array(candidates)),
                ])
            )
        ]).encoded
    }
}
