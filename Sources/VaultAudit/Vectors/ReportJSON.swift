// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation

/// How reports are written as JSON.
enum ReportJSON {
    /// One line with sorted names, so that two reports can be compared as text.
    static func encode(_ report: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        guard let data = try? encoder.encode(report) else {
            preconditionFailure("a report holds nothing but text and numbers")
        }
        return String(decoding: data, as: UTF8.self)
    }
}
