// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// The fixed texts of a sketch's file, in the order in which they stand. Spec: docs/sketch-format.md §3.
enum MasterText {
    static let root = "<svg xmlns=\"http://www.w3.org/2000/svg\" data-vault-sketch=\"1\" width=\""
    static let height = "\" height=\""
    static let viewBox = "\" viewBox=\"0 0 "
    static let rootEnd = "\" fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n"

    static let background = "<rect width=\""
    static let fill = "\" fill=\"#"
    static let fillOpacity = "\" fill-opacity=\""

    static let stroke = "<g data-tool=\""
    static let pen = "pen"
    static let marker = "marker"
    static let width = "\" data-width=\""
    static let pressure = "\" data-pressure=\""
    static let time = "\" data-time=\""
    static let colour = "\" stroke=\"#"
    static let opacity = "\" opacity=\""
    static let strokeStart = "\">\n"

    static let piece = "<path stroke-width=\""
    static let path = "\" d=\"M"
    static let dot = "h0"
    static let emptyEnd = "\"/>\n"
    static let strokeEnd = "</g>\n"
    static let end = "</svg>\n"
}
