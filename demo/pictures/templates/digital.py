"""Computer accessories."""

from demo.pictures.canvas import Canvas
from demo.pictures.colour import INK, STEEL, WHITE, get_text_colour, shade
from demo.pictures.registry import draws
from demo.pictures.shapes import draw_cuboid, get_print_colour, mark
from demo.pictures.subject import Subject


def keys(c: Canvas, body: str, x: float, y: float, w: float, numeric: bool) -> None:
    """Draw a keyboard seen from above."""
    c.rect(x, y, w, 210, c.slant(body), 18)
    c.rect(x + 4, y + 196, w - 8, 22, c.down(shade(body, -0.3)), 10)
    main = w * (0.72 if numeric else 0.95)
    cap = shade(body, 0.18) if get_text_colour(body) == "#ffffff" else "#ffffff"
    edge = shade(body, -0.35)
    for row in range(5):
        c.stroke(
            f"M{x + 30:g} {y + 36 + row * 34:g}H{x + main - 10:g}",
            edge,
            27,
            'stroke-dasharray="28 6"',
            "butt",
        )
        c.stroke(
            f"M{x + 31:g} {y + 34 + row * 34:g}H{x + main - 10:g}",
            cap,
            23,
            'stroke-dasharray="26 8"',
            "butt",
        )
        if numeric:
            c.stroke(
                f"M{x + main + 14:g} {y + 34 + row * 34:g}H{x + w - 20:g}",
                cap,
                23,
                'stroke-dasharray="26 8"',
                "butt",
            )
    c.rect(x + main * 0.28, y + 156, main * 0.4, 25, cap, 5)


def mouse_shape(c: Canvas, s: Subject, cx: float, cy: float, size: float, body: str) -> None:
    """Draw a mouse from above."""
    c.begin(f"translate({cx:g} {cy:g}) scale({size:g})")
    c.path("M-110 -60C-110 -190 110 -190 110 -60V80C110 210 -110 210 -110 80Z", c.slant(body))
    c.path("M-96 -50C-96 -160 -10 -168 -4 -160V-20Q-60 -20 -96 -4Z", "#ffffff", 'opacity=".16"')
    c.stroke("M0 -152V-20M-110 -10Q0 -44 110 -10", shade(body, -0.4), 4)
    c.rect(-13, -118, 26, 66, c.tube("#59626f"), 13)
    c.text(0, 120, s.english, 30, get_print_colour(s, body), width=150, weight=700)
    c.end()


@draws("keyboard", "keyset")
def keyboard(c: Canvas, s: Subject) -> None:
    """Draw a keyboard, with a mouse if they are a set."""
    body = s.tint("#30353d")
    c.shadow(400, 600, 340)
    c.begin("rotate(-8 400 420)")
    if s.kind == "keyset":
        keys(c, body, 60, 330, 520, True)
        mouse_shape(c, s, 670, 440, 0.72, body)
    else:
        keys(c, body, 70, 310, 660, not s.says("87"))
        if s.says("机械"):
            c.rect(100, 344, 28, 24, "#e5595c", 5)
    mark(c, s, 180, 326, 14, get_text_colour(body))
    c.end()


@draws("mouse")
def mouse(c: Canvas, s: Subject) -> None:
    """Draw a mouse, with its cable if it has one."""
    body = s.tint("#30353d")
    c.shadow(400, 640, 210)
    if s.says("有线"):
        c.stroke("M420 250C400 170 500 190 540 130S690 110 700 180", shade(body, -0.2), 12)
    c.begin("rotate(16 400 430)")
    mouse_shape(c, s, 400, 430, 1.28, body)
    c.end()


@draws("mousepad")
def mousepad(c: Canvas, s: Subject) -> None:
    """Draw a mouse pad with a mouse on it."""
    body = s.tint("#30353d")
    c.shadow(400, 610, 330)
    c.path("M170 320H650L740 580H70Z", c.down(shade(body, -0.35)), 'transform="translate(0 14)"')
    c.path("M170 320H650L740 580H70Z", c.slant(body))
    c.text(270, 550, s.english, 40, get_print_colour(s, body), width=220, weight=700)
    if s.says("护腕"):
        c.oval(450, 560, 190, 34, c.slant(shade(body, 0.16)))
    mouse_shape(
        c, s, 520, 430, 0.55, "#dfe4e9" if get_text_colour(body) == "#ffffff" else "#30353d"
    )


@draws("router")
def router(c: Canvas, s: Subject) -> None:
    """Draw a router with its aerials."""
    body = s.tint("#30353d")
    c.shadow(400, 640, 310)
    for x, lean in ((170, -14), (320, -4), (500, 4), (650, 14)):
        c.rect(x - 14, 170, 28, 320, c.tube(body), 14, f'transform="rotate({lean} {x} 490)"')
    c.path("M120 480H690L740 590Q740 620 710 620H100Q70 620 70 590Z", c.slant(body))
    c.path("M70 590Q70 620 100 620H710Q740 620 740 590Z", c.down(shade(body, -0.2)))
    for n in range(6):
        c.disc(310 + n * 36, 586, 7, "#5fdc8b" if n != 2 else "#5fb7e8")
    c.text(
        405,
        550,
        f"{s.english} {s.attributes.get('速率', '')}",
        32,
        get_print_colour(s, body),
        width=360,
        weight=700,
    )


@draws("switch")
def switch(c: Canvas, s: Subject) -> None:
    """Draw a network switch with the product's number of ports."""
    ports = int("".join(filter(str.isdigit, s.spec)) or 8)
    rows = 2 if ports >= 16 else 1
    columns = ports // rows
    c.shadow(400, 600, 330)
    draw_cuboid(c, 70, 410, 580, 150, 110, "#3d4a5c", 8)
    w = min(64, 400 / columns)
    for n in range(ports):
        row, column = divmod(n, columns)
        x, y = 230 + column * w, 440 + row * 56
        c.rect(x, y, w - 6, 44 if rows == 2 else 60, "#10151b", 4)
        c.rect(x + w * 0.2, y + 4, w * 0.46, 10, "#d9b25a", 2)
        c.disc(x + w * 0.4, y - 8, 4, "#5fdc8b" if (s.seed >> n) & 1 else "#59626f")
    c.text(145, 480, s.english, 30, "#ffffff", width=130, weight=700)
    c.text(145, 516, s.spec, 26, "#b9c7d6", width=130)


@draws("cable", "wire")
def cable(c: Canvas, s: Subject) -> None:
    """Draw a coiled cable with its plugs, or a drum of wire."""
    body = s.tint("#30353d")
    c.shadow(400, 650, 260)
    for n in range(9 if s.kind == "wire" else 5):
        c.oval(
            400,
            420 + n % 3 * 5,
            220 - n * 10,
            196 - n * 9,
            "none",
            f'stroke="{shade(body, (n % 3) * 0.14)}" stroke-width="16"',
        )
    if s.kind == "wire":
        c.rect(300, 540, 200, 110, "#ffffff", 8, 'stroke="#dbe2ea" stroke-width="2"')
        c.text(400, 590, s.brand, 42, s.accent, weight=700)
        c.text(400, 632, s.spec, 30, INK)
        return
    for x, y, turn in ((210, 590, 40), (590, 600, -40)):
        c.begin(f"translate({x} {y}) rotate({turn})")
        c.stroke("M0 -80V0", body, 16)
        if s.says("网线", "跳线"):
            c.path(
                "M-28 0H28V90H-28Z", "#d6e6f1", 'opacity=".92" stroke="#a9c0d0" stroke-width="2"'
            )
            c.stroke("M-18 62v24m9 -24v24m9 -24v24m9 -24v24m9 -24v24", "#d9b25a", 4)
        else:
            c.rect(-34, 0, 68, 70, c.tube(shade(body, -0.1)), 10)
            c.rect(-22, 66, 44, 44, c.tube(STEEL), 4)
        c.end()
    c.rect(345, 216, 110, 400, "#ffffff", 6, 'opacity="0"')
    c.rect(372, 190, 56, 84, c.tube(s.accent), 8)
    c.text(
        400, 430, s.attributes.get("长度", s.spec), 46, shade(s.accent, 0.05), width=200, weight=700
    )


@draws("hub")
def hub(c: Canvas, s: Subject) -> None:
    """Draw a hub with its ports."""
    body = s.tint("#8f98a5")
    c.shadow(400, 600, 280)
    c.stroke("M230 430C120 420 120 300 200 260", INK, 18)
    c.rect(180, 190, 56, 80, c.tube(STEEL), 6)
    draw_cuboid(c, 220, 400, 390, 110, 130, body, 20)
    for n in range(4):
        c.rect(250 + n * 84, 440, 60, 30, "#10151b", 5)
        c.rect(258 + n * 84, 452, 44, 10, ("#5fb7e8", "#f4f6f8")[n % 2], 2)
    mark(c, s, 470, 376, 26, get_text_colour(body), 180)


@draws("powerbank", "charger")
def powerbank(c: Canvas, s: Subject) -> None:
    """Draw a power bank with its charge, or a charger plug."""
    body = s.tint(WHITE)
    c.shadow(410, 650, 220)
    if s.kind == "charger" and not s.says("充电座", "电池充"):
        for x in (330, 440):
            c.rect(x, 150, 30, 90, c.tube(STEEL), 6)
        draw_cuboid(c, 250, 240, 280, 370, 110, body, 40)
        for n in range(2):
            c.rect(320, 300 + n * 70, 140, 36, INK, 18)
        c.text(
            390,
            520,
            s.attributes.get("功率", ""),
            74,
            get_print_colour(s, body),
            width=220,
            weight=700,
        )
        mark(c, s, 390, 570, 26, get_print_colour(s, body), 200)
        return
    draw_cuboid(c, 260, 180, 250, 460, 70, body, 34)
    c.rect(320, 220, 130, 60, c.down("#1d232b"), 12)
    c.text(385, 264, f"{70 + s.seed % 30}%", 42, "#7fe0a8")
    c.text(
        385,
        480,
        s.attributes.get("容量", s.attributes.get("槽位", "")),
        56,
        get_print_colour(s, body),
        width=220,
        weight=700,
    )
    mark(c, s, 385, 560, 32, get_print_colour(s, body), 200)
    c.rect(300, 620, 60, 12, INK, 6)
    c.rect(410, 620, 60, 12, INK, 6)


@draws("scangun")
def scangun(c: Canvas, s: Subject) -> None:
    """Draw a bar code scanner with its red beam."""
    body = s.tint("#30353d")
    c.shadow(410, 660, 220)
    c.path("M220 330L70 250V430Z", "#ff5a5a", 'opacity=".22"')
    c.path(
        "M210 260Q220 220 280 216L520 230Q590 240 590 320T520 400L280 410Q220 400 210 370Z",
        c.slant(body),
    )
    c.path("M206 256h30v126h-30Z", "#5a1f22")
    c.path(
        "M420 390L560 380L600 640Q600 664 570 664H500Q470 664 464 640Z", c.slant(shade(body, 0.08))
    )
    c.path("M410 400q-10 70 40 80v-84Z", c.down("#f08135"))
    mark(c, s, 400, 320, 34, get_print_colour(s, body), 200)
    if s.says("有线"):
        c.stroke("M540 660q10 50 90 40", INK, 14)
