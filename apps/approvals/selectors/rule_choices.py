"""The choices of the rule editor: the people, roles, departments, places and products an
administrator can choose from.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from apps.approvals.selectors.approvers import filter_able_approvers
from apps.approvals.selectors.rules import MENU, get_rule_reach
from apps.org.enums import DataScope
from apps.org.models import Account, Enterprise, Role
from apps.org.selectors.accounts import build_person_condition, list_visible_accounts
from apps.search.query import CatalogQuery
from apps.search.selectors.product_list import product_list

MAX_CHOICES = 50
MAX_DEPARTMENTS = 5000


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice. `text` distinguishes it from choices of the same name. `is_able` False: the
    account cannot approve.
    """

    key: str
    name: str
    text: str = ""
    parent: str | None = None
    is_able: bool = True


def _list_account_choices(actor: Account, keyword: str) -> list[Choice]:
    rows = list_visible_accounts(actor=actor, menu=MENU).filter(is_active=True)
    if keyword:
        rows = rows.filter(build_person_condition(keyword))
    people = list(rows.order_by("pk")[:MAX_CHOICES])
    able_ids = filter_able_approvers(account.pk for account in people)
    return [
        Choice(
            str(account.pk),
            account.nickname,
            " · ".join(_list_account_details(account)),
            is_able=account.pk in able_ids,
        )
        for account in people
    ]


def _list_account_details(account: Account) -> list[str]:
    """Return the department, job title and user name beside the account's name."""
    return [
        text
        for text in (
            account.department.name if account.department else "",
            account.job_title,
            account.username,
        )
        if text
    ]


def _list_roles(_actor: Account, keyword: str) -> list[Choice]:
    rows = Role.objects.filter(name__icontains=keyword).order_by("code")[:MAX_CHOICES]
    return [Choice(str(role.pk), role.name, role.code) for role in rows]


def _list_department_choices(actor: Account, keyword: str) -> list[Choice]:
    rows = (
        get_rule_reach(actor=actor)
        .get_departments()
        .filter(name__icontains=keyword)
        .order_by("enterprise__code", "position", "pk")
    )
    return [
        Choice(
            str(row.pk),
            row.name,
            row.enterprise.name,
            str(row.parent_id) if row.parent_id else None,
        )
        for row in rows[:MAX_DEPARTMENTS]
    ]


def _list_place_choices(actor: Account, _keyword: str) -> list[Choice]:
    """Return the group, its enterprises and their departments as one tree."""
    reach = get_rule_reach(actor=actor)
    choices: list[Choice] = []
    if reach.scope in (DataScope.GROUP, DataScope.ENTERPRISE):
        rows = Enterprise.objects.filter(is_active=True).order_by("code")
        rows = rows.filter(pk=reach.enterprise_id) if reach.scope == DataScope.ENTERPRISE else rows
        root = Choice("group", "全集团") if reach.scope == DataScope.GROUP else None
        choices = ([root] if root else []) + [
            Choice(f"e:{row.pk}", row.name, row.code, root.key if root else None) for row in rows
        ]
    for row in reach.get_departments().order_by("enterprise__code", "position", "pk")[
        :MAX_DEPARTMENTS
    ]:
        choices.append(
            Choice(
                f"d:{row.pk}",
                row.name,
                row.enterprise.name,
                f"d:{row.parent_id}" if row.parent_id else f"e:{row.enterprise_id}",
            )
        )
    return choices


def _list_product_choices(actor: Account, keyword: str) -> list[Choice]:
    """Return the products that the keyword finds. Key and detail of a choice are the product
    code.
    """
    if not keyword:
        return []
    page = product_list(
        actor=actor, query=CatalogQuery(keyword=keyword, with_total=False, with_facets=False)
    )
    return [Choice(offer.product.code, offer.name, offer.product.code) for offer in page.offers]


KINDS: dict[str, Callable[[Account, str], list[Choice]]] = {
    "account": _list_account_choices,
    "role": _list_roles,
    "department": _list_department_choices,
    "place": _list_place_choices,
    "product": _list_product_choices,
}


def list_rule_choices(*, actor: Account, kind: str, keyword: str = "") -> list[Choice]:
    """Return the choices that match the keyword. `kind` is a key of KINDS.

    At most 50 accounts or roles, 20 products (one page of the search) and 5,000 departments; for
    `place`, enterprises come on top of them. Places ignore the keyword; products need one.
    """
    return KINDS[kind](actor, keyword.strip())
