// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// `PictureGeometry` is the room for pictures on a terminal.
struct PictureGeometry: Sendable, Equatable {
    /// Of the terminal.
    let columns: Int
    let rows: Int
    /// A cell's size in pixels: what the terminal says, or a usual one.
    private(set) var cellWidth = 8
    private(set) var cellHeight = 16
    private(set) var isCellKnown = false
    var depth: ColorDepth

    /// The widest picture, in columns.
    static let columnCountMax = 80

    /// Makes the room of a terminal; one of unknown size has 80 columns and 24 rows.
    ///
    /// - Parameters:
    ///   - columns: 0 when unknown.
    ///   - rows: 0 when unknown.
    init(columns: Int, rows: Int, cell: (width: Int, height: Int)? = nil, depth: ColorDepth) {
        self.columns = columns > 0 ? columns : 80
        self.rows = rows > 0 ? rows : 24
        self.depth = depth
        if let cell { setCell(width: cell.width, height: cell.height) }
    }

    /// Asks the kernel what it knows of a terminal. Terminals that do not tell their size in pixels leave it 0.
    init(terminal: Int32, depth: ColorDepth) {
        var size = winsize()
        _ = unsafe ioctl(terminal, UInt(TIOCGWINSZ), &size)
        self.init(columns: Int(size.ws_col), rows: Int(size.ws_row), depth: depth)
        if size.ws_col > 0 && size.ws_row > 0 {
            setCell(width: Int(size.ws_xpixel) / Int(size.ws_col), height: Int(size.ws_ypixel) / Int(size.ws_row))
        }
    }

    /// Sets the size of a cell; one that no cell has is left out.
    mutating func setCell(width: Int, height: Int) {
        guard Self.isPlausible(cell: width, height) else { return }
        (cellWidth, cellHeight, isCellKnown) = (width, height, true)
    }

    static func isPlausible(cell width: Int, _ height: Int) -> Bool {
        (2...200).contains(width) && (4...400).contains(height) && width <= height * 2
    }

    /// `Box` says what a picture takes.
    struct Box: Equatable {
        let columns: Int
        let rows: Int
        /// Exact, so not whole cells.
        let pixelWidth: Int
        let pixelHeight: Int
    }

    /// Gives a picture at most 80 columns and half of the rows, and never larger than the picture is in pixels.
    func box(width: Int, height: Int) -> Box { fitted(width, height, Double(cellWidth), Double(cellHeight)) }

    /// Returns the same for blocks: one column of cells is one pixel wide, so that small pictures stay recognisable.
    func blockBox(width: Int, height: Int) -> Box { fitted(width, height, 1, Double(cellHeight) / Double(cellWidth)) }

    private func fitted(_ width: Int, _ height: Int, _ cellWidth: Double, _ cellHeight: Double) -> Box {
        let columnCountMax = min(columns, Self.columnCountMax)
        let rowCountMax = max(rows / 2, 1)
        let across = Double(columnCountMax) * cellWidth / Double(width)
        let down = Double(rowCountMax) * cellHeight / Double(height)
        let scale = min(1, across, down)
        let (drawnWidth, drawnHeight) = (Double(width) * scale, Double(height) * scale)
        return Box(
            columns: min(max(Int((drawnWidth / cellWidth).rounded()), 1), columnCountMax),
            rows: min(max(Int((drawnHeight / cellHeight).rounded()), 1), rowCountMax),
            pixelWidth: max(Int(drawnWidth.rounded()), 1), pixelHeight: max(Int(drawnHeight.rounded()), 1))
    }
}
