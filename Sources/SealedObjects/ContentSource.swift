// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Content in its order, from a regular file or a pipe.
struct ContentSource {
    let file: PassedFile
    let byteCountMax: UInt64
    let pipe: PipeBytes

    init(_ file: PassedFile, byteCountMax: UInt64, _ patience: Duration, _ gate: ProgressGate) {
        self.file = file
        self.byteCountMax = byteCountMax
        pipe = PipeBytes(descriptor: file.descriptor, patience: patience, gate: gate)
    }

    /// Reads into the begin of some memory.
    ///
    /// - Parameter offset: how many bytes came before.
    /// - Returns: 0 at the end.
    /// - Throws: `ObjectError.tooLarge`, `.changed`, `.stalled`, `.cancelled`, `.io`.
    func read(_ target: UnsafeMutableRawBufferPointer, at offset: Int) throws(ObjectError) -> Int {
        guard file.isPipe else {
            let wanted = min(target.count, file.byteCount - offset)
            let part = unsafe UnsafeMutableRawBufferPointer(rebasing: target[0..<wanted])
            guard try unsafe FileBytes.read(file.descriptor, part, at: offset) == wanted else {
                throw ObjectError(.changed)
            }
            return wanted
        }
        let got = try unsafe pipe.read(target)
        guard UInt64(offset + got) <= byteCountMax else { throw ObjectError(.tooLarge) }
        return got
    }
}
