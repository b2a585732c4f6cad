// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
public import VaultFormat

/// `PairingRefusal` says in which way a remote is not what a pairing code names.
public enum PairingRefusal: Error, Sendable, Equatable {
    /// The state it shows is older than the code.
    case older
    /// Its newest header is not the one that the code names.
    case otherHeader
    /// Under the number that the code names it has another segment.
    case otherSegment
    /// The vault's key was changed after the code was made.
    case newKey
}

extension PairingCode {
    /// Returns those of a remote's headers that are as new as the code says, and all of a later epoch: each device
    /// counts its own headers, so that one after a change of the key may have a lower number. Nobody has vouched for
    /// any.
    ///
    /// - Throws: `PairingRefusal`: `older` or `otherHeader` when there is none.
    public func newEnough(_ headers: [UnverifiedHeader]) throws(PairingRefusal) -> [UnverifiedHeader] {
        var (found, isOther) = ([UnverifiedHeader](), false)
        for header in headers {
            guard let digest = try? Digest.sha256(header.encoded) else { continue }
            guard header.epoch <= point.epoch else {
                found.append(header)
                continue
            }
            switch verdict(counter: header.counter, digest: digest) {
            case .asNew: found.append(header)
            case .older: break
            case .other: isOther = true
            }
        }
        guard found.isEmpty else { return found }
        throw isOther ? .otherHeader : .older
    }

    /// The places of a remote where the segment that the code names can be, alone or in a span.
    public var places: [RemotePlace] {
        let (epoch, device) = (point.epoch, point.device)
        var number = point.number
        var places = [RemotePlace(kind: .segment, epoch: epoch, device: device, number: number)]
        for level in 1...RemotePlace.levelMax {
            number = (number - 1) / RemotePlace.spanWidth + 1
            places.append(RemotePlace(kind: .span(level: level), epoch: epoch, device: device, number: number))
        }
        return places
    }

    /// Examines the object stored under the name of the segment that the code names.
    ///
    /// - Returns: false if it is not there yet.
    /// - Throws: `PairingRefusal.otherSegment` for one that a device has sealed but that is not the one named.
    public func isNamed(_ sealed: [UInt8], _ sealer: SegmentSealer) throws(PairingRefusal) -> Bool {
        guard let digest = try? Digest.sha256(sealed) else { return false }
        if point.names(digest: digest) { return true }
        guard (try? sealer.openSegment(sealed, at: places[0])) != nil else { return false }
        throw .otherSegment
    }
}
