// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SecretMemory
internal import SyncProtocol
internal import VaultCore
internal import VaultCrypto

extension OperationTable {
    static let signingIn: [any Handled.Type] = [StartSignIn.self]
}

/// It needs no vault: a device that has none signs in before it clones.
extension StartSignIn: Handled {
    func answer(_ connection: Connection, _ store: OpenVault?) {
        guard case .dropbox(let folder)? = place(in: store) else {
            return connection.end(
                name.isEmpty
                    ? Outcome(
                        .usage, "not a Dropbox app key",
                        hint: "letters and digits, as its page shows it")
                    : Outcome(
                        .usage, "no code is shown for the remote '\(name)', or no remote has that name",
                        hint: "vault remote login \(name), in a terminal"))
        }
        do throws(CryptoError) {
            let verifier = try SignInVerifier(folder)
            var page = SignInPage()
            page.address = try folder.signInPage(verifier)
            connection.signIn = verifier
            connection.reply(page)
            connection.end(Outcome(.ok))
        } catch { connection.end(VaultError(.libraryFailed).outcome) }
    }

    /// Returns where to sign in: what is named, or what a remote of that name has.
    private func place(in store: OpenVault?) -> RemoteSettings.Place? {
        guard name.isEmpty else {
            let stored = try? store?.remotes.stored().first { $0.name == name }
            return stored.flatMap { try? RemoteSettings(parsing: $0.settings).place }
        }
        var remote = AddRemote(name: "", kind: kind, place: place)
        remote.server = server
        return RemoteSettings.Place(remote)
    }
}

/// `SignInVerifier` is what a code for signing in is good for together with: a code that somebody else has seen is of
/// no use to him. Source: RFC 7636 §4.
struct SignInVerifier {
    /// 64 hexadecimal digits, of the 43 to 128 characters that there may be. It is of use together with the code alone.
    private let text: [UInt8]
    /// Who gets both, and nobody else.
    let folder: DropboxFolder

    init(_ folder: DropboxFolder) throws(CryptoError) {
        text = Self.hexadecimal(try SecureRandom.bytes(32))
        self.folder = folder
    }

    /// What is shown of it: `S256`, in base64 for addresses and without `=`.
    func challenge() throws(CryptoError) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        // Because it is shown on a page, it must not tell the verifier: a hash does not.
        let digest = try Digest.sha256(text)
        var encoded: [UInt8] = []
        for begin in stride(from: 0, to: digest.count, by: 3) {
            let part = digest[begin..<min(begin + 3, digest.count)]
            let bits = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
            for at in 0...part.count { encoded.append(letters[bits >> (18 - 6 * at) & 0x3F]) }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Puts the code before it, as `vault-sync` exchanges both.
    ///
    /// - Parameter given: a code with a zero, and whatever follows that.
    func credential(_ given: borrowing SecretBytes) -> SecretBytes {
        let codeByteCount = unsafe given.withUnsafeBytes { raw in unsafe raw.firstIndex(of: 0) ?? raw.count }
        var credential = SecretBytes(zeroes: codeByteCount + text.count + 2)
        unsafe credential.withUnsafeMutableBytes { target in
            unsafe given.withUnsafeBytes { source in
                unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<codeByteCount]))
            }
            unsafe UnsafeMutableRawBufferPointer(rebasing: target[(codeByteCount + 1)...]).copyBytes(from: text)
        }
        return credential
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
}

extension Connection {
    /// Returns what opens a remote: as it was given, or with what was begun on this connection.
    ///
    /// - Returns: nil for a code that nobody waits for, or that was got for another place.
    func credential(_ given: consuming SecretBytes, for place: RemoteSettings.Place, signsIn: Bool) -> SecretBytes? {
        guard signsIn else { return given }
        defer { signIn = nil }
        guard case .dropbox(let folder) = place, let signIn, signIn.folder.hosts == folder.hosts,
            signIn.folder.appKey == folder.appKey
        else { return nil }
        return signIn.credential(given)
    }
}

extension Outcome {
    static let noSignIn = Outcome(
        .usage, "no sign-in was started on this connection", hint: "vault remote login starts again")
}

extension DropboxFolder {
    /// What the app may do: nothing beyond its own folder.
    private static let scopes = "files.metadata.read%20files.content.read%20files.content.write"

    /// The page on which somebody lets this device in, and which shows a code then. Source: Dropbox's OAuth guide.
    fileprivate func signInPage(_ verifier: SignInVerifier) throws(CryptoError) -> String {
        let host = hosts == .dropbox ? "https://www.dropbox.com" : hosts.api.text
        return "\(host)/oauth2/authorize?client_id=\(appKey)&response_type=code&token_access_type=offline"
            + "&code_challenge_method=S256&code_challenge=\(try verifier.challenge())&scope=\(Self.scopes)"
    }
}
