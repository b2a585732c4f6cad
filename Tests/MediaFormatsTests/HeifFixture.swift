// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Builds HEIC and AVIF files: one picture, perhaps with Exif, XMP, a turn, and other items.
struct HeifFixture {
    var brand = "heic"
    var itemType = "hvc1"
    var picture = text("coded picture")
    var exif: [UInt8]? = be32(6) + text("Exif\0\0") + TiffFixture().full(orientation: 6)
    var xmp: [UInt8]? = text("<x:SecretXMP/>")
    /// Bytes between the picture and the rest, which no item has.
    var gap: [UInt8] = []
    var extraProperties: [UInt8] = []
    var extraTopLevel: [UInt8] = []
    /// The bytes of the Exif item stand in two places.
    var isSplit = false
    /// Moves the Exif item's place by so many bytes.
    var exifShift = 0
    var metadataType = "mime"

    static func box(_ type: String, _ content: [UInt8]) -> [UInt8] { be32(content.count + 8) + text(type) + content }
    static func fullBox(_ type: String, _ version: Int, _ content: [UInt8]) -> [UInt8] {
        box(type, [UInt8(version), 0, 0, 0] + content)
    }

    private static func entry(_ id: Int, _ type: String, _ rest: [UInt8] = [0]) -> [UInt8] {
        fullBox("infe", 2, be16(id) + be16(0) + text(type) + rest)
    }

    private func place(_ id: Int, _ extents: [(Int, Int)]) -> [UInt8] {
        be16(id) + be16(0) + be16(extents.count) + extents.flatMap { be32($0.0) + be32($0.1) }
    }

    private func meta(dataAt: Int) -> [UInt8] {
        var names = [Self.entry(1, itemType)]
        var places = [place(1, [(dataAt, picture.count)])]
        var at = dataAt + picture.count + gap.count
        if let exif {
            names.append(Self.entry(2, "Exif"))
            let (start, count) = (at + exifShift, exif.count)
            places.append(place(2, isSplit ? [(start, 20), (start + 20, count - 20)] : [(start, count)]))
            at += exif.count
        }
        if let xmp {
            names.append(Self.entry(3, metadataType, [0] + text("application/rdf+xml\0")))
            places.append(place(3, [(at, xmp.count)]))
        }
        let properties =
            Self.fullBox("ispe", be32(320) + be32(200)) + Self.box("irot", [3]) + extraProperties
        return Self.fullBox(
            "meta",
            Self.fullBox("hdlr", zeros(4) + text("pict") + zeros(13)) + Self.fullBox("pitm", be16(1))
                + Self.fullBox("iinf", be16(names.count) + names.flatMap { $0 })
                + Self.fullBox("iloc", be16(0x4400) + be16(places.count) + places.flatMap { $0 })
                + Self.box(
                    "iprp", Self.box("ipco", properties) + Self.fullBox("ipma", be32(1) + be16(1) + [2, 0x81, 0x82])))
    }

    var bytes: [UInt8] {
        let start = Self.box("ftyp", text(brand) + be32(0) + text("mif1" + brand))
        let dataAt = start.count + meta(dataAt: 0).count + 8
        return start + meta(dataAt: dataAt) + Self.box("mdat", picture + gap + (exif ?? []) + (xmp ?? []))
            + extraTopLevel
    }

    private static func fullBox(_ type: String, _ content: [UInt8]) -> [UInt8] { fullBox(type, 0, content) }
}
