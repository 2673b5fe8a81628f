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


def departments_below(*, account: Account) -> list[int]:
    """Return the keys of the account's department and of all below it, from the rows that its chain is read from."""
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
    """Return what is above, and who heads, each department of the account's enterprise; kept on the account."""
    cached: dict[int, tuple[int | None, int | None]] | None = account.__dict__.get("_department_places")
    if cached is None:
        rows = Department.objects.filter(enterprise_id=account.enterprise_id).order_by().values_list("pk", "parent_id", "head_id")
        cached = account.__dict__["_department_places"] = {pk: (parent_id, head_id) for pk, parent_id, head_id in rows}
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
