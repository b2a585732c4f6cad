// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// `CStrings` lends texts as the NULL-terminated array that exec(2) and posix_spawn(3) take.
/// No secret goes through it.
public enum CStrings {
    public static func with<R>(_ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> R) -> R {
        var pointers: [UnsafeMutablePointer<CChar>?] = unsafe texts.map { text in unsafe strdup(text) }
        unsafe pointers.append(nil)
        defer { unsafe pointers.forEach { unsafe free($0) } }
        return unsafe pointers.withUnsafeBufferPointer { list in unsafe body(list.baseAddress!) }
    }
}
