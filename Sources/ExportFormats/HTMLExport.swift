// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Notes as one HTML page that needs nothing else: no scripts, no resources from elsewhere, all text escaped (ThreatModel H11).
///
/// A content security policy says the same to the browser: should an escape ever be wrong, still nothing runs and nothing is fetched.
public final class HTMLExport: NoteExport {
    /// Attachments up to this size stand in the page, in bytes.
    public static let attachmentByteCountMax: UInt64 = 8 << 20

    private static let head = """
        <!DOCTYPE html>
        <html><head><meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; \
        base-uri 'none'; form-action 'none'">
        <meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width">
        <title>Notes</title>
        <style>body{max-width:48em;margin:2em auto;padding:0 1em;font:16px/1.5 sans-serif}article{border-top:1px solid #999;margin-top:3em}\
        p,li{white-space:pre-wrap}pre{overflow:auto;background:#f3f3f3;padding:.7em}img{max-width:100%}.facts,.attachments{color:#555;\
        font-size:85%}blockquote{border-left:3px solid #999;margin-left:0;padding-left:1em}</style></head><body>

        """

    private let output: ByteOutput
    private let content: AttachmentContent
    private let attachmentByteCountMax: UInt64
    private var losses = LossCounter()

    /// - Parameter attachmentByteCountMax: larger attachments are only named.
    public init(
        to sink: @escaping ByteSink, attachmentByteCountMax: UInt64 = HTMLExport.attachmentByteCountMax, content: @escaping AttachmentContent
    ) throws {
        output = ByteOutput(sink)
        self.content = content
        self.attachmentByteCountMax = attachmentByteCountMax
        try output.write(Self.head)
    }

    public func leaveOut(privateNotes count: Int) { losses.add(.privateNotes, count) }

    public func add(_ note: ExportedNote) throws {
        try Identifier.check(note)
        losses.addCommon(note)
        losses.add(.sources, note.source == nil ? 0 : 1)
        losses.add(.noteLinks, note.mayLinkToNotes ? 1 : 0)
        let attachments = HTMLAttachments(note, byteCountMax: attachmentByteCountMax, content: content)
        let title = note.title.isEmpty ? "Untitled" : OneLine.text(note.title)
        try output.write("<article id=\"n-\(note.id)\"><h2>\(HTMLText.escaped(title))</h2>\n")
        try output.write("<p class=\"facts\">\(HTMLText.escaped(facts(of: note)))</p>\n")
        var blocks = HTMLBlocks(note.body, attachments, to: output)
        try blocks.render()
        try attachments.writeList(in: output)
        losses.add(.attachmentContents, attachments.leftOutCount)
        try output.write("</article>\n")
    }

    public func finish() throws -> [ExportLoss] {
        try output.write("</body></html>\n")
        try output.flush()
        return losses.list
    }

    private func facts(of note: ExportedNote) -> String {
        let tags = note.tags.map { "#" + OneLine.text($0) }.joined(separator: " ")
        let facts = ["created \(RFC3339.text(note.created))", "updated \(RFC3339.text(note.modified))", note.notebook, tags]
        return (facts + note.flagWords).filter { !$0.isEmpty }.joined(separator: " · ")
    }
}
