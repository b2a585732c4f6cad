// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `TerminalReply` reads a terminal's answers, byte by byte. Only three forms are known, exactly as they are written;
/// all else is passed over.
///
/// ```
/// ESC _ G i=ID;OK ESC \        kitty's graphics protocol
/// ESC [ 6 ; height ; width t   a cell's size in pixels
/// ESC [ ? class ; … c          device attributes (DA1), which end the answer; 4 behind the class: sixels
/// ```
struct TerminalReply {
    /// What kitty's query and its answer carry.
    static let queryID = 4177

    private(set) var hasKitty = false
    private(set) var hasSixel = false
    /// In pixels.
    private(set) var cell: (width: Int, height: Int)?
    /// Whether the last expected answer is in.
    private(set) var isComplete = false

    private enum State {
        case ground, escape, control, string, stringEscape
    }

    private var state = State.ground
    private var held: [UInt8] = []
    private var isTooLong = false

    /// Longer than any of the three.
    private static let heldByteCountMax = 256
    private static let escapeByte: UInt8 = 0x1B

    mutating func take(_ byte: UInt8) {
        switch state {
        case .ground:
            if byte == Self.escapeByte { state = .escape }
        case .escape:
            begin(byte)
        case .control:
            takeControl(byte)
        case .string:
            if byte == Self.escapeByte { state = .stringEscape } else { hold(byte) }
        case .stringEscape:
            if byte == 0x5C {
                if !isTooLong { finishString() }
                state = .ground
            } else {
                begin(byte)
            }
        }
    }

    private mutating func begin(_ byte: UInt8) {
        held = []
        isTooLong = false
        switch byte {
        case 0x5B: state = .control
        case 0x5F: state = .string
        case Self.escapeByte: state = .escape
        default: state = .ground
        }
    }

    private mutating func takeControl(_ byte: UInt8) {
        switch byte {
        case Self.escapeByte: state = .escape
        case 0x20...0x3F: hold(byte)
        case 0x40...0x7E:
            state = .ground
            if !isTooLong { finishControl(byte) }
        default: state = .ground
        }
    }

    private mutating func hold(_ byte: UInt8) {
        if held.count < Self.heldByteCountMax { held.append(byte) } else { isTooLong = true }
    }

    private mutating func finishString() {
        if held == Array("Gi=\(Self.queryID);OK".utf8) { hasKitty = true }
    }

    private mutating func finishControl(_ end: UInt8) {
        let isPrivate = held.first == 0x3F
        guard let numbers = Self.numbers(isPrivate ? held[1...] : held[...]) else { return }
        switch (end, isPrivate) {
        case (0x63, true):
            guard numbers[0] > 0 else { return }
            hasSixel = numbers.dropFirst().contains(4)
            isComplete = true
        case (0x74, false):
            guard numbers.count == 3, numbers[0] == 6, PictureGeometry.isPlausible(cell: numbers[2], numbers[1]) else {
                return
            }
            cell = (numbers[2], numbers[1])
        default: break
        }
    }

    /// Returns decimal numbers with semicolons between them, where one that is left out is 0 (kitty's own answer is
    /// `?62;c`); nil for anything else.
    private static func numbers(_ bytes: ArraySlice<UInt8>) -> [Int]? {
        var numbers: [Int] = []
        for part in bytes.split(separator: 0x3B, omittingEmptySubsequences: false) {
            guard part.count <= 5, part.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            numbers.append(part.reduce(0) { $0 * 10 + Int($1 - 0x30) })
        }
        return numbers
    }
}
