"""Inquiries of the demo in every state: waiting, quoted, adopted, closed and declined, with a
picture and a conversation.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from io import BytesIO
from typing import Any

from django.core.files.base import ContentFile
from django.utils import timezone
from PIL import Image, ImageDraw

from apps.cart.models import CartItem
from apps.cart.services.cart_change import cart_remove
from apps.cart.services.inquiry_adopt import inquiry_adopt
from apps.common.files import IMAGES, file_take
from apps.common.money import round_yuan
from apps.common.services.files import file_store
from apps.common.tenancy import tenant_scope
from apps.inquiries.models import ProductInquiry
from apps.inquiries.services.inquiries import (
    InquiryForm,
    InquiryFormLine,
    inquiry_close,
    inquiry_create,
    inquiry_decline,
    inquiry_reply,
    inquiry_send_message,
)
from apps.inquiries.services.inquiry_quote import QuotedLine, inquiry_quote
from apps.org.models import Account
from apps.pricing.selectors.context import get_catalogue_context
from apps.pricing.selectors.offers import get_offers_by_code
from demo.load.clock import clock_at
from demo.load.history import forget_old_messages

OFF = Decimal("0.88")
STAFF = "ops"


@dataclass(frozen=True, slots=True)
class Story:
    """An inquiry of an account, `days` ago. `offered` is the code of the quoted product, `fate`
    the final state.
    """

    who: str
    days: float
    lines: tuple[InquiryFormLine, ...]
    remark: str = ""
    offered: str = ""
    fate: str = "pending"
    messages: tuple[tuple[str, str], ...] = ()


def _build_pens_line(quantity: int) -> InquiryFormLine:
    return InquiryFormLine("年会礼品钢笔", quantity, "支", "礼盒装，笔身激光刻字", Decimal("36.00"))


STORIES = (
    Story(
        "buyer",
        0.2,
        (InquiryFormLine("双层玻璃茶水杯", 120, "个", "350ml，杯身印公司标志", Decimal("25.00")),),
        "展会伴手礼，颜色可选",
    ),
    Story(
        "xl.li",
        2.4,
        (
            InquiryFormLine("车间防静电手环", 60, "条", "可测试款"),
            InquiryFormLine("防静电鞋套", 200, "双"),
        ),
        "新产线投产用",
    ),
    Story(
        "buyer",
        1.6,
        (_build_pens_line(80), InquiryFormLine("刻字服务", 80, "次", "每支刻员工姓名")),
        "12 月中旬年会用",
        "110098",
        "quoted",
        (("us", "刻字可随礼盒一起做，名单请在下单后发给客服。"), ("he", "好的，能开专票吗？")),
    ),
    Story(
        "ga",
        9,
        (InquiryFormLine("不锈钢保温杯", 200, "个", "350ml，蓝色", Decimal("45.00")),),
        "员工福利",
        "200001",
        "adopted",
    ),
    Story(
        "buyer",
        20,
        (InquiryFormLine("旧款碎纸机刀头", 2, "套", "2016 年机型"),),
        "",
        "",
        "declined",
    ),
    Story(
        "xl.qian", 12, (InquiryFormLine("移动白板", 3, "块", "120×180cm，双面"),), "", "", "closed"
    ),
)


def load_inquiries(*, now: datetime) -> str:
    """Write the inquiries of the last weeks. Return a summary in Chinese."""
    people = {
        person.username: person
        for person in Account.objects.filter(
            username__in=[STAFF, *(story.who for story in STORIES)]
        )
    }
    # The oldest first, because a customer's quotation agreement is valid from its first quotation.
    for story in sorted(STORIES, key=lambda row: row.days, reverse=True):
        person = people[story.who]
        with tenant_scope(group_id=person.group_id or 0):
            _publish_notice(story, person, people[STAFF], now - timedelta(days=story.days))
    forget_old_messages(now=now)
    return f"{len(STORIES)} 张"


def _publish_notice(story: Story, person: Account, staff: Account, at: datetime) -> None:
    with clock_at(at):
        form = InquiryForm(
            story.lines, remark=story.remark, file_ids=_upload_picture(person, story.offered)
        )
        inquiry = inquiry_create(actor=person, form=form)
    with clock_at(at + timedelta(hours=3)):
        if story.offered:
            _quote(inquiry, person, staff, story.offered)
        if story.fate == "declined":
            inquiry_decline(
                actor=staff,
                inquiry_id=inquiry.pk,
                reason="该机型已停产多年，厂家不再供应配件，建议更换新机",
            )
    for number, (who, text) in enumerate(story.messages, start=4):
        with clock_at(at + timedelta(hours=number)):
            _say(inquiry, person if who == "he" else staff, text, is_ours=who == "us")
    with clock_at(at + timedelta(hours=6)):
        if story.fate == "adopted":
            _adopt(inquiry, person)
        if story.fate == "closed":
            inquiry_close(
                actor=person, inquiry_no=inquiry.inquiry_no, reason="部门间已调剂，暂不采购"
            )


def _say(inquiry: ProductInquiry, who: Account, text: str, *, is_ours: bool) -> None:
    if is_ours:
        inquiry_reply(actor=who, inquiry_id=inquiry.pk, text=text)
    else:
        inquiry_send_message(actor=who, inquiry_no=inquiry.inquiry_no, text=text)


def _quote(inquiry: ProductInquiry, person: Account, staff: Account, code: str) -> None:
    offer = get_offers_by_code(context=get_catalogue_context(actor=person), codes=[code])[code]
    first, *others = inquiry.lines.order_by("no")
    lines = {
        first.pk: QuotedLine(code, round_yuan(offer.price * OFF)),
        **{line.pk: QuotedLine(note="随商品免费提供") for line in others},
    }
    until = timezone.localdate() + timedelta(days=30)
    inquiry_quote(
        actor=staff,
        inquiry_id=inquiry.pk,
        lines=lines,
        valid_to=until,
        note="含包装，下单后 5 个工作日内交货",
    )


def _adopt(inquiry: ProductInquiry, person: Account) -> None:
    """Adopt the quotation, then remove its products from the cart, so that the cart is
    unchanged for later loaders.
    """
    inquiry_adopt(actor=person, inquiry_no=inquiry.inquiry_no)
    quoted = inquiry.lines.filter(product__isnull=False).values("product")
    cart_remove(
        actor=person,
        item_ids=list(
            CartItem.objects.filter(account=person, product__in=quoted).values_list("pk", flat=True)
        ),
    )


def _upload_picture(person: Account, code: str) -> tuple[Any, ...]:
    """Return a sample picture of the requested product, a pen with its box. Empty if no product
    is quoted later.
    """
    if not code:
        return ()
    canvas = Image.new("RGB", (640, 480), "#f3efe6")
    draw = ImageDraw.Draw(canvas)
    draw.rounded_rectangle((120, 270, 520, 400), 16, fill="#5b3a29", outline="#3c2519", width=6)
    draw.rounded_rectangle((110, 150, 530, 176), 13, fill="#1f2d4d")
    draw.polygon([(530, 150), (586, 163), (530, 176)], fill="#c9a24b")
    content = BytesIO()
    canvas.save(content, "PNG")
    upload = ContentFile(content.getvalue(), name="样品.png")
    return (file_store(actor=person, file=file_take(upload, kinds=IMAGES, max_mb=20)).public_id,)
