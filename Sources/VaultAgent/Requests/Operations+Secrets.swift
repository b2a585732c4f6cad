// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SecretMemory
internal import VaultCore
internal import VaultFormat

extension Operations {
    /// Requests that a password came with.
    func perform(_ request: Request, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        if case .keying(let keying) = request { return try self.keying(keying, secret) }
        if case .archiving(let archiving) = request { return try self.archiving(archiving, secret) }
        if case .exporting(let order) = request { return try exporting(order, passphrase: secret) }
        guard Session.passwordByteCounts.contains(secret.byteCount) else { throw VaultError(.wrongNotePassword) }
        switch request {
        case .new(let note):
            return start(try NewPrivateJob(self, .save(note), PasswordBox(secret), showsTitle: note.showsTitle))
        case .editing(.begin(let target, let folder)):
            guard connection.edit == nil, case .new(let note) = target else {
                return Outcome(.usage, "an edit is already running on this connection")
            }
            let plan = try EditPlan(target, store, answer.clock)
            return start(try NewPrivateJob(self, .edit(plan, folder: folder), PasswordBox(secret), showsTitle: note.showsTitle))
        case .importing(.begin(let order)): return try importing(order, PasswordBox(secret))
        default: return Outcome(.usage, "this request takes no password")
        }
    }
}
