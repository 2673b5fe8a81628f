"""The approvers of a step: accounts, a role, the head of a department at some level, and the
group's admins as the fallback. Also the superiors of an approver, and the people of a chain: who
decides in which step, and whom a step cannot be given to.

One person never decides two steps of a chain by transfer, delegation, escalation or 加签, and never
signs twice in one step, unless the rule of the step allows it. A person whom the rules name twice
decides once and is skipped later.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.db.models import F, Q, QuerySet

from apps.approvals.enums import ApproverKind, StepStatus, TaskStatus
from apps.approvals.models import Approval, ApprovalRuleStep, ApprovalStep, ApprovalTask
from apps.common.compiled_queries import CompiledQuery, ListParameter, key_parameter
from apps.org.enums import AccountType
from apps.org.menus import MenuCode
from apps.org.models import Account
from apps.org.selectors.accounts import build_person_condition, list_group_admins
from apps.org.selectors.departments import ChainLink, get_department_chain


@dataclass(slots=True)
class ApproverPool:
    """All accounts that the steps of one plan can ask: enabled and with approval rights."""

    requester: Account
    chain: list[ChainLink]
    by_id: dict[int, Account]
    by_role: dict[int, list[Account]]
    by_step: dict[int, list[int]]
    asker_ids: frozenset[int] = frozenset()

    def is_own(self, account: Account) -> bool:
        """Return whether the account placed the order or asked for goods of it."""
        return account.pk == self.requester.pk or account.pk in self.asker_ids

    @property
    def admins(self) -> list[Account]:
        """Return the group's admins, the oldest first."""
        return [
            account for account in self.by_id.values() if account.kind == AccountType.GROUP_ADMIN
        ]

    def list_named(self, step: ApprovalRuleStep) -> list[Account]:
        """Return the approvers that the step names; empty if none of them can approve."""
        if step.approver_kind == ApproverKind.ACCOUNTS:
            return self._filter_enabled(self.by_step.get(step.pk, []))
        if step.approver_kind == ApproverKind.ROLE:
            return self._list_of_role(step.role_id)
        levels_up = step.levels_up if step.approver_kind == ApproverKind.HEAD_UP else 0
        head_id = self.chain[levels_up].head_id if levels_up < len(self.chain) else None
        return self._filter_enabled([head_id] if head_id else [])

    def _filter_enabled(self, ids: list[int]) -> list[Account]:
        return [self.by_id[pk] for pk in ids if pk in self.by_id]

    def _list_of_role(self, role_id: int | None) -> list[Account]:
        """Return the role's accounts in the requester's enterprise, or in the whole group if
        the enterprise has none.
        """
        return self.list_near_of_role(role_id or 0) or self.by_role.get(role_id or 0, [])

    def list_near_of_role(self, role_id: int) -> list[Account]:
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
    asker_ids: frozenset[int] = frozenset(),
) -> ApproverPool:
    """Return the approvers of a plan's steps. `by_step` are the accounts that steps name,
    `asker_ids` those that asked for goods in a requisition.

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
    people = ApproverPool(requester, chain, {}, {}, by_step, asker_ids)
    query = _compile_people_of_steps(has_enterprise=requester.enterprise_id is not None)
    _take_people(
        people,
        query.fetch(accounts=account_ids, roles=role_ids, enterprise=requester.enterprise_id),
        role_ids=role_ids,
    )
    missing_roles = {pk for pk in role_ids if not people.list_near_of_role(pk)}
    if missing_roles:
        _take_people(people, PEOPLE_OF_ROLES.fetch(roles=missing_roles), role_ids=role_ids)
    return people


def _take_people(people: ApproverPool, rows: Iterable[Any], *, role_ids: set[int]) -> None:
    """Add the accounts that can approve to the pool. `rows` are those of `_list_able_people`."""
    account_by_id: dict[int, Account] = {}
    by_role: dict[int, list[int]] = {}
    able_ids: set[int] = set()
    for account in rows:
        account_by_id.setdefault(account.pk, account)
        if _can_approve(account.kind, account.one_role_codes):
            able_ids.add(account.pk)
        if account.one_role_id in role_ids:
            by_role.setdefault(account.one_role_id, []).append(account.pk)
    for pk, account in account_by_id.items():
        if pk in able_ids:
            people.by_id.setdefault(pk, account)
    for role_id, ids in by_role.items():
        people.by_role[role_id] = [people.by_id[pk] for pk in ids if pk in able_ids]


def _list_able_people(fitting: Q) -> QuerySet[Account]:
    """Return the enabled accounts that fit, with one row for each role of a person."""
    rows: QuerySet[Account] = Account.objects.filter(fitting, is_active=True)
    return rows.annotate(
        one_role_id=F("roles__id"), one_role_codes=F("roles__menu_codes")
    ).order_by("id", "one_role_id")


def _build_role_condition(**nearby: Any) -> Q:
    """Return the condition that an account has one of the roles, and fits `nearby`. It is a
    subquery, so that a join of the same query still gives all roles of the account.
    """
    members = Account.roles.through.objects.filter(role_id__any_of=ListParameter("roles"), **nearby)
    return Q(pk__any_of=members.values("account_id"))


PEOPLE_OF_ROLES = CompiledQuery(lambda: _list_able_people(_build_role_condition()))


@lru_cache
def _compile_people_of_steps(*, has_enterprise: bool) -> CompiledQuery[Account]:
    """Return the query of the named accounts, the accounts of the enterprise with one of the roles,
    and the group's admins.
    """

    def build() -> QuerySet[Account]:
        enterprise = key_parameter("enterprise") if has_enterprise else None
        is_named = Q(pk__any_of=ListParameter("accounts"))
        has_role_nearby = _build_role_condition(account__enterprise=enterprise)
        return _list_able_people(is_named | has_role_nearby | Q(kind=AccountType.GROUP_ADMIN))

    return CompiledQuery(build)


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


def find_superiors(*, approver: Account, excluded_ids: set[int]) -> list[Account]:
    """Return the nearest head above the approver who can decide, otherwise the group's admins.
    Accounts in `excluded_ids` are left out; the result can be empty.
    """
    heads = [link.head_id for link in get_department_chain(account=approver) if link.head_id]
    if approver.pk in heads:
        # Start above the highest department that the approver heads.
        heads = heads[len(heads) - heads[::-1].index(approver.pk) :]
    barred_ids = excluded_ids | {approver.pk}
    able_ids = filter_able_approvers(head for head in heads if head not in barred_ids)
    nearest = next((head for head in heads if head in able_ids), None)
    if nearest is not None:
        return [Account.objects.get(pk=nearest)]
    return list(list_group_admins(group=approver.group_id or 0).exclude(pk__in=barred_ids))


MAX_CANDIDATES = 20
# The person decides, or has decided, in the step.
PRESENT = (TaskStatus.WAITING, TaskStatus.PENDING, TaskStatus.APPROVED)


def get_people_of_other_steps(
    step: ApprovalStep, steps: Iterable[ApprovalStep], tasks: Iterable[ApprovalTask]
) -> dict[int, str]:
    """Return {account id: why the account cannot decide in `step`} of everybody who decides or has
    decided in another step. Empty if the step's rule allows the same person.
    """
    if step.allows_same_person:
        return {}
    numbers = {row.pk: row.no for row in steps if row.status != StepStatus.SKIPPED}
    step_by_person: dict[int, str] = {}
    for task in tasks:
        if task.step_id == step.pk or task.status not in PRESENT or task.step_id not in numbers:
            continue
        number = numbers[task.step_id]
        has_decided = task.status == TaskStatus.APPROVED
        text = f"已在第 {number} 步审批" if has_decided else f"是第 {number} 步的审批人"
        for account_id in (task.approver_id, task.acting_for_id):
            if account_id is not None:
                step_by_person.setdefault(account_id, text)
    return step_by_person


def get_barred_stand_ins(
    step: ApprovalStep, steps: Iterable[ApprovalStep], tasks: Iterable[ApprovalTask]
) -> dict[int, str]:
    """Return {account id: why} of everybody who cannot stand in for an approver of `step`: the
    people of other steps, and those who sign in this step themselves or have signed for somebody.
    Empty if the step's rule allows the same person.
    """
    if step.allows_same_person:
        return {}
    rows = list(tasks)
    step_by_person = get_people_of_other_steps(step, steps, rows)
    for task in rows:
        if task.step_id == step.pk and task.status in PRESENT:
            has_decided = task.status == TaskStatus.APPROVED
            text = "已在这一步审批" if has_decided else "是这一步的审批人"
            for account_id in (task.approver_id, task.acting_for_id):
                if account_id is not None:
                    step_by_person.setdefault(account_id, text)
    return step_by_person


def get_barred_stand_ins_now(approval: Approval) -> dict[int, str]:
    """Return {account id: why} of the people who cannot stand in for anybody in the active step.
    Empty without an active step. The chain must be prefetched.
    """
    steps = list(approval.steps.all())
    active = next((step for step in steps if step.status == StepStatus.ACTIVE), None)
    if active is None:
        return {}
    return get_barred_stand_ins(active, steps, [task for row in steps for task in row.tasks.all()])


IS_REQUESTER = "是申请人，不能审批自己的单据"
IS_ASKER = "是采购申请人，不能审批自己申请的商品"


def get_own_people(approval: Approval) -> dict[int, str]:
    """Return {account id: why} of the requester and of the askers, who do not decide the approval.
    No query.
    """
    askers = dict.fromkeys(approval.own_ids, IS_ASKER)
    return {**askers, approval.requester_id: IS_REQUESTER}


def build_own_condition(account_id: int, *, prefix: str = "") -> Q:
    """Return the condition that `get_own_people` names the account. `prefix` leads to the approval,
    e.g. `step__approval__`.
    """
    is_asker = Q(**{f"{prefix}askers__has_key": str(account_id)})
    return Q(**{f"{prefix}requester": account_id}) | is_asker


def get_barred_people(
    *,
    approval: Approval,
    step: ApprovalStep,
    steps: Iterable[ApprovalStep],
    tasks: Iterable[ApprovalTask],
) -> dict[int, str]:
    """Return {account id: why} of everybody whom `step` cannot be given to, by transfer or 加签."""
    rows = list(tasks)
    approver_ids = {row.approver_id for row in rows if row.step_id == step.pk}
    return {
        **get_people_of_other_steps(step, steps, rows),
        **dict.fromkeys(approver_ids, "已是这一步的审批人"),
        **get_own_people(approval),
    }


@dataclass(frozen=True, slots=True)
class Candidate:
    """A colleague of the transfer list. `why_not` is "" if the step can be given to him."""

    account: Account
    why_not: str


def list_candidates(*, actor: Account, approval: Approval, keyword: str) -> list[Candidate]:
    """Return at most twenty colleagues of the group that match the keyword, for a transfer or 加签
    of the active step. Those who cannot decide follow the others, with the reason. The chain must
    be prefetched.
    """
    steps = list(approval.steps.all())
    step = next((row for row in steps if row.status == StepStatus.ACTIVE), None)
    if step is None:
        return []
    tasks = [task for row in steps for task in row.tasks.all()]
    reason_by_barred_id = get_barred_people(approval=approval, step=step, steps=steps, tasks=tasks)
    fitting = build_person_condition(keyword)
    rows = Account.objects.filter(fitting, is_active=True, is_staff=False).exclude(pk=actor.pk)
    accounts = list(
        rows.select_related("department").order_by("nickname", "pk")[: MAX_CANDIDATES * 5]
    )
    able_ids = filter_able_approvers(account.pk for account in accounts)
    candidates = [
        Candidate(
            account,
            reason_by_barred_id.get(account.pk) or ("" if account.pk in able_ids else NO_RIGHT),
        )
        for account in accounts
    ]
    return sorted(candidates, key=_rank)[:MAX_CANDIDATES]


NO_RIGHT = "没有订单审批权限"


def _rank(candidate: Candidate) -> int:
    """Return the place in the list: 0 for who can decide, then people of the chain, then people
    without the right.
    """
    if not candidate.why_not:
        return 0
    return 2 if candidate.why_not == NO_RIGHT else 1
