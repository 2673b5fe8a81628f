"""A page of text as OFD (GB/T 33190), the format of Chinese electronic invoices: a ZIP of XML."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from xml.sax.saxutils import escape

NAMESPACE = 'xmlns:ofd="http://www.ofdspec.org/2016"'
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
# A page of an invoice, in mm.
WIDTH, HEIGHT, MARGIN, STEP, SIZE = 210, 140, 15, 10, 4


def draw_ofd_paper(*, title: str, lines: Sequence[str]) -> bytes:
    """Return an OFD with one page: the title, and the lines below it. At most 11 lines fit."""
    texts = [title, *lines]
    objects = "".join(
        _build_text_object(number, text, y=MARGIN + STEP * number)
        for number, text in enumerate(texts)
        if text
    )
    box = f"<ofd:PhysicalBox>0 0 {WIDTH} {HEIGHT}</ofd:PhysicalBox>"
    files = {
        "OFD.xml": (
            f'<ofd:OFD {NAMESPACE} Version="1.0" DocType="OFD"><ofd:DocBody><ofd:DocInfo>'
            f"<ofd:Title>{escape(title)}</ofd:Title></ofd:DocInfo>"
            "<ofd:DocRoot>Doc_0/Document.xml</ofd:DocRoot></ofd:DocBody></ofd:OFD>"
        ),
        "Doc_0/Document.xml": (
            f"<ofd:Document {NAMESPACE}><ofd:CommonData>"
            f"<ofd:MaxUnitID>{len(texts) + 10}</ofd:MaxUnitID><ofd:PageArea>{box}</ofd:PageArea>"
            "<ofd:PublicRes>PublicRes.xml</ofd:PublicRes></ofd:CommonData><ofd:Pages>"
            '<ofd:Page ID="1" BaseLoc="Pages/Page_0/Content.xml"/></ofd:Pages></ofd:Document>'
        ),
        "Doc_0/PublicRes.xml": (
            f'<ofd:Res {NAMESPACE} BaseLoc="Res"><ofd:Fonts>'
            '<ofd:Font ID="2" FontName="宋体" FamilyName="宋体"/></ofd:Fonts></ofd:Res>'
        ),
        "Doc_0/Pages/Page_0/Content.xml": (
            f"<ofd:Page {NAMESPACE}><ofd:Area>{box}</ofd:Area><ofd:Content>"
            f'<ofd:Layer ID="3">{objects}</ofd:Layer></ofd:Content></ofd:Page>'
        ),
    }
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, HEAD + content)
    return whole.getvalue()


def _build_text_object(number: int, text: str, *, y: int) -> str:
    """Return the OFD element of one line of text, with its top at `y` millimetres."""
    boundary = f"{MARGIN} {y} {WIDTH - 2 * MARGIN} {STEP}"
    return (
        f'<ofd:TextObject ID="{number + 10}" Boundary="{boundary}" Font="2" Size="{SIZE}">'
        f'<ofd:TextCode X="0" Y="{SIZE}">{escape(text)}</ofd:TextCode></ofd:TextObject>'
    )
