// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

extension UnlockOptions {
    func encode(to writer: inout ByteWriter) {
        writer.u8(credential.rawValue)
        writer.flag(stays)
        writer.u32(idleSeconds)
        writer.u32(noteIdleSeconds)
        writer.u32(maxSeconds)
    }
    init(from reader: inout ByteReader) throws(FormatError) {
        credential = try Credential(from: &reader)
        stays = try reader.flag()
        idleSeconds = try reader.u32()
        noteIdleSeconds = try reader.u32()
        maxSeconds = try reader.u32()
    }
}

extension CreateOptions {
    func encode(to writer: inout ByteWriter) {
        writer.lengthPrefixed(directory)
        writer.u32(kdfTargetMilliseconds)
        writer.flag(withRecoveryKey)
    }
    init(from reader: inout ByteReader) throws(FormatError) {
        directory = try reader.lengthPrefixed(max: 4096)
        kdfTargetMilliseconds = try reader.u32()
        withRecoveryKey = try reader.flag()
    }
}

extension NewNote {
    func encode(to writer: inout ByteWriter) {
        writer.text(text)
        writer.optionalText(title)
        writer.texts(tags)
        writer.text(notebook)
        writer.optionalText(template)
        writer.flag(isPrivate)
        writer.flag(showsTitle)
    }
    init(from reader: inout ByteReader) throws(FormatError) {
        text = try reader.text(max: Frame.noteByteCountMax)
        title = try reader.optionalText(max: 4096)
        tags = try reader.texts()
        notebook = try reader.text(max: 4096)
        template = try reader.optionalText(max: 4096)
        isPrivate = try reader.flag()
        showsTitle = try reader.flag()
    }
}

extension ListQuery {
    func encode(to writer: inout ByteWriter) {
        writer.u8(place.rawValue)
        writer.optionalText(tag)
        writer.optionalText(notebook)
        writer.text(filter)
        writer.u8(sort.rawValue)
        writer.flag(reverse)
        writer.flag(countOnly)
        writer.flag(long)
        writer.u32(limit)
        writer.u32(page)
    }
    init(from reader: inout ByteReader) throws(FormatError) {
        guard let place = ListPlace(rawValue: try reader.u8()) else { throw FormatError(.unknownKind) }
        self.place = place
        tag = try reader.optionalText(max: 4096)
        notebook = try reader.optionalText(max: 4096)
        filter = try reader.text(max: SearchOrder.queryByteCountMax)
        guard let sort = SortKey(rawValue: try reader.u8()) else { throw FormatError(.unknownKind) }
        self.sort = sort
        reverse = try reader.flag()
        countOnly = try reader.flag()
        long = try reader.flag()
        limit = try reader.u32()
        page = try reader.u32()
    }
}

extension SearchOrder {
    static let queryByteCountMax = 16384

    func encode(to writer: inout ByteWriter) {
        writer.text(query)
        writer.text(regex)
        writer.flag(sort != nil)
        if let sort { writer.u8(sort.rawValue) }
        writer.flag(reverse)
        writer.u32(limit)
        writer.u32(page)
        writer.flag(isExhaustive)
    }
    init(from reader: inout ByteReader) throws(FormatError) {
        query = try reader.text(max: Self.queryByteCountMax)
        regex = try reader.text(max: 1000)
        if try reader.flag() {
            guard let key = SortKey(rawValue: try reader.u8()) else { throw FormatError(.unknownKind) }
            sort = key
        }
        reverse = try reader.flag()
        limit = try reader.u32()
        page = try reader.u32()
        isExhaustive = try reader.flag()
    }
}

extension ByteWriter {
    mutating func optionalText(_ value: String?) {
        flag(value != nil)
        if let value { text(value) }
    }
    mutating func texts(_ values: [String]) {
        u32(UInt32(values.count))
        for value in values { text(value) }
    }
}

extension ByteReader {
    /// More references or tags than this are not one command.
    private static let listCountMax: UInt32 = 10_000

    mutating func optionalText(max: Int) throws(FormatError) -> String? {
        try flag() ? try text(max: max) : nil
    }
    mutating func texts() throws(FormatError) -> [String] {
        let count = try u32()
        guard count <= Self.listCountMax else { throw FormatError(.tooLarge, offset: offset) }
        var values: [String] = []
        for _ in 0..<count { values.append(try text(max: 4096)) }
        return values
    }
    mutating func records() throws(FormatError) -> [[UInt8]] {
        let count = try u32()
        guard count <= Self.listCountMax else { throw FormatError(.tooLarge, offset: offset) }
        var values: [[UInt8]] = []
        for _ in 0..<count { values.append(try lengthPrefixed(max: Frame.byteCountMax)) }
        return values
    }
}
