"""Lamps, sockets, batteries, and the small devices of a first-aid room."""

from demo.pictures.canvas import Canvas
from demo.pictures.colour import INK, STEEL, WHITE, shade
from demo.pictures.registry import draws
from demo.pictures.shapes import (
    draw_cuboid,
    draw_cylinder,
    draw_knob,
    draw_roll,
    get_print_colour,
    mark,
)
from demo.pictures.subject import Subject


@draws("bulb", "tube")
def bulb(c: Canvas, s: Subject) -> None:
    """Draw a bulb, or a tube."""
    light = "#fff0c4" if s.says("暖光") else "#f4faff"
    if s.kind == "tube":
        c.shadow(400, 600, 310)
        for n in range(3):
            c.begin(f"translate(0 {n * 70 - 60}) rotate(-16 400 400)")
            c.rect(110, 376, 580, 48, c.rod(light), 24, 'stroke="#cfdae4" stroke-width="2"')
            for x in (96, 660):
                c.rect(x, 376, 44, 48, c.rod(STEEL), 8)
            c.text(400, 408, f"{s.english} {s.spec}", 22, "#8d96a3", width=300)
            c.end()
        return
    c.shadow(400, 670, 170)
    c.disc(400, 330, 270, light, 'opacity=".35"')
    c.path(
        "M400 130C540 130 590 240 580 330C570 420 490 450 480 520H320C310 450 230 420 220 330C210 240 260 130 400 130Z",
        c.ball(light),
        'stroke="#dbe5ee" stroke-width="3"',
    )
    c.path("M320 516H480L466 570H334Z", c.tube("#f1f4f7"))
    c.rect(340, 566, 120, 76, c.tube(STEEL), 8)
    c.stroke("M340 586L460 578M340 608L460 600M340 630L460 622", shade(STEEL, -0.35), 7)
    c.path("M370 640h60l-14 24h-32Z", c.tube("#59626f"))
    c.text(400, 500, f"{s.english} {s.attributes.get('功率', '')}", 30, "#8d96a3", width=150)


@draws("desklamp")
def desklamp(c: Canvas, s: Subject) -> None:
    """Draw a desk lamp with its light."""
    body = s.tint(WHITE)
    c.shadow(400, 680, 200)
    c.path("M400 250L640 220L700 640H330Z", "#fff4c9", 'opacity=".5"')
    c.stroke("M270 650L240 420L400 200", shade(body, -0.12), 26)
    c.path("M370 180L600 150Q640 150 640 190L636 220L400 250Q366 250 362 214Z", c.slant(body))
    c.path("M400 250L636 220L632 234L404 264Z", "#fff0b0")
    c.oval(280, 656, 150, 36, c.slant(body))
    draw_knob(c, 240, 420, 24)
    c.oval(310, 652, 22, 8, "#5fb7e8")
    mark(c, s, 500, 206, 24, get_print_colour(s, body), 180)


@draws("panel", "downlight", "floodlight")
def fixture(c: Canvas, s: Subject) -> None:
    """Draw a ceiling panel, a down light or a flood light."""
    c.shadow(400, 640, 260, 18)
    if s.kind == "panel" and not s.says("吸顶"):
        c.path("M210 200H590L700 580H100Z", c.slant(STEEL))
        c.path("M228 218H572L670 560H130Z", "#fbfdff")
        c.path("M228 218H400L300 560H130Z", "#fff6dc", 'opacity=".7"')
        c.text(400, 620, f"{s.english} {s.spec}", 26, "#7b8797")
        return
    if s.kind == "floodlight":
        c.path("M220 420V600H580V420", "none", f'stroke="{INK}" stroke-width="26"')
        draw_cuboid(c, 190, 230, 380, 280, 70, "#3a414b", 16)
        c.rect(214, 254, 332, 232, c.slant("#fdf7dd"), 10)
        for n in range(24):
            c.disc(244 + n % 6 * 54, 290 + n // 6 * 54, 14, "#f7d774")
        mark(c, s, 400, 640, 30)
        return
    c.oval(400, 400, 260, 190, c.slant("#e6ebf0"))
    c.oval(400, 390, 225, 160, "#fffaf0", 'stroke="#d5dce4" stroke-width="3"')
    c.oval(400, 386, 150, 104, "#fff1c4", 'opacity=".8"')
    c.text(400, 640, f"{s.english} {s.spec}", 28, "#7b8797", width=400)


HOLE = "#39424f"


def outlet(c: Canvas, body: str, x: float, y: float, size: float) -> None:
    """Draw one outlet for two and three pins."""
    c.rect(
        x - size / 2,
        y - size / 2,
        size,
        size,
        c.down(shade(body, -0.05)),
        size * 0.16,
        f'stroke="{shade(body, -0.22)}" stroke-width="2"',
    )
    c.stroke(
        f"M{x - size * 0.14:g} {y - size * 0.26:g}v{size * 0.14:g}M{x + size * 0.14:g} {y - size * 0.26:g}v{size * 0.14:g}",
        HOLE,
        size * 0.07,
    )
    c.stroke(
        f"M{x:g} {y + size * 0.06:g}v{size * 0.12:g}M{x - size * 0.18:g} {y + size * 0.3:g}l{size * 0.07:g} {-size * 0.1:g}M{x + size * 0.18:g} {y + size * 0.3:g}l{-size * 0.07:g} {-size * 0.1:g}",
        HOLE,
        size * 0.07,
    )


@draws("strip")
def strip(c: Canvas, s: Subject) -> None:
    """Draw a power strip with the product's number of outlets."""
    body = s.tint(WHITE)
    count = {"三位": 3, "六位": 6, "八位": 8}.get(s.attributes.get("孔位", ""), 6)
    c.shadow(410, 560, 330)
    c.begin("rotate(-12 400 420)")
    c.stroke("M70 430C0 430 20 600 130 620", "#e3e8ed", 22)
    c.rect(70, 350, 670, 150, c.down(body), 34, 'stroke="#cfd7df" stroke-width="2"')
    c.rect(92, 376, 70, 98, c.down("#d63b3f"), 14)
    c.text(127, 436, "开关", 24, "#ffffff")
    usb = s.says("USB")
    room = (530 if not usb else 460) / count
    for n in range(count):
        outlet(c, body, 180 + room * (n + 0.5), 425, min(room - 8, 108))
    if usb:
        for n in range(2):
            c.rect(662, 386 + n * 48, 50, 26, HOLE, 5)
    c.text(420, 486, f"{s.english} {s.attributes.get('线长', '')}", 18, "#8d96a3")
    c.end()


@draws("plug")
def plug(c: Canvas, s: Subject) -> None:
    """Draw an adapter with its pins."""
    c.shadow(400, 660, 230)
    draw_cuboid(c, 260, 240, 290, 330, 120, WHITE, 40)
    outlet(c, WHITE, 405, 400, 180)
    for x in (330, 450):
        c.rect(x, 570, 26, 80, c.tube("#d9b25a"), 6)
    mark(c, s, 405, 540, 28)


@draws("socket", "wallswitch")
def socket(c: Canvas, s: Subject) -> None:
    """Draw a wall socket, or a switch."""
    body = s.tint(WHITE)
    c.shadow(400, 660, 230)
    c.rect(180, 170, 440, 440, c.slant(shade(body, -0.12)), 30)
    c.rect(196, 182, 408, 408, c.slant(body), 26, f'stroke="{shade(body, -0.2)}" stroke-width="2"')
    if s.kind == "socket":
        outlet(c, body, 400, 370, 280)
    else:
        count = 2 if s.says("双开", "双控") else 1
        for n in range(count):
            w = 340 / count
            c.rect(
                230 + n * w + 4,
                220,
                w - 8,
                310,
                c.slant(shade(body, 0.1)),
                16,
                f'stroke="{shade(body, -0.25)}" stroke-width="3"',
            )
            c.rect(230 + n * w + w / 2 - 24, 250, 48, 10, "#5fdc8b", 5)
    mark(c, s, 400, 572, 22, "#8d96a3")


@draws("battery", "coin")
def battery(c: Canvas, s: Subject) -> None:
    """Draw batteries in a row, or button cells."""
    c.shadow(400, 650, 290)
    if s.kind == "coin":
        for x, y in ((290, 470), (500, 480), (390, 330)):
            draw_cylinder(c, x, y, 230, 40, STEEL, shade(STEEL, 0.3), 0.3)
            c.text(x, y + 4, s.spec, 36, "#59626f", width=170, weight=700)
            c.text(x, y + 36, "+", 44, "#59626f", weight=700)
        return
    count = min(s.pack_count, 8) if s.pack_count > 1 else 2
    wide = min(120.0, 560 / count)
    big = s.attributes.get("型号", "")
    high = {"7号": 300, "9V": 300, "1号": 400}.get(big, 370)
    tint = ("#1d3a74", "#2b2f36", "#0f7c4f", "#8a2b3a")[s.seed % 4]
    for n in range(count):
        at = 400 + (n - (count - 1) / 2) * (wide + 8)
        c.rect(at - wide * 0.16, 630 - high - 26, wide * 0.32, 30, c.tube(STEEL), 4)
        draw_cylinder(c, at, 640 - high, wide, high, tint, STEEL, 0.1)
        c.rect(at - wide / 2, 640 - high, wide, high * 0.32, c.tube("#d9a24a"))
        c.begin(f"translate({at + wide * 0.14:g} {640 - high * 0.32:g}) rotate(-90)")
        c.text(0, 0, f"{s.english} {big}", wide * 0.42, "#ffffff", width=high * 0.56, weight=700)
        c.end()


@draws("multimeter")
def multimeter(c: Canvas, s: Subject) -> None:
    """Draw a multimeter."""
    c.shadow(410, 660, 230)
    c.rect(250, 140, 300, 520, c.slant("#f08135"), 50)
    c.rect(276, 164, 248, 472, c.slant("#3a414b"), 34)
    c.rect(300, 190, 200, 110, c.down("#c9d8c4"), 10)
    c.text(486, 270, f"{s.seed % 240}.{s.seed % 9}", 66, INK, anchor="end", width=180)
    c.disc(400, 430, 84, c.slant("#59626f"))
    c.rect(388, 356, 24, 120, c.tube("#e9edf1"), 10)
    for n in range(3):
        c.disc(320 + n * 80, 590, 20, ("#d63b3f", "#22272f", "#f4bd25")[n])
    mark(c, s, 400, 336, 24, "#ffffff", 180)


@draws("breaker", "distbox", "timer")
def device(c: Canvas, s: Subject) -> None:
    """Draw a breaker, a distribution box or a timer."""
    c.shadow(410, 660, 230)
    if s.kind == "distbox":
        draw_cuboid(c, 160, 240, 460, 340, 70, "#e9edf1", 14)
        c.rect(196, 330, 388, 150, c.slant("#4a525e"), 8)
        for n in range(8):
            c.rect(214 + n * 45, 350, 38, 110, c.down(WHITE), 4)
            c.rect(224 + n * 45, 384, 18, 40, "#2f6fd0" if n else "#d63b3f", 3)
        mark(c, s, 390, 300, 30)
        c.text(390, 540, s.spec, 30, "#7b8797")
        return
    poles = 1 if s.seed % 3 == 0 else 2
    if s.kind == "timer":
        draw_cuboid(c, 260, 210, 280, 400, 90, WHITE, 30)
        c.disc(400, 360, 96, c.slant("#dfe5ea"))
        c.stroke("M400 360V296M400 360L446 386", INK, 9)
        c.rect(330, 490, 140, 60, c.slant("#1d232b"), 10)
        c.text(400, 534, "08:30", 42, "#7fe0a8")
        mark(c, s, 400, 596, 24)
        return
    draw_cuboid(c, 400 - poles * 80, 180, poles * 160, 460, 90, WHITE, 10)
    for n in range(poles):
        x = 400 - poles * 80 + n * 160
        c.disc(x + 80, 226, 22, c.ball(STEEL))
        c.disc(x + 80, 600, 22, c.ball(STEEL))
        c.rect(x + 40, 340, 80, 130, shade(WHITE, -0.2), 8)
        c.rect(x + 56, 320, 48, 90, c.down("#2f6fd0"), 8)
    c.text(400, 292, f"{s.english}", 32, s.accent, width=poles * 140, weight=700)
    c.text(400, 540, s.spec, 42, INK, width=poles * 130, weight=700)


@draws("reel", "duct")
def reel(c: Canvas, s: Subject) -> None:
    """Draw a cable reel, or lengths of cable duct."""
    c.shadow(410, 660, 280)
    if s.kind == "duct":
        for n in range(5):
            c.begin(f"translate({n * 14} {n * 46 - 90}) rotate(-14 400 400)")
            c.rect(70, 380, 620, 34, c.rod(WHITE), 4, 'stroke="#cfd7df" stroke-width="2"')
            c.rect(70, 370, 620, 14, c.rod("#ffffff"), 3, 'stroke="#cfd7df"')
            c.end()
        c.text(400, 660, f"{s.english} {s.spec}", 30, "#7b8797")
        return
    c.stroke("M220 640L320 180H520L600 640", "#59626f", 20)
    c.rect(360, 150, 120, 44, c.rod(INK), 20)
    draw_roll(c, 360, 430, 180, 110, 130, "#f08135", "#2b313a")
    for n in range(4):
        c.rect(316 + n % 2 * 50, 390 + n // 2 * 46, 38, 34, WHITE, 6)
    c.text(360, 540, s.spec, 30, "#ffffff")
