// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// An `AgeInput` gives the bytes of a binary age file: a descriptor, a caller, or the armor around it.
protocol AgeInput: AnyObject {
    /// Returns the next byte; nil at the end.
    func byte() throws(AgeError) -> UInt8?
    /// Fills `target`; fewer bytes only at the end.
    func read(into target: UnsafeMutableRawBufferPointer) throws(AgeError) -> Int
}

/// `BufferedInput` reads what a source delivers, in pieces of its choice.
@safe final class BufferedInput: AgeInput {
    private let source: AgeReader.Source
    private var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    private var begin = 0
    private var end = 0

    init(_ source: @escaping AgeReader.Source) { unsafe self.source = source }

    func byte() throws(AgeError) -> UInt8? {
        guard let byte = try peek() else { return nil }
        begin += 1
        return byte
    }

    /// Returns the next byte, which stays there.
    func peek() throws(AgeError) -> UInt8? {
        if begin == end { try refill() }
        return begin < end ? buffer[begin] : nil
    }

    func read(into target: UnsafeMutableRawBufferPointer) throws(AgeError) -> Int {
        var done = 0
        while done < target.count, try peek() != nil {
            let count = min(end - begin, target.count - done)
            unsafe UnsafeMutableRawBufferPointer(rebasing: target[done...]).copyBytes(
                from: buffer[begin..<begin + count])
            begin += count
            done += count
        }
        return done
    }

    /// Takes a line with its LF into `line`; false when there is none within `limit` bytes or before the end, and then
    /// what there is.
    func takeLine(_ line: inout [UInt8], limit: Int) throws(AgeError) -> Bool {
        line.removeAll(keepingCapacity: true)
        while line.count < limit, try peek() != nil {
            let part = buffer[begin..<min(end, begin + limit - line.count)]
            let place = part.firstIndex(of: UInt8(ascii: "\n"))
            let stop = place.map { $0 + 1 } ?? part.endIndex
            line += buffer[begin..<stop]
            begin = stop
            if place != nil { return true }
        }
        return false
    }

    private func refill() throws(AgeError) {
        let got = try unsafe buffer.withUnsafeMutableBufferPointer { pointer throws(AgeError) in
            try unsafe source(UnsafeMutableRawBufferPointer(pointer))
        }
        guard got >= 0, got <= buffer.count else { throw AgeError(.inputOutput) }
        begin = 0
        end = got
    }
}
