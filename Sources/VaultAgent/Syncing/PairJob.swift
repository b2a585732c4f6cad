// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SyncEngine
internal import SyncProtocol
internal import VaultCore
internal import VaultFormat

internal import struct VaultFormat.DeviceID

/// `PairJob` serves `vault device pair`: reads and sends everything, says in one more segment how far this device has
/// read, and gives what names that segment. Spec: docs/format.md §25.11.
final class PairJob: Job {
    private let host: SyncHost
    private var triesLeft = 3

    init(_ host: SyncHost) {
        self.host = host
        // A device that has read this segment has read all that is known here.
        host.mustSpeak = true
        host.begin()
    }

    var isWaiting: Bool { true }

    func step(_ connection: Connection) -> Outcome? {
        guard !host.isRunning else { return nil }
        let ending = SyncJob.ending(of: [host])
        guard ending.code == .ok else { return ending }
        // A round that was under way may have ended before it was said.
        if host.mustSpeak {
            triesLeft -= 1
            guard triesLeft > 0 else {
                return Outcome(.other, "the remote cannot be written to now", hint: "try again")
            }
            host.begin()
            return nil
        }
        do throws(VaultError) {
            var reply = PairedState()
            reply.remote = host.name
            guard let code = try host.pairingCode() else {
                return Outcome(
                    .usage, "the address of this remote is too long for a pairing code",
                    hint: "vault clone PLACE, and then compare what vault sync status says on both")
            }
            reply.code = code.encoded
            connection.reply(reply)
            return Outcome(.ok)
        } catch { return error.outcome }
    }
}

extension SyncHost {
    /// Returns what a new device is to know of the vault and of this remote; nil for a remote with too long an address.
    fileprivate func pairingCode() throws(VaultError) -> PairingCode? {
        let (own, epoch) = (engine.state.own, engine.state.epoch)
        guard own.number > 0, epoch == store.header.epoch else { throw VaultError(.integrity) }
        guard let device = try? DeviceID(engine.state.device.bytes),
            let point = try? PairedPoint(epoch: epoch, device: device, number: own.number, digest: own.digest.bytes)
        else { throw VaultError(.integrity) }
        let stamp = try RemoteHeaders.stamp(of: store.header)
        func code(_ kind: PairingCode.Kind, _ place: [UInt8]) -> PairingCode? {
            try? PairingCode(vault: settings.vault, header: stamp, point: point, kind: kind, place: place)
        }
        switch settings.place {
        case .folder(let path): return code(.folder, path)
        case .webDAV(let address): return code(.webDAV, Array(address.text.utf8))
        case .s3(let bucket):
            var made = code(.s3, Array(bucket.endpoint.text.utf8))
            made?.region = bucket.region
            made?.bucket = bucket.bucket
            made?.prefix = bucket.prefix.joined(separator: "/")
            return made
        case .dropbox(let folder): return code(.dropbox, Array(folder.words.utf8))
        case .rclone(let folder): return code(.rclone, Array(folder.words.utf8))
        }
    }
}
