"""Office machines: printers, scanners, shredders, counters, clocks, safes."""

from demo.pictures.canvas import Canvas
from demo.pictures.colour import INK, STEEL, WHITE, get_text_colour, shade
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


@draws("shredder")
def shredder(c: Canvas, s: Subject) -> None:
    """Draw a shredder with a sheet in it and strips in its window."""
    c.shadow(410, 670, 230)
    c.rect(280, 130, 220, 130, "#ffffff", 4, 'stroke="#d5dce4" stroke-width="2"')
    c.stroke("M310 165h150M310 195h110", "#c3ccd6", 6)
    draw_cuboid(c, 220, 340, 330, 310, 130, "#3a414b", 14)
    draw_cuboid(c, 204, 250, 362, 100, 144, "#e9edf1" if s.seed % 2 else "#4a525e", 18)
    c.rect(264, 262, 250, 14, "#1c2129", 7)
    c.rect(300, 400, 170, 210, c.slant("#22272f"), 12)
    for n in range(22):
        c.rect(
            308 + n * 37 % 150,
            520 + n * 23 % 76,
            12,
            26,
            ("#ffffff", "#dfe6ec", shade(s.accent, 0.6))[n % 3],
            2,
            f'transform="rotate({n * 41} {314 + n * 37 % 150} {533 + n * 23 % 76})"',
        )
    mark(c, s, 330, 324, 30, s.accent if s.seed % 2 else "#ffffff", 170)
    c.disc(500, 316, 12, "#5fdc8b")
    draw_feet(c, (260, 510), 646, w=40)


@draws("bindmachine")
def bindmachine(c: Canvas, s: Subject) -> None:
    """Draw a binding machine with its lever."""
    c.shadow(410, 650, 270)
    c.rect(300, 180, 40, 280, c.tube(STEEL), 10)
    c.rect(460, 180, 40, 280, c.tube(STEEL), 10)
    draw_cuboid(c, 250, 190, 290, 130, 90, shade(s.accent, 0.05), 16)
    mark(c, s, 395, 268, 34, "#ffffff", 230)
    c.stroke("M560 260L690 180", "#59626f", 22)
    c.disc(694, 178, 28, c.ball(INK))
    c.rect(376, 320, 48, 130, c.tube("#8d96a3"), 6)
    draw_cuboid(c, 150, 480, 460, 140, 150, "#e6ebf0", 12)
    c.path("M230 474L310 430H560L500 474Z", "#ffffff", 'stroke="#d5dce4"')
    draw_panel(c, 190, 530, 150, 46)


@draws("laminator")
def laminator(c: Canvas, s: Subject) -> None:
    """Draw a laminator with a film at its entry."""
    body = s.tint(WHITE)
    c.shadow(400, 630, 310)
    c.path("M210 440L260 300H560L590 440Z", "#e4f0f7", 'stroke="#bfd3e0" stroke-width="2"')
    c.rect(310, 330, 200, 90, "#ffffff", 4)
    c.path(
        "M90 600V500Q90 420 180 420H620Q710 420 710 500V600Q710 616 690 616H110Q90 616 90 600Z",
        c.down(body),
    )
    c.rect(150, 440, 500, 18, INK, 9)
    draw_panel(c, 510, 500, 150, 46)
    draw_knob(c, 440, 524, 26)
    mark(c, s, 250, 548, 42, get_print_colour(s, body))


@draws("trimmer")
def trimmer(c: Canvas, s: Subject) -> None:
    """Draw a paper trimmer with its arm up."""
    c.shadow(410, 640, 300)
    c.path("M110 560L280 380H710L590 560Z", c.slant("#e9edf1"))
    c.path("M110 560H590V600H110Z", c.down("#c9d1da"))
    c.path("M590 560L710 380V420L590 600Z", c.down("#aeb8c3"))
    c.stroke("M180 540L310 404M260 540L390 404M340 540L470 404M420 540L550 404", "#b9c4cf", 2)
    c.begin("rotate(-24 600 560)")
    c.path("M600 540L690 330L716 342L640 570Z", c.slant(STEEL))
    c.rect(646, 210, 40, 140, c.tube(s.accent), 18)
    c.end()
    mark(c, s, 350, 590, 26)


@draws("cashcounter")
def cashcounter(c: Canvas, s: Subject) -> None:
    """Draw a banknote counter."""
    c.shadow(420, 650, 260)
    c.path("M270 250L300 180H560L580 250Z", "#cfe6d8", 'stroke="#9cc3ab" stroke-width="2"')
    draw_cuboid(c, 200, 250, 380, 370, 130, "#e6ebf0", 24)
    draw_screen(c, s, 240, 280, 180, 90, 10)
    c.text(330, 340, "100", 46, "#ffffff", weight=700)
    for n in range(6):
        c.rect(446 + n % 2 * 56, 284 + n // 2 * 34, 44, 24, "#59626f", 6)
    c.path("M230 420H550L530 560H250Z", c.down("#2b313a"))
    c.path("M280 440H500L490 540H290Z", "#d98f9a")
    c.text(390, 506, "¥100", 44, "#ffffff", weight=700)
    mark(c, s, 390, 600, 30)


@draws("calculator")
def calculator(c: Canvas, s: Subject) -> None:
    """Draw a desk calculator with its own number on the display."""
    body = s.tint("#8f98a5")
    c.shadow(410, 660, 240)
    c.begin("rotate(-4 400 400)")
    c.rect(220, 140, 360, 510, c.slant(shade(body, -0.3)), 34)
    c.rect(220, 130, 360, 506, c.slant(body), 34)
    c.rect(250, 220, 300, 96, c.down("#c9d8c4"), 12)
    c.text(
        536,
        292,
        f"{s.seed % 90000 + 10000:,}.00",
        58,
        "#2c352c",
        anchor="end",
        width=270,
        weight=500,
    )
    if s.says("太阳"):
        c.rect(430, 156, 120, 44, "#3b2f33", 6)
    mark(c, s, 270 + 60, 194, 30, get_text_colour(body), 140)
    keys = "C%÷×789-456+123=0.00"
    for n, char in enumerate(keys):
        row, column = divmod(n, 4)
        tint = "#d63b3f" if char == "C" else "#4d5663" if column == 3 or row == 0 else "#f4f6f8"
        c.rect(252 + column * 76, 340 + row * 56, 66, 46, c.down(tint), 10)
        c.text(285 + column * 76, 372 + row * 56, char, 28, get_text_colour(tint))
    c.end()


@draws("timeclock", "access", "smartlock")
def timeclock(c: Canvas, s: Subject) -> None:
    """Draw a face-recognition terminal: a screen in a slim black case. A lock also has a
    handle.
    """
    c.shadow(400, 660, 200, 18)
    body = s.tint("#2b313a")
    wide = 190 if s.kind == "smartlock" else 300
    c.rect(400 - wide / 2, 150, wide, 500, c.slant(body), 34)
    draw_screen(c, s, 400 - wide / 2 + 22, 180, wide - 44, 270 if wide > 200 else 200, 16)
    if s.kind == "smartlock":
        c.rect(370, 470, 240, 46, c.rod(STEEL), 23)
        c.disc(392, 493, 36, c.ball(STEEL))
        c.disc(400, 590, 24, shade(body, 0.3))
    else:
        c.disc(400, 290, 54, "none", 'stroke="#ffffff" stroke-width="5" stroke-dasharray="40 20"')
        c.disc(400, 274, 20, "#ffffff", 'opacity=".85"')
        c.path("M362 334q0 -32 38 -32t38 32Z", "#ffffff", 'opacity=".85"')
        c.text(400, 420, "09:00", 52, "#ffffff", weight=700)
        c.disc(400, 540, 40, "none", 'stroke="#5fb7e8" stroke-width="6"')
        c.disc(400, 540, 24, shade(body, 0.2))
    mark(c, s, 400, 630, 26, get_text_colour(body), wide - 40)


@draws("safe", "keybox", "firebox")
def safe(c: Canvas, s: Subject) -> None:
    """Draw a safe, a key cabinet or an extinguisher box: a steel door with the matching
    details.
    """
    body = {"firebox": "#c9302f", "keybox": "#dfe4e9"}.get(s.kind, s.tint("#5b6470"))
    c.shadow(420, 670, 260)
    draw_cuboid(c, 190, 220, 370, 430, 170, body, 12)
    c.rect(
        214,
        244,
        322,
        382,
        c.slant(shade(body, 0.08)),
        10,
        f'stroke="{shade(body, -0.3)}" stroke-width="4"',
    )
    if s.kind == "firebox":
        c.text(375, 350, "灭火器箱", 62, "#ffffff", weight=700)
        c.text(375, 420, "火警 119", 46, "#ffffff", weight=700)
        c.rect(330, 560, 90, 22, c.rod(STEEL), 8)
    elif s.kind == "keybox":
        for n in range(12):
            x, y = 256 + n % 4 * 72, 290 + n // 4 * 100
            c.disc(x, y, 14, "none", 'stroke="#d9a441" stroke-width="6"')
            c.stroke(f"M{x} {y + 16}v40m0 -8h12m-12 -14h10", "#d9a441", 6)
    else:
        c.rect(250, 290, 120, 150, c.down("#22272f"), 10)
        for n in range(9):
            c.disc(274 + n % 3 * 36, 344 + n // 3 * 32, 10, "#8fa0b3")
        c.rect(262, 300, 96, 24, "#5fb7e8", 4)
        c.disc(460, 400, 56, c.ball(STEEL))
        c.stroke("M460 350V450M410 400H510", shade(STEEL, -0.3), 12)
        draw_knob(c, 460, 400, 20)
    mark(c, s, 375, 600 if s.kind != "keybox" else 606, 28, get_text_colour(body), 250)
    draw_feet(c, (230, 520), 648, w=40)
