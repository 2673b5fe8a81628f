"""The staff jobs as Django groups, with their permissions in the back office."""

from __future__ import annotations

from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.db.models import Q

VIEW = ("view",)
KEEP = ("view", "add", "change")
ALL = ("view", "add", "change", "delete")
IMPERSONATE = ("impersonate",)
# View exports and subscription deliveries, retry or end an export. No access to report figures.
EXPORTS = ("view_exportjob", "change_exportjob", "view_reportsend", "view_reportletter")
# answer an inquiry
QUOTE = ("quote",)
# Find a customer by name, to maintain its prices. No other customer data.
CUSTOMERS = ("view_group", "view_enterprise")
# View and refund returns. No other changes.
REFUND = ("view_returnorder", "refund_returnorder")
# View orders, record payments, change credit limits and freight rates.
SETTLE = ("view", "settle", "change_creditaccount", "add_freightregion", "change_freightregion")
# job → app label → permissions on the app's tables
STAFF_JOBS: dict[str, dict[str, tuple[str, ...]]] = {
    "客服": {
        "orders": (*KEEP, "settle"),
        "reviews": KEEP,
        "approvals": KEEP,
        "aftersales": (*KEEP, "refund"),
        "cart": VIEW,
        "requisitions": VIEW,
        "catalog": VIEW,
        "pricing": VIEW,
        "search": VIEW,
        "selection": VIEW,
        "inquiries": (*VIEW, *QUOTE),
        "org": KEEP,
        "budgets": VIEW,
        "identity": IMPERSONATE,
    },
    "商品": {
        "catalog": ALL,
        "pricing": ALL,
        "search": ALL,
        "selection": ALL,
        "inquiries": (*ALL, *QUOTE),
        "content": ALL,
        "calendar": ALL,
        "orders": VIEW,
        "reviews": VIEW,
        "org": CUSTOMERS,
        "import_export": ALL,
    },
    "财务": {
        "invoices": KEEP,
        "budgets": KEEP,
        "orders": SETTLE,
        "reviews": VIEW,
        "aftersales": REFUND,
        "org": VIEW,
        "reports": VIEW,
    },
    "系统": {
        "org": ALL,
        "identity": (*ALL, *IMPERSONATE),
        "common": (*VIEW, "replay", "release"),
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


@transaction.atomic
def staff_groups_sync() -> dict[str, int]:
    """Create the groups or reset their permissions to the table. Return {job: number of
    permissions}. Run it after each migrate.
    """
    counts: dict[str, int] = {}
    for job, apps in STAFF_JOBS.items():
        group, _ = Group.objects.get_or_create(name=job)
        wanted = Q(pk__in=())
        for label, verbs in apps.items():
            for verb in verbs:
                # An action on all models of the app, or the codename of one permission.
                wanted |= Q(content_type__app_label=label) & (
                    Q(codename__startswith=f"{verb}_") | Q(codename=verb)
                )
        group.permissions.set(Permission.objects.filter(wanted))
        counts[job] = group.permissions.count()
    return counts
