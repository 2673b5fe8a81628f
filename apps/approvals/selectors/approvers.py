"""The approvers of a step: accounts, a role, the head of a department at some level, and the
group's admins as the fallback. Also the superiors of an approver.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db.models import F, Q

from apps.approvals.enums import ApproverKind
from apps.approvals.models import ApprovalRuleStep
from apps.org.enums import AccountType
from apps.org.menus import MenuCode
from apps.org.models import Account
from apps.org.selectors.accounts import group_admins
from apps.org.selectors.departments import ChainLink, department_chain


@dataclass(slots=True)
class ApproverPool:
    """All accounts that the steps of one plan can ask: enabled and with approval rights."""

    requester: Account
    chain: list[ChainLink]
    by_id: dict[int, Account]
    by_role: dict[int, list[Account]]
    by_step: dict[int, list[int]]

    @property
    def admins(self) -> list[Account]:
        """Return the group's admins, the oldest first."""
        return [
            account for account in self.by_id.values() if account.kind == AccountType.GROUP_ADMIN
        ]

    def named_by(self, step: ApprovalRuleStep) -> list[Account]:
        """Return the approvers that the step names; empty if none of them can approve."""
        if step.approver_kind == ApproverKind.ACCOUNTS:
            return self._enabled(self.by_step.get(step.pk, []))
        if step.approver_kind == ApproverKind.ROLE:
            return self._of_role(step.role_id)
        levels_up = step.levels_up if step.approver_kind == ApproverKind.HEAD_UP else 0
        head_id = self.chain[levels_up].head_id if levels_up < len(self.chain) else None
        return self._enabled([head_id] if head_id else [])

    def _enabled(self, ids: list[int]) -> list[Account]:
        return [self.by_id[pk] for pk in ids if pk in self.by_id]

    def _of_role(self, role_id: int | None) -> list[Account]:
        """Return the role's accounts in the requester's enterprise, or in the whole group if
        the enterprise has none.
        """
        return self.near_of_role(role_id or 0) or self.by_role.get(role_id or 0, [])

    def near_of_role(self, role_id: int) -> list[Account]:
        """Return the role's accounts in the requester's enterprise."""
        enterprise_id = self.requester.enterprise_id
        return [
            account
            for account in self.by_role.get(role_id, [])
            if account.enterprise_id == enterprise_id
        ]


def get_approver_pool(
    *,
    requester: Account,
    chain: list[ChainLink],
    steps: list[ApprovalRuleStep],
    by_step: dict[int, list[int]],
) -> ApproverPool:
    """Return the approvers of a plan's steps. `by_step` are the accounts that steps name.

    Only the accounts of the requester's enterprise are read for a role. Those of the whole group
    are read if the enterprise has no approver with the role.
    """
    role_ids = {step.role_id for step in steps if step.role_id}
    levels = {
        step.levels_up if step.approver_kind == ApproverKind.HEAD_UP else 0
        for step in steps
        if step.approver_kind in (ApproverKind.HEAD, ApproverKind.HEAD_UP)
    }
    heads = {row.head_id for number, row in enumerate(chain) if number in levels and row.head_id}
    account_ids = {pk for ids in by_step.values() for pk in ids} | heads
    people = ApproverPool(requester, chain, {}, {}, by_step)
    near = _has_role(role_ids) & Q(enterprise=requester.enterprise_id)
    _read_people(
        people, Q(pk__in=account_ids) | near | Q(kind=AccountType.GROUP_ADMIN), role_ids=role_ids
    )
    missing = {pk for pk in role_ids if not people.near_of_role(pk)}
    if missing:
        _read_people(people, _has_role(missing), role_ids=missing)
    return people


def _read_people(people: ApproverPool, fitting: Q, *, role_ids: set[int]) -> None:
    """Add the enabled accounts that fit and can approve to the pool."""
    rows = Account.objects.filter(fitting, is_active=True)
    found: dict[int, Account] = {}
    by_role: dict[int, list[int]] = {}
    able: set[int] = set()
    # One row for each role of a person.
    for account in rows.annotate(
        one_role_id=F("roles__id"), one_role_codes=F("roles__menu_codes")
    ).order_by("id", "one_role_id"):
        found.setdefault(account.pk, account)
        if _can_approve(account.kind, account.one_role_codes):
            able.add(account.pk)
        if account.one_role_id in role_ids:
            by_role.setdefault(account.one_role_id, []).append(account.pk)
    for pk, account in found.items():
        if pk in able:
            people.by_id.setdefault(pk, account)
    for role_id, ids in by_role.items():
        people.by_role[role_id] = [people.by_id[pk] for pk in ids if pk in able]


def _has_role(role_ids: Iterable[int]) -> Q:
    """Return the condition that an account has one of the roles. The query can still read all roles
    of the account.
    """
    members = Account.roles.through.objects.filter(role_id__in=set(role_ids))
    return Q(pk__in=members.values("account_id"))


def _can_approve(kind: str, menu_codes: Collection[str] | None) -> bool:
    """Return whether an account of that kind with a role of these menu codes can open approvals."""
    return kind == AccountType.GROUP_ADMIN or MenuCode.ORDER_APPROVAL in (menu_codes or ())


def filter_able_approvers(account_ids: Iterable[int]) -> set[int]:
    """Return the ids of the accounts that are enabled and have approval rights."""
    people = Account.objects.filter(pk__in=set(account_ids), is_active=True).order_by()
    return {
        pk
        for pk, kind, codes in people.values_list("pk", "kind", "roles__menu_codes")
        if _can_approve(kind, codes)
    }


def find_superiors(*, approver: Account, without: set[int]) -> list[Account]:
    """Return the nearest head above the approver who can decide, otherwise the group's admins.
    Accounts in `without` are left out; the result can be empty.
    """
    heads = [link.head_id for link in department_chain(account=approver) if link.head_id]
    if approver.pk in heads:
        # Start above the highest department that the approver heads.
        heads = heads[len(heads) - heads[::-1].index(approver.pk) :]
    barred = without | {approver.pk}
    able = filter_able_approvers(head for head in heads if head not in barred)
    nearest = next((head for head in heads if head in able), None)
    if nearest is not None:
        return [Account.objects.get(pk=nearest)]
    return list(group_admins(group=approver.group_id or 0).exclude(pk__in=barred))
