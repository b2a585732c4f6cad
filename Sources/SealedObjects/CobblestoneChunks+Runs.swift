// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto

extension CobblestoneChunks {
    /// Seals a run of chunks that lie one after another.
    ///
    /// - Parameter isEnd: whether the run ends with the object's last chunk, which is what is left over whole chunks,
    ///   perhaps nothing.
    /// - Returns: how many bytes of `sealed` are used.
    func sealRun(
        from first: Int, _ plain: UnsafeRawBufferPointer, isEnd: Bool, into sealed: UnsafeMutableRawBufferPointer
    ) throws(ObjectError) -> Int {
        let size = Cobblestone.chunkByteCount
        var at = 0
        for index in 0..<(plain.count / size + (isEnd ? 1 : 0)) {
            let begin = index * size
            let count = min(size, plain.count - begin)
            let end = at + count + Cobblestone.tagByteCount
            do throws(CryptoError) {
                try unsafe seal(
                    first + index, UnsafeRawBufferPointer(rebasing: plain[begin..<begin + count]),
                    into: UnsafeMutableRawBufferPointer(rebasing: sealed[at..<end]))
            } catch { throw ObjectError(error) }
            at = end
        }
        return at
    }

    /// The 32 bytes that say which key and context the object is sealed under.
    var commitment: [UInt8] { Array(prefix[Cobblestone.saltByteCount...]) }

    /// Makes a new object.
    static func sealing(_ layer: SealLayer) throws(ObjectError) -> CobblestoneChunks {
        do throws(CryptoError) { return try CobblestoneChunks(sealing: layer.key, context: layer.context) } catch {
            throw ObjectError(error)
        }
    }

    /// Makes the same object for another thread.
    func shared() throws(ObjectError) -> CobblestoneChunks {
        do throws(CryptoError) { return try CobblestoneChunks(sharing: self) } catch { throw ObjectError(error) }
    }
}
