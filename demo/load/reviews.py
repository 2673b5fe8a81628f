"""Reviews of orders that were received in the last half year: mostly good, some with a
follow-up or an answer, one hidden.
"""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from django.db.models import Prefetch

from apps.common.tenancy import tenant_scope
from apps.orders.models import Order, OrderLine
from apps.org.models import Account
from apps.reviews.enums import ReviewTag
from apps.reviews.models import OrderReview
from apps.reviews.services import (
    ReviewInput,
    review_check,
    review_follow_up,
    review_hide,
    review_reply,
    reviews_write,
)
from demo.load.clock import clock_at

T = ReviewTag
# Number of newest orders to look at, and how many of five get a review.
MAX_LINES, OF_FIVE = 600, 2
PAST = timedelta(days=175)
# stars → (percent of reviews, possible tags, possible texts)
SAID: dict[int, tuple[int, tuple[ReviewTag, ...], tuple[str, ...]]] = {
    5: (
        58,
        (T.QUALITY, T.VALUE, T.AS_DESCRIBED, T.HANDY, T.PACKED, T.FAST),
        (
            "部门一直在用这款，质量稳定，价格也合适。",
            "发货很快，包装完整，没有破损。",
            "和描述一致，同事反馈好用，会继续采购。",
            "批量采购很划算，比之前用的牌子耐用。",
            "送到办公室门口，省了不少事。",
            "",
        ),
    ),
    4: (
        27,
        (T.QUALITY, T.VALUE, T.AS_DESCRIBED, T.FAST),
        (
            "总体不错，外箱有点压痕，里面没事。",
            "质量可以，要是有小包装就更好了。",
            "够用，性价比可以。",
            "",
        ),
    ),
    3: (
        9,
        (T.AS_DESCRIBED, T.SLOW),
        ("一般，和预期差一点。", "能用，手感普通。", "比约定晚到了一天。"),
    ),
    2: (4, (T.POOR_QUALITY, T.SLOW), ("用了两周就有小毛病，客服已联系处理。", "批次之间有色差。")),
    1: (
        2,
        (T.BADLY_PACKED, T.NOT_AS_DESCRIBED),
        ("到货时有几件破损，已申请换货。", "规格和页面写的不一样。"),
    ),
}
FOLLOWED = ("用了一个月，没出现问题。", "又买了一批，质量一样稳定。", "时间长了依然好用，推荐。")
ANSWERS = {
    5: "感谢您的认可，期待继续为贵司服务。",
    4: "感谢反馈，建议已转给商品团队。",
    3: "抱歉没有达到您的预期，我们会持续改进。",
}
SORRY = "非常抱歉给您带来不便，已安排专人与您联系处理。"


def load_reviews(now: datetime, chance: random.Random) -> str:
    """Write the reviews as the buyers, some days after the receipt. Return a summary in
    Chinese.
    """
    staff = Account.objects.get(username="ops.kefu")
    lines = Prefetch("lines", OrderLine.objects.filter(received_quantity__gt=0).order_by("no"))
    done = Order.objects.filter(
        completed_at__gt=now - PAST, completed_at__lt=now - timedelta(days=1)
    ).order_by("-completed_at", "-pk")
    written: list[OrderReview] = []
    for order in done.select_related("requester").prefetch_related(lines)[:MAX_LINES]:
        if chance.randrange(5) < OF_FIVE:
            written += _review_order(order, now, chance)
    for review in written:
        _follow_later(review, staff, now, chance)
    if worst := min(written, key=lambda row: (row.stars, row.pk), default=None):
        review_hide(
            actor=staff, review_id=worst.pk, reason="评价内容与商品无关，请补充商品使用情况"
        )
    return f"{len(written)} 条"


def _review_order(order: Order, now: datetime, chance: random.Random) -> list[OrderReview]:
    at = min(
        (order.completed_at or now) + timedelta(days=chance.uniform(0.5, 9)),
        now - timedelta(hours=chance.uniform(1, 20)),
    )
    text = [_build_review_input(line, chance) for line in order.lines.all() if chance.randrange(4)]
    if not text:
        return []
    with tenant_scope(group_id=order.group_id), clock_at(at):
        return reviews_write(
            actor=order.requester,
            order_no=order.order_no,
            lines=text,
            is_anonymous=not chance.randrange(5),
        )


def _build_review_input(line: OrderLine, chance: random.Random) -> ReviewInput:
    stars = chance.choices(list(SAID), [weight for weight, _, _ in SAID.values()])[0]
    _, tags, texts = SAID[stars]
    chosen = chance.sample(tags, chance.randrange(min(4, len(tags) + 1)))
    return ReviewInput(line.pk, stars, tuple(tag.value for tag in chosen), chance.choice(texts))


def _follow_later(
    review: OrderReview, staff: Account, now: datetime, chance: random.Random
) -> None:
    """Add an answer to poor and to some good reviews, and a follow-up weeks later to some. The
    newest reviews still wait for staff.
    """
    if now - review.written_at < timedelta(days=2):
        return
    with clock_at(review.written_at + timedelta(hours=chance.uniform(2, 30))):
        if review.stars <= 2 or not chance.randrange(6):
            review_reply(actor=staff, review_id=review.pk, text=ANSWERS.get(review.stars, SORRY))
        else:
            review_check(actor=staff, review_id=review.pk)
    if now - review.written_at > timedelta(days=45) and not chance.randrange(8):
        with (
            tenant_scope(group_id=review.group_id),
            clock_at(review.written_at + timedelta(days=chance.randrange(25, 44))),
        ):
            text = chance.choice(FOLLOWED)
            review_follow_up(
                actor=review.author,
                order_no=review.order.order_no,
                order_line_id=review.order_line_id,
                text=text,
            )
        review_check(actor=staff, review_id=review.pk)
