// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// How an editor ended, and what its file held then.
enum EditResult: Equatable {
    /// Nil when the editor removed the file.
    case finished([UInt8]?)
    case failed(code: Int32, last: [UInt8]?)
    /// The last text that was saved as a whole.
    case killed(signal: Int32, last: [UInt8]?)
    /// This process was asked to end; the last text that was saved as a whole.
    case terminated(last: [UInt8]?)
}
