"""Computers, monitors and storage."""

from demo.pictures.canvas import Canvas
from demo.pictures.colour import INK, STEEL, WHITE, get_text_colour, shade
from demo.pictures.registry import draws
from demo.pictures.shapes import draw_cuboid, draw_feet, draw_knob, draw_screen, mark
from demo.pictures.subject import Subject


@draws("laptop")
def laptop(c: Canvas, s: Subject) -> None:
    """Draw an open laptop."""
    body = s.tint("#c3cad3")
    c.shadow(400, 640, 330)
    draw_screen(c, s, 170, 190, 460, 310, 16)
    c.text(400, 350, s.attributes.get("屏幕", ""), 54, "#ffffff", weight=700)
    c.path("M150 500H650L740 610H60Z", c.slant(body))
    c.path("M190 514H610L636 556H164Z", shade(INK, 0.1))
    for row in range(4):
        y = 518 + row * 9.4
        c.stroke(
            f"M{192 - row * 6} {y:g}H{608 + row * 6}",
            shade(INK, 0.32),
            6,
            'stroke-dasharray="22 9"',
        )
    c.path(
        "M330 566H470L478 598H322Z",
        c.slant(shade(body, 0.14)),
        f'stroke="{shade(body, -0.2)}" stroke-width="1.5"',
    )
    c.path("M60 610H740Q736 630 710 630H90Q64 630 60 610Z", c.down(shade(body, -0.14)))
    mark(c, s, 400, 494, 14, "#9aa4b0")


@draws("desktop")
def desktop(c: Canvas, s: Subject) -> None:
    """Draw a tower, with a monitor if it is a set."""
    c.shadow(420, 650, 280)
    if s.says("套装", "整机"):
        draw_screen(c, s, 110, 220, 400, 260)
        c.path("M280 480h60l14 100H266Z", c.down(INK))
        c.oval(310, 590, 110, 22, c.down("#4a525e"))
    x = 300 if not s.says("套装", "整机") else 540
    mini = s.says("迷你")
    draw_cuboid(
        c,
        x,
        470 if mini else 210,
        200 if not mini else 260,
        160 if mini else 420,
        90 if x > 500 else 200,
        "#343a43",
        12,
    )
    c.disc(x + 160, 530 if mini else 260, 18, "#5fb7e8")
    c.stroke(
        "".join(
            f"M{x + 24} {(500 if mini else 330) + n * 18}h90" for n in range(5 if mini else 13)
        ),
        "#59626f",
        6,
    )
    mark(c, s, x + 90, 610 if mini else 600, 26, "#ffffff", 140)


@draws("aio", "monitor")
def monitor(c: Canvas, s: Subject) -> None:
    """Draw a monitor on its foot. An all-in-one has a keyboard and a mouse in front of it."""
    body = s.tint("#30353d")
    wide = 660 if s.says("34") else 560
    c.shadow(400, 650, 270)
    c.path("M370 480h60l12 110h-84Z", c.tube(shade(body, -0.08) if body != WHITE else STEEL))
    c.path("M260 600Q400 570 540 600L560 624H240Z", c.slant(body if body != WHITE else "#dfe4e9"))
    draw_screen(c, s, 400 - wide / 2, 170, wide, 330, 12, body)
    c.text(
        400, 350, s.attributes.get("屏幕", s.attributes.get("尺寸", "")), 60, "#ffffff", weight=700
    )
    mark(c, s, 400, 497, 13, get_text_colour(body))
    if s.kind == "aio":
        c.rect(180, 624, 340, 40, c.down(shade(body, 0.1)), 8, f'stroke="{shade(body, -0.2)}"')
        c.stroke("M196 636H504M196 650H504", shade(body, -0.35), 6, 'stroke-dasharray="16 8"')
        c.oval(590, 644, 30, 20, c.ball(body))


@draws("tablet")
def tablet(c: Canvas, s: Subject) -> None:
    """Draw a tablet with its pen."""
    body = s.tint("#8f98a5")
    c.shadow(400, 660, 240)
    c.begin("rotate(-8 400 400)")
    c.rect(220, 140, 350, 500, c.slant(body), 30)
    draw_screen(c, s, 230, 150, 330, 480, 22)
    for n in range(12):
        c.rect(
            262 + n % 4 * 70,
            330 + n // 4 * 74,
            50,
            50,
            ("#ffffff", "#f4bd25", "#5fdc8b", "#f08fb0")[(n + s.seed) % 4],
            12,
            'opacity=".85"',
        )
    c.text(395, 260, "09:41", 64, "#ffffff", weight=700)
    c.end()
    c.begin("rotate(14 620 400)")
    c.rect(612, 180, 22, 380, c.tube(WHITE), 10)
    c.path("M612 556h22l-11 36Z", c.tube("#cfd7df"))
    c.end()


@draws("arm")
def arm(c: Canvas, s: Subject) -> None:
    """Draw a monitor arm, or a folding laptop stand."""
    body = s.tint("#c3cad3")
    c.shadow(400, 660, 230)
    if s.says("笔记本"):
        c.path("M170 620L560 620L620 650H120Z", c.slant(body))
        c.stroke("M210 620L470 360M560 620L420 480", shade(body, -0.1), 34)
        c.path("M200 300L600 420V450L190 334Z", c.slant(shade(body, 0.1)))
        return
    c.rect(150, 600, 120, 50, c.down(shade(body, -0.15)), 10)
    c.rect(190, 430, 40, 180, c.tube(body), 8)
    c.stroke("M210 450L400 330", body, 44)
    c.stroke("M400 330L560 260", shade(body, -0.1), 38)
    draw_knob(c, 210, 450, 30)
    draw_knob(c, 400, 330, 30)
    draw_screen(c, s, 500, 150, 200, 240, 10)
    mark(c, s, 300, 640, 22, shade(s.accent, 0.05))


@draws("nas", "ups", "nvr")
def nas(c: Canvas, s: Subject) -> None:
    """Draw a storage box, a power supply or a video recorder."""
    c.shadow(410, 650, 270)
    if s.kind == "nvr":
        draw_cuboid(c, 110, 440, 490, 130, 200, "#343a43", 8)
        mark(c, s, 240, 516, 32, "#ffffff")
        c.text(500, 490, s.spec, 28, "#9fb0c2")
        for n in range(6):
            c.disc(440 + n * 24, 530, 6, ("#5fdc8b", "#f4bd25")[n % 2])
        draw_feet(c, (160, 550), 568, w=36)
        return
    draw_cuboid(c, 260, 250, 240, 380, 210, "#343a43", 14)
    if s.kind == "nas":
        bays = 4 if "四" in s.spec else 2
        for n in range(bays):
            w = 204 / bays
            c.rect(278 + n * w, 270, w - 6, 260, c.down("#59626f"), 6)
            c.disc(278 + n * w + w / 2 - 3, 510, 6, "#5fdc8b")
    else:
        c.rect(290, 290, 180, 100, c.slant("#22272f"), 8)
        c.text(380, 356, "220 V", 44, "#7fe0a8")
        c.stroke("".join(f"M290 {430 + n * 20}h180" for n in range(6)), "#59626f", 7)
    mark(c, s, 380, 596, 30, "#ffffff", 190)


@draws("usb")
def usb(c: Canvas, s: Subject) -> None:
    """Draw a USB stick with its capacity on it."""
    body = s.tint("#c3cad3")
    c.shadow(400, 600, 280)
    c.begin("translate(400 410) rotate(-30)")
    c.rect(150, -62, 150, 124, c.rod("#dfe4e9"), 6)
    c.rect(196, -34, 26, 22, "#59626f", 3)
    c.rect(196, 12, 26, 22, "#59626f", 3)
    c.rect(-290, -90, 450, 180, c.rod(body), 40)
    c.disc(-230, 0, 34, "#f8fafb")
    c.disc(-230, 0, 34, "none", f'stroke="{shade(body, -0.4)}" stroke-width="8"')
    ink = get_text_colour(body)
    c.text(-20, 6, s.attributes.get("容量", ""), 74, ink, width=280, weight=700)
    c.text(-20, 56, f"{s.english} {s.attributes.get('接口', '')}", 30, ink, width=280)
    c.end()


@draws("hdd", "ssd", "sdcard")
def drive(c: Canvas, s: Subject) -> None:
    """Draw a portable drive, a solid state disk or a memory card."""
    body = s.tint({"hdd": "#3a414b", "ssd": "#3a414b", "sdcard": "#2f6fd0"}[s.kind])
    c.shadow(410, 640, 240)
    if s.kind == "sdcard":
        c.path("M260 190H480L540 250V620Q540 640 520 640H280Q260 640 260 620Z", c.slant(body))
        for n in range(6):
            c.rect(284 + n * 34, 200, 22, 56, "#d9b25a", 3)
        c.rect(284, 330, 232, 270, "#ffffff", 10)
        c.text(400, 400, s.english, 40, s.accent, width=200, weight=700)
        c.text(400, 500, s.attributes.get("容量", ""), 82, INK, width=210, weight=700)
        return
    if s.says("M.2"):
        c.begin("rotate(-28 400 400)")
        c.rect(120, 330, 560, 150, c.slant("#1f5c4a"), 8)
        c.rect(150, 350, 380, 110, "#ffffff", 6)
        c.text(
            340,
            400,
            f"{s.brand} {s.attributes.get('容量', '')}",
            44,
            s.accent,
            width=340,
            weight=700,
        )
        c.text(340, 442, s.model, 28, INK)
        c.rect(670, 350, 22, 110, c.down("#d9b25a"))
        c.end()
        return
    draw_cuboid(c, 240, 210, 290, 410, 50, body, 26)
    c.rect(262, 234, 246, 362, c.slant(shade(body, 0.12)), 18)
    c.text(385, 400, s.attributes.get("容量", ""), 86, "#ffffff", width=220, weight=700)
    mark(c, s, 385, 460, 34, "#ffffff", 220)
    c.disc(300, 570, 8, "#5fb7e8")
    if s.kind == "hdd":
        c.stroke("M385 630q0 60 60 60h140", INK, 12)
