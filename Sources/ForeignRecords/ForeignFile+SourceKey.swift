// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension ForeignFile {
    /// What a second import knows this file by: two files of one folder never share it.
    ///
    /// It is the path, if that is UTF-8. If not, it is "/", then the path with each byte that is "%", a control
    /// character or not ASCII as "%" and two hexadecimal digits: a relative path never begins with "/", so the forms do
    /// not meet.
    public var sourceKey: String {
        if let text = String(validating: path, as: UTF8.self) { return text }
        var key = "/"
        for byte in path {
            if byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "%") {
                key.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                key += digits.count == 1 ? "%0" + digits : "%" + digits
            }
        }
        return key
    }
}
