// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import VaultCore
internal import VaultCrypto
internal import VaultFormat

/// `RemoteNameRunners` tests names of a remote's objects, and what a store may list. Spec: docs/format.md §25.1 to
/// §25.3 and §25.7.
enum RemoteNameRunners {
    static func name(_ test: VectorTest) throws -> Verdict {
        let place = try RemotePlaceOfTest(test)
        let sealer = try place.sealer()
        let name: RemoteName
        if try test.text("kind") == "part" {
            name = try sealer.names.name(
                ofPart: test.number("part"), of: ObjectName(test.bytes("objectName")))
        } else {
            do throws(VaultError) { name = try sealer.names.name(of: place.place) } catch { throw Refusal("place") }
        }
        return try .comparing([
            ("name", name.bytes == test.bytes("name")), ("path", name.path == test.text("path")),
            ("the folder", sealer.names.root == "notevault-1/" + place.vault.hex),
        ])
    }

    static func listed(_ test: VectorTest) throws -> Verdict {
        let text = try test.text("listed")
        guard let folder = RemoteName.Folder(rawValue: try test.text("folder")) else {
            throw VectorFault("folder is none of a remote's")
        }
        let again =
            folder == .headers
            ? RemoteHeaderName(listed: text)?.text : RemoteName(listed: text, in: folder)?.hex
        guard let again else { throw Refusal("place") }
        return .comparing([("written again", again == text)])
    }

    static func header(_ test: VectorTest) throws -> Verdict {
        let bytes = try test.bytes("header")
        guard let name = RemoteHeaderName(listed: try test.text("name")) else {
            throw VectorFault("name is no header's")
        }
        let vault = try identity(test, bytes)
        let opened: UnverifiedHeader?
        do throws(VaultError) { opened = try RemoteHeaders.parse(bytes, named: name, of: vault) } catch {
            guard error.code == .newerFormat else { return .differs("refused for another reason") }
            opened = nil
        }
        if opened == nil { throw try refusal(bytes) }
        return .accepted
    }

    /// Returns why our reader had to refuse it, by the same parts that it uses.
    private static func refusal(_ bytes: [UInt8]) throws -> Refusal {
        guard bytes.count <= RemoteHeaders.byteCountMax else { return Refusal("size") }
        let header = try UnverifiedHeader(parsing: bytes)
        let isWithin = header.keyslots.allSatisfy { slot in
            !slot.kind.usesArgon2
                || (65536...4_194_304).contains(slot.memoryKiB) && (3...64).contains(slot.iterations)
                    && (1...16).contains(slot.parallelism)
        }
        return Refusal(isWithin ? "place" : "cost")
    }

    /// Returns the folder's identity: a copy's where the header is a copy's of that ID, else a vault's.
    private static func identity(_ test: VectorTest, _ header: [UInt8]) throws -> VaultIdentity {
        let name = try test.bytes("identity")
        if let parsed = try? UnverifiedHeader(parsing: header), let copyID = parsed.copyID, copyID.bytes == name {
            return parsed.identity
        }
        return VaultIdentity(vaultID: try VaultID(name))
    }

    static func parts(_ test: VectorTest) throws -> Verdict {
        guard let parts = PartList(fileByteCount: try test.number("fileSize")) else { throw Refusal("size") }
        let ends = [parts.range(of: 0), parts.range(of: parts.count - 1)].map { range in
            JSONValue.list([range.lowerBound, range.upperBound].map { .integer(Int($0)) })
        }
        var at: UInt64 = 0
        for part in 0..<parts.count {
            guard parts.range(of: part).lowerBound == at else { return .differs("the parts do not meet") }
            at = parts.range(of: part).upperBound
        }
        return try .comparing([
            ("count", parts.count == test.number("count")), ("first and last", ends == test.list("firstAndLast")),
            ("the end", at == parts.fileByteCount),
        ])
    }
}

/// `RemotePlaceOfTest` tells where a test's object belongs.
struct RemotePlaceOfTest {
    let vault: VaultIdentity
    let place: RemotePlace
    let key: SymmetricKey

    init(_ test: VectorTest) throws {
        key = try SymmetricKey(SecretBytes(array: test.bytes("vaultKey")))
        vault = VaultIdentity(
            vaultID: try VaultID(test.bytes("vaultID")),
            copyID: test.has("copyID") ? try CopyID(test.bytes("copyID")) : nil)
        let kind: RemotePlace.Kind =
            switch test.has("kind") ? try test.text("kind") : test.has("level") ? "span" : "segment" {
            case "card": .card
            case "span": .span(level: test.has("level") ? try test.number("level") : 1)
            default: .segment
            }
        // A card is found before its device is known, and a part has none.
        let device = test.has("device") ? try test.bytes("device") : []
        place = RemotePlace(
            kind: kind, epoch: try test.number("epoch"),
            device: try DeviceID(device.isEmpty ? [UInt8](repeating: 1, count: DeviceID.byteCount) : device),
            number: test.has("number") ? try test.number("number") : 0)
    }

    func sealer() throws -> SegmentSealer { try SegmentSealer(VaultKeys(key), vault, epoch: place.epoch) }
}
