// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GitComparison
import SecretMemory
import Testing
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// A vault in a folder of its own with pins of its own: a copy of one that is made once, because its keyslot costs a
/// derivation.
final class TestVault {
    static let password = "correct horse battery staple"
    let folder: URL
    let pins: PinStore

    private struct Master {
        let folder: URL
        /// 20 bytes; unlocking with it costs no derivation.
        let recoveryKey: [UInt8]
    }
    private static let master: Result<Master, any Error> = Result { try makeMaster() }

    private static func makeMaster() throws -> Master {
        let folder = FileManager.default.temporaryDirectory.appending(path: "vault-master-\(UUID().uuidString)")
        let creation = try VaultCreation(
            path: Array(folder.path.utf8), password: secret(Array(password.utf8)), cost: .recommended,
            withRecoveryKey: true)
        let key = recoveryKey(from: creation)
        try creation.commit(pins: PinStore(folder: folder.path + "-pins"))
        return Master(folder: folder, recoveryKey: key)
    }

    static func recoveryKey(from creation: VaultCreation) -> [UInt8] {
        switch creation.recoveryText() {
        case .none: return []
        case .some(let text):
            switch RecoveryKey.parse(text) {
            case .none: return []
            case .some(let key): return exposed(key)
            }
        }
    }

    /// A copy of the one vault, closed and empty.
    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "vault-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: Self.master.get().folder, to: folder)
        pins = PinStore(folder: folder.path + "-pins")
    }

    /// The files of another vault as they are now, as a crash would leave them; it shares the other's pins when asked
    /// to.
    init(copying other: TestVault, sharingPins: Bool = false) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "vault-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: other.folder, to: folder)
        pins = sharingPins ? other.pins : PinStore(folder: folder.path + "-pins")
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
        try? FileManager.default.removeItem(atPath: folder.path + "-pins")
    }

    var path: [UInt8] { Array(folder.path.utf8) }
    static var recoveryKey: [UInt8] { (try? master.get().recoveryKey) ?? [] }

    func probe(acceptRollback: Bool = false, acceptLoss: Bool = false) throws -> VaultProbe {
        try VaultProbe(path: path, pins: pins, acceptRollback: acceptRollback, acceptLoss: acceptLoss)
    }

    /// Opens it with the recovery key.
    func open(acceptRollback: Bool = false, acceptLoss: Bool = false) throws -> OpenVault {
        let vault = try OpenVault(
            probe(acceptRollback: acceptRollback, acceptLoss: acceptLoss), .recoveryKey(secret(Self.recoveryKey)))
        vault.comparison = GitComparison()
        return vault
    }

    func open(password: String) throws -> OpenVault {
        let vault = try OpenVault(probe(), .password(secret(Array(password.utf8))))
        vault.comparison = GitComparison()
        return vault
    }

    /// Replaces this vault's files by those of a copy taken earlier.
    func putBack(_ earlier: TestVault) throws {
        try FileManager.default.removeItem(at: folder)
        try FileManager.default.copyItem(at: earlier.folder, to: folder)
    }

    func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: folder.appending(path: name))) }

    /// Writes in place, so that the file stays ours with its permissions.
    func change(_ name: String, _ body: (inout [UInt8]) -> Void) throws {
        var content = try bytes(name)
        body(&content)
        try Data(content).write(to: folder.appending(path: name))
    }

    func remove(_ names: String...) throws {
        for name in names { try FileManager.default.removeItem(at: folder.appending(path: name)) }
    }

    func changeBothHeaders(_ body: (inout [UInt8]) -> Void) throws {
        for name in HeaderFile.names { try change(name, body) }
    }
}

extension OpenVault {
    /// Closes the vault and gives it back before the object goes.
    func end() throws {
        try close()
        directory.unlock()
    }
}

/// Bytes as a secret.
func secret(_ bytes: [UInt8]) -> SecretBytes {
    var secret = SecretBytes(zeroes: bytes.count)
    unsafe secret.withUnsafeMutableBytes { unsafe $0.copyBytes(from: bytes) }
    return secret
}

func exposed(_ secret: borrowing SecretBytes) -> [UInt8] { unsafe secret.withUnsafeBytes { unsafe Array($0) } }

/// Expects an error of the vault with this code.
func expect(
    _ code: VaultError.Code, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> some Any
) {
    do {
        _ = try body()
        Issue.record(comment ?? "nothing was thrown", sourceLocation: sourceLocation)
    } catch let error as VaultError {
        #expect(error.code == code, comment, sourceLocation: sourceLocation)
    } catch {
        Issue.record(error, comment, sourceLocation: sourceLocation)
    }
}
