// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Glibc
internal import SecretMemory
internal import VaultCore

extension ShowBookService: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        var status = BookServiceStatus()
        (status.agreed, status.hasKey) = try work.store.bookService.status()
        work.reply(status)
        return Outcome(.ok)
    }
}

extension AgreeToBookService: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        try work.store.bookService.agree(to: addresses)
        return Outcome(.ok)
    }
}

extension SetBookKey: Handled {
    func run(in work: RequestContext, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        guard secret.byteCount <= Self.byteCountMax else {
            return Outcome(.usage, "this is too long for a book service key")
        }
        try work.store.bookService.setKey(secret)
        return Outcome(.ok)
    }
}

extension PassBookKey: Handled {
    /// Writes the key. A pipe takes this much at once, or none of it: nothing waits for its reader.
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        guard let passed = work.takePassed() else { return RequestContext.noFile }
        do throws(PassedDescriptor.Refusal) { try passed.checkWritable() } catch { return error.outcome }
        guard passed.byteCount == nil else { return RequestContext.noFile }
        let isWritten = try work.store.bookService.withKey { key in
            let flags = fcntl(passed.descriptor, F_GETFL)
            guard flags >= 0, fcntl(passed.descriptor, F_SETFL, flags | O_NONBLOCK) == 0 else { return false }
            defer { _ = fcntl(passed.descriptor, F_SETFL, flags) }
            // A frame, as all that vault-fetch reads.
            let count = UInt32(key.byteCount).bigEndian
            let isBegun = unsafe withUnsafeBytes(of: count) { raw in
                unsafe write(passed.descriptor, raw.baseAddress, raw.count) == raw.count
            }
            return unsafe key.withUnsafeBytes { raw in
                unsafe isBegun && write(passed.descriptor, raw.baseAddress, raw.count) == raw.count
            }
        }
        return isWritten ? Outcome(.ok) : Outcome(.other, "the program that asks the service has ended")
    }
}
