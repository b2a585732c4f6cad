// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import BookServices
import Testing

struct BookAddressTests {
    private let local = BookService.Bases(questions: "http://127.0.0.1:8080/copy/")

    @Test func GoogleIsAskedForWordsAndForANumber() throws {
        let google = BookService.google
        let words = try #require(google.searchAddress(ServiceQuery("the \"hobbit\"\n", author: "J. R. R. Tolkien")))
        #expect(
            words.text.hasPrefix(
                "https://www.googleapis.com/books/v1/volumes?q=the%20hobbit%20inauthor%3A%22J.%20R.%20R.%20Tolkien%22"
                    + "&startIndex=0&maxResults=20&projection=full&fields=items%28id%2CvolumeInfo%28title"))
        #expect(!words.text.contains("country"))
        let number = try #require(google.searchAddress(ServiceQuery("0-261-10221-4"), count: 99, country: "de"))
        #expect(number.text.contains("?q=isbn%3A9780261102217&startIndex=0&maxResults=40&"))
        #expect(number.text.hasSuffix("&country=DE"))
        for country in ["", "D", "DEU", "D&", "D\u{0131}"] {
            #expect(google.searchAddress(ServiceQuery("x"), country: country)?.text.contains("country") == false)
        }
    }

    @Test func OpenLibraryIsAskedForWordsAndForANumber() throws {
        let library = BookService.openlibrary
        let words = try #require(
            library.searchAddress(ServiceQuery("", title: "D\u{fc}ne", author: "Herbert"), start: 20))
        #expect(
            words.text.hasPrefix(
                "https://openlibrary.org/search.json?title=D%C3%BCne&author=Herbert&offset=20&limit=20&fields=key%2C"))
        #expect(library.searchAddress(ServiceQuery("080442957X"))?.text.contains("?q=isbn%3A9780804429573&") == true)
    }

    @Test func oneBookIsAskedForByItsNumber() {
        let (google, library) = (BookService.google, BookService.openlibrary)
        #expect(
            google.bookAddress("zyTCAlFPjgYC", bases: local)?.text.hasPrefix(
                "http://127.0.0.1:8080/copy/volumes/zyTCAlFPjgYC?projection=full&fields=id%2C") == true)
        #expect(library.bookAddress("OL45804W")?.text.contains("?q=key%3A%2Fworks%2FOL45804W&limit=1&") == true)
        #expect(library.bookAddress("OL7353617M")?.text.contains("?q=edition_key%3AOL7353617M&") == true)
        for id in ["", "../x", "a/b", "a?b", String(repeating: "a", count: 41)] {
            #expect(google.bookAddress(id) == nil && library.bookAddress(id) == nil)
        }
        #expect(library.bookAddress("OL12A") == nil && library.bookAddress("OLW") == nil)
    }

    @Test func aQuestionWithoutWordsOrOfFarTooManyIsNotAsked() {
        #expect(BookService.google.searchAddress(ServiceQuery(" \n\" ")) == nil)
        #expect(BookService.google.searchAddress(ServiceQuery(String(repeating: "a", count: 513))) == nil)
        #expect(BookService.google.searchAddress(ServiceQuery(String(repeating: "\u{fc}", count: 256))) != nil)
        #expect(BookService.openlibrary.searchAddress(ServiceQuery("x"), start: -1) == nil)
    }

    @Test(arguments: [
        "http://books.google.com/books/content?id=x&img=1", "https://books.google.com/books/content?id=x&img=1",
        "https://BOOKS.google.com:443/books/content?id=x&img=1",
    ]) func aCoverIsTakenByHTTPSFromItsHost(text: String) {
        #expect(
            [
                "https://books.google.com/books/content?id=x&img=1",
                "https://books.google.com:443/books/content?id=x&img=1",
            ]
            .contains(BookService.google.coverPlace(text)?.text))
    }

    @Test(arguments: [
        "http://evil.example/x", "https://books.google.com.evil.example/x", "https://books.google.com@evil.example/x",
        "https://books.google.com:8443/x", "file:///etc/passwd", "javascript:alert(1)", "//books.google.com/x", "",
        "https://127.0.0.1/x", "http://169.254.169.254/", "https://[::1]/x", "https://books.google.com/#x",
        "https://evilgoogleusercontent.com/x", "https://books.google.com/a b", "https://books.google.com/\"x",
        "https://web.archive.org/x", "https://archive.org.evil.example/x", "ftp://books.google.com/x",
        "https://books.google.com/" + String(repeating: "x", count: 2048),
    ]) func aCoverIsTakenFromNowhereElse(text: String) {
        #expect(BookService.google.coverPlace(text) == nil && BookService.openlibrary.coverPlace(text) == nil)
    }

    @Test func hostsOfCoversAreFew() {
        let library = BookService.openlibrary
        for host in ["covers.openlibrary.org", "archive.org", "ia600404.us.archive.org", "dn790002.ca.archive.org"] {
            #expect(library.keepsCovers(on: host) && !BookService.google.keepsCovers(on: host), "\(host)")
        }
        for host in ["openlibrary.org", "web.archive.org", "us.archive.org", "a.b.us.archive.org", "x.usa.archive.org"]
        {
            #expect(!library.keepsCovers(on: host), "\(host)")
        }
        #expect(BookService.google.keepsCovers(on: "books.googleusercontent.com"))
    }

    @Test func aCopyOfAServiceHasCopiesOfItsCovers() {
        let place = "https://covers.openlibrary.org/b/id/5-L.jpg?default=false"
        #expect(BookService.openlibrary.coverAddress(place)?.text == place)
        #expect(
            BookService.openlibrary.coverAddress(place, bases: local)?.text
                == "http://127.0.0.1:8080/copy/b/id/5-L.jpg?default=false")
        #expect(BookService.openlibrary.coverAddress("https://evil.example/x", bases: local) == nil)
    }

    @Test(arguments: [
        "http://127.0.0.1/", "http://127.1.2.3:1/x", "http://localhost:8080", "http://[::1]:9/x?y",
        "https://a.b/c?d=%20",
        "HTTPS://Example.ORG/Path", "https://127.0.0.1:8443/x",
    ]) func anAddressOfThisMachineOrBySecureMeansIsOne(text: String) {
        #expect(FetchAddress(text) != nil)
    }

    @Test(arguments: [
        "http://example.org/", "http://10.0.0.1/", "https://10.0.0.1/", "https://0x7f.1/", "http://127.0.0.01/",
        "http://127.1/", "http://127.0.0.256/", "https://a..b/", "https://-a.b/", "https://a.b:0/",
        "https://a.b:65536/",
        "https://a.b:x/", "https://[fe80::1]/", "https://[::1/", "https://[::1]x/", "https://", "https:///x",
        "https://u:p@a.b/", "https://a.b/#c", "https://a.b/\u{fc}", "https://a.b/ c", "https://a.b/\u{0}",
        "https://2130706433/",
    ]) func anythingElseIsNoAddress(text: String) {
        #expect(FetchAddress(text) == nil)
    }

    @Test func aCopyHasABaseWithoutAQuestion() {
        #expect(BookService.Bases(questions: "http://127.0.0.1/?x") == nil)
        #expect(BookService.Bases(questions: "http://example.org") == nil)
        #expect(BookService.Bases(questions: "https://books.example.org//")?.covers.text == "https://books.example.org")
    }
}
