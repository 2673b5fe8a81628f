"""The parts that all pictures share: background, brand mark, caption; and the complete SVG
file.
"""

from demo.pictures.canvas import FONT, Canvas, text_width
from demo.pictures.colour import is_light, shade
from demo.pictures.subject import Subject

GREY = "#7b8797"


def background(c: Canvas) -> str:
    """Return the backdrop: white at the top, light grey towards the floor."""
    name = f"{c.key}b"
    stops = '<stop offset="0" stop-color="#ffffff"/><stop offset=".62" stop-color="#fafbfc"/><stop offset="1" stop-color="#edf1f5"/>'
    c.defs[name] = (
        f'<linearGradient id="{name}" x1="0" y1="0" x2="0" y2="1">{stops}</linearGradient>'
    )
    return f'<rect width="800" height="800" fill="url(#{name})"/>'


def brand_mark(c: Canvas, s: Subject) -> None:
    """Draw the brand in the upper left corner: a tile with its first character, then both
    names.
    """
    c.rect(40, 38, 56, 56, c.slant(s.accent), 14)
    c.text(68, 79, s.brand[0], 34, "#ffffff", weight=700)
    c.text(110, 66, s.brand, 26, "#39424f", anchor="start", weight=700)
    c.text(110, 91, s.english, 17, GREY, anchor="start", weight=500)


def caption(c: Canvas, s: Subject) -> None:
    """Write model and size at the bottom, the colour as a dot, and the number of pieces in the
    pack.
    """
    x = 40.0
    if s.colour_word:
        colour = s.tint("#cccccc")
        edge = shade(colour, -0.35) if is_light(colour) else colour
        if s.is_rainbow:
            for place, tint in enumerate(s.tints("", 4)):
                c.disc(52 + place * 13, 752, 10, tint)
            x = 118.0
        else:
            c.disc(53, 752, 12, colour, f'stroke="{edge}" stroke-width="1.5"')
            x = 76.0
    c.text(x, 762, f"{s.model}  {s.spec}".strip(), 27, GREY, anchor="start", width=470, weight=500)
    if s.pack_count > 1:
        width = text_width(s.pack, 27) + 44
        c.rect(760 - width, 724, width, 50, "#ffffff", 25, 'stroke="#d5dce4" stroke-width="2"')
        c.text(760 - width / 2, 759, s.pack, 27, "#39424f", weight=600)


def document(c: Canvas, s: Subject) -> str:
    """Return the complete SVG file."""
    ground = background(c)
    brand_mark(c, s)
    caption(c, s)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 800" font-family="{FONT}">'
        f"<defs>{''.join(c.defs.values())}</defs>{ground}{''.join(c.body)}</svg>\n"
    )
