"""Rules for granting rights. An administrator cannot grant a menu code or data scope that he
lacks, and cannot manage a person with more rights.
"""

from __future__ import annotations

from collections.abc import Iterable

from apps.org.enums import SCOPE_RANK, DataScope
from apps.org.menus import ENTRY_NAMES, with_groups
from apps.org.models import Account, Role


def excess_of(*, actor: Account, codes: Iterable[str], scope: str) -> list[str]:
    """Return, in words, the rights of a role with these menu codes and this data scope that the
    actor lacks. [] if there are none.
    """
    if actor.is_group_admin:
        return []
    rank = SCOPE_RANK[scope]
    over = [
        f"{ENTRY_NAMES[code]}（{DataScope(scope).label}）"
        for code in with_groups(set(codes))
        if code in ENTRY_NAMES and not _has(actor, code, rank)
    ]
    # A role without menu entries still has an effect: its data scope applies to the lists of
    # enterprises and departments.
    return over or (
        [f"数据范围“{DataScope(scope).label}”"] if rank > SCOPE_RANK[actor.data_scope] else []
    )


def _has(actor: Account, code: str, rank: int) -> bool:
    return actor.has_menu_code(code) and SCOPE_RANK[actor.data_scope_of(code)] >= rank


def may_grant(*, actor: Account, role: Role) -> bool:
    """Whether the actor has all rights that the role grants."""
    return not excess_of(actor=actor, codes=role.menu_codes, scope=role.data_scope)


def may_manage(
    *, actor: Account, account: Account, grantable: dict[int, bool] | None = None
) -> bool:
    """Whether the actor has all rights of the account. This rule prevents takeover: setting a
    person's password or mail address gives access to that person's rights.

    `grantable` caches results by role id, for lists.
    """
    if actor.is_group_admin:
        return True
    if account.is_group_admin:
        return False
    known = grantable if grantable is not None else {}
    for role in account.roles.all():
        if role.pk not in known:
            known[role.pk] = may_grant(actor=actor, role=role)
    return all(known[role.pk] for role in account.roles.all())
