"""Pens, markers, pencils and their accessories."""

from demo.pictures.canvas import Canvas
from demo.pictures.colour import INK, STEEL, WHITE, get_text_colour, shade
from demo.pictures.registry import Template, draws
from demo.pictures.shapes import draw_bottle, draw_carton, draw_cuboid, draw_label
from demo.pictures.subject import Subject


def draw_writers(c: Canvas, s: Subject, draw: Template, scale: float = 1.0) -> None:
    """Draw two pens side by side; for a pack, three pens in front of the box. `draw` draws one
    pen upright around 0,0.
    """
    if s.pack_count > 1:
        c.shadow(430, 640, 290)
        draw_cuboid(c, 380, 320, 250, 310, 110, s.accent)
        draw_label(c, s, 398, 350, 214, 160)
        c.text(505, 590, f"{s.pack_count}", 62, "#ffffff", weight=700)
        for turn, x in ((-30, 205), (-18, 275), (-6, 345)):
            c.begin(f"translate({x} 420) rotate({turn}) scale({0.82 * scale:g})")
            draw(c, s)
            c.end()
        return
    c.shadow(400, 640, 300, 20)
    c.begin(f"translate(480 400) rotate(42) scale({1.12 * scale:g})")
    draw(c, s)
    c.end()
    c.begin(f"translate(300 420) rotate(42) scale({1.12 * scale:g})")
    draw(c, s)
    c.end()


def print_on(c: Canvas, s: Subject, fill: str, y: float = 60) -> None:
    """Print the brand along the barrel."""
    c.begin(f"translate(7 {y}) rotate(-90)")
    c.text(0, 0, f"{s.english} {s.spec}", 20, fill, width=190, weight=600)
    c.end()


def gel(c: Canvas, s: Subject) -> None:
    """A click pen: clear or coloured barrel, rubber grip, clip, metal tip; upright around 0,0."""
    ink = s.tint(INK)
    body = ink if s.seed % 3 else WHITE
    if s.seed % 4 == 1:
        body = "#dfe9f1"
    c.rect(-9, -270, 18, 40, c.tube(ink), 6)
    c.rect(-20, -240, 40, 330, c.tube(body), 8)
    c.rect(-20, 86, 40, 110, c.tube(shade(ink, -0.1)), 4)
    for line in range(5):
        c.rect(-20, 102 + line * 18, 40, 4, "#ffffff", 2, 'opacity=".22"')
    c.path("M-19 196H19L9 246H-9Z", c.tube(STEEL))
    c.path("M-6 246H6L2 268H-2Z", c.tube(shade(STEEL, -0.2)))
    c.rect(-20, -246, 40, 16, c.tube(STEEL), 3)
    c.path("M10 -236h16q8 0 8 10v126q0 10 -8 10t-8 -10v-110h-8Z", c.tube(shade(STEEL, 0.1)))
    print_on(c, s, get_text_colour(body))


def capped(c: Canvas, s: Subject) -> None:
    """A pen with its cap on the end."""
    ink = s.tint(INK)
    c.rect(-19, -120, 38, 310, c.tube("#e6edf3"), 6)
    c.rect(-7, -100, 14, 290, c.tube(ink), 6)
    c.rect(-21, -268, 42, 160, c.tube(ink), 12)
    c.path("M12 -250h14q8 0 8 10v110q0 9 -7 9t-7 -9v-100h-8Z", c.tube(shade(ink, -0.15)))
    c.rect(-21, 96, 42, 96, c.tube(shade(ink, 0.06)), 8)
    c.path("M-15 192H15L6 250H-6Z", c.tube(STEEL))
    c.rect(-2.5, 250, 5, 16, shade(STEEL, -0.35), 2)
    print_on(c, s, get_text_colour("#e6edf3"), 50)


@draws("pen")
def pen(c: Canvas, s: Subject) -> None:
    """Draw a gel pen, clicked or capped."""
    draw_writers(c, s, capped if s.says("拔帽", "走珠", "大容量", "商务宝珠") else gel)


def ball(c: Canvas, s: Subject) -> None:
    """A slim ball pen in its ink's colour."""
    ink = s.tint("#2f6fd0")
    c.rect(-10, -268, 20, 34, c.tube(STEEL), 8)
    c.path("M-17 -236H17L21 60H-21Z", c.tube(ink))
    c.rect(-21, 60, 42, 14, c.tube(STEEL), 2)
    c.path("M-21 74H21L16 190H-16Z", c.tube(shade(ink, -0.2)))
    c.path("M-16 190H16L4 262H-4Z", c.tube(STEEL))
    c.rect(12, -228, 13, 140, c.tube(STEEL), 6)
    print_on(c, s, "#ffffff", 10)


@draws("ballpen")
def ballpen(c: Canvas, s: Subject) -> None:
    """Draw a ball pen."""
    draw_writers(c, s, ball)


def nib(c: Canvas, s: Subject) -> None:
    """An open fountain pen with a nib of steel and gold."""
    body = s.tint("#23304a")
    gold = "#d9b25a"
    c.rect(-24, -270, 48, 250, c.tube(body), 18)
    c.rect(-26, -44, 52, 20, c.tube(gold), 4)
    c.path("M-22 -24H22L17 140H-17Z", c.tube(shade(body, -0.2)))
    c.rect(-17, 136, 34, 10, c.tube(gold), 2)
    c.path("M-16 146H16L20 176L0 270L-20 176Z", c.tube(shade(gold, 0.15)))
    c.disc(0, 190, 5, shade(gold, -0.6))
    c.stroke("M0 192V266", shade(gold, -0.6), 2)
    c.rect(16, -250, 13, 150, c.tube(gold), 6)
    print_on(c, s, "#ffffff", -130)


@draws("fountain")
def fountain(c: Canvas, s: Subject) -> None:
    """Draw a fountain pen, alone or in its gift box."""
    if s.says("礼盒"):
        c.shadow(400, 640, 300)
        draw_cuboid(c, 150, 360, 440, 250, 130, "#2a3140")
        c.rect(180, 390, 380, 190, c.down("#e9e2d3"), 10)
        c.begin("translate(370 486) rotate(90) scale(.62)")
        nib(c, s)
        c.end()
        return
    draw_writers(c, s, nib)


@draws("refill")
def refill(c: Canvas, s: Subject) -> None:
    """Draw refills in front of their box."""
    ink = s.tint(INK)
    c.shadow(420, 640, 280)
    draw_carton(c, s, 330, 300, 300, 330, 110)
    for step in range(4):
        c.begin(f"translate({150 + step * 46} {430 + step * 6}) rotate({-16 + step * 5})")
        c.rect(-9, -230, 18, 400, c.tube("#e3ebf2"), 5)
        c.rect(-6, -140, 12, 310, c.tube(ink), 4)
        c.path("M-9 170H9L4 214H-4Z", c.tube("#d9b25a"))
        c.end()


def thick(c: Canvas, s: Subject) -> None:
    """A marker: thick barrel, cap beside the tip."""
    ink = s.tint(INK)
    barrel = WHITE if s.kind == "wbmarker" else shade(ink, -0.12)
    c.rect(-34, -230, 68, 300, c.tube(barrel), 14)
    c.rect(-34, -230, 68, 60, c.tube(ink), 14)
    c.path("M-34 70H34L24 130H-24Z", c.tube(shade(barrel, 0.08)))
    c.rect(-22, 130, 44, 60, c.tube(ink), 6)
    c.path("M-15 190H15L9 232Q0 240 -9 232Z", c.tube(shade(ink, -0.15)))
    c.rect(-34, -150, 68, 160, c.tube(shade(s.accent, 0.9)), 0, 'opacity=".92"')
    c.begin("translate(0 -70) rotate(-90)")
    c.text(0, -2, s.english, 24, s.accent, width=140, weight=700)
    c.text(0, 22, s.model, 17, INK, width=140, weight=500)
    c.end()


@draws("marker", "wbmarker")
def marker(c: Canvas, s: Subject) -> None:
    """Draw a marker."""
    draw_writers(c, s, thick, 0.95)


def glow(c: Canvas, s: Subject) -> None:
    """A highlighter with its chisel tip uncovered."""
    ink = {"黄色": "#eef02e", "绿色": "#66e08a", "粉色": "#ff7eb2", "橙色": "#ffab45"}.get(
        s.colour_word, "#eef02e"
    )
    c.rect(-36, -220, 72, 300, c.tube(ink), 20)
    c.path("M-36 80H36L24 150H-24Z", c.tube(shade(ink, -0.12)))
    c.rect(-24, 150, 48, 40, c.tube(INK), 4)
    c.path("M-14 190H14V214L-14 240Z", c.down(ink))
    c.rect(24, -200, 14, 130, c.tube(shade(ink, -0.15)), 7)
    print_on(c, s, "#3a4350", -60)


@draws("highlighter")
def highlighter(c: Canvas, s: Subject) -> None:
    """Draw a highlighter above its stroke."""
    ink = {"黄色": "#eef02e", "绿色": "#66e08a", "粉色": "#ff7eb2", "橙色": "#ffab45"}.get(
        s.colour_word, "#eef02e"
    )
    if s.pack_count == 1:
        c.path("M120 560q140 -26 300 -8t250 -14l-4 54q-120 22 -260 6t-286 14Z", ink, 'opacity=".5"')
    draw_writers(c, s, glow, 0.95)


def wooden(c: Canvas, s: Subject) -> None:
    """A pencil with a rubber."""
    paint = ("#e2a72e", "#2e7d5b", "#a8323a", "#2d4f8f")[s.seed % 4]
    c.rect(-16, -268, 32, 34, c.tube("#ea9aa6"), 8)
    c.rect(-16, -240, 32, 30, c.tube(STEEL), 2)
    c.rect(-16, -210, 32, 390, c.tube(paint))
    c.rect(-5, -210, 10, 390, shade(paint, 0.3), 0, 'opacity=".5"')
    c.path("M-16 180H16L5 244H-5Z", c.tube("#e8c79a"))
    c.path("M-5 244H5L0 268Z", INK)
    print_on(c, s, "#ffffff", 0)


@draws("pencil")
def pencil(c: Canvas, s: Subject) -> None:
    """Draw pencils."""
    draw_writers(c, s, wooden)


@draws("crayon")
def crayon(c: Canvas, s: Subject) -> None:
    """Draw a row of crayons in their open box."""
    c.shadow(400, 640, 290)
    wheel = (
        "#e5595c",
        "#f08135",
        "#f4bd25",
        "#8cc152",
        "#37a36a",
        "#1aa7c4",
        "#2f6fd0",
        "#8b62c9",
        "#d13a8b",
        "#86583a",
        "#30353d",
        "#f0b8c4",
    )
    count = 8 + s.seed % 4
    width = 440 / count
    for step in range(count):
        x = 180 + step * width
        top = 190 + (step * 37 + s.seed) % 60
        c.rect(x + 3, top + 60, width - 6, 300, c.tube(wheel[step % 12]), 4)
        c.path(
            f"M{x + 3:g} {top + 62:g}L{x + width / 2:g} {top:g}L{x + width - 3:g} {top + 62:g}Z",
            shade(wheel[step % 12], 0.2),
        )
    draw_cuboid(c, 160, 400, 480, 230, 20, s.accent)
    draw_label(c, s, 230, 430, 340, 170)


@draws("correction")
def correction(c: Canvas, s: Subject) -> None:
    """Draw a correction tape with its wheels visible through the case."""
    body = s.tint("#3fa0d8")
    c.shadow(400, 620, 270)
    c.begin("translate(400 420) rotate(-14)")
    c.path(
        "M-250 20C-250 -120 -120 -170 20 -160S240 -110 262 -20L300 60Q306 84 280 84L150 96C80 150 -250 170 -250 20Z",
        c.down(body),
    )
    c.path(
        "M-214 14C-214 -90 -110 -134 16 -126S196 -90 214 -20L150 40C70 100 -214 120 -214 14Z",
        "#ffffff",
        'opacity=".34"',
    )
    for x, r in ((-100, 82), (86, 56)):
        c.disc(x, -10, r, c.slant("#f5f7f9"))
        c.disc(x, -10, r * 0.62, c.slant(shade(body, 0.5)))
        c.disc(x, -10, r * 0.22, c.ball(STEEL))
    c.path("M278 56l44 26 -6 16 -52 -12Z", c.down(WHITE))
    c.text(-60, 118, s.english, 32, "#ffffff", width=200, weight=700)
    c.end()
    c.rect(560, 520, 150, 22, "#ffffff", 4, 'stroke="#d5dce4"')


@draws("eraser")
def eraser(c: Canvas, s: Subject) -> None:
    """Draw an eraser in its paper sleeve."""
    c.shadow(410, 610, 280)
    draw_cuboid(c, 150, 420, 420, 170, 170, WHITE, 18)
    draw_cuboid(c, 150, 420, 290, 170, 170, s.accent, 4)
    c.text(295, 500, s.english, 46, "#ffffff", width=240, weight=700)
    c.text(295, 552, f"{s.noun} {s.attributes.get('规格', '')}", 28, "#ffffff", width=240)


@draws("inkbottle")
def inkbottle(c: Canvas, s: Subject) -> None:
    """Draw a low glass bottle of ink, or a box of ink sacs."""
    ink = s.tint("#1f2c4d")
    c.shadow(400, 640, 260)
    if s.says("墨囊"):
        draw_carton(c, s, 300, 300, 320, 330, 110)
        for x in (150, 205, 260):
            c.rect(x, 380, 42, 250, c.tube(ink), 18)
            c.rect(x + 12, 352, 18, 34, c.tube("#e3ebf2"), 6)
        return
    draw_bottle(c, 400, 300, 330, 340, shade(ink, 0.12), neck=0.5, shoulder=0.14)
    c.rect(312, 220, 176, 92, c.tube(INK), 12)
    draw_label(c, s, 280, 430, 240, 150)
