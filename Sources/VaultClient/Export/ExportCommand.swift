// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import SecretMemory

/// `ExportCommand` runs `vault export FORMAT`: the client makes the file or folder and passes it; the agent writes it.
/// No text of a note comes here.
struct ExportCommand {
    private let format: ExportNotes.Format
    private let options: ExportOptions
    private let plan: ExportPlan
    private let context: Context

    static func run(_ format: ExportNotes.Format, _ options: ExportOptions, _ context: Context) throws(ClientFailure)
        -> Outcome
    {
        try options.check(json: context.options.json)
        let plan = try ExportPlan(format, options.output, isSealed: options.isSealed)
        try plan.check(of: context.location())
        let command = ExportCommand(format: format, options: options, plan: plan, context: context)
        let order = try command.order()
        return try Session.with(context) { conversation throws(ClientFailure) in
            try command.agree()
            return try command.run(order, &conversation)
        }
    }

    private func order() throws(ClientFailure) -> ExportNotes {
        var order = ExportNotes(format, plan.form)
        order.query = options.query.joined(separator: " ")
        guard order.query.utf8.count <= ExportNotes.queryByteCountMax else {
            throw .usage("the query is longer than 16 KiB")
        }
        order.includesTrash = options.includesTrash
        order.includesHistory = options.includesHistory
        order.isArmored = options.isArmored
        order.sealing = try options.sealing()
        return order
    }

    /// Asks before an export that is not encrypted: nothing leaves the vault in the clear without a yes.
    private func agree() throws(ClientFailure) {
        guard !options.isSealed, !options.plaintext else { return }
        guard !context.options.noInput, Terminal.canAsk else {
            throw .usage(
                "an unencrypted export needs confirmation, and there is no terminal to ask on",
                hint: "--plaintext, or --encrypt-to age1…, or --passphrase")
        }
        let place = options.output == "-" ? "standard output" : VisibleText.escaped(options.output)
        try Confirmation.require(
            "Write the notes to \(place) unencrypted, where the vault does not protect them?",
            refused: "nothing was written",
            hint: "--plaintext, or --encrypt-to age1…, or --passphrase", context)
    }

    private func run(_ order: ExportNotes, _ conversation: inout Conversation) throws(ClientFailure) -> Outcome {
        let passphrase = order.needsSecret ? try options.passphrase(context) : nil
        // Whatever wants to end us waits until nothing half-written is left.
        let isHeldHere = Interrupts.hold()
        defer { if isHeldHere { Interrupts.release() } }
        let signals = EndSignals()
        conversation.endSignals = signals.descriptor
        defer { conversation.endSignals = -1 }
        switch plan.place {
        case .file(let path):
            let target = try TargetFile(path)
            let (outcome, replies) = try ask(order, passphrase, target.descriptor, &conversation)
            guard outcome.isWritten else { return outcome }
            try target.keep()
            return try tell(outcome, replies.first, path)
        case .folder(let path):
            let target = try TargetFolder(path)
            let (outcome, replies) = try ask(order, passphrase, target.descriptor, &conversation)
            guard outcome.isWritten else { return outcome }
            try target.keep()
            return try tell(outcome, replies.first, path)
        case .output:
            let (outcome, replies) = try write(order, passphrase, &conversation)
            return outcome.isWritten ? try tell(outcome, replies.first, nil) : outcome
        }
    }

    private func write(
        _ order: ExportNotes, _ passphrase: consuming SecretBytes?, _ conversation: inout Conversation
    ) throws(ClientFailure) -> (outcome: Outcome, replies: [ExportReport]) {
        let output = try OutputPipe(to: Streams.output)
        let answer = try ask(order, passphrase, output.descriptor, &conversation)
        try output.finish()
        return answer
    }

    private func ask(
        _ order: ExportNotes, _ passphrase: consuming SecretBytes?, _ descriptor: Int32,
        _ conversation: inout Conversation
    ) throws(ClientFailure) -> (outcome: Outcome, replies: [ExportReport]) {
        try conversation.ask(order, Enclosure(secret: passphrase, descriptor: descriptor))
    }

    private func tell(_ outcome: Outcome, _ report: ExportReport?, _ path: String?) throws(ClientFailure) -> Outcome {
        guard let report else {
            throw ClientFailure(
                .other, "the agent did not say what it wrote", hint: "look at the export before you trust it")
        }
        try ExportSummary(report: report, format: format, path: path, isSealed: options.isSealed).tell(context)
        return outcome
    }
}

extension Outcome {
    /// Whether the export is whole, though something may be missing that it names.
    fileprivate var isWritten: Bool { code == .ok || code == .doneWithLosses }
}
