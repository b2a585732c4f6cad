// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// An `AddedContent` is something that is to be attached, in memory: for programs that make pictures and drawings
/// themselves. Files of any size go through `Attachments.newObject`.
public struct AddedContent: Sendable, Equatable {
    public var kind: AttachmentDetails.Kind
    public var name: String
    public var caption = ""
    /// As registered with IANA, such as "image/png".
    public var mediaType: String
    public var bytes: [UInt8]

    public init(kind: AttachmentDetails.Kind, name: String, mediaType: String, bytes: [UInt8]) {
        self.kind = kind
        self.name = name
        self.mediaType = mediaType
        self.bytes = bytes
    }
}

/// What is set or added here is saved by `LocalPersistence.update`.
extension Note {
    public func getText() -> String { body }
    public mutating func setText(_ text: String) { body = text }

    public mutating func addImage(name: String, mediaType: String, bytes: [UInt8], caption: String = "") {
        add(AddedContent(kind: .photo, name: name, mediaType: mediaType, bytes: bytes), caption)
    }

    /// Adds a sketch.
    ///
    /// - Parameter svg: a sketch in its own form (docs/sketch-format.md).
    public mutating func addSketch(name: String, svg: [UInt8], caption: String = "") {
        add(AddedContent(kind: .sketch, name: name, mediaType: "image/svg+xml", bytes: svg), caption)
    }

    /// Returns the photos of the note, in the order they were added; without those that are still to be saved.
    public func getImages() -> [Attachment] { files.filter { $0.details.kind == .photo } }
    public func getSketches() -> [Attachment] { files.filter { $0.details.kind == .sketch } }
    public func retrieveAllSketches() -> [Attachment] { getSketches() }

    private mutating func add(_ content: AddedContent, _ caption: String) {
        var content = content
        content.caption = caption
        added.append(content)
    }
}
