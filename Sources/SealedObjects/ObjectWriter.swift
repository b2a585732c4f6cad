// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto

/// Seals files and pipes into objects, in constant memory, with two threads.
///
/// An object has one layer, or two when its note is private: then the inner layer's result is the content of the outer
/// one. **Each layer pads, then seals**, so neither tells the content's true length. Spec: docs/format.md §4.3.
public enum ObjectWriter {
    /// Reads a source to its end and writes the object.
    ///
    /// When it throws, what the target holds is no object: the caller removes it. Nothing is synced here.
    ///
    /// - Parameter source: a regular file, read at own offsets from its begin and never mapped; or a pipe, read until
    ///   its writers have closed it. File offset and flags of the descriptor stay as they are.
    /// - Parameter target: a new, empty regular file.
    /// - Parameter layers: the outer one first.
    /// - Parameter byteCountMax: more content than this is refused; for a file before anything is read.
    /// - Parameter patience: how long a pipe may send nothing.
    /// - Parameter progress: told how many bytes of content are done, about each MiB and while a pipe is waited for,
    ///   always on the caller's thread; false ends the work.
    /// - Throws: `ObjectError.changed` when a file is not the same before and after, `.notAFileOrPipe`, `.tooLarge`,
    ///   `.stalled`, `.cancelled`, `.noRoom`, `.io`, `.libraryFailure`.
    public static func seal(
        from source: Int32, to target: Int32, layers: [SealLayer], byteCountMax: UInt64 = .max,
        patience: Duration = .seconds(60),
        progress: (UInt64) -> Bool
    ) throws(ObjectError) -> SealedObject {
        precondition(layers.count == 1 || layers.count == 2, "an object has one layer, or two")
        let from = try PassedFile(source)
        let to = try PassedFile(target: target)
        guard !to.isPipe else { throw ObjectError(.notAFileOrPipe) }
        guard from.isPipe || UInt64(clamping: from.byteCount) <= byteCountMax else { throw ObjectError(.tooLarge) }
        return try withoutActuallyEscaping(progress) { progress throws(ObjectError) in
            let gate = try ProgressGate(progress)
            if layers.count == 1, !from.isPipe {
                let sealed = try FileSealer.seal(from, to, layers[0], gate)
                try from.checkUnchanged()
                return sealed
            }
            let sealed = try PipelineSealer.seal(
                ContentSource(from, byteCountMax: byteCountMax, patience, gate), to, layers, gate)
            if !from.isPipe { try from.checkUnchanged() }
            return sealed
        }
    }
}
