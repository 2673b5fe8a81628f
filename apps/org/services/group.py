"""Create, change and delete 集团 and their 企业 (集团管理): the customer's profile, settings, logo
and standard roles, and its legal entities. Only the platform opens and closes groups and changes
credit.
"""

from __future__ import annotations

import base64
import io
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from PIL import Image

from apps.common.errors import ValidationFailed, refuse_stale
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
from apps.org.errors import EnterpriseInUse, GroupBeyondScope, GroupNotFound, LastEnterprise
from apps.org.menus import MenuCode
from apps.org.models import Account, Enterprise, Group, Role
from apps.org.selectors.enterprises import get_enterprise
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
    """Return the changed group of the actor. `seen_at` is the `updated_at` that the client read.
    `changes` are the new values by model field.

    Raises:
        GroupNotFound: it is not the actor's group.
        Forbidden: the actor's data scope is not the whole group.
        Stale: another user changed the group after `seen_at`.
    """
    group = group_lock(actor=actor, pk=pk)
    refuse_stale(group, seen_at=seen_at)
    before = _get_history_values(group)
    for name, value in changes.items():
        setattr(group, name, value)
    after = _get_history_values(group)
    if before != after:
        group.save(update_fields=[*changes, "updated_at"])
        _record_change(actor, group, before, after)
    return group


@transaction.atomic
def group_open(*, staff: Account, group: Group) -> Group:
    """Save and return a new customer with the standard roles. Only for the platform."""
    group.save()
    group_roles_create(group=group)
    with staff_as_group_admin(staff=staff, group_id=group.pk) as actor:
        _record_change(actor, group, {}, _get_history_values(group), ChangeAction.CREATE)
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
    group.logo = "" if upload is None else get_logo_data_url(upload)
    group.save(update_fields=["logo", "updated_at"])
    if before != group.logo:
        _record_change(
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
    if actor.get_data_scope(MenuCode.MANAGEMENT_GROUP) != DataScope.GROUP:
        raise GroupBeyondScope


def _get_history_values(group: Group) -> dict[str, Any]:
    """Return the values as the history shows them."""
    return {
        **{name: getattr(group, name) for name in LABELS if name != "logo"},
        "payment_kinds": [PaymentKind(kind).label for kind in group.payments],
        "invoice_kinds": [InvoiceKind(kind).label for kind in group.invoices],
        "over_budget": OverBudget(group.over_budget).label,
        "budget_choice": BudgetChoice(group.budget_choice).label,
    }


def _record_change(
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


def get_logo_data_url(upload: Any) -> str:
    """Return the uploaded picture as a data URL, scaled down to at most 360 × 96.

    Raises:
        FileRefused, TooLarge: the file is not a picture, or it is larger than 2MB.
    """
    file = file_take(
        upload,
        kinds=(PNG, JPEG, WEBP),
        max_mb=2,
        message="请上传图片文件",
        size_message="图片大小不能超过2MB",
    )
    with Image.open(io.BytesIO(file.content)) as image:
        image.thumbnail(MAX_LOGO_SIZE)
        target = io.BytesIO()
        image.save(target, "PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(target.getvalue()).decode()}"


# Model field → API field, so that messages appear at the right field.
ENTERPRISE_API_NAMES = {
    "code": "Code",
    "name": "Name",
    "credit_code": "CreditCode",
    "province": "Province",
    "city": "City",
    "district": "District",
    "street": "Street",
    "phone": "Phone",
    "is_active": "IsActive",
}
ENTERPRISE_LABELS = {
    "code": "企业编码",
    "name": "企业名称",
    "credit_code": "统一社会信用代码",
    "province": "省",
    "city": "市",
    "district": "区县",
    "street": "详细地址",
    "phone": "电话",
    "is_active": "启用",
}


@transaction.atomic
def enterprise_create(*, actor: Account, fields: dict[str, Any]) -> Enterprise:
    """Return the new enterprise of the actor's group. It has no credit until the platform sets it.
    `fields` are the values by model field.

    Raises:
        Forbidden: the actor's data scope is not the whole group.
        ValidationFailed: a field is wrong, or the code or credit code already exists.
    """
    group = group_lock(actor=actor, pk=str(actor.group_id))
    return _save_enterprise(actor, Enterprise(group=group), fields, ChangeAction.CREATE)


@transaction.atomic
def enterprise_update(
    *, actor: Account, pk: str, changes: dict[str, Any], seen_at: datetime | None = None
) -> Enterprise:
    """Return the changed enterprise. A disabled enterprise keeps its accounts and history but
    cannot buy. `changes` are the new values by model field.

    Raises:
        EnterpriseNotFound, Forbidden: the actor cannot see or change the enterprise.
        Stale: another user changed the enterprise after `seen_at`.
        WrongState: it is the last enabled enterprise.
        ValidationFailed: a field is wrong.
    """
    group_lock(actor=actor, pk=str(actor.group_id))
    enterprise = get_enterprise(actor=actor, pk=pk)
    refuse_stale(enterprise, seen_at=seen_at)
    if (
        changes.get("is_active") is False
        and not Enterprise.objects.filter(is_active=True).exclude(pk=enterprise.pk).exists()
    ):
        raise LastEnterprise
    turned = "is_active" in changes and changes["is_active"] != enterprise.is_active
    action = ChangeAction.UPDATE
    if (
        turned
        and len([name for name, value in changes.items() if getattr(enterprise, name) != value])
        == 1
    ):
        action = ChangeAction.ENABLE if changes["is_active"] else ChangeAction.DISABLE
    return _save_enterprise(actor, enterprise, changes, action)


@transaction.atomic
def enterprise_delete(*, actor: Account, pk: str) -> None:
    """Delete an enterprise that no other row refers to.

    Raises:
        EnterpriseNotFound, Forbidden: as enterprise_update.
        WrongState: accounts, departments, orders or other rows refer to the enterprise. It can only
            be disabled.
    """
    group_lock(actor=actor, pk=str(actor.group_id))
    enterprise = get_enterprise(actor=actor, pk=pk)
    key, name = enterprise.pk, enterprise.name
    before = {field: getattr(enterprise, field) for field in ENTERPRISE_LABELS}
    if any(_has(enterprise, relation) for relation in Enterprise._meta.related_objects):
        raise EnterpriseInUse
    enterprise.delete()
    _record_enterprise(actor, key, name, ChangeAction.DELETE, before, {})


def _has(enterprise: Enterprise, relation: Any) -> bool:
    """Whether any row of this relation refers to the enterprise. Includes rows that the delete
    would cascade to.
    """
    return bool(
        relation.related_model._base_manager.filter(**{relation.field.name: enterprise}).exists()
    )


def _save_enterprise(
    actor: Account, enterprise: Enterprise, fields: dict[str, Any], action: ChangeAction
) -> Enterprise:
    """Set the fields, check and save the enterprise, and write its history.

    Raises:
        ValidationFailed: a field is invalid, or name or code exist already.
    """
    before = (
        {name: getattr(enterprise, name) for name in ENTERPRISE_LABELS} if enterprise.pk else {}
    )
    for name, value in fields.items():
        setattr(enterprise, name, value)
    try:
        enterprise.clean_fields(exclude=["group"])
        enterprise.validate_constraints()
    except ValidationError as error:
        raise ValidationFailed(_build_errors(enterprise, error)) from error
    enterprise.save()
    _record_enterprise(
        actor,
        enterprise.pk,
        enterprise.name,
        action,
        before,
        {name: getattr(enterprise, name) for name in ENTERPRISE_LABELS},
    )
    return get_enterprise(actor=actor, pk=str(enterprise.pk))


def _build_errors(enterprise: Enterprise, error: ValidationError) -> dict[str, list[str]]:
    """Return the messages by API field name. A duplicate value has its message at its field."""
    messages_by_field = {
        ENTERPRISE_API_NAMES[name]: list(texts)
        for name, texts in error.message_dict.items()
        if name in ENTERPRISE_API_NAMES
    }
    others = Enterprise.objects.exclude(pk=enterprise.pk)
    if others.filter(code=enterprise.code).exists():
        messages_by_field["Code"] = ["企业编码已存在，请更换"]
    if others.filter(credit_code=enterprise.credit_code).exists():
        messages_by_field["CreditCode"] = ["该统一社会信用代码已被本集团的企业使用"]
    return messages_by_field or {"non_field_errors": list(error.messages)}


def _record_enterprise(
    actor: Account,
    pk: int,
    name: str,
    action: ChangeAction,
    before: dict[str, Any],
    after: dict[str, Any],
) -> None:
    change_record(
        actor=actor,
        subject_type="enterprise",
        subject_id=pk,
        subject_name=name,
        action=action,
        before=before,
        after=after,
        labels=ENTERPRISE_LABELS,
    )
