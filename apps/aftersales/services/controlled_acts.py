"""The act of this app under dual control: 退款 of a return."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from apps.aftersales.models import ReturnOrder
from apps.aftersales.selectors.refunds import get_refund_amounts
from apps.aftersales.services.return_flow import get_accepted_quantities
from apps.aftersales.services.return_refund import require_refundable, return_refund
from apps.common.money import ZERO, yuan_text
from apps.dual_control.controlled import ControlledAct, JobLimit, Parameters, Reading

if TYPE_CHECKING:
    from apps.org.models import Account

REFUND_RETURN = "aftersales.refund_return"


def _read_refund(parameters: Parameters) -> Reading:
    rows = ReturnOrder.objects.select_related("order", "enterprise", "requester")
    return_order: ReturnOrder = rows.get(pk=parameters["return_id"])
    accepted = get_accepted_quantities(return_order)
    require_refundable(return_order, accepted)
    lines = list(return_order.lines.filter(accepted_quantity__gt=0).select_related("order_line"))
    amount = sum((incl_tax for incl_tax, _tax in get_refund_amounts(lines).values()), ZERO)
    goods = "；".join(f"{line.order_line.name} × {line.accepted_quantity}" for line in lines)
    facts = (
        ("订单", return_order.order.order_no),
        ("企业", return_order.enterprise.name),
        ("申请人", str(return_order.requester)),
        ("应退金额", yuan_text(amount)),
        ("检测通过的商品", goods),
    )
    return Reading(return_order, f"售后单 {return_order.return_no}", amount, facts)


def _refund_return(actor: Account, parameters: Parameters) -> ReturnOrder:
    return return_refund(actor=actor, return_id=parameters["return_id"])


CONTROLLED_ACTS = (
    ControlledAct(
        kind=REFUND_RETURN,
        title="售后退款",
        permission="aftersales.refund_returnorder",
        limits={
            "客服": JobLimit(alone=Decimal(1_000), release=ZERO),
            "财务": JobLimit(alone=Decimal(5_000), release=None),
        },
        read=_read_refund,
        run=_refund_return,
        # A refund may reach the payment gateway, which no rollback undoes.
        is_tried=False,
    ),
)
