// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import VaultClient

/// How much room a picture takes.
struct PictureGeometryTests {
    @Test(
        arguments: [(40, 20), (80, 24), (200, 60), (1, 1), (2, 3), (0, 0), (1000, 500)],
        [(1024, 1024), (1024, 1), (1, 1024), (1, 1), (640, 480), (7, 999)])
    func picturesStayInTheirRoomAndKeepTheirShape(terminal: (Int, Int), size: (Int, Int)) {
        for cell in [nil, (8, 16), (10, 20), (20, 41), (6, 6)] as [(width: Int, height: Int)?] {
            let geometry = PictureGeometry(columns: terminal.0, rows: terminal.1, cell: cell, depth: .direct)
            let (columns, rows) = (terminal.0 > 0 ? terminal.0 : 80, terminal.1 > 0 ? terminal.1 : 24)
            for box in [geometry.box(width: size.0, height: size.1), geometry.blockBox(width: size.0, height: size.1)] {
                #expect((1...min(columns, 80)).contains(box.columns))
                #expect((1...max(rows / 2, 1)).contains(box.rows))
                #expect((1...size.0).contains(box.pixelWidth) && (1...size.1).contains(box.pixelHeight))
            }
            let box = geometry.box(width: size.0, height: size.1)
            // To the pixel: the sides are in the same ratio.
            let error = abs(Double(box.pixelWidth) / Double(size.0) - Double(box.pixelHeight) / Double(size.1))
            #expect(error <= 0.51 / Double(min(size.0, size.1)) || box.pixelWidth == 1 || box.pixelHeight == 1)
        }
    }

    @Test func aPhotoFillsTheRoom() {
        let geometry = PictureGeometry(columns: 120, rows: 50, cell: (10, 20), depth: .direct)
        #expect(
            geometry.box(width: 1024, height: 768)
                == PictureGeometry.Box(columns: 67, rows: 25, pixelWidth: 667, pixelHeight: 500))
        #expect(geometry.box(width: 1024, height: 200).columns == 80)
    }

    @Test func smallPicturesStaySmall() {
        let geometry = PictureGeometry(columns: 120, rows: 50, cell: (10, 20), depth: .direct)
        #expect(
            geometry.box(width: 32, height: 32)
                == PictureGeometry.Box(columns: 3, rows: 2, pixelWidth: 32, pixelHeight: 32))
        #expect(geometry.blockBox(width: 32, height: 32).columns == 32)
        #expect(geometry.blockBox(width: 32, height: 32).rows == 16)
    }

    @Test(arguments: [(0, 0), (1, 3), (1, 20), (300, 600), (100, 20), (-5, -5), (Int.max, Int.max)])
    func cellsOfNoUseAreLeftOut(
        width: Int, height: Int
    ) {
        var geometry = PictureGeometry(columns: 80, rows: 24, depth: .direct)
        geometry.setCell(width: width, height: height)
        #expect(!geometry.isCellKnown && geometry.cellWidth == 8 && geometry.cellHeight == 16)
    }
}
