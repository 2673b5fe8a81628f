"""Printers, copiers, scanners and projectors."""

from demo.pictures.canvas import Canvas
from demo.pictures.colour import INK, WHITE, get_text_colour, shade
from demo.pictures.registry import draws
from demo.pictures.shapes import (
    draw_cuboid,
    draw_feet,
    draw_knob,
    draw_panel,
    draw_screen,
    get_print_colour,
    mark,
)
from demo.pictures.subject import Subject


def sheet_out(c: Canvas, x: float, y: float, w: float) -> None:
    """Draw a printed sheet lying in the tray."""
    c.path(
        f"M{x:g} {y:g}H{x + w:g}L{x + w + 26:g} {y + 46:g}H{x - 26:g}Z",
        "#ffffff",
        'stroke="#d5dce4" stroke-width="2"',
    )
    c.stroke(f"M{x + 30:g} {y + 16:g}h{w - 60:g}M{x + 20:g} {y + 30:g}h{w * 0.6:g}", "#c3ccd6", 4)


@draws("printer", "mfp")
def printer(c: Canvas, s: Subject) -> None:
    """Draw a laser printer; an all-in-one has a lid with a feeder on top."""
    body = s.tint(WHITE)
    c.shadow(420, 650, 300)
    top = 330
    if s.kind == "mfp":
        draw_cuboid(c, 190, 220, 340, 70, 120, shade(body, -0.1), 12)
        draw_cuboid(c, 150, 280, 430, 56, 150, shade(INK, 0.1), 8)
    draw_cuboid(c, 140, top, 450, 300, 170, body, 18)
    c.path(f"M170 {top}L290 {top - 62}H660L560 {top}Z", c.slant(shade(body, -0.16)))
    if s.kind == "printer":
        sheet_out(c, 270, top - 56, 260)
    c.rect(170, top + 90, 390, 16, shade(body, -0.5), 8)
    c.rect(140, top + 200, 450, 100, c.down(shade(body, -0.12)), 12)
    c.rect(300, top + 236, 130, 14, shade(body, -0.45), 7)
    draw_panel(c, 400, top + 24, 160, 46)
    mark(c, s, 250, top + 62, 34, get_print_colour(s, body), 180)
    c.text(220, top + 166, s.model, 24, get_print_colour(s, body), width=140)
    draw_feet(c, (190, 540), 628)


@draws("inkjet")
def inkjet(c: Canvas, s: Subject) -> None:
    """Draw an ink tank printer with its four visible tanks."""
    body = s.tint("#30353d")
    c.shadow(420, 650, 300)
    c.path("M230 320L260 190H560L580 320Z", "#ffffff", 'stroke="#d5dce4" stroke-width="2"')
    draw_cuboid(c, 130, 340, 480, 250, 160, body, 20)
    c.rect(150, 356, 440, 20, shade(body, 0.25), 10)
    draw_panel(c, 200, 400, 150, 50)
    c.rect(440, 420, 150, 120, shade(body, -0.4), 10)
    for step, tint in enumerate(("#30353d", "#1aa7c4", "#d13a8b", "#f4bd25")):
        c.rect(450 + step * 34, 430, 28, 100, "#e8eef3", 4)
        c.rect(450 + step * 34, 456 + step * 9, 28, 74 - step * 9, tint, 4)
    c.rect(170, 530, 240, 14, shade(body, -0.5), 6)
    sheet_out(c, 190, 566, 220)
    mark(c, s, 280, 500, 30, get_text_colour(body), 160)


@draws("dotmatrix")
def dotmatrix(c: Canvas, s: Subject) -> None:
    """Draw a dot matrix printer with continuous paper."""
    body = s.tint("#8f98a5")
    c.shadow(420, 640, 310)
    c.path("M230 390L280 180H620L600 390Z", "#ffffff", 'stroke="#d5dce4" stroke-width="2"')
    c.stroke(
        "".join(
            f"M{252 + n * 6:g} {370 - n * 25:g}h1M{590 + n * 3:g} {370 - n * 25:g}h1"
            for n in range(8)
        ),
        "#b9c4cf",
        9,
    )
    c.stroke("M310 250h240M304 290h240M298 330h180", "#cfd7df", 6)
    draw_cuboid(c, 110, 420, 520, 190, 150, shade(body, 0.35), 14)
    c.path("M130 420L230 366H660L620 420Z", c.slant(shade(body, -0.1)))
    draw_knob(c, 660, 470, 34, "#59626f")
    draw_panel(c, 440, 450, 160, 44)
    mark(c, s, 240, 490, 36)
    c.rect(140, 560, 460, 10, shade(body, -0.2), 5)


@draws("labelprinter")
def labelprinter(c: Canvas, s: Subject) -> None:
    """Draw a label printer with a label coming out."""
    body = s.tint("#30353d")
    c.shadow(420, 640, 260)
    draw_cuboid(c, 210, 320, 330, 290, 170, body, 30)
    c.rect(240, 440, 270, 16, shade(body, -0.6), 8)
    c.rect(270, 448, 210, 150, "#ffffff", 4, 'stroke="#d5dce4" stroke-width="2"')
    c.stroke(
        "".join(f"M{292 + n * 9} 470v50" for n in range(19) if (s.seed >> n) & 1 or n % 3 == 0),
        INK,
        5,
    )
    c.text(375, 570, s.model, 28, INK, width=180)
    c.path("M236 330Q240 250 340 246H600L545 330Z", "#cfe2ee", 'opacity=".55"')
    mark(c, s, 310, 392, 30, get_text_colour(body), 160)
    c.disc(480, 384, 12, "#5fdc8b")


@draws("copier")
def copier(c: Canvas, s: Subject) -> None:
    """Draw a floor-standing copier with three paper drawers."""
    c.shadow(420, 690, 240)
    draw_cuboid(c, 220, 160, 300, 50, 150, "#dfe4e9", 10)
    draw_cuboid(c, 200, 206, 340, 70, 170, "#4a525e", 8)
    draw_cuboid(c, 200, 290, 340, 380, 170, WHITE, 8)
    c.rect(220, 300, 300, 70, "#3a414b", 8)
    c.path("M236 362L270 330H500L510 362Z", "#ffffff")
    for step in range(3):
        c.rect(212, 390 + step * 92, 316, 82, c.down("#e3e8ed"), 6)
        c.rect(330, 420 + step * 92, 80, 12, "#8d96a3", 6)
    c.begin("rotate(-10 200 260)")
    draw_screen(c, s, 120, 214, 130, 86, 10)
    c.end()
    mark(c, s, 450, 414, 24, s.accent, 120)
    draw_feet(c, (240, 500), 668, w=36)


@draws("scanner")
def scanner(c: Canvas, s: Subject) -> None:
    """Draw a document feeder scanner, or a flat bed."""
    c.shadow(410, 640, 280)
    if s.says("平板"):
        draw_cuboid(c, 120, 520, 480, 90, 230, WHITE, 12)
        c.path("M130 516L310 424H770L596 516Z", c.slant("#dfe6ec"))
        mark(c, s, 300, 580, 36)
        c.disc(540, 564, 14, "#5fdc8b")
        return
    c.path("M260 320L310 170H560L560 320Z", c.slant("#e6ebf0"))
    c.path("M290 320L330 150H530L530 320Z", "#ffffff", 'stroke="#d5dce4" stroke-width="2"')
    c.path("M200 330Q210 300 250 300H570Q610 300 616 330L650 560H170Z", c.down("#f3f5f7"))
    c.path("M216 420H604L640 540H184Z", c.down("#333a44"))
    c.path("M150 560H670L690 620H130Z", c.down("#e1e6eb"))
    mark(c, s, 330, 380, 34)
    draw_panel(c, 450, 340, 130, 44)
    sheet_out(c, 260, 566, 290)


@draws("docscanner")
def docscanner(c: Canvas, s: Subject) -> None:
    """Draw a document camera over a sheet."""
    body = s.tint(WHITE)
    c.shadow(410, 650, 270)
    c.path("M160 600L290 520H680L600 640H140Z", c.slant("#3c434d"))
    c.path("M220 600L320 540H620L560 616H216Z", "#ffffff")
    c.rect(180, 200, 56, 400, c.tube(body), 20)
    c.rect(180, 180, 340, 60, c.rod(body), 28)
    c.disc(480, 244, 34, c.ball(INK))
    c.disc(480, 248, 15, "#7fc3e8")
    mark(c, s, 330, 220, 28, get_print_colour(s, body))


@draws("projector")
def projector(c: Canvas, s: Subject) -> None:
    """Draw a projector with its lens to the front right."""
    c.shadow(410, 600, 300)
    c.path("M620 330L780 240V560L620 440Z", "#fff4c9", 'opacity=".45"')
    draw_cuboid(c, 110, 350, 490, 210, 150, WHITE, 26)
    c.disc(480, 455, 88, c.slant("#d3dae1"))
    c.disc(480, 455, 68, c.ball(INK))
    c.disc(480, 455, 42, c.ball("#31577e"))
    c.disc(462, 436, 14, "#ffffff", 'opacity=".75"')
    c.stroke("".join(f"M{150 + n * 18} 500v36" for n in range(12)), "#aab4c0", 6)
    mark(c, s, 250, 440, 42)
    c.text(250, 476, s.spec, 24, "#7b8797", width=220)
    draw_feet(c, (170, 540), 556, w=40)


@draws("screen")
def projection_screen(c: Canvas, s: Subject) -> None:
    """Draw a projection screen, hung or on its tripod."""
    c.shadow(400, 690, 220, 14)
    if s.says("支架"):
        c.stroke("M400 560V690M400 600L280 690M400 600L520 690", "#59626f", 10)
    c.rect(110, 160, 580, 44, c.rod("#e6ebf0"), 12)
    c.rect(140, 200, 520, 360, INK)
    c.rect(156, 208, 488, 338, c.slant("#ffffff"))
    c.rect(130, 556, 540, 18, c.rod("#3a414b"), 8)
    mark(c, s, 400, 192, 24)
    c.text(400, 400, s.spec, 54, "#c9d2db", weight=700)
