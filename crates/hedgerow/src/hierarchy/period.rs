//! Calendar periods: their names, and their first and last moments.

use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveTime, Timelike, Weekday};

/// Length of a calendar period, from fine to coarse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Span {
    Hour,
    Day,
    Week,
    Month,
    Quarter,
    Year,
    TwoYears,
    FiveYears,
    Decade,
    TwentyYears,
    FortyYears,
    /// A year of whole weeks, as ISO 8601 defines it.
    WeekYear,
    WeekTwoYears,
    WeekFiveYears,
    WeekDecade,
    WeekTwentyYears,
    WeekFortyYears,
}

impl Span {
    /// The spans of several years whose names consist of years, from fine to coarse.
    pub(crate) const OF_YEARS: [Self; 8] = [
        Self::TwoYears,
        Self::FiveYears,
        Self::TwentyYears,
        Self::FortyYears,
        Self::WeekTwoYears,
        Self::WeekFiveYears,
        Self::WeekTwentyYears,
        Self::WeekFortyYears,
    ];

    /// Returns the number of calendar years, or `None` if the span is not made of them.
    fn years(self) -> Option<i64> {
        match self {
            Self::Year => Some(1),
            Self::TwoYears => Some(2),
            Self::FiveYears => Some(5),
            Self::Decade => Some(10),
            Self::TwentyYears => Some(20),
            Self::FortyYears => Some(40),
            _ => None,
        }
    }

    /// Returns the number of years of whole weeks, or `None` if the span is not made of them.
    fn week_years(self) -> Option<i64> {
        match self {
            Self::WeekYear => Some(1),
            Self::WeekTwoYears => Some(2),
            Self::WeekFiveYears => Some(5),
            Self::WeekDecade => Some(10),
            Self::WeekTwentyYears => Some(20),
            Self::WeekFortyYears => Some(40),
            _ => None,
        }
    }

    /// Returns the span of one year if this is one of several years whose name consists of years.
    pub(crate) fn year_in_name(self) -> Option<Self> {
        match self {
            Self::TwoYears | Self::FiveYears | Self::TwentyYears | Self::FortyYears => {
                Some(Self::Year)
            }
            Self::WeekTwoYears
            | Self::WeekFiveYears
            | Self::WeekTwentyYears
            | Self::WeekFortyYears => Some(Self::WeekYear),
            _ => None,
        }
    }

    /// Whether the span is longer than a year.
    pub(crate) fn is_of_years(self) -> bool {
        self.years().or(self.week_years()).is_some_and(|years| years > 1)
    }

    /// Returns the same number of years, made of whole weeks; other spans stay as they are.
    pub(crate) fn of_weeks(self) -> Self {
        match self {
            Self::Year => Self::WeekYear,
            Self::TwoYears => Self::WeekTwoYears,
            Self::FiveYears => Self::WeekFiveYears,
            Self::Decade => Self::WeekDecade,
            Self::TwentyYears => Self::WeekTwentyYears,
            Self::FortyYears => Self::WeekFortyYears,
            other => other,
        }
    }
}

/// One calendar period.
///
/// Consecutive periods of the same span have consecutive numbers. Hours, days and weeks count from
/// 1970, other spans from the year 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Period {
    span: Span,
    number: i64,
}

const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;

impl Period {
    /// Returns the period of this span that contains a second since 1970.
    pub(crate) fn of(span: Span, second: i64) -> Self {
        let date = || DateTime::from_timestamp(second, 0).unwrap_or_default().date_naive();
        let month = || 12 * i64::from(date().year()) + i64::from(date().month0());
        let number = match span {
            Span::Hour => second.div_euclid(HOUR),
            Span::Day => second.div_euclid(DAY),
            // Day 0 is a Thursday, and weeks begin on Monday.
            Span::Week => (second.div_euclid(DAY) + 3).div_euclid(7),
            Span::Month => month(),
            Span::Quarter => month().div_euclid(3),
            Span::Year
            | Span::TwoYears
            | Span::FiveYears
            | Span::Decade
            | Span::TwentyYears
            | Span::FortyYears => {
                // Spans of several years begin at multiples, so 2020 to 2024 is one span of five
                // years.
                i64::from(date().year()).div_euclid(span.years().unwrap_or(1))
            }
            Span::WeekYear
            | Span::WeekTwoYears
            | Span::WeekFiveYears
            | Span::WeekDecade
            | Span::WeekTwentyYears
            | Span::WeekFortyYears => {
                // The first days of January can belong to the last week of the year before.
                i64::from(date().iso_week().year()).div_euclid(span.week_years().unwrap_or(1))
            }
        };
        Self { span, number }
    }

    /// Number that identifies the period among those of its span.
    pub(crate) fn number(self) -> i64 {
        self.number
    }

    /// Returns the first second since 1970 if the period is a day.
    pub(crate) fn as_day(self) -> Option<i64> {
        (self.span == Span::Day).then(|| self.start())
    }

    /// Returns the first second since 1970.
    fn start(self) -> i64 {
        let second = |date: Option<NaiveDate>| {
            date.map_or(0, |date| date.and_time(NaiveTime::MIN).and_utc().timestamp())
        };
        let month = |number: i64| {
            let (year, month) = (number.div_euclid(12), number.rem_euclid(12));
            second(NaiveDate::from_ymd_opt(year as i32, month as u32 + 1, 1))
        };
        let week_year =
            |year: i64| second(NaiveDate::from_isoywd_opt(year as i32, 1, Weekday::Mon));
        match self.span {
            Span::Hour => self.number * HOUR,
            Span::Day => self.number * DAY,
            Span::Week => (7 * self.number - 3) * DAY,
            Span::Month => month(self.number),
            Span::Quarter => month(3 * self.number),
            Span::Year
            | Span::TwoYears
            | Span::FiveYears
            | Span::Decade
            | Span::TwentyYears
            | Span::FortyYears => month(12 * self.span.years().unwrap_or(1) * self.number),
            Span::WeekYear
            | Span::WeekTwoYears
            | Span::WeekFiveYears
            | Span::WeekDecade
            | Span::WeekTwentyYears
            | Span::WeekFortyYears => week_year(self.span.week_years().unwrap_or(1) * self.number),
        }
    }

    /// Returns the preceding period.
    pub(crate) fn previous(self) -> Self {
        Self { number: self.number - 1, ..self }
    }

    /// Returns the following period.
    pub(crate) fn next(self) -> Self {
        Self { number: self.number + 1, ..self }
    }

    /// Returns the first and the last moment, in seconds since 1970.
    pub(crate) fn range(self) -> (f64, f64) {
        // The last moment is the greatest float before the next period.
        (self.start() as f64, (self.next().start() as f64).next_down())
    }

    /// Returns the name: `2024-03-05T14`, `2024-03-05`, `2024-W10`, `2024-03`, `2024-Q1`, `2024` or
    /// `2020s`. Several years are written `[2020, 2024]`, years of weeks `[2024-W01, 2024-W52]`.
    pub(crate) fn label(self) -> String {
        self.label_to(self)
    }

    /// Returns the name of the time from this period to another one of the same span.
    pub(crate) fn label_to(self, last: Self) -> String {
        let (first, last) = (self.first_name(), last.last_name());
        if first == last { first } else { format!("[{first}, {last}]") }
    }

    /// Returns the name of those of several years that lie between two moments, in seconds since
    /// 1970; `None` for periods of other lengths, and for decades, which have a name.
    pub(crate) fn years_within(self, (least, greatest): (f64, f64)) -> Option<String> {
        let year = self.span.year_in_name()?;
        let (from, to) = self.range();
        let ends = [from.max(least), to.min(greatest)];
        let [first, last] = ends.map(|end| Self::of(year, end.floor() as i64));
        Some(first.label_to(last))
    }

    /// Returns the name of the first part that has a name of its own.
    fn first_name(self) -> String {
        let moment = DateTime::from_timestamp(self.start(), 0).unwrap_or_default();
        let (year, month, day) = (moment.year(), moment.month(), moment.day());
        match self.span {
            Span::Hour => format!("{year:04}-{month:02}-{day:02}T{:02}", moment.hour()),
            Span::Day => format!("{year:04}-{month:02}-{day:02}"),
            Span::Month => format!("{year:04}-{month:02}"),
            Span::Quarter => format!("{year:04}-Q{}", month.div_ceil(3)),
            Span::Year
            | Span::TwoYears
            | Span::FiveYears
            | Span::TwentyYears
            | Span::FortyYears => format!("{year:04}"),
            Span::Decade => format!("{year:04}s"),
            Span::Week
            | Span::WeekYear
            | Span::WeekTwoYears
            | Span::WeekFiveYears
            | Span::WeekDecade
            | Span::WeekTwentyYears
            | Span::WeekFortyYears => week_label(moment.date_naive()),
        }
    }

    /// Returns the name of the last part that has a name of its own.
    fn last_name(self) -> String {
        let next = DateTime::from_timestamp(self.next().start(), 0).unwrap_or_default();
        let last = next.date_naive().checked_sub_days(Days::new(1)).unwrap_or_default();
        match self.span {
            Span::TwoYears | Span::FiveYears | Span::TwentyYears | Span::FortyYears => {
                format!("{:04}", last.year())
            }
            span if span.week_years().is_some() => week_label(last),
            _ => self.first_name(),
        }
    }

    /// Parses a name. Quarters can also be written `2024Q1` and `2024 Q1`.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (year, rest) = text.split_at_checked(4)?;
        let year = number(year, 4)? as i32;
        let (span, date) =
            if let Some(quarter) = ["-Q", "Q", " Q"].iter().find_map(|q| rest.strip_prefix(q)) {
                // Quarter 0 does not exist; `checked_sub` refuses it.
                let month = 3 * number(quarter, 1)?.checked_sub(1)? + 1;
                (Span::Quarter, NaiveDate::from_ymd_opt(year, month, 1))
            } else if let Some(week) = rest.strip_prefix("-W") {
                (Span::Week, NaiveDate::from_isoywd_opt(year, number(week, 2)?, Weekday::Mon))
            } else {
                return Self::read_day(year, rest);
            };
        Some(Self::of(span, date?.and_time(NaiveTime::MIN).and_utc().timestamp()))
    }

    /// Parses the text after the year: empty, `s`, `-03`, `-03-05`, `-03-05T14`.
    fn read_day(year: i32, rest: &str) -> Option<Self> {
        let (span, month, day, hour) = match (rest, rest.len()) {
            ("", _) => (Span::Year, "01", "01", "00"),
            // `2024s` is not the name of a decade.
            ("s", _) if year % 10 == 0 => (Span::Decade, "01", "01", "00"),
            (_, 3) => (Span::Month, rest.strip_prefix('-')?, "01", "00"),
            (_, 6) => {
                let (month, day) = rest.strip_prefix('-')?.split_once('-')?;
                (Span::Day, month, day, "00")
            }
            (_, 9) => {
                let (date, hour) = rest.strip_prefix('-')?.split_once('T')?;
                let (month, day) = date.split_once('-')?;
                (Span::Hour, month, day, hour)
            }
            _ => return None,
        };
        let date = NaiveDate::from_ymd_opt(year, number(month, 2)?, number(day, 2)?)?;
        let moment = date.and_hms_opt(number(hour, 2)?, 0, 0)?;
        Some(Self::of(span, moment.and_utc().timestamp()))
    }
}

fn week_label(day: NaiveDate) -> String {
    let week = day.iso_week();
    format!("{:04}-W{:02}", week.year(), week.week())
}

/// Parses a number of exactly `n_digits` digits.
fn number(text: &str, n_digits: usize) -> Option<u32> {
    let is_plain = text.len() == n_digits && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPANS: [Span; 7] =
        [Span::Hour, Span::Day, Span::Week, Span::Month, Span::Quarter, Span::Year, Span::Decade];

    fn second(date: &str) -> i64 {
        let date: NaiveDate = date.parse().unwrap();
        date.and_time(NaiveTime::MIN).and_utc().timestamp()
    }

    #[test]
    fn names_are_read_back() {
        for date in ["2024-02-29", "2020-12-31", "1969-12-31", "1850-01-01", "9999-12-31"] {
            for span in SPANS {
                let period = Period::of(span, second(date) + 14 * HOUR + 59);
                assert_eq!(Period::read(&period.label()), Some(period), "{}", period.label());
                let (first, last) = period.range();
                let inside = [first, last].map(|at| Period::of(span, at.floor() as i64));
                assert_eq!(inside, [period; 2], "{}", period.label());
            }
        }
    }

    #[test]
    fn quarters_are_read_as_statistics_offices_write_them() {
        let quarter = Period::read("2021-Q3");
        assert!(quarter.is_some());
        for text in ["2021Q3", "2021 Q3"] {
            assert_eq!(Period::read(text), quarter, "{text}");
        }
    }

    #[test]
    fn weeks_belong_to_the_year_of_their_thursday() {
        let label = |span, date| Period::of(span, second(date)).label();
        assert_eq!(label(Span::Week, "2021-01-03"), "2020-W53");
        assert_eq!(label(Span::Week, "2024-12-30"), "2025-W01");
        assert_eq!(label(Span::WeekYear, "2021-01-03"), "[2020-W01, 2020-W53]");
        assert_eq!(label(Span::WeekDecade, "2024-12-30"), "[2020-W01, 2029-W52]");
    }

    #[test]
    fn several_years_are_named_by_the_first_and_the_last() {
        let period = |span, date| Period::of(span, second(date));
        assert_eq!(period(Span::FiveYears, "2021-03-05").label(), "[2020, 2024]");
        assert_eq!(period(Span::TwoYears, "2021-03-05").label(), "[2020, 2021]");
        let years = ["2019-12-31", "2021-01-01"].map(|date| period(Span::Year, date));
        assert_eq!(years[0].label_to(years[1]), "[2019, 2021]");
        let weeks = period(Span::WeekFiveYears, "2021-01-03").label();
        assert_eq!(weeks, "[2020-W01, 2024-W52]");
    }

    #[test]
    fn what_is_no_part_of_the_calendar_has_no_range() {
        for text in [
            "2024-13",
            "2024-Q5",
            "2024-Q0",
            "2024-W53",
            "2024-02-30",
            "2025s",
            "24",
            "2024-3",
            "é024",
        ] {
            assert_eq!(Period::read(text), None, "{text}");
        }
    }
}
