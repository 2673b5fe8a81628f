"""The supplier's staff: their accounts, their jobs (Django groups with permissions in the back
office), and changes of a customer's organisation by staff.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from copy import copy

from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.db.models import Q

from apps.common.tenancy import tenant_scope
from apps.org.enums import AccountType
from apps.org.errors import OwnStaffAccountDeleted, OwnStaffAccountDisabled, StaffBySuperuserOnly
from apps.org.models import Account

VIEW = ("view",)
VIEW_ADD_CHANGE = ("view", "add", "change")
ALL = ("view", "add", "change", "delete")
IMPERSONATE = ("impersonate",)
# View exports and subscription deliveries, retry or end an export. No access to report figures.
EXPORTS = ("view_exportjob", "change_exportjob", "view_reportsend", "view_reportletter")
# answer an inquiry
QUOTE = ("quote",)
# Find a customer by name, to maintain its prices. No other customer data.
CUSTOMERS = ("view_group", "view_enterprise")
# Find a category, for the limits of a role or a person.
CATEGORIES = ("view_category",)
# View and refund returns. No other changes.
REFUND = ("view_returnorder", "refund_returnorder")
# View orders, record payments, change credit limits and freight rates.
SETTLE = ("view", "settle", "change_creditaccount", "add_freightregion", "change_freightregion")
# Decide about proposals of others, see the limits. The act's own permission is needed as well.
SECOND_PERSON = ("view", "change_proposal")
# job → app label → permissions on the app's tables
STAFF_JOBS: dict[str, dict[str, tuple[str, ...]]] = {
    "客服": {
        "orders": VIEW_ADD_CHANGE,
        "reviews": VIEW_ADD_CHANGE,
        "questions": VIEW_ADD_CHANGE,
        "approvals": VIEW_ADD_CHANGE,
        "aftersales": (*VIEW_ADD_CHANGE, "refund"),
        "cart": VIEW,
        "quotations": ("view", "change"),
        "requisitions": VIEW,
        "recurring": VIEW,
        "catalog": VIEW,
        "pricing": VIEW,
        "finders": VIEW,
        "search": VIEW,
        "selection": VIEW,
        "inquiries": (*VIEW, *QUOTE),
        "org": VIEW_ADD_CHANGE,
        "budgets": VIEW,
        "dimensions": VIEW,
        "identity": IMPERSONATE,
        "dual_control": SECOND_PERSON,
    },
    "商品": {
        "catalog": ALL,
        "pricing": ALL,
        "finders": ALL,
        "search": ALL,
        "selection": ALL,
        "inquiries": (*ALL, *QUOTE),
        "content": ALL,
        "calendar": ALL,
        "orders": VIEW,
        "reviews": VIEW,
        "questions": VIEW_ADD_CHANGE,
        "quotations": ("view", "change"),
        "org": CUSTOMERS,
        "dual_control": SECOND_PERSON,
        "import_export": ALL,
    },
    "财务": {
        "invoices": VIEW_ADD_CHANGE,
        "budgets": VIEW_ADD_CHANGE,
        "dimensions": VIEW,
        "orders": SETTLE,
        "reviews": VIEW,
        "aftersales": REFUND,
        "dual_control": SECOND_PERSON,
        "org": VIEW,
        "reports": VIEW,
    },
    "系统": {
        "org": ALL,
        "catalog": CATEGORIES,
        "identity": (*ALL, *IMPERSONATE),
        "common": (*VIEW, "replay", "release"),
        "dual_control": VIEW,
        "notices": VIEW,
        "webhooks": (*VIEW, "replay"),
        "reports": EXPORTS,
        "assistant": VIEW,
        "auth": VIEW,
        "auditlog": VIEW,
        "django_celery_beat": ALL,
        "content": ALL,
        "calendar": ALL,
    },
}
# Permissions that a job does not have although its row above includes them: 客服 neither records
# payments nor raises credit.
WITHHELD: dict[str, tuple[str, ...]] = {"客服": ("add_creditaccount", "change_creditaccount")}


@transaction.atomic
def staff_save(*, actor: Account, row: Account) -> Account:
    """Save and return the account. The back office log contains the changes.

    Raises:
        Forbidden: the actor is not a superuser, or it is a customer's account.
        WrongState: the actor would lock himself out.
    """
    _refuse(actor, row)
    if row.pk == actor.pk and not (row.is_active and row.is_superuser):
        raise OwnStaffAccountDisabled
    row.save()
    return row


@transaction.atomic
def staff_delete(*, actor: Account, row: Account) -> None:
    """Delete a staff account that no required record refers to.

    Raises:
        Forbidden, WrongState: as staff_save.
    """
    _refuse(actor, row)
    if row.pk == actor.pk:
        raise OwnStaffAccountDeleted
    row.delete()


def _refuse(actor: Account, row: Account) -> None:
    if not (actor.is_superuser and row.is_staff):
        raise StaffBySuperuserOnly


@contextmanager
def staff_as_group_admin(*, staff: Account, group_id: int) -> Generator[Account]:
    """Open the group's scope and yield a copy of the staff account as a group administrator,
    for use as `actor` of the group's services.

    The history shows the staff member. The caller has checked the permission. Never save the copy;
    the database rejects staff with a group.
    """
    actor: Account = copy(staff)
    actor.group_id, actor.kind = group_id, AccountType.GROUP_ADMIN
    with tenant_scope(group_id=group_id):
        yield actor


@transaction.atomic
def staff_groups_sync() -> dict[str, int]:
    """Create the groups or reset their permissions to the table. Return {job: number of
    permissions}. Run it after each migrate.
    """
    counts: dict[str, int] = {}
    for job, apps in STAFF_JOBS.items():
        group, _ = Group.objects.get_or_create(name=job)
        is_granted = Q(pk__in=())
        for label, verbs in apps.items():
            for verb in verbs:
                # An action on all models of the app, or the codename of one permission.
                is_granted |= Q(content_type__app_label=label) & (
                    Q(codename__startswith=f"{verb}_") | Q(codename=verb)
                )
        rights = Permission.objects.filter(is_granted).exclude(codename__in=WITHHELD.get(job, ()))
        group.permissions.set(rights)
        counts[job] = group.permissions.count()
    return counts
