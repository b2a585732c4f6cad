// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `HeifSize` finds the size and orientation of the primary item of a HEIF or AVIF file, from the properties that are
/// tied to it.
///
/// Source: ISO/IEC 23008-12 sections 6.5 and 9.3.
enum HeifSize {
    static func read(_ file: ByteView) -> PictureSize? {
        guard let meta = BoxList(file).first(where: { $0.type == "meta" })?.payload,
            let primary = BoxList(meta, from: 4).first(where: { $0.type == "pitm" })?.payload,
            let id = primary.number(4, byteCount: primary.u8(0) == 0 ? 2 : 4),
            let properties = BoxList(meta, from: 4).first(where: { $0.type == "iprp" })?.payload,
            let container = BoxList(properties).first(where: { $0.type == "ipco" })?.payload
        else { return nil }
        let all = Array(BoxList(container))
        var size: (width: Int?, height: Int?)?
        var turn = Turn()
        for index in indices(of: id, in: properties) where index > 0 && index <= all.count {
            let payload = all[index - 1].payload
            switch all[index - 1].type {
            case "ispe": size = size ?? (payload.be32(4), payload.be32(8))
            case "irot": turn.rotate((4 - ((payload.u8(0) ?? 0) & 3)) & 3)
            case "imir": turn.mirror(isTopToBottom: (payload.u8(0) ?? 0) & 1 == 0)
            default: break
            }
        }
        return PictureSize(size?.width, size?.height, orientation: turn.orientation)
    }

    /// Returns the numbers of the properties of an item, in the order in which they apply.
    private static func indices(of id: Int, in properties: ByteView) -> [Int] {
        for box in BoxList(properties) where box.type == "ipma" {
            let view = box.payload
            guard let version = view.u8(0), let flags = view.u8(3), let entryCount = view.be32(4) else { continue }
            let idByteCount = version == 0 ? 2 : 4
            let indexByteCount = flags & 1 == 1 ? 2 : 1
            var at = 8
            for _ in 0..<entryCount {
                guard let item = view.number(at, byteCount: idByteCount), let count = view.u8(at + idByteCount) else {
                    break
                }
                at += idByteCount + 1
                // The highest bit says that a reader must know the property.
                let mask = indexByteCount == 2 ? 0x7FFF : 0x7F
                if item == id {
                    return (0..<count).compactMap {
                        view.number(at + $0 * indexByteCount, byteCount: indexByteCount).map { $0 & mask }
                    }
                }
                at += count * indexByteCount
            }
        }
        return []
    }
}

/// `Turn` holds turns and mirrorings one after the other, which together are always one of the eight orientations of
/// Exif.
///
/// It is kept as: mirror left to right or not, then turn clockwise by quarters.
private struct Turn {
    private var isMirrored = false
    private var quarters = 0

    /// Adds a number of quarter turns, clockwise.
    mutating func rotate(_ quarters: Int) { self.quarters = (self.quarters + quarters) & 3 }

    /// Adds a mirroring. It moves to the front of a turn by turning the other way; top to bottom is left to right and a
    /// half turn.
    mutating func mirror(isTopToBottom: Bool) {
        quarters = ((isTopToBottom ? 2 : 0) - quarters) & 3
        isMirrored.toggle()
    }

    var orientation: Int { isMirrored ? [2, 7, 4, 5][quarters] : [1, 6, 3, 8][quarters] }
}
