// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `CivilCalendar` is the proleptic Gregorian calendar, as days since 1970-01-01.
///
/// Years are counted from March here, so that the leap day is the last of its year; 400 of them have 146,097 days.
/// Method: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", days to civil and days from civil.
public enum CivilCalendar {
    /// Returns the date of a day, of any year.
    public static func date(ofDay dayNumber: Int) -> (year: Int, month: Int, day: Int) {
        // 0000-03-01 is 719,468 days before 1970.
        let days = dayNumber + 719_468
        let era = (days < 0 ? days - 146_096 : days) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
    }

    /// Returns the number of a day.
    ///
    /// - Parameters:
    ///   - year: 1 or more.
    ///   - month: 1 to 12.
    ///   - day: 1 to 31; a day beyond the end of its month counts into the next month.
    public static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
