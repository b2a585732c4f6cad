// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// The names of parsing errors, as vectors and reports write them.
enum FormatErrorName {
    private static let names: [FormatError.Code: String] = [
        .truncated: "truncated", .trailingBytes: "trailingBytes", .tooLarge: "tooLarge", .notUTF8: "notUTF8",
        .notCanonical: "notCanonical", .badMagic: "badMagic", .unknownVersion: "unknownVersion",
        .unknownFeature: "unknownFeature", .unknownKind: "unknownKind", .costOutOfRange: "costOutOfRange",
        .allZero: "allZero", .duplicate: "duplicate",
    ]

    static func of(_ code: FormatError.Code) -> String { names[code] ?? "unknown" }
}
