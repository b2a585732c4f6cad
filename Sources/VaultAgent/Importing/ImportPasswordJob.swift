// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

/// Derives what the private notes of an import are sealed under, then begins the import.
final class ImportPasswordJob: Job {
    private let store: VaultStore
    private let order: ImportOrder
    private let work: Background<Result<ImportKeys, VaultError>>

    init(_ store: VaultStore, _ order: ImportOrder, _ password: PasswordBox) throws(VaultError) {
        self.store = store
        self.order = order
        let opening = try store.opening(ofImportFrom: order.format + "\n" + order.source)
        work = Background { _ in ProtectionWork.alone { () throws(VaultError) in try opening.keys(password.secret) } }
    }

    deinit { work.cancel() }

    var isWaiting: Bool { true }

    func step(_ connection: Connection) -> Outcome? {
        guard let result = work.takeResult() else { return nil }
        do throws(VaultError) {
            let keys = try result.get()
            connection.importSession = ImportSession(order, keys: keys, privateNotes: try store.sources(with: keys))
            return Outcome(.ok)
        } catch {
            guard error.code == .wrongNotePassword else { return error.outcome }
            return Outcome(
                .wrongPassword, "this is not the password that an earlier import from here gave its private notes",
                hint: "use that password; vault note passwd ID changes it later")
        }
    }
}
