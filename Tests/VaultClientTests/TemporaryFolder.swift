// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Glibc

/// A folder for one test; it is taken away at the end.
final class TemporaryFolder {
    let path: String

    init() {
        var template = Array("/tmp/vault-client-XXXXXX\0".utf8CString)
        path = unsafe template.withUnsafeMutableBufferPointer { raw in unsafe String(cString: mkdtemp(raw.baseAddress!))
        }
    }

    deinit { remove(path) }

    func make(_ name: String) { unsafe mkdir(path + "/" + name, 0o700) }

    func write(_ bytes: [UInt8], to name: String) {
        let file = unsafe open(path + "/" + name, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        unsafe bytes.withUnsafeBytes { raw in _ = unsafe Glibc.write(file, raw.baseAddress, raw.count) }
        close(file)
    }

    func link(_ name: String, to target: String) { unsafe symlink(target, path + "/" + name) }

    private func remove(_ path: String) {
        if unsafe unlink(path) == 0 { return }
        guard let stream = unsafe opendir(path) else { return }
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { raw in
                unsafe String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { remove(path + "/" + name) }
        }
        unsafe closedir(stream)
        unsafe rmdir(path)
    }
}
