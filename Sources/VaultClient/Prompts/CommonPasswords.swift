// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `CommonPasswords` knows words that stand at the top of every list of leaked passwords, compared with a password's
/// bytes where they lie.
enum CommonPasswords {
    /// Returns whether the password is such a word, once capitals, letters written as digits or signs, and digits and
    /// signs around it are taken away.
    static func holds(_ password: UnsafeRawBufferPointer) -> Bool {
        let core = unsafe coreRange(password)
        let whole = 0..<password.count
        return words.contains { word in
            unsafe (matches(word, password, whole) || matches(word, password, core))
        }
    }

    /// Returns the password without digits and signs at its two ends, which is where most people put them.
    private static func coreRange(_ password: UnsafeRawBufferPointer) -> Range<Int> {
        var begin = 0
        var end = password.count
        while begin < end, unsafe !isLetterLike(password[begin]) { begin += 1 }
        while end > begin, unsafe !isLetterLike(password[end - 1]) { end -= 1 }
        return begin..<end
    }

    private static func isLetterLike(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || byte >= 0x80 || byte == 0x24 || byte == 0x40
    }

    private static func matches(_ word: StaticString, _ password: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        return word.withUTF8Buffer { letters in
            for index in 0..<letters.count {
                let typed = unsafe password[range.lowerBound + index]
                let letter = unsafe letters[index]
                if typed != letter && plain(typed) != letter && !(letter == 0x6C && typed == 0x31) { return false }
            }
            return true
        }
    }

    /// Returns the letter that a capital, digit or sign stands for.
    private static func plain(_ byte: UInt8) -> UInt8 {
        switch byte {
        case 0x41...0x5A: byte | 0x20
        case 0x30: 0x6F  // 0: o
        case 0x31, 0x21: 0x69  // 1 !: i
        case 0x33: 0x65  // 3: e
        case 0x34, 0x40: 0x61  // 4 @: a
        case 0x35, 0x24: 0x73  // 5 $: s
        case 0x37: 0x74  // 7: t
        default: byte
        }
    }

    static let words: [StaticString] = [
        "123456", "1234567", "12345678", "123456789", "1234567890", "12345", "1234", "0123456789", "987654321",
        "0987654321",
        "111111", "000000", "123123", "121212", "112233", "123321", "654321", "666666", "696969", "888888", "147258369",
        "159753", "password", "passwort", "passwd", "passw", "pass", "passphrase", "parola", "motdepasse", "contrasena",
        "senha", "haslo", "wachtwoord", "salasana", "losenord", "kennwort", "geheim", "secret", "topsecret",
        "topgeheim",
        "letmein", "letmeinnow", "welcome", "willkommen", "bienvenue", "hello", "hallo", "hellothere", "admin",
        "administrator", "root", "toor", "user", "guest", "default", "changeme", "changethis", "changeit", "temp",
        "test",
        "tester", "testing", "testtest", "testpassword", "login", "master", "access", "system", "server", "computer",
        "internet", "mypassword", "yourpassword", "thepassword", "newpassword", "passwordpassword", "nopassword",
        "qwerty", "qwertyuiop", "qwertz", "qwertzuiop", "azerty", "azertyuiop", "asdf", "asdfgh", "asdfghjkl", "zxcvbn",
        "zxcvbnm", "yxcvbnm", "qazwsx", "qazwsxedc", "1qaz2wsx", "1q2w3e4r", "1q2w3e4r5t", "q1w2e3r4", "qweasd",
        "qweasdzxc",
        "qwe123", "abc123", "a1b2c3", "abcd1234", "abcdef", "abcdefg", "abcdefgh", "iloveyou", "iloveyoutoo",
        "ichliebedich",
        "teamo", "loveyou", "lovely", "love", "liebe", "schatz", "princess", "prinzessin", "sunshine", "sonnenschein",
        "flower", "butterfly", "schmetterling", "rainbow", "chocolate", "schokolade", "cookie", "cheese", "banana",
        "orange",
        "dragon", "monkey", "tigger", "tiger", "lion", "eagle", "falcon", "dolphin", "shadow", "killer", "ninja",
        "samurai",
        "batman", "superman", "spiderman", "pokemon", "pikachu", "naruto", "starwars", "startrek", "matrix", "trustno",
        "football", "fussball", "soccer", "baseball", "basketball", "hockey", "liverpool", "chelsea", "arsenal",
        "barcelona",
        "realmadrid", "juventus", "bayern", "ferrari", "mercedes", "porsche", "mustang", "corvette", "harley", "yamaha",
        "michael", "daniel", "thomas", "jessica", "jennifer", "michelle", "nicole", "ashley", "charlie", "george",
        "robert",
        "jordan", "andrew", "joshua", "matthew", "alexander", "alexandra", "sebastian", "anthony", "hannah", "samantha",
        "summer", "winter", "spring", "autumn", "sommer", "herbst", "january", "december", "monday", "friday",
        "freedom",
        "freiheit", "whatever", "nothing", "blink", "hunter", "ranger", "buster", "ginger", "pepper", "snoopy",
        "scooter",
        "maverick", "phoenix", "google", "facebook", "instagram", "twitter", "youtube", "microsoft", "windows", "linux",
        "ubuntu", "debian", "raspberry", "apple", "samsung", "vault", "notevault", "notes", "mynotes", "diary",
        "tagebuch",
        "correcthorsebatterystaple", "correct horse battery staple", "open sesame", "opensesame", "letmeinplease",
    ]
}
