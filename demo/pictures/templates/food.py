"""Food and drink."""

from demo.pictures.canvas import Canvas
from demo.pictures.colour import INK, KRAFT, WHITE, get_text_colour, shade
from demo.pictures.registry import draws
from demo.pictures.shapes import (
    draw_bag,
    draw_bottle,
    draw_carton,
    draw_cuboid,
    draw_cylinder,
    draw_label,
    mark,
)
from demo.pictures.subject import Subject

FLAVOURS = {
    "柠檬": "#e8cf3a", "白桃": "#f2a4b0", "橙": "#f29a2e", "乌龙": "#a56a34", "茉莉": "#8fbf6a", "番茄": "#e0553f", "海苔": "#3f8a55",
    "牛肉": "#c8452f", "酸菜": "#7f9f3a", "麻辣": "#c22f2a", "鱼香": "#d9662f", "黑椒": "#4a3b34", "奶香": "#f0dfb4", "红豆": "#9a3d3f",
    "绿茶": "#5f9a4a", "龙井": "#5f9a4a", "红茶": "#a8382d", "铁观音": "#3f7a4f", "普洱": "#6a3d28", "大红袍": "#8a4a2a", "花茶": "#c9a33c", "菊花": "#dcae3a",
    "原味": "#4a90c8", "红枣": "#a8382d", "胖大海": "#8a5a3a",
}  # fmt: skip


def flavour(s: Subject, default: str) -> str:
    """Return the colour of the product's flavour."""
    return next((tint for word, tint in FLAVOURS.items() if s.says(word)), default)


def crate_behind(c: Canvas, s: Subject, colour: str) -> None:
    """Draw the shipping carton behind single pieces if a whole carton is sold."""
    draw_cuboid(c, 320, 250, 320, 370, 110, colour)
    c.rect(400, 280, 222, 130, "#ffffff", 8, 'opacity=".94"')
    c.text(511, 334, s.brand, 44, s.accent, width=200, weight=700)
    c.text(511, 386, s.noun, 32, INK, width=200)
    c.text(560, 590, s.pack, 30, get_text_colour(colour), width=120)


def one_bottle(
    c: Canvas, s: Subject, x: float, top: float, w: float, h: float, fill: str, cap: str
) -> None:
    """Draw one drink bottle with its sleeve."""
    draw_bottle(c, x, top, w, h, fill, neck=0.4, shoulder=0.2)
    c.rect(x - w * 0.22, top - h * 0.06, w * 0.44, h * 0.09, c.tube(cap), 5)
    c.rect(x - w / 2, top + h * 0.46, w, h * 0.3, c.tube(s.accent))
    c.text(x, top + h * 0.6, s.brand, w * 0.26, "#ffffff", width=w * 0.84, weight=700)
    c.text(x, top + h * 0.7, s.spec, w * 0.16, "#ffffff", width=w * 0.8)


@draws("water", "juice", "sauce")
def drink(c: Canvas, s: Subject) -> None:
    """Draw bottles of water, juice, tea or sauce."""
    fill = {"water": "#cfe8f6", "sauce": "#4a2b20" if s.says("酱油", "蚝油") else "#8a4a2a"}.get(
        s.kind, flavour(s, "#d9a24a")
    )
    cap = {"water": "#2f6fd0", "sauce": "#c8402f"}.get(s.kind, "#ffffff")
    c.shadow(410, 660, 270)
    if s.pack_count > 1:
        crate_behind(c, s, "#4f9fd6" if s.kind == "water" else shade(fill, 0.15))
        for n in range(3):
            one_bottle(c, s, 160 + n * 96, 290 + n * 8, 90, 350, fill, cap)
        return
    one_bottle(c, s, 400, 180, 180, 470, fill, cap)


@draws("barrelwater")
def barrel(c: Canvas, s: Subject) -> None:
    """Draw a big water bottle."""
    c.shadow(400, 670, 210)
    draw_bottle(c, 400, 210, 340, 450, "#9fd0ee", neck=0.24, shoulder=0.14)
    c.rect(356, 166, 88, 60, c.tube("#2f6fd0"), 10)
    c.stroke("M236 420H564M236 600H564", "#7fb8de", 10)
    draw_label(c, s, 280, 440, 240, 140)


@draws("can", "tin")
def can(c: Canvas, s: Subject) -> None:
    """Draw drink cans, or a food tin."""
    tint = flavour(s, "#c8452f" if s.kind == "tin" else "#3a8fc0")
    c.shadow(410, 660, 260)
    if s.pack_count > 1:
        crate_behind(c, s, shade(tint, 0.2))
    spots = (400,) if s.pack_count == 1 else (170, 310)
    wide, high = (
        (300, 300)
        if s.kind == "tin" and s.pack_count == 1
        else (210, 400)
        if s.pack_count == 1
        else (130, 230 if s.kind == "can" else 150)
    )
    for x in spots:
        top = 640 - high
        draw_cylinder(c, x, top, wide, high, tint, "#d3dae1")
        c.oval(x, top, wide * 0.4, wide * 0.1, "#b5bfca")
        c.rect(x - wide / 2, top + high * 0.3, wide, high * 0.36, c.tube(WHITE), 0)
        c.text(x, top + high * 0.47, s.brand, wide * 0.22, s.accent, width=wide * 0.86, weight=700)
        c.text(x, top + high * 0.6, s.noun, wide * 0.13, INK, width=wide * 0.86)


@draws("milk")
def milk(c: Canvas, s: Subject) -> None:
    """Draw cartons of milk."""
    c.shadow(410, 660, 260)
    if s.pack_count > 1:
        crate_behind(c, s, "#6fb2e0")
    for x in (140, 260) if s.pack_count > 1 else (330,):
        w = 105 if s.pack_count > 1 else 180
        h = 300 if s.pack_count > 1 else 430
        draw_cuboid(c, x, 640 - h, w, h, w * 0.5, "#ffffff", 4)
        c.path(
            f"M{x} {640 - h * 0.4}q{w * 0.25} -40 {w * 0.5} 0t{w * 0.5} 0V640H{x}Z",
            c.slant("#4a9ad6"),
        )
        c.text(x + w / 2, 640 - h * 0.66, s.brand, w * 0.34, s.accent, width=w * 0.86, weight=700)
        c.text(x + w / 2, 640 - h * 0.5, s.noun, w * 0.2, INK, width=w * 0.86)
        c.text(x + w / 2, 640 - h * 0.12, s.spec, w * 0.2, "#ffffff", width=w * 0.8)


@draws("tea")
def tea(c: Canvas, s: Subject) -> None:
    """Draw a tea caddy with leaves and a cup."""
    tint = flavour(s, "#5f9a4a")
    c.shadow(410, 660, 270)
    draw_cylinder(c, 330, 250, 260, 380, shade(tint, -0.2), shade(tint, 0.1))
    c.rect(200, 250, 260, 70, c.tube(shade(tint, -0.35)))
    c.rect(262, 350, 136, 220, "#f6efdd", 6)
    for n, char in enumerate(s.noun[:4]):
        c.text(330, 400 + n * 46, char, 42, "#4a3b2a", weight=700)
    c.text(330, 606, s.english, 26, "#f6efdd", width=200)
    c.path("M500 540H660L640 630Q580 650 520 630Z", c.tube(WHITE))
    c.oval(580, 540, 80, 20, c.slant(shade(tint, 0.35)))
    c.oval(580, 542, 68, 15, shade(tint, 0.1))
    for n in range(7):
        c.path(f"M{480 + n * 26} {664 - n % 3 * 8}q10 -12 24 -2q-12 10 -24 2Z", shade(tint, -0.3))


@draws("teabag", "coffee", "coffeebag")
def sachets(c: Canvas, s: Subject) -> None:
    """Draw a box of tea bags or coffee sticks with some in front of it. Beans come in a bag."""
    brown = s.kind != "teabag"
    tint = flavour(s, "#6b4632" if brown else "#5f9a4a")
    c.shadow(410, 660, 270)
    if s.kind == "coffeebag" and not s.says("方糖", "奶精"):
        draw_bag(c, 250, 170, 300, 470, tint)
        draw_label(c, s, 290, 330, 220, 170, colour=shade(tint, -0.2))
        for n in range(6):
            c.oval(190 + n * 84, 650 + n % 2 * 10, 22, 15, c.ball("#5a3a26"))
        return
    draw_carton(c, s, 230, 230, 330, 330, 140, tint)
    if brown:
        for n in range(4):
            c.begin(f"translate({170 + n * 40} 560) rotate({-14 + n * 6})")
            c.rect(-16, -130, 32, 220, c.tube(shade(tint, 0.15)), 3)
            c.rect(-16, -60, 32, 60, "#f6efdd")
            c.end()
    else:
        c.stroke("M230 560C200 520 180 540 170 590", "#c9c2b0", 4)
        c.path("M120 590L150 560H200L226 590V660H120Z", c.slant("#f3ead2"))
        c.path("M132 610H214V650H132Z", shade(tint, -0.1), 'opacity=".6"')
        c.rect(212, 536, 44, 40, tint, 4)


@draws("cookie", "snack", "candy", "nuts", "drygoods")
def snack(c: Canvas, s: Subject) -> None:
    """Draw a bag of snacks with some pieces in front of it."""
    tint = flavour(
        s,
        {
            "cookie": "#d9902f",
            "snack": "#c8452f",
            "candy": "#d1508f",
            "nuts": "#8a5a33",
            "drygoods": "#7a5a3c",
        }[s.kind],
    )
    c.shadow(410, 660, 270)
    if s.pack.endswith("箱"):
        draw_cuboid(c, 330, 250, 290, 380, 120, KRAFT)
        c.text(475, 340, s.brand, 54, "#7a5a32", weight=700)
        c.text(475, 400, s.pack, 34, "#7a5a32", width=250)
    left = 240 if not s.pack.endswith("箱") else 140
    draw_bag(c, left, 170, 310, 440, tint)
    c.oval(left + 155, 340, 120, 84, "#fff7e6")
    c.text(left + 155, 340, s.brand, 58, s.accent, width=190, weight=700)
    c.text(left + 155, 390, s.noun, 34, INK, width=190)
    c.text(left + 155, 510, s.spec, 34, get_text_colour(tint), width=240)
    for n in range(5):
        x, y = left - 20 + n * 92, 640 + (n % 2) * 12
        if s.kind == "cookie":
            c.oval(x, y, 40, 24, c.ball("#dda75a"))
            c.stroke(f"M{x - 14} {y - 4}h1m14 -6h1m10 8h1m-20 6h1", "#8a5a2a", 6)
        elif s.kind == "candy":
            c.path(
                f"M{x - 46} {y - 14}l20 14l-20 14ZM{x + 46} {y - 14}l-20 14l20 14Z",
                shade(tint, 0.35),
            )
            c.oval(x, y, 28, 18, c.ball(("#e5595c", "#f4bd25", "#37a36a", "#2f6fd0", "#8b62c9")[n]))
        else:
            c.oval(
                x,
                y,
                32,
                20,
                c.ball({"nuts": "#a8713f", "drygoods": "#5f4634"}.get(s.kind, "#e0a13f")),
                f'transform="rotate({n * 33} {x} {y})"',
            )


@draws("noodles", "selfheat")
def noodles(c: Canvas, s: Subject) -> None:
    """Draw an instant noodle tub with steam, or a self-heating box."""
    tint = flavour(s, "#c8452f")
    c.shadow(400, 660, 250)
    if s.kind == "selfheat":
        draw_cuboid(c, 190, 330, 360, 290, 170, tint, 18)
        draw_label(c, s, 230, 380, 280, 190, colour=shade(tint, -0.3))
    else:
        c.path("M210 290H590L540 620Q400 650 260 620Z", c.tube(tint))
        c.rect(196, 262, 408, 44, c.rod(WHITE), 20)
        c.path("M228 400H572L552 540H248Z", c.tube("#fff3dc"))
        c.text(400, 460, s.brand, 62, s.accent, width=260, weight=700)
        c.text(400, 518, s.spec, 38, shade(tint, -0.2), width=280, weight=700)
    c.stroke(
        "M320 230q-26 -40 0 -70M400 220q-26 -46 0 -86M480 230q-26 -40 0 -70",
        "#d5dce4",
        9,
        'opacity=".9"',
    )


@draws("ricebag", "flour", "powderbag")
def sack(c: Canvas, s: Subject) -> None:
    """Draw a sack of rice, flour or washing powder."""
    tint = {"ricebag": "#3f9a5f", "flour": "#d0862f", "powderbag": "#2f6fd0"}[s.kind]
    if s.says("小米", "杂粮", "红豆"):
        tint = "#b5772f"
    if s.says("皂"):
        c.shadow(410, 620, 270)
        draw_cuboid(c, 160, 420, 420, 180, 170, "#eec23a", 24)
        c.text(370, 525, s.noun, 60, "#ffffff", width=340, weight=700)
        mark(c, s, 370, 580, 30, "#ffffff")
        return
    c.shadow(400, 660, 250)
    draw_bag(c, 230, 150, 340, 500, "#f4f1e6" if s.kind != "powderbag" else tint)
    c.path(
        "M226 190H574V330Q400 400 226 330Z", c.slant(tint if s.kind != "powderbag" else "#f4bd25")
    )
    c.text(400, 270, s.brand, 72, "#ffffff" if s.kind != "powderbag" else "#1d3a74", weight=700)
    c.text(
        400,
        460,
        s.noun,
        60,
        shade(tint, -0.3) if s.kind != "powderbag" else "#ffffff",
        width=290,
        weight=700,
    )
    c.text(
        400, 540, s.spec, 50, tint if s.kind != "powderbag" else "#ffffff", width=260, weight=700
    )
    mark(c, s, 400, 594, 24, "#8d96a3" if s.kind != "powderbag" else "#ffffff")


@draws("oil")
def oil(c: Canvas, s: Subject) -> None:
    """Draw a jug of cooking oil with its handle."""
    c.shadow(400, 670, 210)
    c.path(
        "M320 190H420V250Q420 280 470 300Q560 340 560 430V630Q560 660 530 660H270Q240 660 240 630V430Q240 350 300 310Q320 290 320 250Z",
        c.tube("#eeb63a"),
    )
    c.path("M450 330Q520 350 520 440V480H480V440Q480 400 440 386Z", "#fdf3d8", 'opacity=".85"')
    c.rect(310, 140, 120, 66, c.tube("#c8402f"), 10)
    draw_label(c, s, 268, 450, 264, 180, colour="#c8402f")


@draws("foodgift", "oilgift", "giftbox")
def giftbox(c: Canvas, s: Subject) -> None:
    """Draw a gift box with ribbon, in the festival's colour."""
    tint = s.tint("#b5282e")
    if s.says("粽"):
        tint = "#2f7d5b"
    elif s.says("月饼"):
        tint = "#2b3f7a" if s.seed % 2 else "#a3282e"
    elif s.says("糕", "干果", "五谷"):
        tint = "#a8562a"
    gold = "#f0cf80"
    c.shadow(410, 660, 300)
    draw_cuboid(c, 150, 320, 430, 310, 170, tint, 8)
    c.path("M300 238q70 -90 170 0", "none", f'stroke="{gold}" stroke-width="12"')
    c.rect(150, 450, 430, 30, c.rod(gold))
    c.rect(180, 340, 370, 272, "none", 6, f'stroke="{gold}" stroke-width="2.5"')
    c.disc(365, 464, 112, c.ball(shade(tint, -0.2)), f'stroke="{gold}" stroke-width="5"')
    c.text(365, 462, s.noun[:2], 66, gold, weight=700)
    c.text(365, 512, s.noun[2:], 32, gold, width=170)
    c.text(365, 604, f"{s.english} {s.spec}", 24, gold, width=340)
