"""Chairs, desks, cupboards, shelves."""

from demo.pictures.canvas import Canvas
from demo.pictures.colour import INK, STEEL, WHITE, WOOD, shade
from demo.pictures.registry import draws
from demo.pictures.shapes import draw_cuboid, draw_feet, draw_knob, get_print_colour, mark
from demo.pictures.subject import Subject


def table_top(
    c: Canvas, x: float, y: float, w: float, depth: float, colour: str, thick: float = 22
) -> None:
    """Draw a table top seen from above the front edge."""
    c.path(
        f"M{x:g} {y:g}L{x + depth:g} {y - depth * 0.62:g}H{x + w - depth * 0.35:g}L{x + w:g} {y:g}Z",
        c.slant(shade(colour, 0.16)),
    )
    c.rect(x, y, w, thick, c.down(shade(colour, -0.06)), 3)
    c.stroke(
        f"M{x + depth * 0.6:g} {y - depth * 0.3:g}H{x + w - depth * 0.5:g}",
        "#ffffff",
        3,
        'opacity=".25"',
    )


LOCKERS = {
    "四门": (2, 2),
    "六门": (2, 3),
    "九门": (3, 3),
    "十二门": (3, 4),
    "十门": (2, 5),
    "二十门": (4, 5),
}


@draws("desk", "execdesk", "reception", "podium")
def desk(c: Canvas, s: Subject) -> None:
    """Draw a desk: a panel desk, an executive desk, a reception counter or a lectern."""
    top = s.tint(WOOD)
    c.shadow(400, 660, 330)
    if s.kind == "podium":
        draw_cuboid(c, 250, 300, 250, 350, 130, top, 4)
        c.path("M220 300L300 220H640L540 300Z", c.slant(shade(top, 0.2)))
        c.rect(220, 296, 322, 20, c.down(shade(top, -0.1)), 3)
        c.rect(290, 360, 170, 200, c.slant(shade(top, 0.08)), 4)
        c.stroke("M470 250q20 -60 -20 -90", INK, 7)
        c.disc(448, 156, 14, INK)
        mark(c, s, 375, 470, 26, get_print_colour(s, top), 140)
        return
    if s.kind == "reception":
        draw_cuboid(c, 110, 380, 470, 260, 170, WHITE, 4)
        c.rect(110, 440, 470, 110, c.down(top))
        c.path("M90 380L240 300H740L600 380Z", c.slant(shade(top, 0.2)))
        c.rect(90, 378, 512, 20, c.down(shade(top, -0.05)), 3)
        c.text(345, 516, s.english, 52, get_print_colour(s, top), width=380, weight=700)
        return
    side = s.kind == "execdesk"
    c.path(
        "M200 430L250 400H620L600 430V560H200Z",
        c.down(shade(top, -0.16)) if side else c.down("#e3e8ed"),
    )
    c.rect(110, 440, 30, 210, c.down("#e3e8ed" if not side else shade(top, -0.1)), 3)
    draw_cuboid(c, 520, 440, 140, 200, 20, shade(top, 0.04) if side else WHITE, 3)
    for step in range(3):
        c.rect(530, 452 + step * 62, 120, 54, c.down(shade(top, 0.08)), 3)
        c.rect(570, 474 + step * 62, 40, 8, c.rod(STEEL), 4)
    if side:
        draw_cuboid(c, 110, 440, 140, 200, 20, shade(top, 0.02), 3)
    if s.says("屏风"):
        c.rect(150, 250, 540, 130, c.down("#a9bccb"), 6, 'opacity=".9"')
    table_top(c, 80, 424, 620, 130, top)
    if not s.says("屏风"):
        c.rect(330, 250, 170, 104, c.down(INK), 8)
        c.rect(338, 258, 154, 84, c.slant(shade(s.accent, 0.2)), 4)
        c.path("M400 354h32l10 22h-52Z", INK)
    c.rect(540, 376, 60, 14, "#ffffff", 3)


@draws("liftdesk", "foldtable", "conftable")
def worktable(c: Canvas, s: Subject) -> None:
    """Draw a table: height-adjustable, folding, or a long conference table."""
    top = s.tint(WOOD)
    c.shadow(400, 660, 330)
    if s.kind == "conftable":
        for x in (150, 560):
            c.path(f"M{x} 440h100l-14 210h-72Z", c.down(shade(top, -0.2)))
        table_top(c, 40, 430, 720, 190, top, 26)
        c.rect(350, 350, 120, 22, c.down("#59626f"), 4)
        return
    metal = "#3a414b" if s.kind == "liftdesk" else STEEL
    for x in (170, 580):
        if s.kind == "liftdesk":
            c.rect(x + 8, 440, 34, 120, c.tube(shade(metal, 0.2)))
            c.rect(x, 530, 50, 120, c.tube(metal))
            c.path(f"M{x - 50} 640H{x + 110}L{x + 100} 664H{x - 40}Z", c.down(metal))
        else:
            c.stroke(f"M{x + 20} 440V640M{x - 30} 640H{x + 80}", metal, 18)
            c.disc(x - 30, 654, 14, INK)
            c.disc(x + 80, 654, 14, INK)
    table_top(c, 80, 424, 640, 140, top)
    if s.kind == "liftdesk":
        c.rect(520, 446, 90, 26, INK, 8)
        c.text(565, 465, "110 cm", 16, "#7fc3e8")
        c.stroke(
            "M120 520V600M120 520l-16 20M120 520l16 20M120 600l-16 -20M120 600l16 -20", s.accent, 6
        )


@draws("coffeetable", "roundtable")
def low_table(c: Canvas, s: Subject) -> None:
    """Draw a low table or a round one."""
    top = s.tint(WOOD)
    c.shadow(400, 660, 280)
    if s.kind == "roundtable":
        c.oval(400, 650, 140, 30, c.slant(STEEL))
        c.rect(382, 420, 36, 230, c.tube(STEEL))
        c.oval(400, 416, 290, 96, c.down(shade(top, -0.2)))
        c.oval(400, 398, 290, 96, c.slant(shade(top, 0.14)))
        return
    for x in (130, 610):
        c.rect(x, 480, 40, 170, c.tube(STEEL), 4)
    c.path("M150 580L250 540H640L600 580Z", c.slant(shade(top, 0.05)))
    glass = s.says("玻璃")
    table_top(c, 80, 470, 640, 170, "#bcd7e4" if glass else top, 24)
    c.rect(360, 370, 90, 40, c.tube(WHITE), 10)
    c.rect(480, 390, 46, 26, c.tube(WHITE), 8)


@draws("pedestal")
def pedestal(c: Canvas, s: Subject) -> None:
    """Draw a pedestal with three drawers."""
    body = s.tint("#d5dae0")
    c.shadow(420, 690, 240)
    draw_cuboid(c, 240, 270, 280, 370, 150, body, 8)
    for y, h in ((284, 90), (382, 90), (480, 148)):
        c.rect(
            254,
            y,
            252,
            h,
            c.down(shade(body, 0.06)),
            6,
            f'stroke="{shade(body, -0.25)}" stroke-width="2"',
        )
        c.rect(330, y + 20, 100, 12, c.rod(STEEL), 6)
    for x in (276, 490):
        c.disc(x, 656, 18, INK)
    mark(c, s, 380, 610, 22, get_print_colour(s, body), 150)


@draws("locker")
def locker(c: Canvas, s: Subject) -> None:
    """Draw a locker cupboard with the product's number of doors."""
    body = s.tint("#d5dae0")
    c.shadow(420, 690, 240)
    top = 130
    draw_cuboid(c, 210, top, 340, 680 - top, 150, body, 6)
    line = f'stroke="{shade(body, -0.28)}" stroke-width="2.5"'
    columns, rows = LOCKERS.get(s.spec, (2, 3))
    w, h = 324 / columns, (664 - top) / rows
    vents, face = [], c.down(shade(body, 0.05))
    for n in range(columns * rows):
        x, y = 218 + n % columns * w, top + 8 + n // columns * h
        c.rect(round(x + 2), round(y + 2), round(w - 4), round(h - 4), face, 3, line)
        vents += [f"M{x + w * 0.3:.0f} {y + 18 + slot * 9:.0f}h{w * 0.4:.0f}" for slot in range(3)]
        vents.append(f"M{x + w - 24:.0f} {y + h / 2:.0f}h1")
    c.stroke("".join(vents), shade(body, -0.4), 4)


@draws("cabinet", "densecab")
def cabinet(c: Canvas, s: Subject) -> None:
    """Draw a steel cupboard with its doors."""
    body = s.tint("#d5dae0")
    c.shadow(420, 690, 240)
    short = s.says("0.9m", "6U", "12U")
    top = 360 if short else 130
    draw_cuboid(c, 210, top, 340, 680 - top, 150, body, 6)
    line = f'stroke="{shade(body, -0.28)}" stroke-width="2.5"'
    glass = s.says("玻璃", "机柜") or s.colour_word == "黑色"
    split: float = top + (680 - top) * 0.5 if not short and not s.says("通双") else top + 8
    for half in range(2):
        x = 218 + half * 163
        fill = "#bfd8e6" if glass and split > top + 8 else ""
        if split > top + 8:
            c.rect(
                x,
                top + 8,
                160,
                split - top - 12,
                c.slant(fill) if fill else c.down(shade(body, 0.05)),
                3,
                line,
            )
        c.rect(x, split, 160, 672 - split, c.down(shade(body, 0.05)), 3, line)
        handle = 362 if half == 0 else 388
        c.rect(handle, split + 60, 10, 60, c.rod("#59626f"), 5)
    if s.kind == "densecab":
        c.disc(380, 430, 60, "none", f'stroke="{INK}" stroke-width="12"')
        c.stroke("M380 374V486M324 430H436", INK, 9)
        draw_knob(c, 380, 430, 18)
        c.rect(150, 680, 560, 14, c.rod(STEEL), 4)
    mark(c, s, 300, 652, 20, get_print_colour(s, body), 120)
    draw_feet(c, (246, 516), 678, w=34)


@draws("bookcase", "shelf", "magrack")
def shelves(c: Canvas, s: Subject) -> None:
    """Draw filled shelves: a wooden bookcase, a warehouse rack or a magazine stand."""
    metal = s.kind == "shelf"
    body = s.tint("#2f6fd0" if metal else WOOD)
    c.shadow(420, 690, 270)
    rows = 4
    left, right = (140, 660) if metal else (210, 590)
    if not metal:
        draw_cuboid(c, left - 12, 130, right - left + 24, 550, 70, shade(body, -0.2), 4)
        c.rect(left, 142, right - left, 526, c.down(shade(body, -0.34)))
    for n in range(rows):
        y = 150 + (n + 1) * 128
        for k in range(7 if not metal else 3):
            tint = ("#2f6fd0", "#d63b3f", "#37a36a", "#f4bd25", "#8b62c9", "#e6ebf0", "#30353d")[
                (k + n * 3 + s.seed) % 7
            ]
            if metal:
                high = 60 + (k * 31 + n * 17 + s.seed) % 34
                c.rect(left + 30 + k * 165, y - high, 130, high, c.slant("#cfa77a"), 3)
                c.rect(left + 80 + k * 165, y - high, 26, high, "#e6cda6")
            else:
                high = 76 + (k * 29 + n * 13 + s.seed) % 34
                c.rect(left + 12 + k * 50, y - high, 42, high, c.tube(tint), 3)
        c.rect(left, y, right - left, 16, c.down(shade(body, 0.1)), 2)
    if metal:
        for x in (left, right - 22):
            c.rect(x, 120, 22, 570, c.tube(body), 2)
            c.stroke(f"M{x + 11} 140V680", "#ffffff", 5, 'opacity=".5" stroke-dasharray="4 16"')


@draws("partition")
def partition(c: Canvas, s: Subject) -> None:
    """Draw a screen wall of two panels."""
    body = s.tint("#8f98a5")
    c.shadow(400, 680, 290)
    c.path(
        "M400 190L660 240V660L400 680Z",
        c.slant(shade(body, -0.1)),
        f'stroke="{STEEL}" stroke-width="12"',
    )
    c.path(
        "M400 190L130 250V660L400 680Z",
        c.slant(shade(body, 0.2)),
        f'stroke="{STEEL}" stroke-width="12"',
    )
    c.path("M390 210L150 262V400L390 380Z", "#dcebf4", 'opacity=".8"')


@draws("coatrack")
def coatrack(c: Canvas, s: Subject) -> None:
    """Draw a coat stand with a coat and a hat."""
    body = s.tint("#30353d")
    c.shadow(400, 690, 180)
    c.stroke("M400 130V660M400 660L290 690M400 660L510 690M400 640V690", body, 18)
    c.stroke(
        "M400 200Q330 200 310 150M400 200Q470 200 490 150M400 280Q340 280 326 240M400 280Q460 280 474 240",
        body,
        13,
    )
    c.path(
        "M320 250Q300 250 290 290L270 520H400L396 290Q380 250 320 250Z",
        c.slant(shade(s.accent, 0.2)),
    )
    c.oval(492, 158, 74, 22, c.slant("#86583a"))
    c.path("M452 150Q456 100 492 100T532 150Z", c.slant("#86583a"))
