"""Ladders, trolleys, pallets, scales and padding."""

from demo.pictures.canvas import Canvas
from demo.pictures.colour import INK, STEEL, WHITE, get_text_colour, shade
from demo.pictures.registry import draws
from demo.pictures.shapes import draw_cuboid, draw_roll, get_print_colour, mark
from demo.pictures.subject import Subject


@draws("disc2")
def cutting_disc(c: Canvas, s: Subject) -> None:
    """Draw cutting discs, or sheets of sandpaper."""
    c.shadow(410, 640, 260)
    if s.says("砂纸"):
        for n in range(4):
            c.rect(
                170 + n * 40,
                190 + n * 34,
                340,
                330,
                c.slant(("#8a5a3a", "#a8442f", "#59626f", "#c08a4a")[n]),
                6,
            )
        c.text(460, 480, s.english, 44, "#ffffff", width=280, weight=700)
        return
    for x in (330, 440):
        c.disc(x, 400, 220, c.slant("#3a3f47"))
        c.disc(x, 400, 205, "none", 'stroke="#6b7480" stroke-width="3" stroke-dasharray="6 8"')
        c.disc(x, 400, 120, c.slant(s.accent))
        c.disc(x, 400, 40, c.slant(STEEL))
        c.disc(x, 400, 24, "#f8fafb")
    c.text(440, 336, s.brand, 44, "#ffffff", width=160, weight=700)
    c.text(440, 490, s.spec, 34, "#ffffff", width=150)


@draws("ladder")
def ladder(c: Canvas, s: Subject) -> None:
    """Draw a step ladder."""
    c.shadow(410, 690, 230)
    c.path("M420 130L600 690H560L400 150Z", c.tube(shade(STEEL, -0.15)))
    c.path("M380 120H420L260 690H214Z", c.tube(STEEL))
    c.path("M500 120H540L470 690H424Z", c.tube(STEEL))
    for n in range(5):
        y = 230 + n * 92
        left, right = 352 - n * 27, 522 - n * 12
        c.path(
            f"M{left} {y}H{right}L{right + 26} {y - 16}H{left + 30}Z", c.slant(shade(STEEL, 0.3))
        )
        c.rect(left, y, right - left, 16, c.down(s.accent if n == 0 else shade(STEEL, -0.1)), 3)
    c.path("M360 130H560L580 104H390Z", c.slant("#f08135"))
    for x in (236, 446, 580):
        c.rect(x - 26, 676, 52, 22, INK, 6)
    c.text(462, 226, s.spec, 30, "#59626f")


@draws("trolley", "pallettruck")
def trolley(c: Canvas, s: Subject) -> None:
    """Draw a platform trolley with cartons, or a pallet truck."""
    body = s.tint("#2f6fd0" if s.kind == "trolley" else "#f4bd25")
    c.shadow(400, 680, 310)
    if s.kind == "pallettruck":
        c.stroke("M600 600L520 170", shade(body, -0.1), 34)
        c.path(
            "M460 130H580Q600 130 600 160V200Q600 220 570 220H540",
            "none",
            f'stroke="{INK}" stroke-width="26"',
        )
        c.path("M100 590H640V630H130Z", c.down(body))
        c.path("M180 540H660V580H210Z", c.down(shade(body, -0.15)))
        c.rect(560, 480, 110, 150, c.down(body), 14)
        for x, r in ((160, 28), (620, 46)):
            c.disc(x, 650, r, c.ball(INK))
        mark(c, s, 380, 620, 30, get_text_colour(body))
        return
    c.path("M620 560V210Q620 190 640 190H690V560", "none", f'stroke="{STEEL}" stroke-width="20"')
    for x, y, w, h in ((180, 430, 180, 150), (370, 400, 210, 180), (230, 300, 160, 130)):
        draw_cuboid(c, x, y, w, h, 50, "#cfa77a", 3)
        c.rect(x + w / 2 - 14, y, 28, h, "#e6cda6")
    c.path("M110 590L170 560H700L670 590Z", c.slant(shade(body, 0.2)))
    c.rect(108, 586, 566, 34, c.down(body), 8)
    for x in (180, 600):
        c.disc(x, 646, 34, c.ball(INK))
        c.disc(x, 646, 14, c.ball(STEEL))
    c.text(390, 614, f"{s.english} {s.spec}", 24, get_text_colour(body), width=360)


@draws("pallet")
def pallet(c: Canvas, s: Subject) -> None:
    """Draw a plastic pallet."""
    body = s.tint("#2f6fd0")
    c.shadow(400, 630, 320)
    for n in range(6):
        c.path(
            f"M{60 + n * 90} 480L{210 + n * 82} 350H{266 + n * 82}L{130 + n * 90} 480Z",
            c.slant(shade(body, 0.15)),
        )
    c.rect(60, 480, 580, 36, c.down(body), 6)
    for x in (60, 310, 560):
        c.rect(x, 510, 80, 70, c.down(shade(body, -0.2)))
    c.rect(60, 576, 580, 30, c.down(body), 6)
    c.path("M640 480L730 350V470L640 606Z", c.down(shade(body, -0.3)))
    mark(c, s, 350, 508, 26, get_text_colour(body))


@draws("dispensergun")
def dispensergun(c: Canvas, s: Subject) -> None:
    """Draw a tape dispenser for cartons."""
    body = s.tint("#d63b3f")
    c.shadow(410, 650, 260)
    draw_roll(c, 330, 330, 150, 84, 90, "#e9d7b0")
    c.path("M180 470L520 430L640 470V520L520 510L220 540Z", c.down(body))
    c.path("M560 440L640 430L690 640Q690 670 650 670H620Q590 660 590 630Z", c.tube(INK))
    c.path("M160 460h70l-20 90h-40Z", c.down(STEEL))
    mark(c, s, 410, 504, 30, get_text_colour(body), 200)


@draws("scale", "bathscale")
def scale(c: Canvas, s: Subject) -> None:
    """Draw a platform scale, or a bathroom scale."""
    body = s.tint(WHITE)
    c.shadow(400, 640, 290)
    if s.kind == "bathscale" or s.says("厨房"):
        c.path(
            "M210 300H590L680 580Q680 606 650 606H150Q120 606 120 580Z",
            c.slant(body),
            f'stroke="{shade(body, -0.25)}" stroke-width="3"',
        )
        c.rect(310, 330, 180, 76, c.slant("#1d232b"), 12)
        c.text(400, 388, "62.5", 54, "#7fc3e8", weight=700)
        for x in (230, 500):
            c.rect(x, 450, 70, 110, c.slant(shade(STEEL, 0.2)), 20)
        mark(c, s, 400, 580, 26, get_print_colour(s, body))
        return
    c.rect(470, 210, 36, 330, c.tube(STEEL), 8)
    draw_cuboid(c, 370, 140, 230, 110, 50, "#3a414b", 10)
    c.rect(390, 160, 190, 60, c.slant("#12161b"), 6)
    c.text(485, 208, "0.000 kg", 40, "#ff6a5a", width=180)
    c.path("M110 560L230 440H690L620 560Z", c.slant("#dfe5ea"))
    c.rect(108, 556, 514, 46, c.down("#aab4c0"), 8)
    c.text(360, 590, f"{s.english} {s.spec}", 26, INK, width=380)


@draws("bubble", "foam")
def padding(c: Canvas, s: Subject) -> None:
    """Draw a roll of bubble wrap, or of foam."""
    c.shadow(420, 640, 310)
    draw_roll(c, 260, 420, 190, 40, 420, "#dfeef6" if s.kind == "bubble" else "#f6f7f8", "#b9a27c")
    if s.kind == "bubble":
        for n in range(40):
            c.oval(
                440 + n % 8 * 30,
                262 + n // 8 * 62 - n % 8 * 11,
                11,
                13,
                "#ffffff",
                'opacity=".7" stroke="#b9d3e2"',
            )
    c.rect(470, 400, 180, 100, "#ffffff", 8, 'opacity=".94"')
    c.text(560, 446, s.brand, 42, s.accent, weight=700)
    c.text(560, 484, s.spec, 26, INK, width=160)
