// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `HeifStripper` strips HEIC and AVIF: the file keeps its size and every byte of the picture; the bytes of metadata
/// are overwritten in place.
///
/// Pictures are found by their place in the file here, so nothing may move. What is not known by name could hold
/// anything: the file is then refused. Small and helper pictures (thumbnail, depth, gain map) are pictures of the file
/// and stay.
struct HeifStripper {
    private static let pictures: Set<FourCC> = [
        "hvc1", "hev1", "lhv1", "av01", "avc1", "vvc1", "jpeg", "j2k1", "grid", "iden", "iovl", "tmap",
    ]

    private var areas: [Range<Int>] = []
    private var metadata: [Int: [Range<Int>]] = [:]

    static func strip(_ view: ByteView, to output: inout StripOutput) throws(MediaError) {
        var stripper = HeifStripper()
        try stripper.run(view, &output)
    }

    private mutating func run(_ file: ByteView, _ output: inout StripOutput) throws(MediaError) {
        output.replace(file.bytes)
        var meta: ByteView?
        var boxes = BoxList(file)
        while let box = boxes.next() {
            switch box.type {
            case "ftyp": break
            case "meta" where meta == nil: meta = box.payload
            case "mdat": areas.append(box.payload.range)
            // A film beside the picture, other data of makers, and free space.
            case "uuid", "mpvd", "sefd", "free", "skip": blank(box, file, &output)
            default: throw MediaError(.notUnderstood, offset: box.range.lowerBound)
            }
        }
        guard boxes.isAtEnd else { throw MediaError(.truncated, offset: boxes.offset) }
        guard let meta else { throw MediaError(.notUnderstood) }
        let items = try HeifItems(file, meta: meta)
        if let inlineData = items.inlineData { areas.append(inlineData) }
        try checkPlaces(items, file, &output)
        for (id, ranges) in metadata.sorted(by: { $0.key < $1.key }) {
            try overwrite(ranges, isExif: items.types[id] == "Exif", file, &output)
        }
        try HeifDescriptions.blank(meta, items.properties, to: &output)
    }

    /// Makes free space of a box; its size stays.
    private func blank(_ box: BoxList.Box, _ file: ByteView, _ output: inout StripOutput) {
        output.overwrite(at: box.range.lowerBound + 4, with: FourCC("free").bytes)
        output.zero(box.payload.range)
        guard !box.payload.isAllZero else { return }
        output.removed.insert(
            box.type == "mpvd" ? .extraPictures : box.type == "free" || box.type == "skip" ? .trailingData : .other)
    }

    /// Checks that every extent lies within media data, and none over another: otherwise overwriting metadata could
    /// hurt a picture. The bytes between them belong to nothing, and are cleared.
    private mutating func checkPlaces(_ items: HeifItems, _ file: ByteView, _ output: inout StripOutput)
        throws(MediaError)
    {
        let extents = items.extents.sorted { $0.range.lowerBound < $1.range.lowerBound }
        var next = 0
        for area in areas.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            var at = area.lowerBound
            while next < extents.count, extents[next].range.upperBound <= area.upperBound {
                let extent = extents[next]
                guard extent.range.lowerBound >= at else {
                    throw MediaError(.notUnderstood, offset: extent.range.lowerBound)
                }
                clear(at..<extent.range.lowerBound, file, &output)
                at = extent.range.upperBound
                try note(extent, items)
                next += 1
            }
            clear(at..<area.upperBound, file, &output)
        }
        guard next == extents.count else { throw MediaError(.notUnderstood, offset: extents[next].range.lowerBound) }
        // Extents are written in the order in which the item names them, which need not be that of their places.
        for extent in items.extents where metadata[extent.item] != nil { metadata[extent.item]?.append(extent.range) }
    }

    private mutating func note(_ extent: HeifItems.Extent, _ items: HeifItems) throws(MediaError) {
        guard let type = items.types[extent.item] else {
            throw MediaError(.notUnderstood, offset: extent.range.lowerBound)
        }
        if type == "Exif" || type == "mime" {
            metadata[extent.item] = []
        } else if !Self.pictures.contains(type) {
            throw MediaError(.notUnderstood, offset: extent.range.lowerBound)
        }
    }

    private func clear(_ range: Range<Int>, _ file: ByteView, _ output: inout StripOutput) {
        guard let part = file.view(range.lowerBound, range.count), !part.isAllZero else { return }
        output.removed.insert(.trailingData)
        output.zero(range)
    }

    private func overwrite(_ ranges: [Range<Int>], isExif: Bool, _ file: ByteView, _ output: inout StripOutput)
        throws(MediaError)
    {
        var content: [UInt8] = []
        for range in ranges { content += file.bytes[range] }
        guard !content.allSatisfy({ $0 == 0 }) else { return }
        var replacement: [UInt8] = []
        if isExif {
            replacement = try minimalExif(ByteView(content), at: ranges[0].lowerBound, &output)
        } else {
            output.removed.insert(.xmp)
        }
        replacement += [UInt8](repeating: 0, count: content.count - replacement.count)
        var taken = 0
        for range in ranges {
            output.overwrite(at: range.lowerBound, with: Array(replacement[taken..<taken + range.count]))
            taken += range.count
        }
    }

    /// Returns an Exif item that holds nothing but the orientation. An item begins with the distance to its TIFF
    /// header.
    ///
    /// - Returns: at most as many bytes as the item has.
    private func minimalExif(_ item: ByteView, at offset: Int, _ output: inout StripOutput) throws(MediaError)
        -> [UInt8]
    {
        guard let distance = item.be32(0), let tiff = item.from(4 + distance), let block = ExifBlock(tiff) else {
            throw MediaError(.notUnderstood, offset: offset)
        }
        output.removed.formUnion(block.kinds)
        let minimal = [0, 0, 0, 0] + ExifBlock.minimal(orientation: block.orientation ?? 1)
        if minimal.count <= item.count { return minimal }
        guard block.turning == nil else { throw MediaError(.notUnderstood, offset: offset) }
        return []
    }
}

/// `HeifDescriptions` blanks words and dates in the structure of a HEIF file: free space, and properties that describe
/// a picture rather than show it.
private enum HeifDescriptions {
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

    /// Blanks the properties that describe the picture. Each begins with a version and flags. Without a description its
    /// strings are empty; without a time it is the epoch.
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
