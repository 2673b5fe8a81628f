"""Bar charts of a report's PDF: the trend as vertical bars, the largest parts as horizontal
bars.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from apps.common.money import ZERO
from apps.documents.pdf import GREY, INNER, LINE, MARGIN, Paper
from apps.reports.selectors import names
from apps.reports.selectors.charts import Slice
from apps.reports.selectors.summary import TrendPoint

NOW, BEFORE, BELOW = "#1456d9", "#c9d7f2", "#d9485f"
HEIGHT, AXIS = 38.0, 20.0
# Maximum number of day or month labels below the bars.
MOST_LABELS = 12
BAR_ROW, LABEL_SIZE = 5.6, 7.5


def money_short(amount: Decimal) -> str:
    """Return an amount as an axis label: whole 元, or 万 from ten thousand up."""
    return f"{amount / 10_000:,.1f}万" if abs(amount) >= 10_000 else f"{amount:,.0f}"


def trend_drawn(paper: Paper, *, y: float, trend: Sequence[TrendPoint]) -> float:
    """Draw the trend, with the amounts one year earlier in a pale colour. Return the y position
    below the chart.
    """
    amounts = [amount for point in trend for amount in (point.amount, point.year_before)]
    high, low = max([ZERO, *amounts]), min([ZERO, *amounts])
    scale = HEIGHT / float((high - low) or 1)
    zero = y + float(high) * scale
    for value, at in ((high, y), (low, y + HEIGHT)):
        if value or value is high:
            paper.text(
                money_short(value),
                y=at - 1.5,
                width=AXIS - 2,
                size=LABEL_SIZE,
                align="right",
                colour=GREY,
            )
            paper.line(x=MARGIN + AXIS, y=at, width=INNER - AXIS, colour=LINE)
    step = (INNER - AXIS) / max(len(trend), 1)
    every = -(-len(trend) // MOST_LABELS)
    for number, point in enumerate(trend):
        x = MARGIN + AXIS + number * step
        _bar(paper, x + step * 0.12, zero, step * 0.38, point.year_before, scale, BEFORE)
        _bar(
            paper,
            x + step * 0.5,
            zero,
            step * 0.38,
            point.amount,
            scale,
            BELOW if point.amount < 0 else NOW,
        )
        if number % every == 0:
            is_day = point.window.days == 1
            said = f"{point.window.since:%m-%d}" if is_day else f"{point.window.since:%y-%m}"
            paper.text(
                said, x=x, y=y + HEIGHT + 1.5, width=step * every, size=LABEL_SIZE, colour=GREY
            )
    paper.line(x=MARGIN + AXIS, y=zero, width=INNER - AXIS, colour=GREY)
    return y + HEIGHT + 7


def _bar(
    paper: Paper, x: float, zero: float, width: float, amount: Decimal, scale: float, colour: str
) -> None:
    height = abs(float(amount)) * scale
    if height > 0:
        paper.box(
            x=x,
            y=zero - height if amount > 0 else zero,
            width=width,
            height=height,
            colour=colour,
            filled=True,
        )


def parts_drawn(
    paper: Paper, *, title: str, x: float, y: float, width: float, parts: Sequence[Slice]
) -> float:
    """Draw the largest parts with their amounts below a title. Return the y position below
    them.
    """
    paper.text(title, x=x, y=y, width=width, size=10, bold=True)
    y += 6
    most = max([abs(part.amount) for part in parts] or [ZERO]) or Decimal(1)
    name, figure = width * 0.42, width * 0.26
    for part in parts:
        paper.text(
            names.SEPARATOR.join(part.name.split(names.SEPARATOR)[-2:]),
            x=x,
            y=y,
            width=name - 2,
            size=8,
        )
        long = (width - name - figure) * float(abs(part.amount) / most)
        if long > 0:
            paper.box(
                x=x + name,
                y=y + 0.6,
                width=long,
                height=2.8,
                colour=NOW if part.amount > 0 else BELOW,
                filled=True,
            )
        paper.text(
            f"{part.amount:,.2f}", x=x + width - figure, y=y, width=figure, size=8, align="right"
        )
        y += BAR_ROW
    if not parts:
        paper.text("该期间没有数据", x=x, y=y, width=width, size=8, colour=GREY)
        y += BAR_ROW
    return y
