// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ParserProtocol
import Testing

struct RecordTests {
    @Test func everyRecordIsReadBackAndEveryCutIsRefused() throws {
        let imported = try SketchImportRecord(
            svg: [1, 2], losses: [SketchLoss(.hidden, count: 7), SketchLoss(.text, count: 9)])
        #expect(imported.encoded == [0, 2, 1, 0, 0, 0, 9, 12, 0, 0, 0, 7, 1, 2])
        #expect(try SketchImportRecord(parsing: imported.encoded) == imported)
        let checked = try SketchCheckRecord(width: 1, height: 32_768, strokeCount: 2, pointCount: 3)
        #expect(try SketchCheckRecord(parsing: checked.encoded) == checked)
        let drawn = try SketchDrawingRecord(format: .jpeg, content: [0xFF, 0xD8, 0xFF, 0xE0])
        #expect(try SketchDrawingRecord(parsing: drawn.encoded) == drawn)

        for count in 0..<13 {
            #expect(throws: RecordError.self) { try SketchImportRecord(parsing: Array(imported.encoded[..<count])) }
        }
        for count in 0..<17 {
            #expect(throws: RecordError.self) { try SketchCheckRecord(parsing: Array(checked.encoded[..<count])) }
        }
        for count in 0..<5 {
            #expect(throws: RecordError.self) { try SketchDrawingRecord(parsing: Array(drawn.encoded[..<count])) }
        }
        #expect(throws: RecordError(.trailingBytes, offset: 17)) {
            try SketchCheckRecord(parsing: checked.encoded + [0])
        }
    }

    @Test(arguments: SketchStatus.allCases.filter { $0 != .ok })
    func aRefusalIsOneByte(_ status: SketchStatus) throws {
        let byte = [status.rawValue]
        #expect(
            SketchImportRecord(refused: status).encoded == byte && SketchCheckRecord(refused: status).encoded == byte)
        #expect(try SketchImportRecord(parsing: byte).status == status)
        #expect(try SketchCheckRecord(parsing: byte).status == status)
        #expect(try SketchDrawingRecord(parsing: byte).status == status)
        for extra: [UInt8] in [[0], [1, 2, 3]] {
            #expect(throws: RecordError(.trailingBytes, offset: 1)) { try SketchImportRecord(parsing: byte + extra) }
            #expect(throws: RecordError(.trailingBytes, offset: 1)) { try SketchCheckRecord(parsing: byte + extra) }
            #expect(throws: RecordError(.trailingBytes, offset: 1)) { try SketchDrawingRecord(parsing: byte + extra) }
        }
    }

    @Test func valuesThatNoSketchHasAreRefused() {
        let wrong: [[UInt8]] = [
            [], [5], [255], [0, 1, 0, 0, 0, 0, 1, 9], [0, 1, 99, 0, 0, 0, 1, 9], [0, 1, 1, 0, 0, 0, 0, 9], [0, 0],
            [0, 2, 2, 0, 0, 0, 1, 1, 0, 0, 0, 1, 9], [0, 2, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 9],
        ]
        for bytes in wrong { #expect(throws: RecordError.self, "\(bytes)") { try SketchImportRecord(parsing: bytes) } }
        for (width, strokes, points): (UInt32, UInt32, UInt32) in [
            (0, 0, 0), (32_769, 0, 0), (1, 10_001, 10_001), (1, 1, 1_000_001), (1, 2, 1), (1, 0, 1),
        ] {
            #expect(throws: RecordError(.tooLarge)) {
                try SketchCheckRecord(width: width, height: 1, strokeCount: strokes, pointCount: points)
            }
        }
        for bytes: [UInt8] in [[0, 0, 1], [0, 4, 1], [0, 1, 0x25], [0, 2, 0xFF, 0xD8, 0xFF]] {
            #expect(throws: RecordError.self) { try SketchDrawingRecord(parsing: bytes) }
        }
    }
}
