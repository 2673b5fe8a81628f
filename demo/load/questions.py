"""Questions about products of the last weeks: most answered, some waiting, one hidden and one that
only its group sees.
"""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from apps.catalog.enums import ProductStatus
from apps.catalog.errors import ProductNotFound
from apps.catalog.models import Product
from apps.common.tenancy import tenant_scope
from apps.org.models import Account
from apps.questions.models import ProductQuestion
from apps.questions.services import question_answer, question_ask, question_hide
from demo.load.clock import clock_at

ASKERS = ("buyer", "ga", "approver", "other")
MAX_PRODUCTS = 40
# Questions with answers that the product's own data, or the mall's rules, make true.
ANSWERED_QUESTIONS = (
    (
        "包装规格是怎样的，最少要买多少？",
        "包装规格为 {pack}，起订量 {min} {unit}，按 {step} {unit} 递增。",
    ),
    ("这款可以开增值税专用发票吗？", "可以。企业的专票资质审核通过后，即可申请数电专票。"),
    ("收货后发现破损，怎么处理？", "签收后在“我的订单 → 退换货”中按商品申请，并上传照片即可。"),
    ("价格是含税价吗？", "是，页面价格均为含税价，税率 {tax}%。"),
)
OPEN_QUESTIONS = ("大批量采购能不能分批送货？", "和其他品牌的同类商品相比有什么区别？")


def load_questions(now: datetime, chance: random.Random) -> str:
    """Ask as customers and answer as staff. Return a summary in Chinese."""
    staff = Account.objects.get(username="ops.kefu")
    askers = list(Account.objects.filter(username__in=ASKERS).order_by("pk"))
    products = Product.objects.filter(status=ProductStatus.ON_SALE, is_public=True)
    best = list(products.order_by("-sales_count", "pk")[:MAX_PRODUCTS])
    count = 0
    for index, product in enumerate(best):
        for text, answer in chance.sample(ANSWERED_QUESTIONS, chance.randrange(1, 4)):
            at = now - timedelta(days=chance.uniform(3, 60))
            question = _ask(askers, count, product, text, at)
            if question is None:
                continue
            count += 1
            reply = answer.format(
                pack=product.pack or f"1{product.unit}",
                min=product.min_quantity,
                step=product.step_quantity,
                unit=product.unit,
                tax=f"{product.tax_rate * 100:.0f}",
            )
            with clock_at(at + timedelta(hours=chance.uniform(1, 20))):
                question_answer(
                    actor=staff,
                    question_id=question.pk,
                    answer=reply,
                    is_for_everybody=count != 1,
                    seen_answered_at=None,
                )
        if index % 8 == 0:
            at = now - timedelta(hours=chance.uniform(1, 30))
            waiting = _ask(askers, index, product, OPEN_QUESTIONS[index % 16 // 8], at)
            count += waiting is not None
            if index == 0 and waiting is not None:
                question_hide(
                    actor=staff, question_id=waiting.pk, reason="请在订单备注中说明分批送货的要求"
                )
    return f"{count} 条"


def _ask(
    askers: list[Account], first: int, product: Product, text: str, at: datetime
) -> ProductQuestion | None:
    """Return the question of the first account, in turn from `first`, that saw the product at this
    time. None if no account saw it.
    """
    for turn in range(len(askers)):
        asker = askers[(first + turn) % len(askers)]
        with tenant_scope(group_id=asker.group_id), clock_at(at):  # type: ignore[arg-type]
            try:
                return question_ask(actor=asker, code=product.code, text=text)
            except ProductNotFound:
                continue
    return None
