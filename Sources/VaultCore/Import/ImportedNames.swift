// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// The names of one imported note's files: safe, and no two the same. Linear however many there are.
public struct ImportedNames {
    private var taken: Set<[UInt8]> = []
    private var next: [[UInt8]: Int] = [:]

    public init() {}

    /// - Parameter wanted: whatever the source called it (ThreatModel H01).
    public mutating func add(_ wanted: String) -> String {
        let clean = AttachmentName.clean(wanted)
        let key = TagKey.bytes(clean)
        if taken.insert(key).inserted { return clean }
        var number = next[key] ?? 2
        while true {
            let name = AttachmentName.numbered(clean, number)
            number += 1
            guard taken.insert(TagKey.bytes(name)).inserted else { continue }
            next[key] = number
            return name
        }
    }
}
