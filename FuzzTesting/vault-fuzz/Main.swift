// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import FuzzTargets
import Glibc

/// libFuzzer's entry: FUZZ_TARGET names the target. Built by `make fuzz` alone, for it has no main function of its own.
private let target: FuzzTarget = {
    let name = unsafe getenv("FUZZ_TARGET").map { unsafe String(cString: $0) } ?? ""
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
        print("FUZZ_TARGET is one of: \(FuzzTarget.all.map(\.name).joined(separator: " "))")
        exit(2)
    }
    return target
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard target.holds(unsafe Array(UnsafeBufferPointer(start: bytes, count: count))) else {
        fatalError("the promise of \(target.name) does not hold")
    }
    return 0
}
