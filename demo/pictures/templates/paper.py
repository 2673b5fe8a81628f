"""Paper in reams, rolls and books, envelopes, labels, calendars."""

from demo.pictures.canvas import Canvas
from demo.pictures.colour import INK, KRAFT, RAINBOW, WHITE, get_text_colour, shade
from demo.pictures.registry import draws
from demo.pictures.shapes import draw_cuboid, draw_cylinder, draw_label, mark
from demo.pictures.subject import Subject


def ream(c: Canvas, s: Subject, x: float, y: float, w: float, h: float) -> None:
    """Draw a lying wrapped ream with a broad band in the brand's colour."""
    draw_cuboid(c, x, y, w, h, w * 0.62, "#ffffff", 4)
    c.path(
        f"M{x + w * 0.16:g} {y:g}l{w * 0.496:g} {-w * 0.26:g}h{w * 0.34:g}l{-w * 0.496:g} {w * 0.26:g}Z",
        c.slant(s.accent),
    )
    c.rect(x + w * 0.16, y, w * 0.34, h, c.down(s.accent))


@draws("paper")
def paper(c: Canvas, s: Subject) -> None:
    """Draw copy paper: one upright ream with its band, or the carton with reams in front of it."""
    if s.pack.endswith("箱"):
        c.shadow(420, 650, 300)
        draw_cuboid(c, 150, 270, 400, 360, 190, "#d9b98c")
        draw_label(c, s, 190, 320, 320, 200)
        c.text(290, 590, s.pack, 46, "#7a5a32", width=240, weight=700)
        c.path("M150 270L302 190H702L550 270Z", "#ffffff", 'opacity=".18"')
        ream(c, s, 460, 566, 190, 70)
        return
    c.shadow(420, 650, 290)
    draw_cuboid(c, 190, 180, 400, 460, 70, "#ffffff", 6)
    c.rect(190, 180, 400, 170, c.slant(s.accent), 6)
    c.path(
        "M190 560C300 500 420 600 590 530V634q0 6 -6 6H196q-6 0 -6 -6Z",
        c.slant(shade(s.accent, 0.3)),
    )
    c.text(390, 262, s.brand, 74, "#ffffff", weight=700)
    c.text(390, 316, s.english, 30, "#ffffff", weight=500)
    c.text(390, 430, s.noun, 46, INK, width=340, weight=700)
    c.text(390, 496, s.spec, 54, s.accent, width=320, weight=700)
    c.text(390, 616, s.pack, 34, "#ffffff", width=320)


@draws("colorpaper")
def colorpaper(c: Canvas, s: Subject) -> None:
    """Draw a fan of coloured sheets."""
    tint = {"粉色": "#f7b8cb", "黄色": "#f9e07a", "绿色": "#a9dfb3", "蓝色": "#a9cff2"}.get(
        s.colour_word, "#f7b8cb"
    )
    c.shadow(410, 650, 280)
    for turn in (18, 9, 0):
        c.begin(f"rotate({turn} 300 640)")
        c.rect(
            200,
            170,
            340,
            470,
            c.slant(shade(tint, turn / 60)),
            6,
            f'stroke="{shade(tint, -0.15)}" stroke-width="1.5"',
        )
        c.end()
    draw_label(c, s, 240, 320, 260, 170)


@draws("continuous")
def continuous(c: Canvas, s: Subject) -> None:
    """Draw folded computer paper with its first sheet pulled up."""
    c.shadow(420, 650, 290)
    draw_cuboid(c, 160, 470, 420, 160, 200, WHITE, 4)
    c.stroke("".join(f"M160 {486 + n * 16}H580" for n in range(9)), "#d3dae2", 2)
    c.path(
        "M180 470L300 200Q306 184 322 184H700Q688 190 682 200L566 470Z",
        c.slant("#ffffff"),
        'stroke="#d5dce4" stroke-width="2"',
    )
    for step in range(8):
        c.disc(208 + step * 14.5, 440 - step * 32, 6, "#c3ccd6")
        c.disc(566 + step * 14.5, 440 - step * 32, 6, "#c3ccd6")
    c.stroke("M262 380L544 380M282 336L562 336M302 292L580 292", "#e3e9ef", 8)
    c.text(370, 570, f"{s.brand} {s.spec}", 40, s.accent, width=380, weight=700)


@draws("photopaper")
def photopaper(c: Canvas, s: Subject) -> None:
    """Draw a pack of photo paper with a landscape on it."""
    c.shadow(410, 650, 260)
    c.begin("rotate(8 400 640)")
    c.rect(230, 200, 380, 430, "#ffffff", 4, 'stroke="#dde4ec" stroke-width="2"')
    c.end()
    draw_cuboid(c, 190, 190, 380, 450, 40, "#ffffff", 4)
    c.rect(214, 310, 332, 300, c.down("#8fd0ef"), 6)
    c.disc(470, 380, 36, "#fff3c4")
    c.path(
        "M214 540L320 420L400 510L460 450L546 540V604q0 6 -6 6H220q-6 0 -6 -6Z", c.slant("#4a9a6c")
    )
    c.text(380, 252, f"{s.brand} {s.noun}", 40, s.accent, width=320, weight=700)
    c.text(380, 292, s.spec, 26, "#5b6675")


def paper_roll(c: Canvas, s: Subject, cx: float, top: float, w: float, h: float) -> None:
    """Draw one upright roll of paper."""
    draw_cylinder(c, cx, top, w, h, "#fbfcfd", "#f1f4f7", 0.17)
    for share in (0.8, 0.6):
        c.oval(
            cx, top, w / 2 * share, w * 0.17 * share, "none", 'stroke="#d2dae3" stroke-width="2"'
        )
    c.oval(cx, top, w * 0.16, w * 0.055, shade(s.accent, 0.2))
    c.path(f"M{cx + w / 2:g} {top:g}v{h:g}h{w * 0.16:g}v{-h:g}Z", c.tube("#f3f6f8"))


@draws("rollpaper")
def rollpaper(c: Canvas, s: Subject) -> None:
    """Draw thermal rolls; a pack shows a pyramid of them."""
    c.shadow(410, 650, 290)
    if s.pack_count > 1:
        for x, y in ((300, 250), (500, 250), (210, 430), (400, 430), (590, 430)):
            paper_roll(c, s, x, y, 180, 190)
    else:
        paper_roll(c, s, 390, 260, 340, 350)
    draw_label(c, s, 290 if s.pack_count == 1 else 310, 480, 200 if s.pack_count == 1 else 180, 120)


@draws("label", "thermalstack")
def label_sheets(c: Canvas, s: Subject) -> None:
    """Draw label sheets with one label half peeled off."""
    c.shadow(410, 650, 270)
    columns, rows = (
        (1, 1)
        if "整张" in s.spec
        else (3, 8)
        if "24" in s.spec
        else (4, 10)
        if "40" in s.spec
        else (1, 2)
    )
    for turn in (8, 4, 0):
        c.begin(f"rotate({turn} 250 640)")
        c.rect(
            210,
            170,
            350,
            470,
            "#f4e9c9" if s.kind == "label" else "#fbe9a5",
            6,
            'stroke="#ded0a6" stroke-width="1.5"',
        )
        c.end()
    wide, high = 330 / columns, 450 / rows
    for n in range(columns * rows):
        c.rect(
            222 + n % columns * wide, 182 + n // columns * high, wide - 8, high - 8, "#ffffff", 6
        )
    c.path("M468 630L552 540V630Z", c.slant("#e8eef3"), 'stroke="#ccd6e0"')
    draw_label(c, s, 270, 300, 230, 150)


@draws("notebook", "book")
def notebook(c: Canvas, s: Subject) -> None:
    """Draw a notebook: cover, page edges, band and ribbon, and coils if it has them."""
    body = s.tint(s.accent)
    c.shadow(420, 650, 260)
    c.path("M238 206L620 176V612L250 650Z", "#f5f1e6")
    c.stroke("M612 186V616M604 188V620M596 190V622", "#d9d2c0", 2)
    c.path(
        "M200 196Q200 180 216 180L560 166Q578 166 578 184V620Q578 636 562 638L218 652Q200 652 200 636Z",
        c.slant(body),
    )
    c.path(
        "M200 196Q200 180 216 180L246 179V651L218 652Q200 652 200 636Z", "#000000", 'opacity=".16"'
    )
    if s.says("线圈"):
        for step in range(12):
            c.stroke(f"M186 {206 + step * 37}q-4 -20 20 -18t18 20", "#59626f", 6)
    elif s.kind == "notebook":
        c.rect(516, 168, 16, 472, shade(body, -0.35))
        c.path("M300 648l0 44 10 -8 10 8V646Z", "#d63b3f")
    if s.kind == "book":
        c.text(410, 330, s.noun[:4], 62, get_text_colour(body), width=280, weight=700)
        c.text(410, 400, s.noun[4:], 50, get_text_colour(body), width=280, weight=700)
    gold = "#d9b25a" if s.kind != "book" else get_text_colour(body)
    c.text(390, 560 if s.kind == "book" else 400, s.english, 40, gold, width=240, weight=700)
    c.text(390, 600 if s.kind == "book" else 446, s.spec, 26, gold, width=230, weight=400)


@draws("sticky")
def sticky(c: Canvas, s: Subject) -> None:
    """Draw pads of sticky notes with curling upper sheets."""
    tints = (
        ["#f9e07a", "#f7a9c4", "#9fdcb0", "#9cc9f2"]
        if s.is_rainbow
        else [{"粉色": "#f7a9c4"}.get(s.colour_word, "#f9e07a")] * 4
    )
    c.shadow(410, 640, 280)
    wide = 330 if "127" not in s.spec else 440
    high = 330 if "51" not in s.spec else 230
    x, y = 390 - wide / 2, 600 - high
    for step, tint in enumerate(tints):
        lift = step * 24
        draw_cuboid(c, x, y - lift + 20, wide, high - 20, 60, tint, 2)
    top = tints[-1]
    c.path(
        f"M{x} {y - 52}h{wide}v{high - 100}q-20 70 -80 84q-120 14 -{wide - 80} 16Z",
        c.slant(shade(top, 0.12)),
    )
    c.path(f"M{x + wide} {y + high - 152}q-20 70 -80 84q40 -8 80 -6Z", shade(top, -0.22))
    c.text(x + wide / 2, y + high * 0.35 - 40, s.brand, 46, shade(top, -0.7), weight=700)
    c.text(x + wide / 2, y + high * 0.35, s.spec, 30, shade(top, -0.6), width=wide - 40)


@draws("flags")
def flags(c: Canvas, s: Subject) -> None:
    """Draw index flags on their card."""
    c.shadow(410, 650, 260)
    draw_cuboid(c, 200, 190, 380, 450, 24, WHITE)
    c.rect(200, 190, 380, 110, c.slant(s.accent), 6)
    c.text(390, 262, f"{s.brand} {s.noun}", 38, "#ffffff", width=330, weight=700)
    for step in range(5):
        c.rect(230, 326 + step * 58, 320 - step * 18, 46, c.tube(shade(RAINBOW[step], 0.3)), 4)
        c.path(f"M{550 - step * 18} {326 + step * 58}l30 23 -30 23Z", shade(RAINBOW[step], 0.3))


@draws("envelope", "bubblemail", "mailer")
def envelope(c: Canvas, s: Subject) -> None:
    """Draw a stack of envelopes, the front one with its flap."""
    body = {"envelope": KRAFT if s.says("牛皮") else "#f7f5ee", "bubblemail": "#eec46a"}.get(
        s.kind, s.tint("#8f98a5")
    )
    c.shadow(410, 640, 290)
    for step in range(3):
        c.rect(
            170 + step * 14,
            250 - step * 26,
            480,
            330,
            c.slant(shade(body, 0.2 - step * 0.06)),
            8,
            f'stroke="{shade(body, -0.25)}" stroke-width="1.5"',
        )
    c.rect(
        140, 300, 480, 330, c.slant(body), 8, f'stroke="{shade(body, -0.25)}" stroke-width="1.5"'
    )
    if s.kind == "envelope":
        c.path(
            "M140 306Q140 300 148 300H612Q620 300 620 306L380 480Z",
            c.down(shade(body, 0.14)),
            f'stroke="{shade(body, -0.25)}" stroke-width="1.5"',
        )
        for step in range(6):
            c.rect(166 + step * 34, 580, 24, 28, "none", 0, 'stroke="#c8402f" stroke-width="2.5"')
    else:
        c.rect(140, 300, 480, 60, c.down(shade(body, 0.2)), 8)
        if s.kind == "bubblemail":
            for step in range(28):
                c.disc(
                    190 + step % 7 * 64, 410 + step // 7 * 56, 16, shade(body, 0.3), 'opacity=".6"'
                )
    c.text(510, 596, s.english, 30, get_text_colour(body), width=180, weight=700)


@draws("ledger")
def ledger(c: Canvas, s: Subject) -> None:
    """Draw a pad of forms with its ruled lines."""
    c.shadow(420, 640, 290)
    draw_cuboid(c, 130, 300, 480, 320, 60, "#fdfdfa", 4)
    c.rect(130, 300, 480, 54, c.slant(s.accent), 4)
    c.text(370, 340, f"{s.noun}", 34, "#ffffff", width=420, weight=700)
    ink = ("#2f6fd0", "#c8402f", "#37845c")[s.seed % 3]
    c.stroke(
        "".join(f"M160 {400 + n * 42}H580" for n in range(5))
        + "M160 400V568M280 400V568M400 400V568M490 400V568M580 400V568",
        ink,
        2.5,
    )
    mark(c, s, 480, 604, 26, ink, 180)
    c.text(170, 604, s.spec, 24, "#7b8797", anchor="start")


@draws("calendar")
def calendar(c: Canvas, s: Subject) -> None:
    """Draw a desk calendar on its stand."""
    tint = s.tint("#d63b3f")
    c.shadow(410, 640, 290)
    c.path("M150 600L250 270H680L610 620H170Z", c.slant(shade(tint, -0.3)))
    c.path("M130 600L220 240H640L590 600Z", c.slant("#ffffff"), 'stroke="#dde4ec" stroke-width="2"')
    c.path("M200 320L220 240H640L629 320Z", c.slant(tint))
    c.text(
        420,
        300,
        f"{s.brand}台历" if s.says("台历") else f"{s.brand} 日程",
        44,
        get_text_colour(tint),
        width=300,
        weight=700,
    )
    for n in range(28):
        row, column = divmod(n, 7)
        c.rect(
            214 + column * 56 - row * 15,
            352 + row * 58,
            42,
            40,
            shade(tint, 0.72) if column in (0, 6) else "#edf1f5",
            6,
        )
    for step in range(14):
        c.stroke(f"M{240 + step * 29} 254q-6 -36 8 -36t8 36", "#59626f", 5)


@draws("redpacket", "certificate")
def redpacket(c: Canvas, s: Subject) -> None:
    """Draw red envelopes, or a red certificate, with gold."""
    red, gold = "#c72c32", "#f1cf7c"
    c.shadow(400, 650, 270)
    if s.kind == "certificate":
        c.path("M140 230L400 260L660 230V610L400 644L140 610Z", c.slant(red))
        c.path("M166 262L400 288V612L166 584Z", "#fdf7e8")
        c.path("M634 262L400 288V612L634 584Z", "#fbf3df")
        c.text(520, 400, "荣誉证书" if s.says("证书") else s.noun, 46, red, width=180, weight=700)
        c.disc(520, 510, 42, c.ball("#d63b3f"))
        c.stroke("M200 350h150M200 400h150M200 450h150M200 500h110", "#d9cba6", 5)
        c.text(275, 330, s.english, 22, shade(red, 0.1), width=150, weight=700)
        return
    for turn in (14, 2, -10):
        c.begin(f"rotate({turn} 400 700)")
        c.rect(270, 190, 260, 430, c.slant(red), 16)
        c.path("M270 200q0 -10 16 -10h228q16 0 16 10v50Q400 330 270 250Z", c.down(shade(red, 0.1)))
        c.disc(400, 290, 40, c.ball(gold))
        c.end()
    c.text(370, 470, "福", 130, gold, weight=700)
    c.text(376, 570, s.english, 26, gold, width=180)
