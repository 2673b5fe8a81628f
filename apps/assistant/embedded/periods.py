"""Numbers and periods as people write them: 12.5, 两百五, 一万二; 上个月, 近三个月, 10月,
11月1号到15号. Days are in Shanghai, both included.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"两": 2, "俩": 2}
SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10_000}
CHINESE = "零一二两俩三四五六七八九十百千万"
# A match begins at the first digit of a number only. Otherwise each digit starts a search of its
# own, and a message of 2,000 digits takes seconds.
NUMBER = rf"(?:(?<!\d)\d+(?:\.\d+)?|(?<![{CHINESE}])[{CHINESE}]+)"
MAX_COUNT = 1_000_000


def parse_number(text: str) -> Decimal | None:
    """Return the value of digits or a Chinese numeral (两百五十 → 250), or None if the text is
    neither.
    """
    if text[:1].isdigit():
        scale = SCALES.get(text[-1])
        return Decimal(text[:-1]) * scale if scale else Decimal(text)
    total = digit = 0
    last_scale = 1
    for letter in text:
        if letter in DIGITS:
            digit = DIGITS[letter]
        elif letter in SCALES:
            last_scale = SCALES[letter]
            total += (digit or 1) * last_scale
            digit = 0
        else:
            return None
    # 两百五 is 250, 十五 is 15.
    return Decimal(
        total
        + (
            digit * (last_scale // 10)
            if last_scale >= 100 and text[-1] in DIGITS and text[-2:-1] != "零"
            else digit
        )
    )


def parse_count(text: str) -> int | None:
    """Return a positive whole number, or None."""
    amount = parse_number(text) if text else None
    return int(amount) if amount is not None and 0 < amount < MAX_COUNT else None


DAY = timedelta(days=1)
MAX_MONTHS, MAX_DAYS = 36, 1000


@dataclass(frozen=True, slots=True)
class Period:
    """Days from `since` to `until`. `label` are the words of the question. A period that lies in
    the future is `is_future`.
    """

    since: date
    until: date
    label: str
    is_future: bool = False

    @property
    def days_text(self) -> str:
        """The days as text: 2026-10-01 至 2026-10-31."""
        if self.since == self.until:
            return f"{self.since:%Y-%m-%d}"
        return f"{self.since:%Y-%m-%d} 至 {self.until:%Y-%m-%d}"


Days = tuple[date, date]


def add_months(first: date, count: int) -> date:
    """Return the first day of the month `count` months after the month of `first`."""
    index = first.year * 12 + first.month - 1 + count
    return date(index // 12, index % 12 + 1, 1)


def _get_month_end(first: date) -> date:
    return first.replace(day=monthrange(first.year, first.month)[1])


def _get_monday(today: date) -> date:
    return today - timedelta(days=today.weekday())


def _get_first_day_of_quarter(today: date) -> date:
    return today.replace(month=(today.month - 1) // 3 * 3 + 1, day=1)


def _get_days_of_year(today: date, years: int) -> Days:
    return date(today.year + years, 1, 1), date(today.year + years, 12, 31)


def _get_past_months(count: int, today: date) -> Days:
    """Return the last `count` months, the running one included."""
    return add_months(today, 1 - min(count, MAX_MONTHS)), today


def _read_month_of_year(match: re.Match[str], today: date) -> Days | None:
    """Return a month: of the named year, else the latest month with this number."""
    month = parse_count(match["month"])
    if month is None or not 1 <= month <= 12:
        return None
    year_text = match["year"] or ""
    if year_text[:1].isdigit():
        year = int(year_text[:4]) if len(year_text) > 4 else 2000 + int(year_text[:2])
    else:
        shift = {"去年": -1, "前年": -2, "今年": 0}.get(year_text)
        year = today.year + (-(month > today.month) if shift is None else shift)
    first = date(year, month, 1)
    return first, _get_month_end(first)


def _read_day_range(match: re.Match[str], today: date) -> Days | None:
    """Return 11月1号到15号 or 3号到10号 of this month."""
    since_month = parse_count(match["m1"]) if match["m1"] else today.month
    until_month = parse_count(match["m2"]) if match["m2"] else since_month
    try:
        since = date(today.year, since_month or 0, parse_count(match["d1"]) or 0)
        until = date(today.year, until_month or 0, parse_count(match["d2"]) or 0)
        if since > today:
            since, until = (day.replace(year=day.year - 1) for day in (since, until))
    except ValueError:
        return None
    return (since, until) if since <= until else None


def _read_month_range(match: re.Match[str], today: date) -> Days | None:
    """Return 8月到10月 of this year, or of the last one if it has not begun."""
    first, last = parse_count(match["m1"]) or 0, parse_count(match["m2"]) or 0
    if not 1 <= first <= last <= 12:
        return None
    year = today.year - (first > today.month)
    return date(year, first, 1), _get_month_end(date(year, last, 1))


def _read_quarter_of_year(match: re.Match[str], today: date) -> Days | None:
    """Return the first and the last day of a named quarter: 去年第三季度. Without a year, a quarter
    that has not begun is the one of last year.
    """
    number = parse_count(match["quarter"])
    if number is None or not 1 <= number <= 4:
        return None
    year = today.year - 1 if match["year"] == "去年" else today.year
    first = date(year, number * 3 - 2, 1)
    if first > today and match["year"] is None:
        first = first.replace(year=year - 1)
    return first, _get_month_end(add_months(first, 2))


def _read_first_quarters(match: re.Match[str], today: date) -> Days | None:
    """Return 前三季度: from January to the end of that quarter."""
    count = parse_count(match["count"]) or 1
    return date(today.year, 1, 1), _get_month_end(date(today.year, count * 3, 1))


def _read_last_n(match: re.Match[str], today: date) -> Days | None:
    """Return the days of a period that ends today: 最近三个月, 近两周."""
    count, unit = parse_count(match["count"]), match["unit"]
    if count is None:
        return None
    if "月" in unit:
        return _get_past_months(count, today)
    days = {"天": 1, "日": 1, "周": 7, "星期": 7, "礼拜": 7, "年": 365, "季度": 91}
    length = days.get(unit.removeprefix("个"), 1) * count
    return today - timedelta(days=min(length, MAX_DAYS) - 1), today


Finder = Callable[[re.Match[str], date], Days | None]
TO_DATE = r"(?:到现在|到今天|到目前|至今|以来)?"
UNTIL_NOW = re.compile(r"到现在|到今天|到目前|至今|以来")
# The first pattern that fits a place decides, so the longer ones come first.
PERIODS: tuple[tuple[re.Pattern[str], Finder], ...] = tuple(
    (re.compile(pattern + TO_DATE), find)
    for pattern, find in (
        (
            rf"(?:(?P<m1>{NUMBER})月)?(?P<d1>{NUMBER})[号日]\s*(?:到|至|-|~)\s*"
            rf"(?:(?P<m2>{NUMBER})月)?(?P<d2>{NUMBER})[号日]",
            _read_day_range,
        ),
        (
            rf"(?:最近|近|过去)的?(?P<count>{NUMBER})(?P<unit>个?月|天|日|个?周|个?星期|个?礼拜|年|个?季度)",
            _read_last_n,
        ),
        (
            rf"(?P<m1>{NUMBER})月份?\s*(?:到|至|-|~)\s*(?P<m2>{NUMBER})月份?",
            _read_month_range,
        ),
        (r"(?:最近|近|过去)半年", lambda _, today: _get_past_months(6, today)),
        (
            r"(?P<year>20\d\d年|去年|前年|今年)?的?(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])"
            r"月份?(?!\d|[一二三四五六七八九十\d]+[号日])",
            _read_month_of_year,
        ),
        (r"(?:今年)?前(?P<count>[二两三23])个?季度", _read_first_quarters),
        (
            r"(?P<year>去年|今年)?的?第?(?P<quarter>[1-4一二三四])季度?(?=[^度]|$)(?!的?量|的?用)",
            _read_quarter_of_year,
        ),
        (r"今天|今日|当天", lambda _, today: (today, today)),
        (r"昨天|昨日", lambda _, today: (today - DAY, today - DAY)),
        (r"前天", lambda _, today: (today - 2 * DAY, today - 2 * DAY)),
        (
            r"上上(?:个)?月",
            lambda _, today: (
                add_months(today, -2),
                add_months(today, -1) - DAY,
            ),
        ),
        (
            r"上个?(?:周|星期|礼拜)",
            lambda _, today: (_get_monday(today) - 7 * DAY, _get_monday(today) - DAY),
        ),
        (r"(?:本|这个?)(?:周|星期|礼拜)", lambda _, today: (_get_monday(today), today)),
        (
            r"上个?月份?",
            lambda _, today: (add_months(today, -1), today.replace(day=1) - DAY),
        ),
        (r"(?:本|这个?|当)月份?", lambda _, today: (today.replace(day=1), today)),
        (
            r"上个?季度?(?!的?量)",
            lambda _, today: (
                add_months(_get_first_day_of_quarter(today), -3),
                _get_first_day_of_quarter(today) - DAY,
            ),
        ),
        (r"(?:本|这个?|当)季度?", lambda _, today: (_get_first_day_of_quarter(today), today)),
        (
            r"去年的?上半年",
            lambda _, today: (_get_days_of_year(today, -1)[0], date(today.year - 1, 6, 30)),
        ),
        (
            r"去年的?下半年",
            lambda _, today: (date(today.year - 1, 7, 1), _get_days_of_year(today, -1)[1]),
        ),
        (r"(?:这|前|最近|近)几天", lambda _, today: (today - 6 * DAY, today)),
        (r"(?:今年)?的?上半年", lambda _, today: (date(today.year, 1, 1), date(today.year, 6, 30))),
        (
            r"(?:今年)?的?下半年",
            lambda _, today: (date(today.year, 7, 1), date(today.year, 12, 31)),
        ),
        (r"去年|上一?年", lambda _, today: _get_days_of_year(today, -1)),
        (r"前年", lambda _, today: _get_days_of_year(today, -2)),
        (
            r"今年|全年|本年度?|这一?年|年初(?:到现在|至今|以来)",
            lambda _, today: _get_days_of_year(today, 0),
        ),
        (
            r"(?P<year>20\d\d)年",
            lambda match, today: _get_days_of_year(today, int(match["year"]) - today.year),
        ),
    )
)
FUTURE = re.compile(
    r"下个?(?:周|星期|礼拜)[一二三四五六日天]?|下个?月(?!\d)|明天|后天|明年|下季度|下半年还"
)


def find_periods(text: str, today: date) -> tuple[str, list[Period]]:
    """Return the text with a letter T in the place of each period (F for a future one), and the
    periods in the order of the text.
    """
    spans: list[tuple[int, int, Period]] = []
    for pattern, find in PERIODS:
        for match in pattern.finditer(text):
            if any(start < match.end() and match.start() < end for start, end, _ in spans):
                continue
            days = find(match, today)
            if days is None or days[0] > today:
                continue
            until = today if UNTIL_NOW.search(match[0]) else min(days[1], today)
            period = Period(days[0], until, match[0])
            spans.append((match.start(), match.end(), period))
    for match in FUTURE.finditer(text):
        if not any(start < match.end() and match.start() < end for start, end, _ in spans):
            spans.append((match.start(), match.end(), Period(today, today, match[0], True)))
    spans.sort(key=lambda span: span[0])
    pieces, at = [], 0
    for start, end, period in spans:
        pieces += [text[at:start], " F " if period.is_future else " T "]
        at = end
    return "".join([*pieces, text[at:]]), [period for *_, period in spans if not period.is_future]
