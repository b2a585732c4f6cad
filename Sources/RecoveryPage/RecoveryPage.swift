// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
public import ParserProtocol

/// `RecoveryPage` draws the page for the drawer: a recovery key on A4, as PDF, in letters and as a QR code.
///
/// The file is written here, without a drawing library: the fonts of PDF's own need no file, text stays text, and the
/// same record always gives the same bytes. What must be right, key and code, is drawn in the file itself and depends
/// on no font of the reader.
public enum RecoveryPage {
    /// Largest page, in bytes.
    public static let byteCountMax = 1 << 20
    /// Width of the QR code without its quiet zone, in points: 45 mm.
    package static let codeWidth = 45 * pointsPerMillimetre
    /// Around the code nothing is drawn for this many points: four modules of the coarsest code.
    package static let quietZone = 25.0

    /// Returns the page as PDF. It holds the key: the caller wipes it after it is written.
    ///
    /// - Throws: `RecoveryPageError`: `libraryFailure`.
    public static func draw(_ record: RecoveryPageRecord) throws(RecoveryPageError) -> [UInt8] {
        let modules = try QRModules(encoding: record.key)
        var writer = PDFWriter()
        let fonts = [
            writer.standardFont("Helvetica"), writer.standardFont("Helvetica-Bold"), writer.standardFont("Courier"),
            writer.keyFont(),
        ]
        let names: [PDFWriter.Font] = [.plain, .bold, .fixed, .key]
        let resources = zip(names, fonts).map { "/\($0.rawValue) \($1) 0 R" }.joined(separator: " ")
        let content = writer.stream { PageLayout.draw(record, modules, on: &$0) }
        let parent = writer.nextNumber + 1
        let page = writer.object(
            """
            << /Type /Page /Parent \(parent) 0 R /MediaBox [0 0 595.28 841.89] /Contents \(content) 0 R
            /Resources << /Font << \(resources) >> >> >>
            """)
        writer.object("<< /Type /Pages /Kids [\(page) 0 R] /Count 1 >>")
        // Printed as large as it is drawn, so that the code keeps its size.
        let preferences = "/ViewerPreferences << /PrintScaling /None /DisplayDocTitle true >>"
        let catalog = writer.object("<< /Type /Catalog /Pages \(parent) 0 R /Lang (en) \(preferences) >>")
        // Nothing tells by whom, where and when the file was made.
        let information = writer.object("<< /Title (Recovery key) >>")
        writer.finish(catalog: catalog, information: information)
        return writer.finished()
    }

    private static let pointsPerMillimetre = 72 / 25.4
}

/// `RecoveryPageError` says why a page was not drawn.
public struct RecoveryPageError: Error, Sendable, Equatable {
    public struct Code: Hashable, Sendable {
        let raw: Int
        /// The library could not make the QR code: as a rule, memory was refused.
        public static let libraryFailure = Code(raw: 1)
    }

    /// Compare this.
    public let code: Code

    public init(_ code: Code) { self.code = code }
}

extension [UInt8] {
    /// Overwrites the bytes with zeros, in a way that no optimiser removes.
    ///
    /// The array must be the only owner of its memory: otherwise a copy is made and wiped, and the bytes stay.
    package mutating func wipe() {
        unsafe withUnsafeMutableBytes { unsafe vs_wipe($0.baseAddress, $0.count) }
    }
}
