// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation

/// A JSON value as a script would see it.
struct JSON {
    struct NotJSON: Error { let text: String }

    private let value: Any?

    /// What a command printed on standard output: one object and a line feed.
    init(_ finished: Finished) throws { try self.init(text: finished.text) }

    init(text: String) throws {
        guard text.hasSuffix("\n"), let value = try? JSONSerialization.jsonObject(with: Data(text.utf8)) else {
            throw NotJSON(text: text)
        }
        self.value = value
    }

    private init(_ value: Any?) { self.value = value }

    subscript(_ name: String) -> JSON { JSON((value as? [String: Any])?[name]) }
    subscript(_ index: Int) -> JSON { array.indices.contains(index) ? array[index] : JSON(nil) }

    var array: [JSON] { (value as? [Any] ?? []).map { JSON($0) } }
    var isList: Bool { value is [Any] }
    var string: String? { value as? String }
    var int: Int? { value as? Int }
    var bool: Bool? { value as? Bool }
    /// There, and `null`.
    var isNull: Bool { value is NSNull }
    /// The names of an object's members.
    var names: Set<String> { Set((value as? [String: Any] ?? [:]).keys) }
    var isMissing: Bool { value == nil }
}
