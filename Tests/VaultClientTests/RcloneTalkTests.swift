// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import SecretMemory
import Testing

@testable import VaultClient

/// What is said to rclone's remote control, and what is taken out of its answers.
@Suite struct RcloneTalkTests {
    private struct NoAnswer: Error {}
    private func secret(_ text: String) -> SecretBytes {
        let bytes = Array(text.utf8)
        return unsafe SecretBytes(byteCount: bytes.count) { unsafe $0.copyBytes(from: bytes) }
    }
    private func object(_ secret: borrowing SecretBytes) throws -> [String: Any] {
        let bytes = unsafe secret.withUnsafeBytes { unsafe Array($0) }
        return try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    /// Foundation reads what we have written: whatever is typed comes out as it went in.
    @Test(arguments: ["", "plain", "a\"b\\c", "tab\tand\u{1}bell\u{7F}", "wörter 🔑", "{\"token\":\"x\"}"])
    func whatIsTypedComesThroughAsItIs(_ text: String) throws {
        let request = RcloneRequest.answer(
            RcloneService(backend: "sftp"), state: secret("\"*all-set,1,false\""), secret(text), isQuoted: false)
        let options = try #require(object(request)["opt"] as? [String: Any])
        #expect(options["result"] as? String == text)
        #expect(options["state"] as? String == "*all-set,1,false")
        #expect(options["all"] as? Bool == true && options["nonInteractive"] as? Bool == true)
        #expect(try object(RcloneRequest.obscure(secret(text)))["clear"] as? String == text)
    }

    @Test func googleDriveIsAskedForItsOwnFilesAlone() throws {
        let begin = try object(RcloneRequest.begin(RcloneService(backend: "drive")))
        #expect((begin["parameters"] as? [String: String]) == ["scope": "drive.file"])
        #expect((begin["opt"] as? [String: Any])?["all"] as? Bool == false)
    }

    @Test func anAnswerIsTakenApart() throws {
        let text = """
            HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n{\n\t"State": "*all-set,2,false",\n\t"Option": {
            \t"Name": "password", "Help": "One.\\n\\"Two\\"", "IsPassword": true, "Required": false,
            \t"Examples": null, "DefaultStr": "a\\"b"\n\t},\n\t"Error": ""\n}\n
            """
        guard let answer = RcloneAnswer(secret(text)) else { throw NoAnswer() }
        let traits = [answer.isDone, answer.isTrue("Option", "IsPassword"), answer.isTrue("Option", "Required")]
        #expect(traits == [true, true, false])
        let (name, state) = (answer.text("Option", "Name"), answer.value("State"))
        #expect(name == "password" && state == Array("\"*all-set,2,false\"".utf8))
        let missing = [answer.value("Option", "Examples"), answer.value("Nothing")]
        #expect(missing == [nil, nil])
        let standard = answer.secret(of: "Option", "DefaultStr")
        #expect(unsafe standard.withUnsafeBytes { unsafe Array($0) } == Array("\"a\\\"b\"".utf8))
        let none = answer.secret(of: "Option", "Nothing")
        #expect(unsafe none.withUnsafeBytes { unsafe Array($0) } == Array("\"\"".utf8))
    }

    @Test(arguments: [
        "", "HTTP/1.0 200 OK", "HTTP/1.0 200 OK\r\n\r", String(repeating: "x", count: 100),
        "HTTP/1.0 200 OK\r\n\r\n{\"Error\":\"\",\"Opt",
    ])
    func whatIsNoAnswerIsRefused(_ text: String) {
        if RcloneAnswer(secret(text)) != nil { Issue.record("this was taken for an answer") }
    }

    @Test func aRefusalIsNoAnswer() throws {
        let text = "HTTP/1.0 500 Internal Server Error\r\n\r\n{\"error\":\"no\",\"input\":{\"a\":1}}"
        guard let answer = RcloneAnswer(secret(text)) else { throw NoAnswer() }
        let (isDone, error) = (answer.isDone, answer.text("error"))
        #expect(!isDone && error == "no")
    }

    /// What stands behind the state in a log goes into no address.
    @Test func theServicesPageIsNamedByItsLogAlone() {
        let begin = "http://127.0.0.1:53682/auth?state="
        #expect(RcloneControl.page(in: "NOTICE: go to \(begin)abcDEF12_-x\nWaiting") == begin + "abcDEF12_-x")
        #expect(RcloneControl.page(in: "\(begin)first1234 then \(begin)second1234<script>") == begin + "second1234")
        #expect(RcloneControl.page(in: "nothing") == nil && RcloneControl.page(in: begin + "a\"") == nil)
        #expect(RcloneControl.page(in: "http://evil.example/auth?state=abcdefghij") == nil)
    }

    @Test func onlyWhatABackendNeedsIsAsked() {
        func isAsked(_ name: String, _ isSetting: Bool, _ isNeeded: Bool) -> Bool {
            RcloneService.isAsked(name, isSetting: isSetting, isNeeded: isNeeded)
        }
        #expect(isAsked("apple_id", true, true) && isAsked("user", true, false) && isAsked("pass", true, true))
        #expect(!isAsked("disable_hashcheck", true, false) && !isAsked("config_fs_advanced", false, false))
        #expect(isAsked("config_2fa", false, false) && isAsked("config_is_local", false, false))
    }
}
