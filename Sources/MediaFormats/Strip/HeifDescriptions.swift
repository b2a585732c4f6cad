// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Words and dates in the structure of a HEIF file: free space, and properties that describe a picture rather than show
/// it.
enum HeifDescriptions {
    static func blank(_ meta: ByteView, _ properties: ByteView?, to output: inout StripOutput) throws(MediaError) {
        for box in BoxList(meta, from: 4) where box.type == "free" || box.type == "skip" {
            zero(box.payload, .trailingData, &output)
        }
        guard let properties else { return }
        var boxes = BoxList(properties)
        while let box = boxes.next() {
            guard box.type == "ipco" else { continue }
            try blankProperties(box.payload, &output)
        }
        guard boxes.isAtEnd else { throw MediaError(.notUnderstood, offset: boxes.offset) }
    }

    /// Each begins with a version and flags. Without a description its strings are empty; without a time it is the
    /// epoch.
    private static func blankProperties(_ view: ByteView, _ output: inout StripOutput) throws(MediaError) {
        var properties = BoxList(view)
        while let property = properties.next() {
            switch property.type {
            case "udes": property.payload.from(4).map { zero($0, .comments, &output) }
            case "crtt", "mdft": property.payload.from(4).map { zero($0, .dates, &output) }
            case "free", "skip": zero(property.payload, .trailingData, &output)
            case "uuid": throw MediaError(.notUnderstood, offset: property.range.lowerBound)
            default: break
            }
        }
        guard properties.isAtEnd else { throw MediaError(.notUnderstood, offset: properties.offset) }
    }

    private static func zero(_ view: ByteView, _ kind: MetadataKind, _ output: inout StripOutput) {
        guard !view.isAllZero else { return }
        output.removed.insert(kind)
        output.zero(view.range)
    }
}
