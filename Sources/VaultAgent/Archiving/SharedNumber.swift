// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Synchronization

/// `SharedNumber` is a number that one thread says and another one reads; which comes first does not matter.
final class SharedNumber: Sendable {
    private let number: Atomic<UInt64>

    init(_ value: UInt64 = 0) { number = Atomic(value) }

    var value: UInt64 {
        get { number.load(ordering: .relaxed) }
        set { number.store(newValue, ordering: .relaxed) }
    }
}
