// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import MediaFormats
import ParserProtocol
import Sandbox

/// `vault-parse kind`: a frame with the beginning of each file, a frame with its `FileKind` back.
enum KindCommand {
    static func run() {
        var input = Pipe()
        do {
            while let head = try input.nextFrame(max: FileKind.headByteCountMax) {
                Sandbox.allowMoreTime(for: .manyInputs)
                Pipe.write(RecordFrame.enclosing(try kind(of: head).encoded))
            }
        } catch {
            Pipe.fail("a frame is malformed: \(error)")
        }
    }

    private static func kind(of head: [UInt8]) throws(RecordError) -> FileKind {
        let type = MediaType.detect(head: head)
        let size = type.kind == .photo ? PictureSize.read(head) : nil
        let shown = size.flatMap { size -> (width: UInt32, height: UInt32)? in
            guard let width = UInt32(exactly: size.shownWidth), let height = UInt32(exactly: size.shownHeight) else {
                return nil
            }
            return (width, height)
        }
        return try FileKind(
            kind: FileKind.Kind(rawValue: type.kind.rawValue) ?? .file, mediaType: type.name, size: shown)
    }
}
