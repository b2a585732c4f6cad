// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

/// Something that SVG or XML can hold and a sketch cannot, put into the example.
struct Hostile: CustomTestStringConvertible {
    let name: String
    let old: String
    let new: String

    var testDescription: String { name }

    func applied(to text: String) -> [UInt8] {
        Array(text.replacing(old, with: new, maxReplacements: 1).utf8)
    }

    private static func inside(_ name: String, _ element: String) -> Hostile {
        Hostile(name: name, old: "</svg>", new: element + "</svg>")
    }
    private static func before(_ name: String, _ text: String) -> Hostile {
        Hostile(name: name, old: "<svg", new: text + "<svg")
    }
    private static func attribute(_ name: String, _ text: String) -> Hostile {
        Hostile(name: name, old: "<path ", new: "<path " + text + " ")
    }

    static let all = [
        inside("script", "<script>alert(1)</script>"), inside("script by reference", "<script href=\"x.js\"/>"),
        inside("image", "<image href=\"http://example.org/x.png\"/>"), inside("use", "<use href=\"#a\"/>"),
        inside("foreignObject", "<foreignObject><p/></foreignObject>"),
        inside("style", "<style>path{stroke:red}</style>"),
        inside("text", "<text>x</text>"), inside("link", "<a href=\"javascript:1\"><path d=\"M0 0h1\"/></a>"),
        inside("animation", "<animate attributeName=\"d\"/>"), inside("comment", "<!-- x -->"),
        inside("CDATA", "<![CDATA[x]]>"),
        inside("instruction within", "<?x y?>"), inside("character reference", "&#65;"), inside("entity", "&lol;"),
        inside("text between", "x"),
        inside("NUL", "\0"), inside("second svg", "<svg/>"), inside("space", " "),
        inside("metadata", "<metadata>x</metadata>"),
        before("declaration", "<?xml version=\"1.0\"?>\n"), before("document type", "<!DOCTYPE svg>"),
        before("entity declaration", "<!DOCTYPE svg [<!ENTITY a \"b\">]>"),
        before("style sheet", "<?xml-stylesheet href=\"x.css\"?>"),
        attribute("event", "onload=\"alert(1)\""), attribute("style attribute", "style=\"stroke:red\""),
        attribute("class", "class=\"a\""),
        attribute("transform", "transform=\"scale(2)\""), attribute("href", "href=\"x\""), attribute("id", "id=\"a\""),
        Hostile(name: "link as paint", old: "stroke=\"#1a2b3c\"", new: "stroke=\"url(http://example.org/a#b)\""),
        Hostile(name: "root event", old: "<svg ", new: "<svg onload=\"alert(1)\" "),
        Hostile(name: "other version", old: "data-vault-sketch=\"1\"", new: "data-vault-sketch=\"2\""),
        Hostile(name: "single quotes", old: "width=\"200\"", new: "width='200'"),
        Hostile(name: "hidden stroke", old: "opacity=\"0.502\"", new: "opacity=\"0\""),
        Hostile(name: "CRLF", old: "/>\n", new: "/>\r\n"), Hostile(name: "upper case", old: "#1a2b3c", new: "#1A2B3C"),
    ]
}
