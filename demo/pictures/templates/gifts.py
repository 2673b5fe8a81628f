"""Cups, bags, umbrellas, prizes, home textiles and pans."""

from demo.pictures.canvas import Canvas
from demo.pictures.colour import INK, STEEL, WHITE, get_text_colour, shade
from demo.pictures.registry import draws
from demo.pictures.shapes import draw_cuboid, draw_cylinder, draw_label, get_print_colour, mark
from demo.pictures.subject import Subject


@draws("thermos", "sportbottle")
def thermos(c: Canvas, s: Subject) -> None:
    """Draw a vacuum flask, or a sports bottle with its loop."""
    body = s.tint("#2f6fd0")
    c.shadow(400, 680, 170)
    if s.kind == "sportbottle":
        c.path("M350 130Q350 80 400 80T450 130", "none", f'stroke="{INK}" stroke-width="18"')
        c.path(
            "M330 220H470Q520 260 520 330V640Q520 670 490 670H310Q280 670 280 640V330Q280 260 330 220Z",
            c.tube(body),
            'opacity=".88"',
        )
        c.rect(334, 120, 132, 104, c.tube(INK), 18)
        c.stroke("".join(f"M470 {360 + n * 50}h30" for n in range(6)), "#ffffff", 5, 'opacity=".7"')
    else:
        draw_cylinder(c, 400, 240, 210, 420, body, squash=0.06)
        c.rect(292, 226, 216, 26, c.tube(STEEL), 4)
        c.rect(306, 110, 188, 124, c.tube(shade(body, -0.1)), 26)
        if s.says("智能"):
            c.rect(350, 142, 100, 44, "#14181e", 10)
            c.text(400, 176, "56°C", 32, "#7fc3e8")
    mark(c, s, 400, 470, 38, get_print_colour(s, body), 180)
    c.text(400, 510, s.spec, 26, get_text_colour(body), width=160, weight=400)


@draws("mug", "glass", "teaset")
def mug(c: Canvas, s: Subject) -> None:
    """Draw a mug, a glass or a tea set."""
    body = s.tint(WHITE)
    if s.kind == "teaset":
        body = s.tint("#a9c9bf")
        c.shadow(400, 650, 310)
        c.path("M110 560H690L640 640H160Z", c.slant("#8a5a35"))
        c.path("M260 380Q240 540 330 560H450Q540 540 520 380Z", c.tube(body))
        c.path("M520 400L620 360L600 420L516 470Z", c.slant(body))
        c.stroke("M262 410Q180 410 190 480T280 520", body, 22)
        c.path("M258 384Q280 330 390 326T522 384Z", c.down(shade(body, 0.1)))
        c.disc(390, 318, 18, c.ball(shade(body, -0.2)))
        for x in (180, 580, 660):
            c.path(f"M{x - 42} 540H{x + 42}L{x + 28} 600H{x - 28}Z", c.tube(body))
            c.oval(x, 540, 42, 10, "#c9843c")
        mark(c, s, 390, 480, 28, get_text_colour(body))
        return
    c.shadow(400, 660, 210)
    if s.kind == "glass":
        c.path(
            "M270 200H530L500 650Q400 670 300 650Z",
            c.tube("#dcebf3"),
            'opacity=".75" stroke="#b9cfdd" stroke-width="3"',
        )
        c.path("M282 360H518L498 630Q400 648 302 630Z", c.tube("#c98a3a"), 'opacity=".6"')
        c.oval(400, 200, 130, 24, "#f4f9fc", 'stroke="#b9cfdd" stroke-width="3"')
        c.path("M300 230L330 640H350L324 230Z", "#ffffff", 'opacity=".5"')
        mark(c, s, 400, 320, 34)
        return
    c.path(
        "M520 320C660 300 660 540 514 530L516 486C600 490 600 366 520 366Z",
        c.slant(shade(body, -0.06)),
    )
    draw_cylinder(c, 390, 260, 280, 370, body, shade(body, -0.3), 0.1)
    c.oval(390, 262, 118, 22, "#5a3a22" if s.seed % 2 else shade(body, -0.4))
    mark(c, s, 390, 470, 44, get_print_colour(s, body), 220)


@draws("backpack", "briefcase", "totebag")
def backpack(c: Canvas, s: Subject) -> None:
    """Draw a backpack, a briefcase or a canvas bag."""
    body = s.tint("#30353d" if s.kind != "totebag" else "#e9dcc4")
    c.shadow(400, 670, 250)
    if s.kind == "totebag":
        c.stroke("M300 280V200Q300 120 400 120T500 200V280", shade(body, -0.12), 26)
        c.path("M220 270H580L600 660H200Z", c.slant(body))
        c.stroke("M226 300H576", shade(body, -0.2), 3, 'stroke-dasharray="10 8"')
        c.disc(400, 450, 90, c.slant(s.accent))
        c.text(400, 468, s.brand, 56, "#ffffff", width=150, weight=700)
        return
    if s.kind == "briefcase":
        c.stroke("M310 290V240Q310 210 340 210H460Q490 210 490 240V290", shade(body, -0.2), 24)
        draw_cuboid(c, 130, 280, 500, 360, 50, body, 26)
        c.path("M130 300H630V420Q380 480 130 420Z", c.down(shade(body, 0.1)))
        c.rect(346, 430, 68, 50, c.rod(STEEL), 8)
        mark(c, s, 380, 570, 32, get_text_colour(body))
        return
    c.path(
        "M340 170Q340 110 400 110T460 170",
        "none",
        f'stroke="{shade(body, -0.3)}" stroke-width="20"',
    )
    c.path(
        "M220 360Q210 150 400 150T580 360L596 620Q596 660 550 660H250Q204 660 204 620Z",
        c.slant(body),
    )
    c.path(
        "M250 300Q260 190 400 190T550 300", "none", f'stroke="{shade(body, 0.3)}" stroke-width="6"'
    )
    c.rect(254, 430, 292, 210, c.down(shade(body, 0.08)), 34)
    c.stroke("M276 470H524", shade(body, -0.4), 8)
    c.rect(506, 462, 20, 46, c.tube(STEEL), 6)
    c.rect(340, 330, 120, 46, c.slant(s.accent), 8)
    c.text(400, 362, s.english, 26, "#ffffff", width=104, weight=700)


@draws("suitcase")
def suitcase(c: Canvas, s: Subject) -> None:
    """Draw a wheeled suitcase."""
    body = s.tint("#30353d")
    c.shadow(410, 690, 200)
    c.path("M330 200V90H470V200", "none", f'stroke="{STEEL}" stroke-width="14"')
    c.rect(326, 76, 148, 30, c.rod(INK), 12)
    draw_cuboid(c, 240, 190, 300, 450, 90, body, 36)
    c.stroke(
        "".join(f"M{280 + n * 44} 220V610" for n in range(6)), shade(body, -0.3), 7, 'opacity=".7"'
    )
    c.rect(240, 400, 300, 20, shade(body, -0.35))
    c.rect(350, 370, 80, 60, c.down(STEEL), 10)
    for x in (280, 500):
        c.disc(x, 664, 26, c.ball(INK))
    mark(c, s, 390, 320, 30, get_text_colour(body))


@draws("umbrella")
def umbrella(c: Canvas, s: Subject) -> None:
    """Draw an open umbrella."""
    body = s.tint("#2f6fd0")
    c.shadow(400, 690, 170, 16)
    c.rect(392, 150, 16, 470, c.tube(STEEL))
    c.path(
        "M400 610V650Q400 690 440 690T480 650",
        "none",
        f'stroke="{INK}" stroke-width="24" stroke-linecap="round"',
    )
    c.path(
        "M90 430Q110 140 400 130T710 430Q660 390 606 430Q556 390 503 430Q450 390 400 430Q350 390 297 430Q244 390 194 430Q140 390 90 430Z",
        c.slant(body),
    )
    c.path("M400 130Q310 230 297 430Q350 390 400 430Z", shade(body, -0.12), 'opacity=".6"')
    c.path(
        "M400 130Q500 230 503 430Q556 390 606 430Q590 210 400 130Z",
        shade(body, -0.22),
        'opacity=".55"',
    )
    c.disc(400, 130, 12, INK)
    c.text(235, 360, s.english, 30, get_text_colour(body), width=130, weight=700)


@draws("trophy", "medal")
def trophy(c: Canvas, s: Subject) -> None:
    """Draw a cup, or a medal on its ribbon."""
    gold = s.tint("#d9a83f")
    c.shadow(400, 680, 190)
    if s.kind == "medal":
        c.path("M290 90H370L440 380L390 400Z", c.slant("#d63b3f"))
        c.path("M510 90H430L360 380L410 400Z", c.slant("#2f6fd0"))
        c.disc(400, 510, 160, c.slant(shade(gold, -0.2)))
        c.disc(400, 506, 146, c.ball(gold))
        c.disc(400, 506, 112, "none", f'stroke="{shade(gold, -0.35)}" stroke-width="5"')
        c.path(
            "M400 420l26 54 60 8-44 42 10 60-52-28-52 28 10-60-44-42 60-8Z",
            c.slant(shade(gold, 0.5)),
        )
        return
    c.path(
        "M280 190C180 180 180 350 320 370M520 190C620 180 620 350 480 370",
        "none",
        f'stroke="{shade(gold, -0.1)}" stroke-width="26"',
    )
    c.path(
        "M260 150H540C540 330 500 420 430 440V530H370V440C300 420 260 330 260 150Z", c.tube(gold)
    )
    c.oval(400, 150, 140, 28, c.slant(shade(gold, 0.2)))
    c.path("M340 530H460L480 580H320Z", c.tube(gold))
    draw_cuboid(c, 290, 580, 220, 90, 40, "#2b313a", 6)
    c.rect(330, 602, 140, 46, c.slant(shade(gold, 0.2)), 4)
    c.text(400, 634, "优秀团队", 28, "#5a3d12", width=130)
    c.text(400, 320, "1" if s.seed % 3 else "★", 90, shade(gold, -0.4), weight=700)


@draws("quilt", "bedding", "pillow")
def textile(c: Canvas, s: Subject) -> None:
    """Draw a folded quilt, a bed set or a cushion."""
    body = s.tint("#9cb4d8")
    c.shadow(410, 650, 300)
    if s.kind == "pillow" and not s.says("毛毯"):
        c.path(
            "M170 300Q150 230 230 240Q400 270 570 240Q650 230 630 300Q600 430 630 570Q650 640 570 630Q400 600 230 630Q150 640 170 570Q200 430 170 300Z",
            c.ball(body),
        )
        c.stroke(
            "M220 290Q240 430 220 580M580 290Q560 430 580 580",
            shade(body, -0.25),
            5,
            'opacity=".6"',
        )
        draw_label(c, s, 320, 380, 170, 110)
        return
    for n, tint in enumerate((body, shade(body, 0.3), body)):
        y = 490 - n * 110
        c.path(
            f"M150 {y + 10}Q120 {y + 60} 150 {y + 120}H600Q640 {y + 60} 600 {y + 6}Q380 {y - 20} 150 {y + 10}Z",
            c.down(tint),
        )
        c.stroke(f"M160 {y + 66}Q380 {y + 40} 610 {y + 62}", shade(tint, -0.2), 4)
        c.path(
            f"M600 {y + 6}L710 {y - 40}Q740 {y + 10} 706 {y + 70}L600 {y + 120}Q640 {y + 60} 600 {y + 6}Z",
            c.down(shade(tint, -0.16)),
        )
    c.rect(330, 262, 120, 348, "#ffffff", 4, 'opacity=".9"')
    c.text(390, 400, s.brand, 44, s.accent, width=104, weight=700)
    c.text(390, 450, s.noun, 24, INK, width=108)
    c.text(390, 486, s.spec, 24, INK, width=100, weight=400)


@draws("pot", "knifeset")
def kitchen(c: Canvas, s: Subject) -> None:
    """Draw a pan, a pot, or a block of knives."""
    body = s.tint("#30353d")
    c.shadow(400, 650, 290)
    if s.kind == "knifeset":
        c.path("M260 370L480 330L540 640H300Z", c.slant("#a9744a"))
        for n in range(4):
            c.begin(f"translate({300 + n * 56} {370 - n * 10}) rotate(-10)")
            c.rect(-18, -170 + n * 16, 36, 170, c.tube(INK), 10)
            c.rect(-18, -10, 36, 14, c.tube(STEEL))
            c.end()
        c.begin("rotate(8 640 480)")
        c.path("M610 300H660Q676 460 640 640L610 600Z", c.slant(STEEL))
        c.rect(616, 150, 40, 150, c.tube(INK), 12)
        c.end()
        mark(c, s, 410, 560, 30, "#ffffff", 150)
        return
    if s.says("汤锅"):
        draw_cylinder(c, 400, 330, 400, 270, body, squash=0.13)
        c.path(
            "M190 330Q200 250 400 244T610 330Q400 390 190 330Z", c.tube("#dbe6ec"), 'opacity=".9"'
        )
        c.rect(370, 214, 60, 34, c.tube(INK), 12)
        for x in (170, 590):
            c.rect(x, 400, 46, 70, c.tube(INK), 16)
    else:
        c.stroke("M560 420L730 350", INK, 40)
        c.path("M120 400H600Q570 600 360 600T120 400Z", c.tube(body))
        c.oval(360, 400, 240, 70, c.slant(shade(body, -0.2)))
        c.oval(360, 406, 210, 56, shade(body, -0.45))
    mark(c, s, 380, 520, 34, get_text_colour(body))


@draws("voucher", "cards")
def cards(c: Canvas, s: Subject) -> None:
    """Draw gift cards or printed tags, fanned."""
    tint = s.tint("#b5282e" if s.kind == "voucher" else s.accent)
    c.shadow(400, 620, 290)
    for turn in (-14, -4, 6):
        c.begin(f"rotate({turn} 400 700)")
        c.rect(150, 250, 500, 310, c.slant(shade(tint, (turn + 14) / 100)), 24)
        c.rect(150, 330, 500, 50, shade(tint, -0.35), 0, 'opacity=".35"')
        c.end()
    c.begin("rotate(6 400 700)")
    gold = "#f1cf7c" if s.kind == "voucher" else get_text_colour(tint)
    c.text(190, 310, s.brand, 42, gold, anchor="start", weight=700)
    c.text(400, 460, s.noun, 56, gold, width=420, weight=700)
    c.text(610, 536, s.spec or s.model, 34, gold, anchor="end", width=240)
    c.end()


@draws("keyring")
def keyring(c: Canvas, s: Subject) -> None:
    """Draw a key ring with its tag."""
    metal = s.tint("#c3cad3")
    c.shadow(400, 660, 190)
    c.disc(400, 240, 110, "none", f'stroke="{STEEL}" stroke-width="20"')
    c.disc(400, 240, 110, "none", 'stroke="#ffffff" stroke-width="5" opacity=".7"')
    c.rect(386, 340, 28, 60, c.tube(STEEL), 12)
    c.path(
        "M300 400H500Q530 400 530 430V570Q530 640 400 660Q270 640 270 570V430Q270 400 300 400Z",
        c.slant(metal),
    )
    c.disc(400, 510, 76, c.slant(s.accent))
    c.text(400, 532, s.brand[0], 70, "#ffffff", weight=700)
    mark(c, s, 400, 628, 22, shade(metal, -0.6), 160)
