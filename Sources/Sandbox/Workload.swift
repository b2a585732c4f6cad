// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// `Workload` says how much processor time a confined process may take, and whether each input gets its own.
public struct Workload: Sendable {
    /// Processor time for one input, in seconds.
    let secondsPerInput: rlim_t
    /// Processor time for the whole process, in seconds. More than for one input, because at this limit there is no
    /// signal but SIGKILL.
    let secondsMax: rlim_t
    /// Whether each input gets its time anew. The filter then lets the process move this one limit.
    let isRenewed: Bool

    /// One input, then the end. 20 s are ten times what the slowest picture within the caps was seen to take.
    public static let oneInput = Workload(secondsPerInput: 20, secondsMax: 21, isRenewed: false)
    /// Frame after frame until the end of the input; the slowest known file of 16 MiB takes about three seconds.
    public static let manyInputs = Workload(secondsPerInput: 60, secondsMax: 24 * 3600, isRenewed: true)
}
