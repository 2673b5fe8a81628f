"""The jobs of the staff as Django groups: what each may see, add, change and delete in the back office."""

from __future__ import annotations

from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.db.models import Q

VIEW = ("view",)
KEEP = ("view", "add", "change")
ALL = ("view", "add", "change", "delete")
IMPERSONATE = ("impersonate",)
# Exports and sends of subscriptions: seen, and an export queued again or ended; no figure of a report.
EXPORTS = ("view_exportjob", "change_exportjob", "view_reportsend", "view_reportletter")
# answer an inquiry
QUOTE = ("quote",)
# Whose prices they keep: found by name, no more of him.
CUSTOMERS = ("view_group", "view_enterprise")
# See returns and give their money back, no more of them.
REFUND = ("view_returnorder", "refund_returnorder")
# See orders and write down what came for them, and what a customer may owe; freight is money too.
SETTLE = ("view", "settle", "change_creditaccount", "add_freightregion", "change_freightregion")
# job → app label → what it may do with the app's tables
STAFF_JOBS: dict[str, dict[str, tuple[str, ...]]] = {
    "客服": {
        "orders": (*KEEP, "settle"),
        "approvals": KEEP,
        "aftersales": (*KEEP, "refund"),
        "cart": VIEW,
        "catalog": (*VIEW, *QUOTE),
        "org": KEEP,
        "budgets": VIEW,
        "identity": IMPERSONATE,
    },
    "商品": {"catalog": (*ALL, *QUOTE), "content": ALL, "orders": VIEW, "org": CUSTOMERS, "import_export": ALL},
    "财务": {"invoices": KEEP, "budgets": KEEP, "orders": SETTLE, "aftersales": REFUND, "org": VIEW, "reports": VIEW},
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
    },
}


@transaction.atomic
def staff_groups_sync() -> dict[str, int]:
    """Make the groups, or give them the permissions of the table again; return {job: number of permissions}. Run it after each migrate."""
    counts: dict[str, int] = {}
    for job, apps in STAFF_JOBS.items():
        group, _ = Group.objects.get_or_create(name=job)
        wanted = Q(pk__in=())
        for label, verbs in apps.items():
            for verb in verbs:
                # A verb of the whole app, or one permission by its name.
                wanted |= Q(content_type__app_label=label) & (Q(codename__startswith=f"{verb}_") | Q(codename=verb))
        group.permissions.set(Permission.objects.filter(wanted))
        counts[job] = group.permissions.count()
    return counts
