"""Product pictures: one SVG for each row of the product sheet, drawn by the template of its
kind.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from demo.generate.sheets import CATALOGUE, read_sheet
from demo.pictures.canvas import Canvas
from demo.pictures.frame import document
from demo.pictures.subject import Subject
from demo.pictures.templates import TEMPLATES

KINDS = Path(__file__).resolve().parent / "kinds.csv"
FALLBACK = "carton"


@cache
def _kinds() -> dict[str, str]:
    return {row["三级分类编码"]: row["图形"] for row in read_sheet(KINDS)}


@cache
def _brands() -> dict[str, tuple[str, str]]:
    return {
        row["编码"]: (row["名称"], row["英文名"]) for row in read_sheet(CATALOGUE / "brands.csv")
    }


def picture(product: Mapping[str, str]) -> str:
    """Return the SVG of one row of the product sheet. An unknown category or brand gives a
    plain printed box.
    """
    kind = _kinds().get(product["三级分类编码"], FALLBACK)
    brand, english = _brands().get(product["品牌编码"], ("文采", "WENCAI"))
    subject = Subject(row=product, brand=brand, english=english, kind=kind)
    canvas = Canvas(f"p{subject.code}")
    TEMPLATES.get(kind, TEMPLATES[FALLBACK])(canvas, subject)
    return document(canvas, subject)


def write_pictures(*, products: Iterable[Mapping[str, str]], target: Path) -> int:
    """Write the picture of every product into the folder `target`, under the file name in its
    row, and return the number of pictures.
    """
    target.mkdir(parents=True, exist_ok=True)
    count = 0
    for product in products:
        (target / Path(product["图片"]).name).write_text(picture(product), encoding="utf-8")
        count += 1
    return count
