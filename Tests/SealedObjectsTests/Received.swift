// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Synchronization

/// What another thread finds out meanwhile.
final class Received<Value: Sendable>: Sendable {
    private let result = Mutex<Value?>(nil)
    private let done = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () -> Value) {
        let thread = Thread { [self] in
            let value = body()
            result.withLock { $0 = value }
            done.signal()
        }
        thread.start()
    }

    /// Waits for it.
    var value: Value? {
        done.wait()
        done.signal()
        return result.withLock { $0 }
    }
}
