"""A document of A4 pages in millimetres, and tables that continue over several pages. Texts, lines
and tables are collected first and written at the end.

Only at the end are all characters known, which the embedded fonts need, and the number of pages of
each part.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from apps.documents.pdf.fonts import MISSING, load_font

if TYPE_CHECKING:
    from fpdf import FPDF

WIDTH, HEIGHT, MARGIN = 210.0, 297.0, 14.0
INNER = WIDTH - 2 * MARGIN
FOOT = HEIGHT - 12.0
POINT = 25.4 / 72
INK, GREY, LINE, HEAD_FILL, MARK = "#1d2129", "#6b7785", "#c9cdd4", "#f2f3f5", "#f3d3d5"
BLANK = frozenset({"Cc", "Cf", "Zl", "Zp", "Zs"})
# Punctuation that must not begin a line.
NOT_FIRST = frozenset("，。、；：？！）》」』】”’%,.;:?!)]")


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text. Its baseline begins at x, y in mm; `size` is in points."""

    x: float
    y: float
    text: str
    size: float
    is_bold: bool
    colour: str
    turned: float = 0.0


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in mm, filled or outlined. With no height or no width it is a line."""

    x: float
    y: float
    width: float
    height: float
    colour: str
    is_filled: bool = False


@dataclass(slots=True)
class Page:
    """The content of one page, in drawing order, and the part of the document it belongs to."""

    part: int
    marks: list[Text | Box] = field(default_factory=list)


class Paper:
    """Collects pages. `part()` begins a part with its own page numbers, `finished()` returns
    the PDF.
    """

    def __init__(self, *, title: str, footer: str = "", mark: str = "") -> None:
        """Create an empty document.

        `title` is the title of the PDF. `footer` is printed at the bottom of each page. `mark` is a
        watermark such as 样票.
        """
        self.title, self.footer, self.mark = title, footer, mark
        self.pages: list[Page] = []
        self._head: Callable[[Paper], float] = lambda _paper: MARGIN
        self._part = -1

    def start_part(self, head: Callable[[Paper], float]) -> float:
        """Begin a part on a new page. Return the y below the head of the page.

        `head` draws the top of each page of the part and returns the y where the content begins.
        """
        self._head = head
        self._part += 1
        return self.start_page()

    def start_page(self) -> float:
        """Begin a new page of the part. Return the y below its head."""
        self.pages.append(Page(max(self._part, 0)))
        return self._head(self)

    def draw_text(
        self,
        text: str,
        *,
        x: float = MARGIN,
        y: float,
        width: float = INNER,
        size: float = 9,
        bold: bool = False,
        align: str = "left",
        colour: str = INK,
    ) -> None:
        """Write one line between x and x + width, with its top at y. Text that does not fit
        ends with an ellipsis.
        """
        fitted_text = fit_text(drop_unwritable(text), width=width, size=size, bold=bold)
        free_width = width - measure_text(fitted_text, size=size, bold=bold)
        left = x + {"left": 0.0, "center": free_width / 2, "right": free_width}[align]
        self.pages[-1].marks.append(
            Text(left, y + size * POINT * 1.05, fitted_text, size, bold, colour)
        )

    def draw_paragraph(
        self,
        text: str,
        *,
        x: float = MARGIN,
        y: float,
        width: float = INNER,
        size: float = 9,
        bold: bool = False,
        colour: str = INK,
    ) -> float:
        """Write the text on as many lines as needed. Return the y below it."""
        for line in wrap_text(drop_unwritable(text), width=width, size=size, bold=bold):
            self.draw_text(line, x=x, y=y, width=width, size=size, bold=bold, colour=colour)
            y += compute_line_height(size)
        return y

    def draw_line(
        self,
        *,
        x: float = MARGIN,
        y: float,
        width: float = INNER,
        height: float = 0.0,
        colour: str = LINE,
    ) -> None:
        """Draw a line: horizontal with a width, vertical with a height."""
        self.pages[-1].marks.append(Box(x, y, width, height, colour))

    def draw_box(
        self,
        *,
        x: float,
        y: float,
        width: float,
        height: float,
        colour: str = LINE,
        filled: bool = False,
    ) -> None:
        """Draw or fill a rectangle."""
        self.pages[-1].marks.append(Box(x, y, width, height, colour, filled))

    def finish(self) -> bytes:
        """Return the document as the bytes of a PDF file."""
        # Loaded at the first document: most processes write none.
        from fpdf import FPDF

        self._draw_footers()
        pdf = FPDF(unit="mm", format="A4")
        pdf.set_auto_page_break(auto=False)
        pdf.set_title(self.title)
        pdf.set_lang("zh-CN")
        pdf.set_line_width(0.15)
        self._embed_fonts(pdf)
        for page in self.pages:
            pdf.add_page()
            for mark in page.marks:
                _draw_mark(pdf, mark)
        return bytes(pdf.output())

    def _draw_footers(self) -> None:
        """Add the footer and the page number of its part to each page, and the watermark below the
        text.
        """
        counts: dict[int, int] = {}
        for page in self.pages:
            counts[page.part] = counts.get(page.part, 0) + 1
        numbers: dict[int, int] = {}
        for page in self.pages:
            numbers[page.part] = numbers.get(page.part, 0) + 1
            page_text = f"第 {numbers[page.part]} 页 / 共 {counts[page.part]} 页"
            page.marks.append(
                Text(MARGIN, FOOT + 3, drop_unwritable(self.footer), 7.5, False, GREY)
            )
            page.marks.append(
                Text(
                    WIDTH - MARGIN - measure_text(page_text, size=7.5),
                    FOOT + 3,
                    page_text,
                    7.5,
                    False,
                    GREY,
                )
            )
            if self.mark:
                width = measure_text(self.mark, size=90, bold=True)
                page.marks.insert(
                    0,
                    Text(
                        (WIDTH - width * 0.82) / 2,
                        HEIGHT / 2 + width * 0.36,
                        self.mark,
                        90,
                        True,
                        MARK,
                        35,
                    ),
                )

    def _embed_fonts(self, pdf: FPDF) -> None:
        """Embed a font per weight, with the characters used in that weight."""
        texts = [mark for page in self.pages for mark in page.marks if isinstance(mark, Text)]
        with TemporaryDirectory() as folder:
            for style, is_bold in (("", False), ("B", True)):
                path = Path(folder) / f"mall{style}.ttf"
                path.write_bytes(
                    load_font(is_bold=is_bold).build_subset(
                        {
                            character
                            for text in texts
                            if text.is_bold == is_bold
                            for character in text.text
                        }
                    )
                )
                pdf.add_font("mall", style, path)


def _draw_mark(pdf: FPDF, mark: Text | Box) -> None:
    """Draw a text, a box or a line on the current page of the PDF."""
    colour = tuple(int(mark.colour[at : at + 2], 16) for at in (1, 3, 5))
    if isinstance(mark, Text):
        pdf.set_font("mall", "B" if mark.is_bold else "", mark.size)
        pdf.set_text_color(*colour)
        with pdf.rotation(mark.turned, mark.x, mark.y) if mark.turned else nullcontext():
            pdf.text(mark.x, mark.y, mark.text)
    elif mark.is_filled:
        pdf.set_fill_color(*colour)
        pdf.rect(mark.x, mark.y, mark.width, mark.height, style="F")
    else:
        pdf.set_draw_color(*colour)
        if mark.width and mark.height:
            pdf.rect(mark.x, mark.y, mark.width, mark.height)
        else:
            pdf.line(mark.x, mark.y, mark.x + mark.width, mark.y + mark.height)


def drop_unwritable(text: str) -> str:
    """Return the text on one line: control characters become spaces, characters missing in the
    font become boxes.
    """
    flat = "".join(
        " " if unicodedata.category(character) in BLANK else character for character in text
    )
    return "".join(
        character if load_font(is_bold=False).has(character) else chr(MISSING) for character in flat
    )


def measure_text(text: str, *, size: float, bold: bool = False) -> float:
    """Return the width of the text in mm."""
    return load_font(is_bold=bold).measure_width(text) * size * POINT


def compute_line_height(size: float) -> float:
    """Return the distance between two lines of this font size in mm."""
    return size * POINT * 1.45


def fit_text(text: str, *, width: float, size: float, bold: bool = False) -> str:
    """Return the text, shortened with an ellipsis if it is wider than `width` mm."""
    if measure_text(text, size=size, bold=bold) <= width + 0.01:
        return text
    while text and measure_text(f"{text}…", size=size, bold=bold) > width:
        text = text[:-1]
    return f"{text}…"


def wrap_text(text: str, *, width: float, size: float, bold: bool = False) -> list[str]:
    """Return the lines of the text. Chinese breaks after any character, but not before
    punctuation. A Latin word or number is not split if it fits on a line.
    """
    lines, line, line_width = [], "", 0.0
    for piece in _split_unbreakable_pieces(text, width=width, size=size, bold=bold):
        needed = measure_text(piece, size=size, bold=bold)
        if line and line_width + needed > width + 0.01 and piece not in NOT_FIRST:
            lines.append(line.rstrip())
            line, line_width = "", 0.0
        if line or piece != " ":
            line, line_width = line + piece, line_width + needed
    return [*lines, line] if line or not lines else lines


def _split_unbreakable_pieces(text: str, *, width: float, size: float, bold: bool) -> list[str]:
    """Return the unbreakable pieces: a Chinese character, or a run of ASCII characters that is
    no wider than a line.
    """
    pieces: list[str] = []
    for character in text:
        is_word = character.isascii() and character not in " ,;"
        if (
            is_word
            and pieces
            and pieces[-1][-1].isascii()
            and pieces[-1][-1] not in " ,;"
            and _fits_in_width(pieces[-1] + character, width, size, bold)
        ):
            pieces[-1] += character
        else:
            pieces.append(character)
    return pieces


def _fits_in_width(text: str, width: float, size: float, bold: bool) -> bool:
    return measure_text(text, size=size, bold=bold) <= width


SIZE = 8.5
PAD = 1.6


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its title, its share of the width, and its alignment ("right" for numbers)."""

    title: str
    share: float
    align: str = "left"


def draw_table(
    paper: Paper,
    *,
    y: float,
    columns: Sequence[Column],
    rows: Iterable[Sequence[str]],
    bottom: float = FOOT - 3,
) -> float:
    """Write the rows from y on. Each row is as high as its longest cell. Return the y below the
    last row.
    """
    scale = INNER / sum(column.share for column in columns)
    widths = [column.share * scale for column in columns]
    y = _draw_head(paper, y, columns, widths)
    for row in rows:
        cells = [
            wrap_text(drop_unwritable(cell), width=width - 2 * PAD, size=SIZE)
            for cell, width in zip(row, widths, strict=True)
        ]
        height = max(len(cell) for cell in cells) * compute_line_height(SIZE) + 2 * PAD
        if y + height > bottom:
            y = _draw_head(paper, paper.start_page(), columns, widths)
        _draw_row(paper, y, columns, widths, cells)
        y += height
        paper.draw_line(y=y)
    return y


def _draw_head(paper: Paper, y: float, columns: Sequence[Column], widths: Sequence[float]) -> float:
    """Draw the titles of the columns and return the y below them."""
    height = compute_line_height(SIZE) + 2 * PAD
    paper.draw_box(x=MARGIN, y=y, width=INNER, height=height, colour=HEAD_FILL, filled=True)
    x = MARGIN
    for column, width in zip(columns, widths, strict=True):
        paper.draw_text(
            column.title,
            x=x + PAD,
            y=y + PAD,
            width=width - 2 * PAD,
            size=SIZE,
            bold=True,
            align=column.align,
        )
        x += width
    paper.draw_line(y=y)
    paper.draw_line(y=y + height)
    return y + height


def _draw_row(
    paper: Paper,
    y: float,
    columns: Sequence[Column],
    widths: Sequence[float],
    cells: Sequence[Sequence[str]],
) -> None:
    """Draw the cells of a row, whose top is at `y`. A cell is a list of lines."""
    x = MARGIN
    for column, width, lines in zip(columns, widths, cells, strict=True):
        for number, line in enumerate(lines):
            top = y + PAD + number * compute_line_height(SIZE)
            paper.draw_text(
                line, x=x + PAD, y=top, width=width - 2 * PAD, size=SIZE, align=column.align
            )
        x += width
