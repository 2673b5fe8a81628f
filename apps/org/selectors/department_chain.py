"""The requester's department and all departments above it. Approval rules and budgets inherit
along this chain.
"""

from __future__ import annotations

from dataclasses import dataclass

from apps.org.models import Account, Department


@dataclass(frozen=True, slots=True)
class ChainLink:
    """One department of the chain and its head."""

    pk: int
    head_id: int | None


def department_chain(*, account: Account) -> list[ChainLink]:
    """Return the account's department first, then each department above it. Empty without a
    department.

    The result is cached on the account (one query), because checkout reads it for budgets and for
    approval in one request.
    """
    cached: list[ChainLink] | None = account.__dict__.get("_department_chain")
    if cached is None:
        cached = account.__dict__["_department_chain"] = _chain(account)
    return cached


def departments_below(*, account: Account) -> list[int]:
    """Return the ids of the account's department and all departments below it. Uses the cached
    rows of the chain.
    """
    if account.department_id is None:
        return []
    under: dict[int | None, list[int]] = {}
    for pk, (parent_id, _head_id) in _places(account).items():
        under.setdefault(parent_id, []).append(pk)
    found = [account.department_id]
    for pk in found:
        found += under.pop(pk, ())
    return found


def _places(account: Account) -> dict[int, tuple[int | None, int | None]]:
    """Return the parent and head of each department in the account's enterprise. Cached on the
    account.
    """
    cached: dict[int, tuple[int | None, int | None]] | None = account.__dict__.get(
        "_department_places"
    )
    if cached is None:
        rows = (
            Department.objects.filter(enterprise_id=account.enterprise_id)
            .order_by()
            .values_list("pk", "parent_id", "head_id")
        )
        cached = account.__dict__["_department_places"] = {
            pk: (parent_id, head_id) for pk, parent_id, head_id in rows
        }
    return cached


def _chain(account: Account) -> list[ChainLink]:
    if account.department_id is None:
        return []
    places = _places(account)
    chain: list[ChainLink] = []
    current: int | None = account.department_id
    while current is not None and current in places and len(chain) <= len(places):
        parent_id, head_id = places[current]
        chain.append(ChainLink(current, head_id))
        current = parent_id
    return chain
