// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc
internal import SyncProtocol
internal import VaultCrypto

extension RemoteLink {
    /// Stores bytes that lie nowhere else.
    func put(_ name: StoreName, _ bytes: [UInt8], _ completion: @escaping (Answer) -> Void) {
        let file = PassedFile.inMemory()
        let written = unsafe bytes.withUnsafeBytes { raw in
            unsafe raw.isEmpty ? 0 : vs_write_whole(file?.descriptor ?? -1, raw.baseAddress!, raw.count)
        }
        guard written == 0, let file, let digest = try? Digest.sha256(bytes) else {
            return completion(.failed(StoreFailure(.local)))
        }
        put(name, file, byteCount: bytes.count, digest: digest, completion)
    }
}

extension PassedFile {
    /// Returns where the kernel knows it to be now; the file system itself, which may hang, is not asked. Nil where
    /// /proc cannot be read.
    var name: [UInt8]? {
        var text = [UInt8](repeating: 0, count: 4096)
        let got = unsafe text.withUnsafeMutableBytes { raw in
            unsafe readlink("/proc/self/fd/\(descriptor)", raw.baseAddress!, raw.count)
        }
        return got < 0 ? nil : Array(text[..<got])
    }

    /// Returns a new file that has no name and lies in memory; nil when the system has no more.
    static func inMemory() -> PassedFile? {
        let opened = vs_memory_file()
        return opened < 0 ? nil : PassedFile(taking: opened)
    }
}
