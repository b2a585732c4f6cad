// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol

/// `ClipboardTool` is a program that reaches the clipboard, or the terminal's own way (OSC 52).
enum ClipboardTool: Equatable {
    /// `paste` is wl-paste, which looks whether the text is still there.
    case wayland(copy: String, paste: String?)
    case x11(String)
    case terminal

    /// Chooses what reaches the clipboard. The terminal's way is never taken unless it was asked for: programs on the
    /// way, and servers at the other end of an ssh session, would see the text (ThreatModel G04).
    ///
    /// - Parameters:
    ///   - choice: what the setting, or an option, asks for.
    ///   - variable: reads the environment.
    ///   - find: the full path of a program.
    /// - Throws: `.other` when nothing reaches the clipboard.
    static func choose(
        _ choice: ClipboardChoice, variable: (String) -> String? = Environment.text,
        find: (String) -> String? = { ProgramPath.find($0) }
    ) throws(ClientFailure) -> ClipboardTool {
        switch choice {
        case .osc52: return .terminal
        case .wlCopy:
            guard let copy = find("wl-copy") else { throw missing("wl-copy") }
            return .wayland(copy: copy, paste: find("wl-paste"))
        case .xclip:
            guard let program = find("xclip") else { throw missing("xclip") }
            return .x11(program)
        case .auto:
            if isSet("WAYLAND_DISPLAY", variable), let copy = find("wl-copy") {
                return .wayland(copy: copy, paste: find("wl-paste"))
            }
            if isSet("DISPLAY", variable), let program = find("xclip") { return .x11(program) }
            if isSet("WAYLAND_DISPLAY", variable) { throw missing("wl-copy") }
            if isSet("DISPLAY", variable) { throw missing("xclip") }
            throw ClientFailure(
                .other, "there is no desktop here, so there is no clipboard",
                hint: "vault share ID --to file -o PATH; or --osc52, which sends the text through the terminal")
        }
    }

    /// What the program that clears the clipboard later is told.
    var choice: ClipboardChoice {
        switch self {
        case .wayland: .wlCopy
        case .x11: .xclip
        case .terminal: .osc52
        }
    }

    private static func isSet(_ name: String, _ variable: (String) -> String?) -> Bool {
        variable(name).map { !$0.isEmpty } ?? false
    }

    private static func missing(_ program: String) -> ClientFailure {
        ClientFailure(
            .other, "\(program) is not installed, so the clipboard cannot be reached",
            hint: program == "wl-copy"
                ? "install wl-clipboard, or --to file -o PATH" : "install xclip, or --to file -o PATH")
    }
}
