"""Meters, supports and the small devices of a first-aid room."""

from demo.pictures.canvas import Canvas
from demo.pictures.colour import INK, RAINBOW, STEEL, WHITE, get_text_colour, shade
from demo.pictures.registry import draws
from demo.pictures.shapes import (
    draw_carton,
    draw_cuboid,
    draw_cylinder,
    draw_label,
    draw_roll,
    draw_screen,
    get_print_colour,
    mark,
)
from demo.pictures.subject import Subject


@draws("thermometer")
def thermometer(c: Canvas, s: Subject) -> None:
    """Draw a stick thermometer or a forehead thermometer."""
    c.shadow(400, 650, 240)
    if not s.says("额温", "耳温"):
        c.begin("rotate(-32 400 400)")
        c.path(
            "M120 350Q90 400 120 450H430L690 420V380L430 350Z",
            c.rod("#f7f9fa"),
            'stroke="#cfd7df" stroke-width="2"',
        )
        c.rect(680, 384, 80, 32, c.rod(STEEL), 16)
        c.rect(200, 366, 190, 68, c.down("#cfdcc4"), 10)
        c.text(295, 420, "36.5", 56, INK, width=170)
        c.disc(160, 400, 20, s.accent)
        c.end()
    else:
        c.path(
            "M180 240Q180 180 240 180H520Q600 190 600 280T520 390H430L410 620Q404 650 370 650H300Q264 650 268 610L290 390H240Q180 380 180 320Z",
            c.slant("#f7f9fa"),
            'stroke="#cfd7df" stroke-width="2"',
        )
        c.disc(590, 286, 50, c.ball("#3a414b"))
        draw_screen(c, s, 230, 214, 220, 130, 12)
        c.text(340, 304, "36.5", 70, "#ffffff", weight=700)
        c.path("M430 400q40 20 20 80l-24 -6Z", s.accent)


@draws("massager")
def massager(c: Canvas, s: Subject) -> None:
    """Draw a neck massager, or a massage cushion."""
    body = s.tint(WHITE)
    c.shadow(400, 650, 240)
    if s.says("靠垫"):
        c.rect(200, 180, 400, 470, c.slant(shade(body, -0.3)), 70)
        for n in range(4):
            c.disc(320 + n % 2 * 160, 320 + n // 2 * 180, 56, c.ball("#d9742c"))
        mark(c, s, 400, 630, 28, "#ffffff")
        return
    c.path(
        "M170 360C170 150 630 150 630 360V520Q630 570 580 570T530 520V390C530 270 270 270 270 390V520Q270 570 220 570T170 520Z",
        c.slant(body),
    )
    for x in (224, 576):
        c.oval(x, 490, 34, 46, c.ball(STEEL))
    mark(c, s, 400, 246, 30, get_print_colour(s, body))


@draws("oximeter", "glucometer", "bpmonitor")
def meter(c: Canvas, s: Subject) -> None:
    """Draw a medical meter: pressure gauge, oximeter or glucose meter."""
    body = s.tint(WHITE)
    c.shadow(400, 650, 240)
    if s.kind == "bpmonitor":
        draw_cuboid(c, 130, 360, 330, 260, 110, WHITE, 26)
        draw_screen(c, s, 154, 384, 200, 210, 10)
        for n, text in enumerate(("118", "76", "72")):
            c.text(330, 444 + n * 62, text, 56, "#ffffff", anchor="end", weight=700)
        c.disc(408, 500, 36, c.ball("#2f6fd0"))
        c.stroke("M500 420C620 420 560 300 600 290", "#8d96a3", 14)
        draw_cylinder(c, 610, 190, 190, 210, "#4a6a9a", "#2f4a74", 0.2)
        mark(c, s, 610, 330, 24, "#ffffff", 130)
    else:
        draw_cuboid(c, 250, 210, 270, 420, 70, body, 50)
        draw_screen(c, s, 280, 250, 210, 190, 16)
        c.text(385, 372, "98" if s.kind == "oximeter" else "5.6", 100, "#ffffff", weight=700)
        c.disc(385, 520, 44, c.ball("#2f6fd0"))
        mark(c, s, 385, 606, 28, get_print_colour(s, body))


@draws("gauze", "brace")
def gauze(c: Canvas, s: Subject) -> None:
    """Draw rolls of bandage, or a knee or back support."""
    c.shadow(410, 650, 260)
    if s.kind == "brace":
        c.path("M250 150H550L520 400L560 660H240L280 400Z", c.tube("#3a414b"))
        c.stroke("M262 240H540M270 330H530M270 480H536M256 570H550", "#59626f", 12)
        c.rect(330, 360, 140, 80, c.slant(s.accent), 12)
        mark(c, s, 400, 412, 30, "#ffffff", 124)
        return
    draw_roll(c, 300, 400, 170, 40, 150, "#fbfaf5", "#efe9dc")
    draw_roll(c, 500, 540, 110, 28, 120, "#fbfaf5", "#efe9dc")
    c.path("M300 570H180Q140 590 150 630H330Z", c.slant("#fdfcf8"))
    c.text(560, 330, s.spec, 30, "#7b8797", width=180)


@draws("wheelchair", "footbath", "footrest", "oxygen", "pillbox")
def care(c: Canvas, s: Subject) -> None:
    """Draw a wheelchair, a foot bath, a foot rest, an oxygen can or a pill box."""
    body = s.tint(WHITE)
    c.shadow(400, 680, 250)
    if s.kind == "wheelchair":
        c.stroke("M240 190H290V470H540L600 640", STEEL, 18)
        c.path("M280 240H330V460H280Z", c.tube(body))
        c.path("M290 440H540V490H290Z", c.down(body))
        c.disc(360, 530, 146, "none", 'stroke="#2b313a" stroke-width="20"')
        c.disc(360, 530, 120, "none", f'stroke="{STEEL}" stroke-width="7"')
        c.stroke("M360 410V650M240 530H480M275 445L445 615M445 445L275 615", STEEL, 3)
        c.disc(590, 640, 40, "none", 'stroke="#2b313a" stroke-width="16"')
        c.stroke("M330 360H500", INK, 24)
    elif s.kind == "footbath":
        c.path("M150 360H650L610 620Q600 660 550 660H250Q200 660 190 620Z", c.tube(body))
        c.oval(400, 360, 250, 70, c.slant(shade(body, -0.1)))
        c.oval(400, 368, 220, 54, c.slant("#8fd0ef"))
        c.rect(330, 480, 140, 60, c.slant("#1d232b"), 12)
        c.text(400, 524, "42°C", 42, "#7fc3e8")
        mark(c, s, 400, 610, 30, get_print_colour(s, body))
    elif s.kind == "footrest":
        c.path("M160 520L260 380H690L620 520Z", c.slant(shade(body, 0.1)))
        c.rect(158, 516, 464, 40, c.down(body), 10)
        c.path(
            "M210 556L170 640H230L260 556ZM560 556L590 640H650L610 556Z", c.down(shade(body, -0.2))
        )
        c.stroke("".join(f"M{280 + n * 60} 400l-70 100" for n in range(7)), shade(body, -0.3), 7)
        mark(c, s, 400, 546, 24, get_print_colour(s, body))
    elif s.kind == "oxygen":
        draw_cylinder(c, 400, 280, 200, 370, "#37a36a", "#2c8a58")
        c.path("M320 270Q320 160 400 150T480 270Z", c.tube("#dcebf3"))
        c.text(400, 470, "O₂", 110, "#ffffff", weight=700)
        c.text(400, 540, f"{s.brand} {s.spec}", 36, "#ffffff", width=170)
    else:
        rows = 4 if "28" in s.spec else 1
        for n in range(7 * rows):
            x, y = 110 + n % 7 * 84, 420 - rows * 36 + n // 7 * 92
            c.rect(
                x,
                y,
                78,
                86,
                c.slant(shade(body, 0.2)),
                12,
                f'stroke="{shade(body, -0.25)}" stroke-width="2"',
            )
            c.disc(x + 40, y + 58, 12, RAINBOW[n % 6])
            if n < 7:
                c.text(x + 39, y + 34, "一二三四五六日"[n], 26, get_text_colour(body))
        mark(c, s, 400, 660, 28)


@draws("pillbottle", "cotton", "bandaid", "icepack", "desiccant")
def remedy(c: Canvas, s: Subject) -> None:
    """Draw a bottle of tablets, or a small medical box with its content."""
    if s.kind == "pillbottle":
        big = s.says("粉")
        c.shadow(400, 660, 210)
        draw_cylinder(c, 400, 250, 300 if big else 220, 390, WHITE if not big else "#d9b25a")
        c.rect(400 - (160 if big else 110), 190, 320 if big else 220, 76, c.tube(s.accent), 12)
        draw_label(c, s, 290 if not big else 262, 350, 220 if not big else 276, 210)
        if not big:
            for n in range(4):
                c.oval(
                    560 + n * 34, 650 - n % 2 * 14, 20, 12, c.ball(("#f0a035", "#f4f6f8")[n % 2])
                )
        return
    c.shadow(410, 650, 280)
    draw_carton(c, s, 220, 230, 360, 300, 140)
    for n in range(4):
        c.begin(f"translate({170 + n * 130} 610) rotate({-20 + n * 14})")
        if s.kind == "bandaid":
            c.rect(-70, -22, 140, 44, c.rod("#e3b48a"), 22)
            c.rect(-24, -22, 48, 44, "#f4e3d2")
        elif s.kind == "cotton":
            c.rect(-80, -5, 160, 10, c.rod("#f1ead8"), 5)
            c.oval(84, 0, 22, 14, c.ball("#b5662c" if s.says("碘伏") else "#ffffff"))
        else:
            c.rect(
                -56,
                -40,
                112,
                80,
                c.slant("#a9d3ec" if s.kind == "icepack" else "#f4f6f8"),
                10,
                'stroke="#b5cbda" stroke-width="2"',
            )
            c.text(0, 10, "ICE" if s.kind == "icepack" else "DRY", 34, "#2f6fd0", weight=700)
        c.end()
