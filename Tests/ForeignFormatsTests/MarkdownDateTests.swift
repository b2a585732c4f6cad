// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ParserProtocol
import Testing

struct MarkdownDateTests {
    @Test(
        arguments: [
            ("2024-01-31", 1_706_659_200_000), ("'2024-01-31'", 1_706_659_200_000), ("2024-1-31", 1_706_659_200_000),
            ("20240131", 1_706_659_200_000), ("2024-01-31T10:15", 1_706_696_100_000),
            ("2024-01-31 10:15:30", 1_706_696_130_000),
            ("2024-01-31t10:15:30Z", 1_706_696_130_000), ("2024-01-31 9:15:30 Z", 1_706_692_530_000),
            ("2024-01-31T10:15:30.250Z", 1_706_696_130_250), ("2024-01-31T10:15:30.2509999Z", 1_706_696_130_250),
            ("2024-01-31T10:15:30,5+01:00", 1_706_692_530_500), ("2024-01-31T10:15:30-0530", 1_706_715_930_000),
            ("2024-01-31 10:15:30 +1", 1_706_692_530_000), ("20240131T101530Z", 1_706_696_130_000),
            ("1970-01-01", 0), ("1969-12-31T23:59:59.999Z", -1), ("2000-02-29", 951_782_400_000),
            ("1900-03-01", -2_203_891_200_000),
            ("1900-01-01", -2_208_988_800_000), ("2200-12-31T23:59:59.999Z", 7_289_654_399_999),
            ("2016-12-31T23:59:60Z", 1_483_228_800_000),
        ] as [(String, Int64)])
    func aDateIsRead(text: String, milliseconds: Int64) throws {
        let note = try parse("---\ncreated: \(text)\nupdated: \(text)\n---\nx")
        #expect(note.created == milliseconds && note.updated == milliseconds)
        #expect(note.losses.isEmpty && note.body == "x")
    }

    @Test(arguments: [
        "yesterday", "2024", "2024-13-01", "2024-00-10", "2024-02-30", "2023-02-29", "1900-02-29", "2024-01-32",
        "1899-12-31",
        "2201-01-01", "0001-01-01", "99999-01-01", "2024-01-31T24:00:00Z", "2024-01-31T10:60", "2024-01-31T10",
        "2024-01-31T",
        "2024-01-31T10:15:61", "2024-01-31T10:15Zx", "2024-01-31T10:15+16:00", "2024-01-31T10:15 CET", "31.01.2024",
        "1706659200", "-2024-01-31", "2024-01-31 10:15:30.250 extra", "[2024-01-31]", "{a: b}",
        "1900-01-01T00:00:00+01:00",
    ])
    func whatIsNoDateStaysInTheTextAndIsTold(text: String) throws {
        let note = try parse("---\ndate: \(text)\n---\nx")
        #expect(note.created == nil && note.losses == [Loss(.unreadableDate, detail: "date")])
        #expect(note.body == "---\ndate: \(text)\n---\nx")
    }

    @Test func eachNameOfATimeIsKnown() throws {
        for key in ["created", "created_at", "date", "Created"] {
            #expect(try parse("---\n\(key): 1970-01-02\n---\n").created == 86_400_000)
        }
        for key in ["updated", "updated_at", "modified", "lastmod", "LASTMOD"] {
            #expect(try parse("---\n\(key): 1970-01-02\n---\n").updated == 86_400_000)
        }
        #expect(try parse("---\ncreated:\nupdated: ~\n---\nx").losses.isEmpty)
    }

    @Test func everyDayOfTheYearsIsOneDayAfterTheLast() throws {
        var expected = ParsedNote.times.lowerBound
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        for year in stride(from: 1900, through: 2200, by: 1) {
            for month in 1...12 {
                let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
                let last = month == 2 && isLeap ? 29 : lengths[month - 1]
                if month == 1 || month == 3 {
                    let text = "\(year)-\(month)-1"
                    #expect(try parse("---\ndate: \(text)\n---\n").created == expected)
                }
                expected += Int64(last) * 86_400_000
            }
        }
        #expect(expected == ParsedNote.times.upperBound + 1)
    }
}
