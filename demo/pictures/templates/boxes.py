"""Boxes: the plain printed box for products without a template, and the corrugated carton as a
product.
"""

from demo.pictures.canvas import Canvas
from demo.pictures.colour import shade
from demo.pictures.registry import draws
from demo.pictures.shapes import draw_carton, draw_cuboid
from demo.pictures.subject import Subject


@draws("carton")
def plain_carton(c: Canvas, s: Subject) -> None:
    """Draw the printed box for a product without a template."""
    c.shadow(420, 640, 280)
    draw_carton(c, s, 180, 260, 380, 370, 150)


@draws("kraftbox")
def kraftbox(c: Canvas, s: Subject) -> None:
    """Draw a taped corrugated carton, with a bundle of flat ones behind it if it is sold in
    packs.
    """
    brown = "#cda274"
    c.shadow(420, 650, 310)
    if s.pack_count > 1:
        for n in range(5):
            c.path(
                f"M{470 + n * 16} {230 - n * 6}L{700 + n * 10} {180 - n * 4}V{560 - n * 8}L{470 + n * 16} {600 - n * 8}Z",
                c.slant(shade(brown, 0.1 * (n % 2))),
            )
    draw_cuboid(c, 130, 330, 420, 290, 190, brown, 3)
    c.path("M310 330L462 250H532L380 330Z", "#e9d9b4", 'opacity=".9"')
    c.rect(310, 330, 70, 90, "#e9d9b4", 0, 'opacity=".9"')
    c.text(250, 520, s.brand, 54, "#7a5230", width=190, weight=700)
    c.text(250, 568, s.spec, 32, "#7a5230", width=200)
    c.stroke(
        "M460 590V530M445 546l15 -18 15 18M500 590V530M485 546l15 -18 15 18M440 598H520",
        "#7a5230",
        6,
    )
