// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension AgeHeader {
    /// Reads a header and not a byte more.
    ///
    /// - Throws: `AgeError.unsupported` for another version, `.tooLarge`, `.damaged`, and what the input throws.
    init(reading input: any AgeInput) throws(AgeError) {
        var lines = Lines(input: input)
        try Self.readVersion(&lines)
        var stanzas: [AgeStanza] = []
        while true {
            let begin = lines.taken.count
            let line = try lines.next()
            if line.starts(with: Self.arrow) {
                guard stanzas.count < Self.stanzaCountMax else { throw AgeError(.tooLarge, in: .header) }
                stanzas.append(try Self.readStanza(line.dropFirst(Self.arrow.count), &lines))
            } else {
                let tag = try Self.tag(line)
                guard !stanzas.isEmpty else { throw AgeError(.damaged, in: .header) }
                try self.init(stanzas: stanzas, authenticated: lines.taken[..<begin] + Self.dashes, tag: tag)
                return
            }
        }
    }

    private static func readVersion(_ lines: inout Lines) throws(AgeError) {
        let line = try lines.next(limit: 128)
        guard line != versionLine[...] else { return }
        let version = line.dropFirst(versionPrefix.count)
        let isAnother =
            line.starts(with: versionPrefix) && !version.isEmpty && version.allSatisfy { $0 > 0x20 && $0 < 0x7f }
        throw AgeError(isAnother ? .unsupported : .damaged, in: .header)
    }

    private static func readStanza(_ text: ArraySlice<UInt8>, _ lines: inout Lines) throws(AgeError) -> AgeStanza {
        let arguments = text.split(separator: 0x20, omittingEmptySubsequences: false)
        guard arguments.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0 > 0x20 && $0 < 0x7f } }) else {
            throw AgeError(.damaged, in: .header)
        }
        var body: [UInt8] = []
        while true {
            let line = try lines.next()
            guard line.count <= AgeStanza.lineByteCount, let bytes = AgeBase64.decode(line) else {
                throw AgeError(.damaged, in: .header)
            }
            body += bytes
            if line.count < AgeStanza.lineByteCount {
                return AgeStanza(arguments: arguments.map { Array($0) }, body: body)
            }
        }
    }

    private static func tag(_ line: ArraySlice<UInt8>) throws(AgeError) -> [UInt8] {
        let start = dashes + [UInt8(ascii: " ")]
        guard line.starts(with: start), let tag = AgeBase64.decode(line.dropFirst(start.count)),
            tag.count == tagByteCount
        else {
            throw AgeError(.damaged, in: .header)
        }
        return tag
    }

    /// Lines that end with LF, and never more of them than a header may have.
    private struct Lines {
        let input: any AgeInput
        /// All lines so far, with their ends.
        private(set) var taken: [UInt8] = []

        init(input: any AgeInput) { self.input = input }

        /// - Parameter limit: of this line, in bytes; a longer one is no header's.
        mutating func next(limit: Int = byteCountMax) throws(AgeError) -> ArraySlice<UInt8> {
            let begin = taken.count
            while let byte = try input.byte() {
                if byte == UInt8(ascii: "\n") {
                    taken.append(byte)
                    return taken[begin..<taken.count - 1]
                }
                guard taken.count - begin < limit else { throw AgeError(.damaged, in: .header) }
                guard taken.count < byteCountMax else { throw AgeError(.tooLarge, in: .header) }
                taken.append(byte)
            }
            throw AgeError(.damaged, in: .header)
        }
    }
}
