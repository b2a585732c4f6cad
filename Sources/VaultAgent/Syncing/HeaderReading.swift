// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import SecretMemory
internal import SyncProtocol
internal import VaultCore
internal import VaultFormat

/// `HeaderReading` reads the headers of a remote, for a device that has no vault yet. It waits: for a thread of its
/// own.
///
/// Spec: docs/format.md §25.3.
final class HeaderReading {
    /// `Failure` says why there is none.
    enum Failure: Error {
        case store(StoreFailure)
        /// No vault lies there.
        case nothing
        /// Several do; these.
        case ambiguous([String])
        /// A server does not say which lie there.
        case unnamed
        case vault(VaultError)
        /// It is not what a pairing code names.
        case notAsPaired(PairingRefusal)
        case interrupted
    }

    let place: RemoteSettings.Place
    /// What the remote asks for.
    private let credential: PasswordBox
    /// What opens it instead, after signing in; nil as long as nothing was told.
    private(set) var renewed: PasswordBox?
    private let signsIn: Bool
    /// Whether to go on.
    private let goesOn: () -> Bool

    /// - Parameter signsIn: the credential is what somebody has just got for signing in.
    init(
        place: RemoteSettings.Place, credential: PasswordBox, signsIn: Bool = false, goesOn: @escaping () -> Bool
    ) {
        (self.place, self.credential, self.signsIn, self.goesOn) = (place, credential, signsIn, goesOn)
    }

    private func link(to vault: [UInt8]) -> RemoteLink {
        let link = RemoteLink(RemoteSettings(place, vault: vault)) { [unowned self] in
            (renewed ?? credential).secret.duplicate()
        }
        link.signsIn = signsIn && renewed == nil
        link.whenCredential = { [unowned self] secret in renewed = PasswordBox(secret) }
        return link
    }

    /// How often the passwords may have been changed since this vault's header, for a name to be guessed.
    private static let guessedMax: UInt64 = 16
    /// Anybody who had the key can name headers without number.
    private static let guessedDigestMax = 4

    /// Returns the vaults and copies whose folders lie in a folder, 32 hexadecimal digits each.
    func vaults() throws(Failure) -> [String] {
        guard case .folder(let path) = place else { return [] }
        let text = (path + Array("/\(RemoteName.format)".utf8)).map { CChar(bitPattern: $0) } + [0]
        guard let stream = unsafe opendir(text) else {
            throw errno == ENOENT
                ? .nothing : .store(StoreFailure(errno == EACCES ? .refused : .missing, detail: errno))
        }
        defer { unsafe closedir(stream) }
        var found: [String] = []
        while let entry = unsafe readdir(stream), found.count < RemoteName.listedMax {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { raw in
                unsafe String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
            }
            if Self.bytes(name) != nil { found.append(name) }
        }
        return found.sorted()
    }

    /// Returns the 16 bytes of a vault's folder; nil for another form.
    static func bytes(_ name: String) -> [UInt8]? {
        let digits = Array(name.utf8)
        guard digits.count == 32,
            digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        return stride(from: 0, to: 32, by: 2).compactMap { UInt8(name.dropFirst($0).prefix(2), radix: 16) }
    }

    /// Returns the one that is meant.
    ///
    /// - Parameter wanted: empty for the only one.
    func vault(_ wanted: String) throws(Failure) -> [UInt8] {
        if !wanted.isEmpty {
            guard let bytes = Self.bytes(wanted) else { throw .nothing }
            return bytes
        }
        guard case .folder = place else { throw .unnamed }
        let found = try vaults()
        guard found.count < 2 else { throw .ambiguous(found) }
        guard let bytes = found.first.flatMap(Self.bytes) else { throw .nothing }
        return bytes
    }

    /// Returns the headers with the highest counters, these first. Nobody has vouched for any.
    ///
    /// - Parameters:
    ///   - digests: SHA-256 of headers that are read before all others, however old they are.
    ///   - counter: which they have passed. What a listing leaves out of them may be there all the same, and is asked
    ///     for by the names that it can have.
    func headers(
        of vault: [UInt8], named digests: [[UInt8]] = [], after counter: UInt64 = .max
    ) throws(Failure) -> [UnverifiedHeader] {
        let link = link(to: vault)
        defer { link.end() }
        let listing = try wait(link) { link.list(.headers, $0) }
        let all = (try? StoreListing.names(in: listing, of: .headers)) ?? []
        let names = all.prefix(RemoteName.listedMax).compactMap { RemoteHeaderName(listed: $0.text) }
        var headers: [UnverifiedHeader] = []
        for name in Self.tried(of: names, named: digests, after: counter) {
            let bytes: [UInt8]
            do throws(Failure) { bytes = try wait(link) { link.get(StoreName(name), $0) } } catch {
                // One that is not there may have been removed since.
                guard case .store(let reason) = error, reason.code == .absent else { throw error }
                continue
            }
            do throws(VaultError) {
                if let header = try RemoteHeaders.parse(bytes, named: name, in: vault) { headers.append(header) }
            } catch { throw .vault(error) }
        }
        guard !headers.isEmpty else { throw .nothing }
        return headers
    }

    /// Returns the names of headers that are read, in this order: those that a listing may have left out, by the names
    /// that they can have, then the listed ones, named ones and high counters first.
    static func tried(
        of listed: [RemoteHeaderName], named digests: [[UInt8]], after counter: UInt64
    ) -> [RemoteHeaderName] {
        let begins = digests.map { Array($0.prefix(4)) }
        // Of several the first counts: those before one that is listed are asked for too.
        let unlisted = digests.prefix { digest in !listed.contains { $0.digestBegin == Array(digest.prefix(4)) } }
        let guessed = unlisted.prefix(guessedDigestMax).flatMap { digest in
            (1...guessedMax).compactMap { more in
                let (next, isOver) = counter.addingReportingOverflow(more)
                return isOver ? nil : RemoteHeaderName(counter: next, digest: digest)
            }
        }
        let newest = listed.sorted().reversed()
        let ordered =
            newest.filter { begins.contains($0.digestBegin) } + newest.filter { !begins.contains($0.digestBegin) }
        return guessed + ordered.prefix(RemoteHeaderName.triedMax)
    }

    /// Looks whether the segment that a pairing code names is there, by itself or in a span. What a span holds is seen
    /// when it is read.
    func findPoint(of code: PairingCode, _ sealer: SegmentSealer) throws(Failure) {
        let link = link(to: code.vault)
        defer { link.end() }
        for place in code.places {
            guard let name = try? sealer.names.name(of: place) else { continue }
            let bytes: [UInt8]
            do throws(Failure) { bytes = try wait(link) { link.get(StoreName(name), $0) } } catch {
                guard case .store(let reason) = error, reason.code == .absent else { throw error }
                continue
            }
            guard place.kind == .segment else { return }
            do throws(PairingRefusal) { if try code.isNamed(bytes, sealer) { return } } catch {
                throw .notAsPaired(error)
            }
        }
        throw .notAsPaired(.older)
    }

    private func wait(
        _ link: RemoteLink, _ ask: (@escaping (RemoteLink.Answer) -> Void) -> Void
    ) throws(Failure) -> [UInt8] {
        var answer: RemoteLink.Answer?
        ask { answer = $0 }
        while answer == nil {
            guard goesOn() else { throw .interrupted }
            if let descriptor = link.descriptor {
                var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                _ = unsafe poll(&waiting, 1, 100)
            }
            link.step()
        }
        switch answer {
        case .bytes(let bytes)?: return bytes
        case .failed(let reason)?: throw .store(reason)
        case .done?, nil: return []
        }
    }
}
