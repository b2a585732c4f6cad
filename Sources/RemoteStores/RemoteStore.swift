// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

package import SyncProtocol

/// A `RemoteStore` holds a vault's sealed files: it has four verbs on names and descriptors.
///
/// What is asked of a store is little. A file that was put can be read under its name, perhaps later; the same name is
/// only ever put with the same bytes. Nothing is asked of the order in which files appear, of listings, of dates, of
/// entity tags or of conditional requests (docs/decisions/0055). A yes to a put is not believed by those who care.
///
/// An answer comes once, from `wait` or before the verb returns.
package protocol RemoteStore: AnyObject {
    typealias Done = (Result<Int, StoreFailure>) -> Void

    /// Reads a file into a descriptor, from its beginning on, at most `max` bytes; says how many.
    func get(_ name: StoreName, into file: PassedFile, max: Int, _ done: @escaping Done)
    /// Stores the first `byteCount` bytes of a regular file; says 0.
    ///
    /// - Parameter digest: their SHA-256, 32 bytes.
    func put(_ name: StoreName, from file: PassedFile, byteCount: Int, digest: [UInt8], _ done: @escaping Done)
    /// Writes the names of ours that a folder has into a descriptor; says how many bytes. A folder that is not there
    /// has none.
    func list(_ folder: StoreFolder, into file: PassedFile, _ done: @escaping Done)
    /// Removes a file; succeeds if it is already gone.
    func delete(_ name: StoreName, _ done: @escaping Done)
    /// Requests that it takes at once.
    var requestCountMax: Int { get }
    /// Calls back when what opens the remote is another one.
    func tellCredential(_ tell: @escaping (borrowing StoreCredential) -> Void)
    /// Whether it is of no more use: the process ends, and is started again when it is needed.
    var isOver: Bool { get }
    /// Begins to look for changes: `wait` then tells of them.
    ///
    /// - Returns: whether this kind of store can.
    func watch() -> Bool

    /// Waits until `channel` can be read or something of its own has moved, and does what is due.
    ///
    /// - Returns: whether something on the store may be new.
    func wait(for channel: Int32) -> Bool
}

extension RemoteStore {
    package var requestCountMax: Int { TransferLoop.connectionCountMax }
    package var isOver: Bool { false }
    /// A password stays as it is.
    package func tellCredential(_ tell: @escaping (borrowing StoreCredential) -> Void) {}
}

extension PassedFile {
    /// Looks at what was passed before it is used.
    ///
    /// - Returns: its size in bytes; nil for what is not a regular file.
    var regularByteCount: Int? { FileStatus(descriptor: descriptor).flatMap { $0.isRegular ? $0.byteCount : nil } }
}
