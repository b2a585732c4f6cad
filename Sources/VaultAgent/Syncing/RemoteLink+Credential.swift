// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import SyncProtocol

/// This extension takes what a process says that opens its remote from now on.
extension RemoteLink {
    /// Takes what opens the remote now, from who may say so: a process that was taken over must not make the remote
    /// unusable, nor fill the vault.
    func take(_ secret: consuming SecretBytes?) {
        let now = BootClock.seconds
        guard let secret = consume secret, now - credentialTaken > Self.secondsBetweenCredentials,
            unsafe secret.withUnsafeBytes({ unsafe isCredential($0) })
        else { return }
        credentialTaken = now
        // What it was got for is of no more use.
        signsIn = false
        whenCredential?(secret)
    }

    private func isCredential(_ raw: UnsafeRawBufferPointer) -> Bool {
        let zeros = raw.indices.filter { unsafe raw[$0] == 0 }
        guard zeros.count == 2, zeros[0] == 0, zeros[1] == raw.count - 1, raw.count > 2 else { return false }
        let text = unsafe UnsafeRawBufferPointer(rebasing: raw[1..<raw.count - 1])
        switch settings.place {
        case .folder, .webDAV, .s3: return false
        case .dropbox: return signsIn
        case .rclone(let folder):
            guard unsafe text.first == UInt8(ascii: "{"), let type = unsafe SecretJSON.value(of: "type", in: text)
            else {
                return false
            }
            return unsafe text[type].elementsEqual("\"\(folder.backend)\"".utf8)
        }
    }

    private static let secondsBetweenCredentials = 2.0
}
