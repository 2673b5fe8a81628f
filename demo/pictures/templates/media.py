"""Screens, audio devices and cameras for offices and meeting rooms."""

from demo.pictures.canvas import Canvas
from demo.pictures.colour import INK, STEEL, WHITE, get_text_colour, shade
from demo.pictures.registry import draws
from demo.pictures.shapes import draw_cuboid, draw_screen, mark
from demo.pictures.subject import Subject


@draws("tv")
def tv(c: Canvas, s: Subject) -> None:
    """Draw a big screen, or a meeting board with its pens."""
    c.shadow(400, 650, 300, 16)
    board = s.says("会议平板", "触控")
    draw_screen(c, s, 70, 190, 660, 390, 14)
    c.text(400, 400, s.attributes.get("尺寸", s.spec), 76, "#ffffff", weight=700)
    if board:
        c.rect(70, 578, 660, 26, c.rod("#3a414b"), 6)
        c.stroke("M150 460q60 -90 130 -20t120 -30", "#ffffff", 8, 'opacity=".8"')
        c.stroke("M330 604V650M470 604V650M260 654H540", "#59626f", 14)
    else:
        c.path("M200 580L170 650H210L236 580ZM600 580L630 650H590L564 580Z", c.down("#4a525e"))
    mark(c, s, 400, 596 if board else 574, 16, "#aab4c0")


@draws("kiosk")
def kiosk(c: Canvas, s: Subject) -> None:
    """Draw a standing advertising screen."""
    c.shadow(400, 700, 180, 18)
    c.rect(270, 120, 260, 540, c.slant("#2b313a"), 16)
    draw_screen(c, s, 282, 140, 236, 420, 8)
    c.text(400, 330, s.brand, 60, "#ffffff", width=190, weight=700)
    c.text(400, 390, s.spec, 40, "#ffffff", width=190)
    mark(c, s, 400, 620, 24, "#ffffff", 180)
    c.path("M250 660H550L580 700H220Z", c.down("#3a414b"))


@draws("confcam", "webcam")
def webcam(c: Canvas, s: Subject) -> None:
    """Draw a camera: a webcam on its clip, or a conference camera that turns."""
    c.shadow(400, 640, 200)
    if s.kind == "confcam":
        c.path("M250 560H550L590 640H210Z", c.down("#3a414b"))
        c.path(
            "M270 560V380a130 130 0 0 1 260 0V560h-60V400a70 70 0 0 0 -140 0V560Z",
            c.slant("#4a525e"),
        )
        c.disc(400, 400, 120, c.ball("#333a44"))
    else:
        c.path("M340 520H460L500 640H300Z", c.down("#3a414b"))
        c.rect(180, 290, 440, 190, c.slant("#333a44"), 95)
    c.disc(400, 386, 76, c.slant("#59626f"))
    c.disc(400, 386, 58, c.ball("#1d232b"))
    c.disc(400, 386, 32, c.ball("#31577e"))
    c.disc(386, 370, 11, "#ffffff", 'opacity=".8"')
    if s.kind == "webcam":
        c.text(276, 396, s.attributes.get("分辨率", ""), 30, "#ffffff")
        c.disc(540, 386, 9, "#5fdc8b")
    mark(c, s, 400, 610 if s.kind == "confcam" else 590, 26, "#ffffff", 160)


@draws("speaker")
def speaker(c: Canvas, s: Subject) -> None:
    """Draw a pair of loudspeakers, a conference puck, or one wireless box."""
    body = s.tint("#30353d")
    c.shadow(400, 660, 270)
    if s.says("全向"):
        c.oval(400, 540, 250, 90, c.down(shade(body, -0.2)))
        c.oval(400, 510, 250, 90, c.slant(body))
        c.oval(400, 504, 190, 66, shade(body, -0.35))
        c.oval(400, 498, 70, 26, c.slant(s.accent))
        c.text(400, 506, s.english, 22, "#ffffff", width=110)
        return
    if s.says("蓝牙", "扩音"):
        draw_cuboid(c, 150, 360, 450, 250, 90, body, 60)
        for x in (270, 480):
            c.disc(x, 485, 88, shade(body, -0.4))
            c.disc(x, 485, 70, c.ball(shade(body, 0.12)))
            c.disc(x, 485, 26, c.ball(STEEL))
        mark(c, s, 375, 398, 26, get_text_colour(body))
        return
    for x in (190, 430):
        draw_cuboid(c, x, 230, 180, 410, 90, body, 16)
        c.disc(x + 90, 330, 46, c.ball(shade(body, -0.3)))
        c.disc(x + 90, 500, 76, shade(body, -0.4))
        c.disc(x + 90, 500, 62, c.ball(shade(body, 0.14)))
        c.disc(x + 90, 500, 22, c.ball(STEEL))
        mark(c, s, x + 90, 616, 20, get_text_colour(body), 130)


@draws("mic")
def mic(c: Canvas, s: Subject) -> None:
    """Draw a desk microphone on its goose neck."""
    c.shadow(400, 650, 200)
    c.stroke("M400 590C400 430 360 400 330 300", "#3a414b", 18)
    c.begin("rotate(-16 310 240)")
    c.rect(270, 150, 84, 160, c.tube("#3a414b"), 42)
    c.stroke("M276 190h72M276 214h72M276 238h72M276 262h72", "#77828f", 5)
    c.end()
    c.oval(400, 620, 170, 44, c.down("#22272f"))
    c.oval(400, 600, 170, 44, c.slant("#3a414b"))
    mark(c, s, 400, 608, 26, "#ffffff")


@draws("headset")
def headset(c: Canvas, s: Subject) -> None:
    """Draw a headset with its microphone arm."""
    body = s.tint("#30353d")
    c.shadow(400, 660, 220)
    c.path("M190 440C190 100 610 100 610 440L570 440C570 160 230 160 230 440Z", c.slant(body))
    c.path(
        "M226 360C250 190 550 190 574 360L556 380C530 230 270 230 244 380Z",
        shade(body, 0.35),
        'opacity=".7"',
    )
    for x, flip in ((210, 1), (590, -1)):
        c.begin(f"translate({x} 480) scale({flip} 1)")
        c.rect(-54, -100, 70, 200, c.tube(body), 35)
        c.rect(4, -90, 60, 180, c.tube("#4a4f58"), 30)
        c.disc(-20, 0, 30, c.ball(s.accent))
        c.end()
    if not s.says("蓝牙", "降噪"):
        c.stroke("M200 570C220 660 300 680 370 660", body, 14)
        c.rect(360, 636, 70, 38, c.rod(INK), 19)
    c.text(400, 214, s.english, 26, get_text_colour(body), width=150)


@draws("camera")
def camera(c: Canvas, s: Subject) -> None:
    """Draw a camera from the front."""
    c.shadow(400, 620, 290)
    c.path(
        "M130 330Q130 300 160 300H290L330 240H480L520 300H640Q670 300 670 330V560Q670 590 640 590H160Q130 590 130 560Z",
        c.down("#353b44"),
    )
    c.rect(130, 360, 540, 160, c.down("#22272f"))
    c.disc(410, 440, 138, c.slant("#59626f"))
    c.disc(410, 440, 112, c.ball("#1d232b"))
    c.disc(410, 440, 70, c.ball("#2f5b87"))
    c.disc(380, 404, 22, "#ffffff", 'opacity=".7"')
    c.rect(180, 280, 70, 26, c.tube("#4a525e"), 8)
    c.disc(600, 334, 16, "#e8eef3")
    mark(c, s, 405, 286, 30, "#ffffff", 130)


@draws("recorder", "walkie", "pda")
def handheld(c: Canvas, s: Subject) -> None:
    """Draw a hand-held device: recorder, radio or data collector."""
    body = s.tint("#2f353e")
    c.shadow(400, 670, 170)
    wide = {"recorder": 170, "walkie": 220, "pda": 250}[s.kind]
    left = 400 - wide / 2
    if s.kind == "walkie":
        c.rect(left + 24, 90, 34, 190, c.tube(INK), 16)
        c.rect(left + wide - 74, 196, 50, 60, c.tube("#59626f"), 10)
    c.rect(
        left,
        230 if s.kind == "walkie" else 150,
        wide,
        430 if s.kind == "walkie" else 510,
        c.slant(body),
        30,
    )
    if s.kind == "pda":
        draw_screen(c, s, left + 18, 180, wide - 36, 300, 10)
        for n in range(12):
            c.rect(
                left + 28 + n % 3 * 68,
                496 + n // 3 * 38,
                56,
                28,
                "#dfe4e9" if n != 10 else "#f0a035",
                8,
            )
        return
    top = 270 if s.kind == "walkie" else 190
    draw_screen(c, s, left + 22, top, wide - 44, 110, 8)
    c.text(
        400,
        top + 66,
        "REC 00:18" if s.kind == "recorder" else "CH 08",
        30,
        "#ffffff",
        width=wide - 70,
    )
    mark(c, s, 400, top + 150, 26, get_text_colour(body), wide - 40)
    if s.kind == "walkie":
        c.stroke(
            "".join(f"M{left + 44:g} {470 + n * 24}h{wide - 88}" for n in range(6)),
            shade(body, -0.5),
            9,
        )
    else:
        c.disc(400, 440, 54, c.slant(STEEL))
        c.disc(400, 440, 22, "#d63b3f")
        c.stroke("".join(f"M350 {540 + n * 20}h100" for n in range(4)), shade(body, 0.3), 7)


@draws("phone")
def phone(c: Canvas, s: Subject) -> None:
    """Draw a desk telephone."""
    body = s.tint("#30353d")
    c.shadow(410, 640, 290)
    c.path(
        "M150 610L210 330Q216 306 240 306H600Q622 306 628 330L680 610Q680 630 660 630H170Q150 630 150 610Z",
        c.down(body),
    )
    draw_screen(c, s, 380, 340, 210, 90, 8)
    c.text(485, 400, "0000 0000", 34, "#ffffff", width=180)
    for n in range(12):
        row, column = divmod(n, 3)
        c.rect(
            390 + column * 70 - row * 2,
            450 + row * 42,
            54,
            30,
            "#f4f6f8" if get_text_colour(body) == "#ffffff" else "#59626f",
            8,
        )
    c.path(
        "M196 290Q190 250 240 246Q300 250 300 300V560Q306 610 250 616Q190 616 186 570V330Z",
        c.slant(shade(body, -0.18)),
    )
    c.path("M214 270Q224 262 244 264V590Q220 594 210 570Z", "#ffffff", 'opacity=".2"')
    c.stroke("M190 600q-90 30 -60 -40t-30 -70", shade(body, -0.2), 10)
    mark(c, s, 480, 332, 20, get_text_colour(body), 160)


@draws("cctv")
def cctv(c: Canvas, s: Subject) -> None:
    """Draw a surveillance camera: bullet or dome."""
    c.shadow(400, 650, 220, 16)
    if s.says("半球", "球机"):
        c.path("M190 260H610L570 350H230Z", c.down(WHITE))
        c.oval(400, 350, 172, 26, "#cfd7df")
        c.path("M236 356a164 164 0 0 0 328 0Z", c.ball("#2b333e"))
        c.disc(400, 420, 54, c.ball("#14181e"))
        c.disc(400, 420, 26, c.ball("#31577e"))
        mark(c, s, 400, 318, 28)
        return
    c.path("M560 200H640V420H560Z", c.tube("#dfe4e9"))
    c.stroke("M600 340L470 420", "#cbd3db", 34)
    c.begin("rotate(14 380 420)")
    c.rect(160, 340, 400, 170, c.rod(WHITE), 60)
    c.path("M130 330H520q40 0 60 30H150Z", c.down("#e6ebf0"))
    c.disc(220, 426, 84, c.slant("#2b313a"))
    c.disc(220, 426, 46, c.ball("#31577e"))
    for n in range(6):
        c.disc(
            220 + (62 if n % 3 else 30) * (1 if n < 3 else -1), 426 + (n % 3 - 1) * 46, 7, "#7d3b3b"
        )
    mark(c, s, 420, 440, 30)
    c.end()
