"""Folders, binders, files and other products that organise paper."""

from demo.pictures.canvas import Canvas
from demo.pictures.colour import INK, KRAFT, RAINBOW, STEEL, WHITE, get_text_colour, shade
from demo.pictures.registry import draws
from demo.pictures.shapes import draw_cuboid, draw_label, mark
from demo.pictures.subject import Subject


def spine_label(c: Canvas, s: Subject, x: float, y: float, w: float, h: float) -> None:
    """Draw the paper label on a spine."""
    c.rect(x, y, w, h, "#ffffff", 6)
    c.text(x + w / 2, y + h * 0.3, s.brand, w * 0.34, s.accent, width=w * 0.86, weight=700)
    c.stroke(
        f"M{x + 12:g} {y + h * 0.5:g}h{w - 24:g}M{x + 12:g} {y + h * 0.66:g}h{w - 24:g}M{x + 12:g} {y + h * 0.82:g}h{w - 24:g}",
        "#c7d0da",
        3,
    )


@draws("folder")
def folder(c: Canvas, s: Subject) -> None:
    """Draw a clip folder, slightly open."""
    body = s.tint("#2f6fd0")
    c.shadow(410, 650, 270)
    c.path("M220 190L600 150Q616 150 616 166V610L240 650Z", c.slant(shade(body, -0.25)))
    c.path("M236 206L584 170V590L250 628Z", "#ffffff")
    c.stroke("M280 270l250 -26M280 320l250 -26M280 370l180 -19", "#d5dce4", 6)
    c.path(
        "M190 200Q190 186 204 184L540 196Q556 198 556 214V640Q556 654 540 654L206 650Q190 650 190 634Z",
        c.slant(body),
    )
    c.rect(190, 186, 46, 466, c.tube(shade(body, -0.12)), 10)
    c.rect(250, 560, 120, 22, c.rod(STEEL), 6)
    draw_label(c, s, 290, 260, 220, 150)


@draws("binder")
def binder(c: Canvas, s: Subject) -> None:
    """Draw an upright lever arch file."""
    body = s.tint("#2f6fd0")
    c.shadow(420, 650, 260)
    draw_cuboid(c, 230, 210, 190, 430, 320, body)
    c.path("M430 194L668 78V482L430 616Z", "#ffffff", 'opacity=".08"')
    spine_label(c, s, 255, 250, 140, 220)
    c.disc(325, 548, 40, c.ball(STEEL))
    c.disc(325, 548, 27, shade(body, -0.5))
    c.rect(230, 626, 190, 14, c.rod(STEEL), 3)
    c.text(325, 510, s.attributes.get("背宽", ""), 24, get_text_colour(body))


@draws("filebox")
def filebox(c: Canvas, s: Subject) -> None:
    """Draw an upright document case with its spine to the front."""
    body = s.tint("#2f6fd0")
    wide = {"35mm": 110, "55mm": 150, "75mm": 190}.get(s.attributes.get("背宽", ""), 150)
    c.shadow(420, 650, 260)
    for back in range(2 if s.pack_count > 1 else 1):
        draw_cuboid(c, 190 + back * (wide + 30), 200, wide, 440, 300, body, 10)
    at = 190 + ((wide + 30) if s.pack_count > 1 else 0)
    spine_label(c, s, at + 18, 240, wide - 36, 210)
    c.disc(at + wide / 2, 540, 24, shade(body, -0.5))
    c.text(
        at + wide / 2, 610, s.attributes.get("背宽", ""), 26, get_text_colour(body), width=wide - 20
    )


@draws("docbag")
def docbag(c: Canvas, s: Subject) -> None:
    """Draw a transparent document bag with papers inside."""
    body = s.tint("#d6e6f1")
    c.shadow(400, 650, 270)
    c.rect(190, 210, 420, 400, "#ffffff", 6, 'stroke="#dbe2ea" stroke-width="2"')
    c.stroke("M240 300h280M240 350h320M240 400h220M240 450h300", "#d5dce4", 8)
    c.rect(150, 190, 500, 450, c.slant(body), 20, 'opacity=".72"')
    if s.says("网格"):
        grid = "".join(f"M{174 + n * 32} 250V620" for n in range(15)) + "".join(
            f"M170 {264 + n * 32}H630" for n in range(12)
        )
        c.stroke(grid, "#ffffff", 2, 'opacity=".5"')
    if s.says("拉链"):
        c.rect(150, 206, 500, 22, c.rod(shade(body, -0.25)), 8)
        c.rect(560, 196, 70, 40, c.rod(STEEL), 12)
    else:
        c.path(
            "M150 210q0 -20 20 -20H630q20 0 20 20L600 330H200Z",
            c.slant(shade(body, -0.08)),
            'opacity=".9"',
        )
        c.disc(400, 296, 24, c.ball(WHITE))
    c.path("M170 250L330 620H220L170 500Z", "#ffffff", 'opacity=".22"')
    c.rect(470, 560, 150, 54, "#ffffff", 8, 'opacity=".9"')
    c.text(545, 597, s.english, 28, s.accent, width=130, weight=700)


@draws("kraftbag")
def kraftbag(c: Canvas, s: Subject) -> None:
    """Draw a kraft paper file bag with its string and discs."""
    c.shadow(410, 650, 260)
    draw_cuboid(c, 190, 200, 400, 440, 60, KRAFT, 4)
    c.path("M190 204H590L560 330H220Z", c.down(shade(KRAFT, -0.08)))
    for y in (312, 380):
        c.disc(390, y, 20, c.ball("#b8402f"))
    c.stroke("M390 312q30 34 0 68", "#f2ead8", 5)
    c.text(390, 470, "档 案 袋", 60, "#8c2f24", weight=700)
    c.stroke("M260 520H520M260 560H520", "#a87d4a", 3)
    mark(c, s, 390, 612, 26, "#8c6a3c")


@draws("organ")
def organ(c: Canvas, s: Subject) -> None:
    """Draw an expanding file with its pockets fanned out."""
    body = s.tint("#2f6fd0")
    c.shadow(400, 650, 290)
    for step in range(9):
        x = 150 + step * 56
        c.path(
            f"M{x} {210 + abs(4 - step) * 4}h60v{400 - abs(4 - step) * 4}L{320 + step * 18} 640Z",
            c.tube(shade(body, 0.5 - step % 2 * 0.14)),
        )
        c.rect(x + 6, 180 + (step % 3) * 14, 48, 44, RAINBOW[step % 6], 6)
    c.path("M130 330H680L640 640H170Z", c.slant(body))
    c.rect(330, 300, 140, 60, c.slant(shade(body, -0.2)), 12)
    draw_label(c, s, 300, 430, 210, 140)


@draws("rodfolder")
def rodfolder(c: Canvas, s: Subject) -> None:
    """Draw a report cover with its sliding bar."""
    c.shadow(410, 650, 260)
    c.begin("rotate(-5 400 400)")
    c.rect(210, 170, 400, 480, c.slant("#eaf2f7"), 8)
    c.rect(232, 190, 360, 440, "#ffffff", 4, 'opacity=".85"')
    c.text(420, 320, "工作报告", 54, "#39424f", width=300, weight=700)
    c.rect(340, 350, 160, 6, s.accent)
    c.text(420, 580, s.english, 30, s.accent, width=240, weight=700)
    c.rect(196, 160, 40, 500, c.tube(s.tint("#2f6fd0")), 8)
    c.path("M236 170H420L300 650H236Z", "#ffffff", 'opacity=".3"')
    c.end()


@draws("clearbook")
def clearbook(c: Canvas, s: Subject) -> None:
    """Draw a display book with its clear pockets showing."""
    body = s.tint("#30353d")
    c.shadow(410, 650, 260)
    for step in range(5):
        c.path(
            f"M{560 + step * 8} {196 + step * 4}L{596 + step * 8} {176 + step * 4}V{606 + step * 4}L{560 + step * 8} 640Z",
            "#dcebf4",
            'stroke="#b9cddb"',
        )
    c.rect(200, 180, 380, 470, c.slant(body), 14)
    c.rect(200, 180, 60, 470, c.tube(shade(body, -0.1)), 14)
    c.rect(300, 260, 240, 140, "#ffffff", 8, 'opacity=".94"')
    c.text(420, 322, s.brand, 46, s.accent, width=200, weight=700)
    c.text(420, 372, f"{s.noun} {s.spec}", 26, INK, width=210)


@draws("fileholder")
def fileholder(c: Canvas, s: Subject) -> None:
    """Draw a desk rack of three sections, or stacked trays."""
    body = s.tint("#30353d")
    c.shadow(420, 650, 290)
    if s.says("盘"):
        for step in range(3):
            y = 560 - step * 140
            draw_cuboid(c, 140, y, 430, 34, 190, body)
            c.path(f"M170 {y - 6}L300 {y - 74}H690L560 {y - 6}Z", "#ffffff", 'opacity=".75"')
            c.rect(150, y - 90, 16, 100, body)
            c.rect(545, y - 90, 16, 100, body)
        mark(c, s, 355, 586, 26, get_text_colour(body), 200)
        return
    for step in range(4 if "四" in s.spec else 3):
        x = 140 + step * 130
        c.path(f"M{x} 330L{x + 110} 250V600L{x} 640Z", c.slant(shade(body, 0.1)))
        c.path(f"M{x + 110} 250L{x + 220} 210V560L{x + 110} 600Z", c.slant(body))
        c.rect(x + 16, 280, 60, 300, RAINBOW[(step + s.seed) % 6], 6, 'opacity=".85"')
        c.path(f"M{x} 420L{x + 110} 370V600L{x} 640Z", c.slant(shade(body, 0.06)))
    mark(c, s, 210, 560, 22, get_text_colour(body), 90)


@draws("clipboard")
def clipboard(c: Canvas, s: Subject) -> None:
    """Draw a clip board with paper."""
    body = s.tint("#30353d")
    c.shadow(410, 660, 240)
    c.rect(210, 150, 380, 510, c.slant(body), 22)
    c.rect(240, 210, 320, 420, "#ffffff", 4)
    c.stroke("M280 330h240M280 380h240M280 430h200M280 480h240M280 530h150", "#d5dce4", 7)
    c.path("M300 150q0 -34 40 -34h120q40 0 40 34v60H300Z", c.down(STEEL))
    c.disc(400, 150, 16, shade(STEEL, -0.4))
    mark(c, s, 400, 290, 30)


@draws("badge")
def badge(c: Canvas, s: Subject) -> None:
    """Draw a badge on its lanyard."""
    band = s.tint(s.accent)
    c.shadow(400, 670, 180, 14)
    c.stroke("M330 110L392 300M470 110L408 300", band if s.colour_word != "透明" else s.accent, 26)
    c.rect(380, 280, 40, 60, c.tube(STEEL), 8)
    c.rect(250, 330, 300, 320, c.slant("#f2f7fb"), 22, 'stroke="#c9d6e2" stroke-width="3"')
    c.rect(272, 372, 256, 256, "#ffffff", 10)
    c.rect(272, 372, 256, 70, c.slant(s.accent), 10)
    c.text(400, 420, s.english, 34, "#ffffff", width=220, weight=700)
    c.disc(336, 520, 40, "#dfe6ee")
    c.stroke("M400 496h96M400 528h96M400 560h60", "#d5dce4", 9)
