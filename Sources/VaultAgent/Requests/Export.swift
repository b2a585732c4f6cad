// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SearchText
internal import SecretMemory
internal import VaultCore
internal import VaultFormat

extension OperationTable {
    static let export: [any Handled.Type] = [ExportNotes.self]
}

extension ExportNotes: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? { try work.export(self, passphrase: nil) }

    func run(in work: RequestContext, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        try work.export(self, passphrase: secret)
    }
}

extension RequestContext {
    /// Begins an export into the descriptor that came with the request. Everything that can be refused is, before a
    /// note is read.
    fileprivate func export(_ order: ExportNotes, passphrase: consuming SecretBytes?) throws(VaultError) -> Outcome? {
        guard let passed = takePassed() else { return Self.noFile }
        guard order.isPossible else {
            return Outcome(.usage, "this format cannot be written that way", hint: "vault export --help")
        }
        if let refusal = refusal(of: passed, order.form) { return refusal }
        let sealing: ExportSealing
        do throws(ExportSealing.Refusal) { sealing = try .make(order.sealing, passphrase: passphrase) } catch {
            return error.outcome
        }
        var places: [NotePlace] = [.live, .archive, .template, .book]
        if order.includesTrash { places.append(.trash) }
        switch parse(order.query) {
        case .failure(let error): return Outcome(.usage, error.message, hint: error.hint)
        case .success(let query):
            return start(ExportJob(store, order, ExportScan(store, query, places: places), sealing, passed))
        }
    }

    private func refusal(of passed: PassedDescriptor, _ form: ExportNotes.Form) -> Outcome? {
        guard form == .folder else {
            do throws(PassedDescriptor.Refusal) {
                try passed.checkWritable()
                return nil
            } catch { return error.outcome }
        }
        do throws(PassedDescriptor.FolderRefusal) {
            try passed.checkEmptyFolder()
            return nil
        } catch {
            return switch error {
            case .notAFolder: Outcome(.usage, "only an open directory can be written to that way", hint: "-o PATH")
            case .notOurs:
                Outcome(
                    .failSafe, "the export's folder belongs to another user, or is open to others",
                    hint: "choose a folder that only you can access")
            case .notEmpty:
                Outcome(
                    .conflict, "the export's folder is not empty",
                    hint: "name a new folder; nothing is ever overwritten")
            }
        }
    }
}
