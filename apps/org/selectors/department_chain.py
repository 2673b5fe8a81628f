"""The requester's department and all above it: what approval rules and budgets inherit along."""

from __future__ import annotations

from dataclasses import dataclass

from apps.org.models import Account, Department


@dataclass(frozen=True, slots=True)
class ChainLink:
    """One department of the chain and its head."""

    pk: int
    head_id: int | None


def department_chain(*, account: Account) -> list[ChainLink]:
    """Return the account's department first, then each one above it; empty without a department.

    One query for an account, kept on it: checkout asks for budgets and for approval in one request.
    """
    cached: list[ChainLink] | None = account.__dict__.get("_department_chain")
    if cached is None:
        cached = account.__dict__["_department_chain"] = _chain(account)
    return cached


def _chain(account: Account) -> list[ChainLink]:
    if account.department_id is None:
        return []
    rows = Department.objects.filter(enterprise_id=account.enterprise_id).order_by().values_list("pk", "parent_id", "head_id")
    places = {pk: (parent_id, head_id) for pk, parent_id, head_id in rows}
    chain: list[ChainLink] = []
    current: int | None = account.department_id
    while current is not None and current in places and len(chain) <= len(places):
        parent_id, head_id = places[current]
        chain.append(ChainLink(current, head_id))
        current = parent_id
    return chain
