// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSeccomp
internal import Glibc

/// `CallFilter` is the list of allowed system calls as a seccomp filter; every other call ends the process.
///
/// Calls through another architecture's table (32-bit, x32) end it as well: their numbers mean other calls.
@safe
package final class CallFilter {
    /// SCMP_ARCH_NATIVE.
    package static let nativeArchitecture: UInt32 = 0

    /// SCMP_ACT_ERRNO, whose low half is the errno.
    private static let refusal: UInt32 = 0x0005_0000

    private let context: scmp_filter_ctx

    /// Makes the filter for a kind of work; nil when libseccomp refuses a rule, or names a call that the architecture
    /// does not have.
    ///
    /// - Parameter architecture: as libseccomp numbers them. Another one than this machine's can be exported, not
    ///   loaded.
    package convenience init?(for work: Workload, architecture: UInt32 = nativeArchitecture) {
        self.init(CallRule.decoding + (work.isRenewed ? CallRule.renewal : []), architecture)
    }

    package convenience init?(for access: StoreAccess, architecture: UInt32 = nativeArchitecture) {
        self.init(CallRule.rules(for: access), architecture)
    }

    /// Makes the filter of `vault-fetch`.
    package convenience init?(forFetching architecture: UInt32 = nativeArchitecture) {
        self.init(CallRule.fetching, architecture)
    }

    convenience init?(rules: [CallRule]) { self.init(rules, Self.nativeArchitecture) }

    /// Makes the filter of a program that is not ours, whose calls cannot all be named: what it must not do is.
    package convenience init?(forGuarded process: Int32, architecture: UInt32 = nativeArchitecture) {
        self.init(CallRule.forbidden + CallRule.ownSignals(process), architecture, otherwise: SCMP_ACT_ALLOW)
    }

    private init?(_ rules: [CallRule], _ architecture: UInt32, otherwise: UInt32 = SCMP_ACT_KILL_PROCESS) {
        guard let context = unsafe seccomp_init(otherwise) else { return nil }
        unsafe self.context = context
        guard setUp(architecture) else { return nil }
        for rule in rules {
            guard add(rule, architecture) else { return nil }
        }
    }

    deinit { unsafe seccomp_release(context) }

    /// Puts the filter on all threads of this process. It stays for ever, and so for what the process would start.
    package func load() -> Bool { unsafe seccomp_load(context) == 0 }

    /// Writes the filter's program to a file, for those who want to check it.
    package func export(to descriptor: Int32) -> Bool { unsafe seccomp_export_bpf(context, descriptor) == 0 }

    private func setUp(_ architecture: UInt32) -> Bool {
        if architecture != Self.nativeArchitecture {
            guard unsafe seccomp_arch_remove(context, Self.nativeArchitecture) == 0,
                unsafe seccomp_arch_add(context, architecture) == 0
            else { return false }
        }
        return unsafe seccomp_attr_set(context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) == 0
            && seccomp_attr_set(context, SCMP_FLTATR_CTL_TSYNC, 1) == 0
    }

    private func add(_ rule: CallRule, _ architecture: UInt32) -> Bool {
        // Negative numbers stand for calls that an architecture does not have; a rule for one of those would be dropped
        // without a word.
        guard unsafe seccomp_syscall_resolve_name_arch(architecture, rule.name) >= 0 else {
            return rule.isOfSomeArchitectures
        }
        // Rules are given with this machine's numbers; libseccomp translates them.
        let number = unsafe seccomp_syscall_resolve_name_arch(Self.nativeArchitecture, rule.name)
        let conditions = rule.conditions.map { condition in
            scmp_arg_cmp(
                arg: condition.argument, op: SCMP_CMP_MASKED_EQ, datum_a: condition.mask, datum_b: condition.value)
        }
        let action = rule.refusal.map { Self.refusal | UInt32($0) & 0xFFFF } ?? SCMP_ACT_ALLOW
        return unsafe conditions.withUnsafeBufferPointer { list in
            unsafe seccomp_rule_add_array(context, action, number, UInt32(list.count), list.baseAddress) == 0
        }
    }
}
