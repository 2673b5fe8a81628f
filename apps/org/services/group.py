"""The customer's profile, settings, logo and standard roles (集团管理). Only the platform opens and
closes groups.
"""

from __future__ import annotations

import base64
import io
from datetime import datetime
from typing import Any

from django.db import transaction
from PIL import Image

from apps.common.errors import refuse_stale
from apps.common.files.intake import file_take
from apps.common.files.kinds import JPEG, PNG, WEBP
from apps.org.enums import (
    BudgetChoice,
    ChangeAction,
    DataScope,
    InvoiceKind,
    OverBudget,
    PaymentKind,
)
from apps.org.errors import GroupBeyondScope, GroupNotFound
from apps.org.menus import MenuCode
from apps.org.models import Account, Group, Role
from apps.org.services.changes import change_record
from apps.org.services.staff import staff_as_group_admin

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
    "budget_choice": "预算的确定方式",
    "approval_remind_hours": "审批超时提醒（工作小时）",
    "approval_escalate_hours": "审批超时升级（工作小时）",
    "session_hours": "登录保持时长（小时）",
    "has_single_session": "同一账号只保留最近一次登录",
    "requires_second_factor": "登录须两步验证",
}
BUYER_CODES = (
    MenuCode.ORDER_LIST,
    MenuCode.ORDER_CANCEL,
    MenuCode.ORDER_RETURN,
    MenuCode.ASSET_BUDGET,
    MenuCode.MANAGEMENT_ADDRESS,
)
HEAD_CODES = (
    MenuCode.ORDER_LIST,
    MenuCode.ORDER_APPROVAL,
    MenuCode.ORDER_CANCEL,
    MenuCode.ORDER_RETURN,
    MenuCode.ASSET_BUDGET,
)
REPORT_CODES = (
    "report.order",
    "report.orderDetail",
    "report.product",
    "report.department",
    "report.purchaser",
    "report.brand",
    "report.savings",
    "report.budget",
)
FINANCE_CODES = (
    MenuCode.ORDER_LIST,
    MenuCode.ORDER_APPROVAL,
    MenuCode.ASSET_BUDGET,
    MenuCode.INVOICE_APPLY,
    MenuCode.INVOICE_LIST,
    *REPORT_CODES,
)
ORGANISER_CODES = (
    MenuCode.MANAGEMENT_GROUP,
    MenuCode.MANAGEMENT_DEPARTMENT,
    MenuCode.MANAGEMENT_ACCOUNT,
    MenuCode.MANAGEMENT_ROLE,
    MenuCode.MANAGEMENT_APPROVAL,
    MenuCode.MANAGEMENT_ADDRESS,
)
# Code, name, data scope, menu codes.
STANDARD_ROLES: tuple[tuple[str, str, DataScope, tuple[str, ...]], ...] = (
    ("BUYER", "采购员", DataScope.OWN, BUYER_CODES),
    (
        "HEAD",
        "部门负责人",
        DataScope.DEPARTMENT,
        (*HEAD_CODES, "report.order", "report.department"),
    ),
    ("FINANCE", "财务", DataScope.ENTERPRISE, FINANCE_CODES),
    ("ORGANISER", "组织管理员", DataScope.GROUP, ORGANISER_CODES),
)
MAX_LOGO_SIZE = (360, 96)


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
    before = _history_values(group)
    for name, value in changes.items():
        setattr(group, name, value)
    after = _history_values(group)
    if before != after:
        group.save(update_fields=[*changes, "updated_at"])
        _record(actor, group, before, after)
    return group


@transaction.atomic
def group_open(*, staff: Account, group: Group) -> Group:
    """Save and return a new customer with the standard roles. Only for the platform."""
    group.save()
    group_roles_create(group=group)
    with staff_as_group_admin(staff=staff, group_id=group.pk) as actor:
        _record(actor, group, {}, _history_values(group), ChangeAction.CREATE)
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
    refuse_group_change(actor=actor, pk=pk)
    return Group.objects.select_for_update(of=("self",), no_key=True).get(pk=int(pk))


def refuse_group_change(*, actor: Account, pk: str) -> None:
    """Raise GroupNotFound or Forbidden if the actor may not change this group."""
    if pk != str(actor.group_id):
        raise GroupNotFound
    if actor.data_scope_of(MenuCode.MANAGEMENT_GROUP) != DataScope.GROUP:
        raise GroupBeyondScope


def _history_values(group: Group) -> dict[str, Any]:
    """Return the values as the history shows them."""
    return {
        **{name: getattr(group, name) for name in LABELS if name != "logo"},
        "payment_kinds": [PaymentKind(kind).label for kind in group.payments],
        "invoice_kinds": [InvoiceKind(kind).label for kind in group.invoices],
        "over_budget": OverBudget(group.over_budget).label,
        "budget_choice": BudgetChoice(group.budget_choice).label,
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


@transaction.atomic
def group_roles_create(*, group: Group) -> None:
    """Create the standard roles for a group without roles, so that its first sheet of accounts
    can use them.
    """
    if Role.objects.filter(group=group).exists():
        return
    for code, name, scope, codes in STANDARD_ROLES:
        Role.objects.create(
            group=group, code=code, name=name, data_scope=scope, menu_codes=[*codes]
        )


def logo_data_url(upload: Any) -> str:
    """Return the uploaded picture as a data URL, scaled down to at most 360 × 96.

    Raises:
        FileRefused, TooLarge: the file is not a picture, or it is larger than 2MB.
    """
    taken = file_take(
        upload,
        kinds=(PNG, JPEG, WEBP),
        max_mb=2,
        message="请上传图片文件",
        size_message="图片大小不能超过2MB",
    )
    with Image.open(io.BytesIO(taken.content)) as image:
        image.thumbnail(MAX_LOGO_SIZE)
        target = io.BytesIO()
        image.save(target, "PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(target.getvalue()).decode()}"
