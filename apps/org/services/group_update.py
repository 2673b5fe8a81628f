"""Change the customer's profile and settings (集团管理). Only the platform opens and closes
groups.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction

from apps.common.errors import Forbidden
from apps.common.stale import refuse_stale
from apps.org.enums import ChangeAction, DataScope, InvoiceKind, OverBudget, PaymentKind
from apps.org.errors import GroupNotFound
from apps.org.logo import logo_data_url
from apps.org.menus import MenuCode
from apps.org.models import Account, Group
from apps.org.services.changes import change_record
from apps.org.services.group_begin import group_begin
from apps.org.services.staff_keeps import staff_keeps

LABELS = {
    "code": "集团编码",
    "name": "集团名称",
    "short_name": "简称",
    "industry": "行业",
    "theme_color": "主题色",
    "is_active": "启用",
    "logo": "集团标识",
    "allows_wechat_work": "企业微信登录",
    "payment_kinds": "允许的付款方式",
    "invoice_kinds": "允许的发票种类",
    "over_budget": "超预算下单",
    "approval_remind_hours": "审批超时提醒（工作小时）",
    "approval_escalate_hours": "审批超时升级（工作小时）",
    "session_hours": "登录保持时长（小时）",
    "has_single_session": "同一账号只保留最近一次登录",
}


@transaction.atomic
def group_update(
    *, actor: Account, pk: str, changes: dict[str, Any], seen_at: datetime | None = None
) -> Group:
    """Return the changed group of the actor. `seen_at` is the `updated_at` that the client
    read.

    Raises:
        GroupNotFound: it is not the actor's group.
        Forbidden: the actor's data scope is not the whole group.
        Stale: another user changed the group after `seen_at`.
    """
    group = group_lock(actor=actor, pk=pk)
    refuse_stale(group, seen_at=seen_at)
    before = _told(group)
    for name, value in changes.items():
        setattr(group, name, value)
    after = _told(group)
    if before != after:
        group.save(update_fields=[*changes, "updated_at"])
        _record(actor, group, before, after)
    return group


@transaction.atomic
def group_open(*, staff: Account, group: Group) -> Group:
    """Save and return a new customer with the standard roles. Only for the platform."""
    group.save()
    group_begin(group=group)
    with staff_keeps(staff=staff, group_id=group.pk) as keeper:
        _record(keeper, group, {}, _told(group), ChangeAction.CREATE)
    return group


@transaction.atomic
def group_logo_set(*, actor: Account, pk: str, upload: Any) -> Group:
    """Return the group with the picture as its logo. None removes the logo.

    Raises:
        GroupNotFound, Forbidden: as group_update.
        FileRefused, TooLarge: the file is not a picture, or it is larger than 2MB.
    """
    group = group_lock(actor=actor, pk=pk)
    before = group.logo
    group.logo = "" if upload is None else logo_data_url(upload)
    group.save(update_fields=["logo", "updated_at"])
    if before != group.logo:
        _record(
            actor,
            group,
            {"logo": "已设置" if before else ""},
            {"logo": "已更换" if group.logo else ""},
        )
    return group


def group_lock(*, actor: Account, pk: str) -> Group:
    """Lock and return the actor's group, so that changes of one organisation run one after the
    other.

    Raises:
        GroupNotFound, Forbidden: it is not the actor's group, or the actor's data scope is not the
            whole group.
    """
    refuse_keeping(actor=actor, pk=pk)
    return Group.objects.select_for_update(of=("self",), no_key=True).get(pk=int(pk))


def refuse_keeping(*, actor: Account, pk: str) -> None:
    """Raise GroupNotFound or Forbidden if the actor may not change this group."""
    if pk != str(actor.group_id):
        raise GroupNotFound
    if actor.data_scope_of(MenuCode.MANAGEMENT_GROUP) != DataScope.GROUP:
        raise Forbidden("您的数据范围不是全集团，不能修改集团资料，请联系集团管理员")


def _told(group: Group) -> dict[str, Any]:
    """Return the values as the history shows them."""
    return {
        **{name: getattr(group, name) for name in LABELS if name != "logo"},
        "payment_kinds": [PaymentKind(kind).label for kind in group.payments],
        "invoice_kinds": [InvoiceKind(kind).label for kind in group.invoices],
        "over_budget": OverBudget(group.over_budget).label,
    }


def _record(
    actor: Account,
    group: Group,
    before: dict[str, Any],
    after: dict[str, Any],
    action: ChangeAction = ChangeAction.UPDATE,
) -> None:
    change_record(
        actor=actor,
        subject_type="group",
        subject_id=group.pk,
        subject_name=group.name,
        action=action,
        before=before,
        after=after,
        labels=LABELS,
    )
