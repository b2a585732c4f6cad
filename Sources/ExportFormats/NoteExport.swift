// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A writer of one format. Notes are pushed one by one; after an error nothing more may be pushed and the output is to
/// be thrown away.
public protocol NoteExport: AnyObject {
    /// - Throws: `ExportError`, and whatever a sink or an attachment's content throws.
    func add(_ note: ExportedNote) throws

    /// Counts private notes that the caller leaves out because they are locked.
    func leaveOut(privateNotes count: Int)

    /// Writes what comes last, and ends the target. Call it once.
    ///
    /// - Returns: what the format could not carry, in a fixed order.
    func finish() throws -> [ExportLoss]
}
