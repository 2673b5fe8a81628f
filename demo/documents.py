"""The demo's product documents: one A4 PDF page each. They use a standard Chinese font of the
PDF reader, so no font is embedded.
"""

from __future__ import annotations

from collections.abc import Sequence

# The Adobe-GB1 character collection: every PDF reader has a font for it.
FONT = (
    b"<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UTF16-H"
    b" /DescendantFonts [6 0 R] >>",
    b"<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light"
    b" /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 5 >>"
    b" /DW 1000 /FontDescriptor 7 0 R >>",
    b"<< /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [-25 -254 1000 880]"
    b" /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >>",
)
TOP, LEFT, LEADING = 760, 72, 30


def pdf_page(*, title: str, lines: Sequence[str]) -> bytes:
    """Return a PDF of one page with a title and the lines below it."""
    rows = [
        _text(title, 22, TOP),
        *(_text(line, 12, TOP - 60 - LEADING * place) for place, line in enumerate(lines)),
    ]
    stream = b"\n".join(rows)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        *FONT,
    ]
    return _written(objects)


def _text(text: str, size: int, y: int) -> bytes:
    return f"BT /F1 {size} Tf {LEFT} {y} Td <{text.encode('utf-16-be').hex()}> Tj ET".encode()


def _written(objects: Sequence[bytes]) -> bytes:
    """Return the file: header, objects, and the cross-reference table with their offsets."""
    out, begins = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, start=1):
        begins.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % begin for begin in begins)
    out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        table,
    )
    return bytes(out)
