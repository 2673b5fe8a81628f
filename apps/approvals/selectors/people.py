"""Who a step names: accounts, a role, the department's head, the head some levels up, and the group's admins behind them all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import F, Q

from apps.approvals.enums import ApproverKind
from apps.approvals.models import ApprovalRuleStep
from apps.org.enums import AccountType
from apps.org.menus import MenuCode
from apps.org.models import Account
from apps.org.selectors.department_chain import ChainLink


@dataclass(slots=True)
class People:
    """Every account that the steps of one plan may ask: enabled ones that may open an approval."""

    requester: Account
    chain: list[ChainLink]
    by_id: dict[int, Account]
    by_role: dict[int, list[Account]]
    by_step: dict[int, list[int]]

    @property
    def admins(self) -> list[Account]:
        """The group's admins, the oldest first."""
        return [account for account in self.by_id.values() if account.kind == AccountType.GROUP_ADMIN]

    def named_by(self, step: ApprovalRuleStep) -> list[Account]:
        """Return whom the step names; empty where nobody enabled is left."""
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
        """The role's accounts of the requester's enterprise, or of the whole group where that has none."""
        everyone = self.by_role.get(role_id or 0, [])
        near = [account for account in everyone if account.enterprise_id == self.requester.enterprise_id]
        return near or everyone


def _accounts_of(steps: list[ApprovalRuleStep]) -> dict[int, list[int]]:
    step_ids = [step.pk for step in steps if step.approver_kind == ApproverKind.ACCOUNTS]
    found: dict[int, list[int]] = {}
    if step_ids:
        through = ApprovalRuleStep.accounts.through.objects.filter(approvalrulestep_id__in=step_ids).order_by("account_id")
        for step_id, account_id in through.values_list("approvalrulestep_id", "account_id"):
            found.setdefault(step_id, []).append(account_id)
    return found


def people_of(*, requester: Account, chain: list[ChainLink], steps: list[ApprovalRuleStep]) -> People:
    """Return the people of a plan's steps; one query, one more where a step names accounts, and one where a role cannot approve."""
    by_step = _accounts_of(steps)
    role_ids = {step.role_id for step in steps if step.role_id}
    wanted = {pk for ids in by_step.values() for pk in ids} | {row.head_id for row in chain if row.head_id}
    people = People(requester, chain, {}, {}, by_step)
    rows = Account.objects.filter(Q(pk__in=wanted) | Q(roles__in=role_ids) | Q(kind=AccountType.GROUP_ADMIN), is_active=True)
    able: set[int] = set()
    for account in rows.annotate(matched_role_id=F("roles__id"), matched_codes=F("roles__menu_codes")).order_by("id", "matched_role_id"):
        people.by_id.setdefault(account.pk, account)
        if account.kind == AccountType.GROUP_ADMIN or MenuCode.ORDER_APPROVAL in (account.matched_codes or ()):
            able.add(account.pk)
        if account.matched_role_id in role_ids:
            people.by_role.setdefault(account.matched_role_id, []).append(account)
    _leave_out(people, _unable(set(people.by_id) - able))
    return people


def _unable(unsure: set[int]) -> set[int]:
    """Return those of whom no role grants 订单审批: they could never open what they are asked for."""
    if not unsure:
        return unsure
    granted = Account.roles.through.objects.filter(account_id__in=unsure).values_list("account_id", "role__menu_codes")
    return unsure - {account_id for account_id, codes in granted if MenuCode.ORDER_APPROVAL in codes}


def able_ids(account_ids: Iterable[int]) -> set[int]:
    """Return those of the accounts who can be asked: enabled, and allowed to open an approval; at most two queries."""
    enabled = dict(Account.objects.filter(pk__in=set(account_ids), is_active=True).values_list("pk", "kind"))
    admins = {pk for pk, kind in enabled.items() if kind == AccountType.GROUP_ADMIN}
    others = set(enabled) - admins
    return admins | (others - _unable(set(others)))


def _leave_out(people: People, unable: set[int]) -> None:
    for pk in unable:
        del people.by_id[pk]
    for role_id, accounts in people.by_role.items():
        people.by_role[role_id] = [account for account in accounts if account.pk not in unable]
