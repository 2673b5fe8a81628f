"""Desk tools: staplers, clips, tape, glue, scissors, stamps."""

from demo.pictures.canvas import Canvas
from demo.pictures.colour import INK, RAINBOW, STEEL, WHITE, get_text_colour, shade
from demo.pictures.registry import draws
from demo.pictures.shapes import (
    draw_bottle,
    draw_carton,
    draw_cuboid,
    draw_cylinder,
    draw_knob,
    draw_label,
    draw_roll,
    draw_ruler_marks,
    mark,
)
from demo.pictures.subject import Subject


@draws("stapler")
def stapler(c: Canvas, s: Subject) -> None:
    """Draw a stapler from the side, a little open."""
    body = s.tint("#30353d")
    c.shadow(400, 610, 300)
    c.path("M110 560H670q22 0 22 20v10q0 14 -16 14H130q-30 0 -30 -24Z", c.down(shade(body, -0.15)))
    c.path("M150 540H650l20 20H130Z", c.down(STEEL))
    c.begin("rotate(-9 160 520)")
    c.path("M140 500H660q16 0 16 18v24H140Z", c.down(STEEL))
    c.path("M120 520C116 430 150 390 240 388L600 400q92 6 92 84v36H120Z", c.down(body))
    c.path("M160 432q24 -26 84 -26l340 10q40 4 60 30Z", "#ffffff", 'opacity=".22"')
    mark(c, s, 400, 480, 40, get_text_colour(body), 260)
    c.end()
    draw_knob(c, 160, 540, 26)


@draws("staples")
def staples(c: Canvas, s: Subject) -> None:
    """Draw a small box of staples with two strips in front of it."""
    c.shadow(410, 640, 280)
    draw_carton(c, s, 210, 280, 360, 270, 150)
    for x, y in ((130, 560), (330, 590)):
        c.rect(x, y, 200, 46, c.rod(STEEL), 4)
        c.stroke(
            "".join(f"M{x + 10 * n:g} {y + 4}v38" for n in range(1, 20)), shade(STEEL, -0.3), 1.6
        )


@draws("punch")
def punch(c: Canvas, s: Subject) -> None:
    """Draw a punch with its long handle."""
    body = s.tint("#30353d")
    c.shadow(410, 630, 290)
    c.path("M130 560H640q40 0 40 34t-40 34H130q-30 0 -30 -34t30 -34Z", c.down(INK))
    c.rect(190, 480, 390, 90, c.down(STEEL), 12)
    for x in (260, 500):
        c.rect(x - 22, 420, 44, 130, c.tube(shade(STEEL, -0.1)), 8)
    c.path(
        "M170 440C190 350 330 300 560 292q70 0 70 42 0 34 -60 44C420 396 300 420 260 470Z",
        c.down(body),
    )
    c.path(
        "M216 412C250 356 370 322 560 316",
        "none",
        'stroke="#fff" stroke-width="12" opacity=".25" stroke-linecap="round"',
    )
    mark(c, s, 390, 606, 34, "#ffffff")


@draws("binderclip")
def binderclip(c: Canvas, s: Subject) -> None:
    """Draw binder clips, one in front of the others."""
    tints = s.tints("#30353d", 3)
    c.shadow(400, 640, 290)
    for (x, y, size), tint in zip(
        ((250, 330, 0.72), (560, 340, 0.72), (400, 460, 1.15)), tints, strict=True
    ):
        c.begin(f"translate({x} {y}) scale({size})")
        c.stroke("M-64 -20C-90 -150 -60 -190 -30 -190S-6 -150 -20 -20", STEEL, 13)
        c.stroke("M64 -20C90 -150 60 -190 30 -190S6 -150 20 -20", shade(STEEL, -0.12), 13)
        c.path("M-120 -20H120L150 140Q150 160 130 160H-130Q-150 160 -150 140Z", c.down(tint))
        c.path("M-120 -20H120l6 30H-126Z", shade(tint, 0.35), 'opacity=".6"')
        c.rect(-150, 134, 300, 24, c.rod(shade(tint, -0.1)), 12)
        c.end()
    c.text(400, 590, s.english, 28, get_text_colour(tints[2]), width=220, weight=700)


@draws("paperclip")
def paperclip(c: Canvas, s: Subject) -> None:
    """Draw a box of paper clips and some loose clips."""
    tints = list(RAINBOW[:5]) if s.is_rainbow else [shade(STEEL, -0.15)] * 5
    c.shadow(400, 640, 290)
    draw_carton(c, s, 250, 230, 330, 270, 130)
    for step, tint in enumerate(tints):
        c.begin(
            f"translate({170 + step * 112} {590 - (step % 2) * 26}) rotate({-40 + step * 27}) scale(.9)"
        )
        c.stroke("M-20 40V-44a24 24 0 0 1 48 0V52a36 36 0 0 1 -72 0V-30", tint, 9)
        c.end()


@draws("tape", "packtape", "etape")
def tape(c: Canvas, s: Subject) -> None:
    """Draw a roll of tape; a pack shows three."""
    colour = {"etape": s.tint("#30353d")}.get(
        s.kind, "#ead9b8" if s.says("米黄") else s.tint("#d4e3ea")
    )
    if s.says("警示"):
        colour = "#f4bd25"
    c.shadow(430, 640, 290)
    thick = 150 if s.kind == "packtape" else 90
    spots = (
        ((300, 430, 1.0),)
        if s.pack_count == 1
        else ((230, 300, 0.62), (470, 290, 0.62), (330, 470, 0.82))
    )
    for x, y, size in spots:
        c.begin(f"translate({x} {y}) scale({size})")
        draw_roll(c, 0, 0, 200, 122, thick * 1.5, colour, "#e2cfae")
        c.text(thick * 0.2, 176, s.english, 26, shade(colour, -0.5), width=160, weight=700)
        c.end()


@draws("gluestick")
def gluestick(c: Canvas, s: Subject) -> None:
    """Draw a glue stick, its cap beside it."""
    c.shadow(400, 650, 230)
    draw_cylinder(c, 350, 330, 170, 300, s.accent)
    c.rect(265, 400, 170, 170, c.tube("#ffffff"))
    c.text(350, 465, s.brand, 50, s.accent, width=140, weight=700)
    c.text(350, 510, s.noun, 30, INK, width=140)
    c.text(350, 548, s.spec, 28, INK, width=130, weight=400)
    c.rect(278, 240, 144, 100, c.tube("#fbfbf6"), 10)
    c.oval(350, 244, 72, 14, "#ffffff")
    c.rect(252, 600, 196, 44, c.tube(shade(s.accent, -0.3)), 8)
    draw_cylinder(c, 560, 520, 150, 110, s.accent)


@draws("gluebottle")
def gluebottle(c: Canvas, s: Subject) -> None:
    """Draw a squeeze bottle with a nozzle."""
    c.shadow(400, 650, 210)
    draw_bottle(c, 400, 260, 250, 390, "#eef3f6", neck=0.46, shoulder=0.16)
    c.path("M342 270H458L440 200H360Z", c.tube(s.accent))
    c.path("M372 200H428L412 120H388Z", c.tube(shade(s.accent, 0.25)))
    draw_label(c, s, 290, 380, 220, 200)


@draws("scissors")
def scissors(c: Canvas, s: Subject) -> None:
    """Draw scissors, half open."""
    grip = s.tint("#30353d")
    c.shadow(410, 650, 200, 16)
    for turn, flip in ((-15, 1), (15, -1)):
        c.begin(f"translate(400 400) rotate({turn}) scale({flip} 1)")
        c.path("M-8 -290Q22 -270 26 -200L28 30L-14 60Z", c.tube(STEEL))
        c.path("M-22 20L30 20C60 60 110 90 110 170S60 270 8 262S-60 190 -44 130Z", c.down(grip))
        c.path("M6 110C40 100 72 130 70 176S34 230 6 222S-24 170 6 110Z", "#f8fafb")
        c.end()
    draw_knob(c, 400, 400, 20)
    mark(c, s, 400, 700, 26, shade(s.accent, 0.1))


@draws("cutter")
def cutter(c: Canvas, s: Subject) -> None:
    """Draw a cutter with its blade out."""
    body = s.tint("#f4bd25")
    c.shadow(400, 620, 300)
    c.begin("translate(400 400) rotate(-28)")
    c.path("M-330 -22L-130 -36V40L-300 40Z", c.down(shade(STEEL, 0.25)))
    c.stroke("M-280 36L-262 -26M-238 38L-220 -30M-196 40L-178 -32", shade(STEEL, -0.35), 3)
    c.path("M-150 -56H230Q310 -56 310 10T230 66H-110Q-150 66 -150 30Z", c.rod(body))
    c.rect(-130, -20, 300, 30, c.rod(shade(STEEL, -0.1)), 8)
    c.rect(10, -44, 90, 66, c.rod(INK), 12)
    c.path("M120 24H270q18 0 18 18l-20 24H110Z", c.rod(INK))
    mark(c, s, -50, 52, 26, get_text_colour(body), 150)
    c.end()


@draws("ruler")
def ruler(c: Canvas, s: Subject) -> None:
    """Draw a ruler, or a set square for a set."""
    steel = s.says("不锈钢")
    c.shadow(400, 600, 310, 18)
    c.begin("translate(400 400) rotate(-24)")
    if s.says("三角"):
        c.path(
            "M-280 140H280L-280 -240Z M-180 80V-80L50 80Z",
            "#bfe0ee",
            'fill-rule="evenodd" opacity=".85"',
        )
        draw_ruler_marks(c, -270, 140, 520, 40, -26, "#38566b")
    else:
        c.rect(-340, -46, 680, 92, c.rod(STEEL if steel else "#cfe7f2"), 8)
        draw_ruler_marks(c, -325, -44, 650, 50, 34, "#33475a")
    mark(c, s, -140, 30, 26, "#33475a", 200)
    c.end()


@draws("stamp")
def stamp(c: Canvas, s: Subject) -> None:
    """Draw a stamp with its ink pad."""
    ink = s.tint("#d63b3f")
    c.shadow(400, 640, 290)
    draw_cuboid(c, 350, 540, 300, 90, 120, "#3a4048")
    c.path("M372 536L452 498H716L640 536Z", c.slant(ink))
    c.begin("translate(250 400)")
    c.rect(-84, 130, 168, 80, c.tube(shade(s.accent, -0.1)), 10)
    c.rect(-90, 200, 180, 34, c.tube(ink), 6)
    c.path(
        "M-36 130C-40 60 -70 20 -70 -50S-30 -160 0 -160S70 -120 70 -50S40 60 36 130Z",
        c.tube("#8a5a35"),
    )
    c.text(0, 182, s.english, 26, "#ffffff", width=150, weight=700)
    c.end()


@draws("penholder")
def penholder(c: Canvas, s: Subject) -> None:
    """Draw a pen holder with some pens in it."""
    body = s.tint("#30353d")
    c.shadow(400, 650, 240)
    for x, turn, tint in ((330, -8, "#2f6fd0"), (400, 3, "#d63b3f"), (460, 10, "#f4bd25")):
        c.begin(f"translate({x} 300) rotate({turn})")
        c.rect(-14, -130, 28, 260, c.tube(tint), 8)
        c.end()
    draw_cylinder(c, 400, 360, 300, 280, body, shade(body, -0.4))
    if s.says("网"):
        grid = "".join(f"M{266 + n * 30} 400V640" for n in range(10)) + "".join(
            f"M254 {420 + n * 30}H546" for n in range(8)
        )
        c.stroke(grid, shade(body, 0.35), 2, 'opacity=".5"')
    mark(c, s, 400, 520, 34, get_text_colour(body))


@draws("boarderaser")
def boarderaser(c: Canvas, s: Subject) -> None:
    """Draw a board eraser."""
    c.shadow(410, 620, 290)
    draw_cuboid(c, 140, 520, 440, 80, 150, "#c8ccd2")
    draw_cuboid(c, 140, 420, 440, 104, 150, s.tint(s.accent), 16)
    c.text(360, 488, s.english, 44, WHITE, width=360, weight=700)


@draws("magnet", "pins")
def magnet(c: Canvas, s: Subject) -> None:
    """Draw magnets or push pins in many colours."""
    c.shadow(400, 640, 290)
    tints = list(RAINBOW) if s.is_rainbow else [s.tint("#c3cad3")] * 6
    for step, tint in enumerate(tints):
        x, y = 210 + step % 3 * 190, 330 + step // 3 * 210
        if s.kind == "magnet":
            draw_cylinder(c, x, y, 140, 60, tint, squash=0.3)
            c.oval(x, y, 44, 24, shade(tint, 0.25), 'opacity=".7"')
        else:
            c.stroke(f"M{x} {y + 40}l26 70", STEEL, 6)
            c.begin(f"translate({x} {y}) rotate(-18)")
            c.path("M-34 44H34L20 10V-40H-20V10Z", c.tube(tint))
            c.oval(0, -42, 42, 17, c.slant(shade(tint, 0.15)))
            c.end()
    mark(c, s, 400, 690, 26, shade(s.accent, 0.1))
