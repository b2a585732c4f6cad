// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentClient
public import AgentProtocol

/// A `NetworkController` brings notes to a person's other devices, and what was written there to this one.
///
/// It is asked beside `LocalPersistence` or an agent, and never before it: what was saved is safe on this machine, and
/// is sent later where a call fails. `AgentNetwork` is the agent's; `InMemoryNetwork` serves tests and previews.
public protocol NetworkController: Sendable {
    /// Reads what is new, and returns all notes that are neither archived nor in the trash, in the list's order.
    ///
    /// - Throws: `.network` where a remote cannot be reached, `.conflict` without one, `.locked`.
    func fetchNotes() async throws(ClientFailure) -> [NoteRow]
    /// Sends what was written, and returns when every remote has the note as it is.
    ///
    /// - Parameter note: its identifier, 16 characters of base32.
    /// - Throws: `.network` if that cannot be determined, `.notFound`, `.conflict` without a remote, `.locked`.
    func upload(_ note: String) async throws(ClientFailure)
    /// Reads what is new, and returns the notes that have changed since `fetchNotes` or `refresh` was called last, here
    /// or on another device.
    ///
    /// - Throws: as `fetchNotes`.
    func refresh() async throws(ClientFailure) -> NoteChanges
    /// Moves a note to the trash, here and then on all devices. It is in the trash here even if the rest fails.
    ///
    /// - Throws: `.notFound`; as `upload`.
    func remove(_ note: String) async throws(ClientFailure)
}
