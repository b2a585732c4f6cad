// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension ParsedNote {
    /// - Parameter bytes: a frame without its length.
    /// - Throws: `RecordError`: `truncated`, `trailingBytes`, `tooLarge`, `notUTF8`, `notCanonical`, `unknownVersion`,
    ///   `unknownLoss`, `timeOutOfRange`, `badPath`.
    public init(parsing bytes: [UInt8]) throws(RecordError) {
        guard bytes.count <= Self.byteCountMax else { throw RecordError(.tooLarge) }
        var reader = RecordReader(bytes)
        let version = try reader.u8()
        guard version == Self.version || version == Self.versionWithExtras else {
            throw RecordError(.unknownVersion, offset: 0)
        }
        let title = try reader.optionalText(max: Self.titleByteCountMax)
        let notebook = try reader.text(max: Self.notebookByteCountMax)
        self.init(sourceKey: try reader.text(max: Self.sourceKeyByteCountMax))
        self.title = title
        self.notebook = notebook
        created = try Self.time(&reader)
        updated = try Self.time(&reader)
        tags = try Self.tags(&reader)
        losses = try Self.losses(&reader)
        if version == Self.versionWithExtras { try readExtras(&reader) }
        body = try reader.text(max: Self.bodyByteCountMax)
        try reader.end()
    }

    /// The frame without its length; `RecordFrame.enclosing(_:)` puts that before it.
    public var encoded: [UInt8] {
        var writer = RecordWriter(reserving: 256 + body.utf8.count)
        writer.u8(hasExtras ? Self.versionWithExtras : Self.version)
        writer.optionalText(title)
        writer.text(notebook)
        writer.text(sourceKey)
        writer.optionalTime(created)
        writer.optionalTime(updated)
        writer.u16(UInt16(clamping: tags.count))
        for tag in tags { writer.text(tag) }
        writer.u8(UInt8(clamping: losses.count))
        for loss in losses {
            writer.u8(loss.code.rawValue)
            writer.text(loss.detail)
        }
        if hasExtras { writeExtras(&writer) }
        writer.text(body)
        return writer.bytes
    }

    private static func time(_ reader: inout RecordReader) throws(RecordError) -> Int64? {
        guard try reader.flag() else { return nil }
        let at = reader.offset
        let time = try reader.i64()
        guard times.contains(time) else { throw RecordError(.timeOutOfRange, offset: at) }
        return time
    }

    private static func tags(_ reader: inout RecordReader) throws(RecordError) -> [String] {
        let at = reader.offset
        let count = Int(try reader.u16())
        guard count <= tagCountMax else { throw RecordError(.tooLarge, offset: at) }
        var tags: [String] = []
        for _ in 0..<count {
            let at = reader.offset
            // A scalar is at most four bytes.
            let tag = try reader.text(max: 4 * tagScalarCountMax)
            guard !tag.isEmpty else { throw RecordError(.notCanonical, offset: at) }
            guard tag.unicodeScalars.count <= tagScalarCountMax else { throw RecordError(.tooLarge, offset: at) }
            tags.append(tag)
        }
        return tags
    }

    private static func losses(_ reader: inout RecordReader) throws(RecordError) -> [Loss] {
        let at = reader.offset
        let count = Int(try reader.u8())
        guard count <= lossCountMax else { throw RecordError(.tooLarge, offset: at) }
        var losses: [Loss] = []
        for _ in 0..<count {
            let at = reader.offset
            guard let code = Loss.Code(rawValue: try reader.u8()) else { throw RecordError(.unknownLoss, offset: at) }
            let detail = try reader.text(max: Loss.detailByteCountMax)
            guard Loss.isName(detail) else { throw RecordError(.notCanonical, offset: at) }
            losses.append(Loss(code, detail: detail))
        }
        return losses
    }
}
