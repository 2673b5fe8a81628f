"""分档: the bands of a rule. An order takes the first band that fits its amount, the department of
its requester and its categories, and then only the steps of that band and the steps of all bands.

A band is stored as {"above", "up_to", "departments", "categories"}: amounts in 元, 含税, above the
first and up to the second; `up_to` None has no upper limit. Empty ids mean every department or
category.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from apps.approvals.models import ApprovalRule, ApprovalRuleStep
from apps.approvals.subjects import ApprovalSubject

MAX_BANDS = 10
BandRow = Mapping[str, Any]
Range = tuple[Decimal, Decimal | None]


def get_band_range(row: BandRow) -> Range:
    """Return the lower limit in 元, excluded unless it is 0, and the upper one, included."""
    up_to = row["up_to"]
    return Decimal(str(row["above"])), None if up_to is None else Decimal(str(up_to))


def format_range(amounts: Range) -> str:
    """Return the amounts in words, e.g. 超过 ¥3,000.00、不超过 ¥10,000.00."""
    above, up_to = amounts
    texts = [f"超过 ¥{above:,.2f}"] if above else []
    texts += [] if up_to is None else [f"不超过 ¥{up_to:,.2f}"]
    return "、".join(texts) or "任何金额"


def format_band_label(bands: Sequence[BandRow], number: int) -> str:
    """Return the band as a reason names it."""
    row = bands[number - 1]
    texts = [format_range(get_band_range(row))]
    texts += ["指定部门"] if row["departments"] else []
    texts += ["指定类目"] if row["categories"] else []
    return f"按第 {number} 档审批：{'，'.join(texts)}"


def find_band(bands: Sequence[BandRow], *, subject: ApprovalSubject, path: set[int]) -> int | None:
    """Return the number of the subject's band, from 1, or None. `path` is the requester's
    department and all departments above it.
    """
    for number, row in enumerate(bands, start=1):
        above, up_to = get_band_range(row)
        amount = subject.judged_amount
        if (above and amount <= above) or (up_to is not None and amount > up_to):
            continue
        if row["departments"] and not path.intersection(row["departments"]):
            continue
        categories = set(row["categories"])
        if categories and not any(categories & set(line.category_ids) for line in subject.lines):
            continue
        return number
    return None


def select_steps_for_subject(
    rule: ApprovalRule,
    steps: Sequence[ApprovalRuleStep],
    *,
    subject: ApprovalSubject,
    path: set[int],
) -> tuple[str, list[ApprovalRuleStep]]:
    """Return the label of the subject's band and the steps that apply to it. The label is "" and
    all steps apply if the rule has no bands. A subject of no band takes the steps of all bands.
    """
    if not rule.bands:
        return "", list(steps)
    number = find_band(rule.bands, subject=subject, path=path)
    applicable_steps = [step for step in steps if step.band is None or step.band == number]
    return format_band_label(rule.bands, number) if number else "", applicable_steps


def list_gaps(bands: Sequence[BandRow], *, floor: Decimal) -> Iterator[Range]:
    """Yield the amounts from `floor` on that belong to no band. Only bands of every department and
    category count.
    """
    end: Decimal | None = floor
    for above, up_to in sorted(_list_ranges_for_all(bands), key=lambda each: each[0]):
        if end is None:
            return
        if above > end:
            yield end, above
        end = None if up_to is None else max(end, up_to)
    if end is not None:
        yield end, None


def is_floor_missed(bands: Sequence[BandRow], *, floor: Decimal) -> bool:
    """Return whether an order of exactly `floor` belongs to no band although larger ones do. The
    conditions say 达到 (at least), the bands say 超过 (above). Only bands of every department and
    category count.
    """
    ranges = _list_ranges_for_all(bands)
    is_covered = any(above < floor and (up_to is None or up_to >= floor) for above, up_to in ranges)
    return floor > 0 and not is_covered and any(above == floor for above, _ in ranges)


def _list_ranges_for_all(bands: Sequence[BandRow]) -> list[Range]:
    """Return the amounts of the bands that are limited to no department and no category."""
    return [
        get_band_range(row) for row in bands if not row["departments"] and not row["categories"]
    ]


def get_overlap(first: BandRow, second: BandRow) -> Range | None:
    """Return the amounts that belong to both bands, or None."""
    (low, high), (other_low, other_high) = get_band_range(first), get_band_range(second)
    above = max(low, other_low)
    upper_limits = [end for end in (high, other_high) if end is not None]
    up_to = min(upper_limits) if upper_limits else None
    return None if up_to is not None and up_to <= above else (above, up_to)


def covers(wide: BandRow, narrow: BandRow) -> bool:
    """Return whether every order of the narrow band also fits the wide one."""
    (low, high), (other_low, other_high) = get_band_range(wide), get_band_range(narrow)
    if low > other_low or (high is not None and (other_high is None or other_high > high)):
        return False
    return all(
        not wide[key] or (narrow[key] and set(narrow[key]) <= set(wide[key]))
        for key in ("departments", "categories")
    )


def has_same_branch(first: BandRow, second: BandRow) -> bool:
    """Return whether two bands are limited to the same departments and categories."""
    return all(set(first[key]) == set(second[key]) for key in ("departments", "categories"))
