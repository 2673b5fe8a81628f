"""A limit on the expanded text of a workbook. Each cell that refers to a shared string holds a
copy of it.
"""

from __future__ import annotations

import io
import zipfile

import pytest
import xlsxwriter

from apps.common.errors import FileRefused
from apps.documents.excel import read_rows

PARTS = {
    "xl/worksheets/sheet1.xml": "<worksheet><sheetData>{}</sheetData></worksheet>",
    "xl/sharedStrings.xml": "<sst>{}</sst>",
}
LONG = "x" * 900


def build_book(*, cells: str, strings: str = "") -> io.BytesIO:
    """A workbook of one row with the given XML of cells and shared strings."""
    created, out = io.BytesIO(), io.BytesIO()
    with xlsxwriter.Workbook(created) as workbook:
        workbook.add_worksheet().write(0, 0, "x")
    written = dict(zip(PARTS, (f'<row r="1">{cells}</row>', strings), strict=True))
    with (
        zipfile.ZipFile(created) as source,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target,
    ):
        for name in source.namelist():
            target.writestr(
                name, PARTS[name].format(written[name]) if name in PARTS else source.read(name)
            )
    return out


def build_rows(file: io.BytesIO, max_text: int = 2000) -> list[list[str]]:
    return list(read_rows(file, max_rows=10, max_columns=20, max_text=max_text))


def pointing(*numbers: int) -> str:
    return "".join(
        f'<c r="{chr(65 + place)}1" t="s"><v>{number}</v></c>'
        for place, number in enumerate(numbers)
    )


def get_string(text: str) -> str:
    return f"<si><t>{text}</t></si>"


def test_a_shared_string_counts_once_for_each_cell_that_points_to_it() -> None:
    with pytest.raises(FileRefused, match="文字过多"):
        build_rows(build_book(cells=pointing(0, 0, 0), strings=get_string(LONG)))


def test_a_shared_string_within_the_bounds_is_read_in_each_of_its_cells() -> None:
    assert build_rows(
        build_book(cells=pointing(1, 1, 0), strings=get_string("a") + get_string(LONG))
    ) == [[LONG, LONG, "a"]]


def test_chinese_signs_count_three_bytes() -> None:
    assert build_rows(build_book(cells=pointing(0), strings=get_string("笔" * 660))) == [
        ["笔" * 660]
    ]
    with pytest.raises(FileRefused, match="文字过多"):
        build_rows(build_book(cells=pointing(0), strings=get_string("笔" * 667)))


def test_a_file_of_a_few_kilobytes_that_unfolds_to_gigabytes_is_refused() -> None:
    cells = "".join(
        f'<row r="{row}">'
        + "".join(f'<c r="{c}{row}" t="s"><v>0</v></c>' for c in "ABCDEFGH")
        + "</row>"
        for row in range(2, 1000)
    )
    with pytest.raises(FileRefused, match="最多 16 MB"):
        list(
            read_rows(
                build_book(cells=f"</row>{cells}<row r='1000'>", strings=get_string("x" * 19_999)),
                max_rows=1000,
                max_columns=20,
            )
        )


@pytest.mark.parametrize(
    "kind", ['<c r="A1" t="inlineStr"><is><t>{}</t></is></c>', '<c r="A1" t="str"><v>{}</v></c>']
)
def test_text_in_the_cells_counts(kind: str) -> None:
    with pytest.raises(FileRefused, match="文字过多"):
        build_rows(build_book(cells=kind.format("x" * 2001)))


def test_text_in_a_section_that_looks_like_tags_counts() -> None:
    with pytest.raises(FileRefused, match="文字过多"):
        build_rows(
            build_book(
                cells=f'<c r="A1" t="inlineStr"><is><t><![CDATA[<{"x" * 2001}]]></t></is></c>'
            )
        )


@pytest.mark.parametrize(
    "cell",
    [
        '<c r="{}1" t="n" t="s"><v>1</v></c>',
        '<c t = "s" r="{}1"><v>1</v></c>',
        '<x:c r="{}1" t="s"><v>1</v></x:c>',
        '<é:c r="{}1" t="s"><v>1</v></é:c>',
        '<c r="{}1" t="s"><v>0</v><v>1</v></c>',
        '<c r="{}1" t="s"><v> +1 </v></c>',
        '<c r="{}1" t="s"><f>1</f><v>1</v></c>',
        '<c r="{}1" t="s"><v><!-- 0 -->1</v></c>',
    ],
)
def test_a_reference_written_in_another_way_counts_as_the_longest_string(cell: str) -> None:
    with pytest.raises(FileRefused, match="文字过多"):
        build_rows(
            build_book(
                cells="".join(cell.format(column) for column in "ABC"),
                strings=get_string("a") + get_string(LONG),
            )
        )


@pytest.mark.parametrize(
    "cell",
    [
        '<c r="A1" x=">" t="s"><v>0</v></c>',
        '<c r="A1"t="s"><v>0</v></c>',
        '<c r="A1" x="<" t="s"><v>0</v></c>',
        "<c x=' r=\"A1\"'/>",
    ],
)
def test_malformed_cell_is_refused(cell: str) -> None:
    with pytest.raises(FileRefused, match="已损坏"):
        build_rows(build_book(cells=cell, strings=get_string("a")))


@pytest.mark.parametrize(
    "cell",
    [
        '<c r="A1" r="XFD1"><v>1</v></c>',
        '<c x=\' r="A1"\' r="XFD1"><v>1</v></c>',
        '<é:c r="XFD1"><v>1</v></é:c>',
    ],
)
def test_last_of_two_places_counts(cell: str) -> None:
    with pytest.raises(FileRefused, match="最多 20 列"):
        build_rows(build_book(cells=cell))


def test_a_place_taken_again_and_again_is_refused() -> None:
    with pytest.raises(FileRefused, match="已损坏"):
        build_rows(build_book(cells='<c r="A1"><v>1</v></c>' * 201))


@pytest.mark.parametrize(
    "strings",
    [
        f"<si>{get_string(LONG)}</si>",
        f"<si><t>a</t><si/></si>{get_string(LONG)}",
        f'<!DOCTYPE sst [<!ENTITY a "{LONG}">]><si><t>&a;</t></si>',
        f"<si><t>{LONG}</si></t>",
    ],
)
def test_shared_strings_that_cannot_be_counted_are_refused(strings: str) -> None:
    with pytest.raises(FileRefused, match="已损坏"):
        build_rows(build_book(cells=pointing(0), strings=strings))


def test_comment_in_shared_strings_does_not_shift_their_index() -> None:
    with pytest.raises(FileRefused, match="文字过多"):
        build_rows(
            build_book(
                cells=pointing(0, 0, 0), strings=f"<!-- {get_string('a')} -->{get_string(LONG)}"
            )
        )


def test_shared_strings_that_no_cell_points_to_are_bounded_too() -> None:
    with pytest.raises(FileRefused, match="文字过多"):
        build_rows(build_book(cells="", strings=get_string(LONG) * 3))
