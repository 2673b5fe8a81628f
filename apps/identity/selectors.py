"""Accounts that sign in, owners of bearers, active sign-ins, and members of 企业微信. The look-ups
of accounts are the only ones of the platform without a scope.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import connection, models
from django.db.models import QuerySet
from django.utils import timezone

from apps.common.models import TenantQuerySet
from apps.common.sql import build_model_rows, fetch_prepared
from apps.identity.errors import WeChatWorkUnavailable
from apps.identity.models import Passkey, SecondFactor, TokenFamily, WeChatWorkAccount
from apps.identity.tokens import Bearer
from apps.identity.wechat_work import get_wechat_work_provider
from apps.org.enums import PURCHASING_RANK
from apps.org.models import Account, Department, Enterprise, Group

RANK_OF_ROLE = " ".join(f"WHEN '{right}' THEN {rank}" for right, rank in PURCHASING_RANK.items())
# Raw SQL, because every API request runs this query. The ORM would need longer to compile it than
# the database to answer it.
# The last column is the rank of the widest purchasing right of the account's roles.
BEARER = """
SELECT {select}, (SELECT MAX(CASE r.purchasing {ranks} END) FROM org_account_roles ar
  JOIN org_role r ON r.id = ar.role_id WHERE ar.account_id = a.id) FROM identity_tokenfamily f
JOIN org_account a ON a.id = f.account_id
JOIN org_group g ON g.id = a.group_id
LEFT JOIN org_enterprise e ON e.id = a.enterprise_id
LEFT JOIN org_department d ON d.id = a.department_id
LEFT JOIN org_account s ON s.id = f.impersonator_id
WHERE f.public_id = %s AND f.revoked_at IS NULL AND f.expires_at > %s
AND f.account_id = %s AND a.is_active AND g.is_active
AND (f.impersonator_id IS NULL OR s.is_active)
"""


def _list_all_accounts() -> TenantQuerySet[Account]:
    return TenantQuerySet(Account)


def find_account_of_bearer(bearer: Bearer) -> Account | None:
    """Return the customer account of a verified bearer, with its group, enterprise and
    department. One query.

    Return None if the account or its group is disabled, if the sign-in was revoked or has expired,
    or if the staff member may no longer act as the account.
    """
    readers = [
        build_model_rows(model, alias)
        for model, alias in (
            (Account, "a"),
            (Group, "g"),
            (Enterprise, "e"),
            (Department, "d"),
            (Account, "s"),
        )
    ]
    family = TokenFamily._meta.get_field("public_id").get_db_prep_value(bearer.family, connection)
    now = TokenFamily._meta.get_field("expires_at").get_db_prep_value(timezone.now(), connection)
    rows = fetch_prepared(
        BEARER.format(select=", ".join(reader.select for reader in readers), ranks=RANK_OF_ROLE),
        [family, now, bearer.account_id],
    )
    if not rows:
        return None
    values = rows[0]
    instances: list[Any] = []
    for reader in readers:
        own_values, values = values[: reader.width], values[reader.width :]
        instances.append(None if own_values[0] is None else reader.hydrate(own_values))
    account: Account = instances[0]
    account.group, account.enterprise, account.department, account.impersonator = instances[1:]
    account.set_purchasing_rank(values[0])
    return (
        account if account.impersonator is None or may_impersonate(account.impersonator) else None
    )


def get_acting_bearer(staff: Account) -> Bearer | None:
    """Return the newest active sign-in in which the staff member acts as a customer, or None.
    One query.
    """
    families = TokenFamily.objects.filter(
        impersonator=staff, revoked_at__isnull=True, expires_at__gt=timezone.now()
    )
    row = families.order_by("-pk").values_list("account_id", "public_id").first()
    return Bearer(*row) if row else None


def may_impersonate(staff: Account | None) -> bool:
    """Return whether the staff member may act as a customer now. Two queries, none for a
    superuser.
    """
    return staff is not None and staff.is_active and staff.has_perm("identity.impersonate_account")


def find_account_by_username(username: str) -> Account | None:
    """Return the account with this name on the whole platform: customers and staff, enabled and
    disabled.
    """
    return (
        _list_all_accounts()
        .select_related("group", "enterprise", "department")
        .filter(username=username.casefold())
        .first()
    )


def find_account(pk: int) -> Account | None:
    """Return the account with this id on the whole platform. Pass only ids from verified
    sessions, verified tokens or stored rows and messages.
    """
    return (
        _list_all_accounts()
        .select_related("group", "enterprise", "department")
        .filter(pk=pk)
        .first()
    )


def lacks_required_factor(account: Account) -> bool:
    """Return whether the account's group requires a second factor and the account has none."""
    if account.group is None or not account.group.requires_second_factor:
        return False
    return count_without_factor(_list_all_accounts().filter(pk=account.pk)) == 1


def count_without_factor(accounts: QuerySet[Account]) -> int:
    """Return how many of the accounts have neither a confirmed authenticator nor a passkey."""
    has_factor = models.Exists(
        SecondFactor.objects.filter(account=models.OuterRef("pk"), confirmed_at__isnull=False)
    )
    has_passkey = models.Exists(Passkey.objects.filter(account=models.OuterRef("pk")))
    return accounts.exclude(has_factor | has_passkey).count()


def list_own_sign_ins(*, actor: Account) -> QuerySet[TokenFamily]:
    """Return the actor's active sign-ins, last used first. Includes sign-ins of staff who act
    as the actor.
    """
    active_sign_ins = TokenFamily.objects.filter(
        account=actor, revoked_at__isnull=True, expires_at__gt=timezone.now()
    )
    return active_sign_ins.order_by("-used_at", "-pk")


def list_members(*, account_ids: Iterable[int]) -> dict[int, str]:
    """Return {account id: member UserId} for the configured corp. Empty if 企业微信 is not
    configured.
    """
    try:
        corp_id = get_wechat_work_provider().corp_id
    except WeChatWorkUnavailable:
        return {}
    return dict(
        WeChatWorkAccount.objects.filter(
            corp_id=corp_id, account__in=list(account_ids)
        ).values_list("account_id", "user_id")
    )
