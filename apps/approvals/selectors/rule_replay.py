"""Replay real orders against a draft rule: which it would have caught, and how the queues of the
approvers change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from apps.approvals.models import ApprovalRule, ApprovalRuleStep
from apps.approvals.selectors.approvers import ApproverPool, get_approver_pool
from apps.approvals.selectors.conditions import read_past
from apps.approvals.selectors.plan import get_rule_steps, plan_steps
from apps.approvals.selectors.rule_form import RuleSpec, StepSpec
from apps.approvals.subjects import ApprovalSubject, PastSubject
from apps.org.models import Account
from apps.org.selectors.departments import get_department_chain

MAX_CAUGHT = 200


@dataclass(slots=True)
class _Side:
    """One set of rules, and what it does with the orders."""

    rules: list[tuple[ApprovalRule, list[ApprovalRuleStep]]]
    named: dict[int, list[int]] = field(default_factory=dict)
    orders: int = 0
    tasks: Counter[int] = field(default_factory=Counter)
    people: dict[int, Account] = field(default_factory=dict)
    for_staff: int = 0
    pools: dict[tuple[int, tuple[int, ...]], ApproverPool] = field(default_factory=dict)

    def judge(self, subject: ApprovalSubject, path: set[int]) -> dict[int, str]:
        """Count the order, and return {rule key: reason} of the matching rules."""
        reasons: dict[int, str] = {}
        steps: list[ApprovalRuleStep] = []
        for rule, rule_steps in self.rules:
            if not _applies(rule, subject.requester, path):
                continue
            required, reason = get_rule_steps(
                rule=rule, steps=rule_steps, subject=subject, path=path
            )
            if reason:
                reasons[rule.pk or 0] = reason
                steps += [row.step for row in required]
        if steps:
            self.orders += 1
            self._count(subject.requester, steps)
        return reasons

    def _count(self, requester: Account, steps: list[ApprovalRuleStep]) -> None:
        """Count the tasks of the chain. The approvers are read once for each requester and set of
        steps.
        """
        key = (requester.pk, tuple(step.pk for step in steps))
        pool = self.pools.get(key)
        if pool is None:
            chain = get_department_chain(account=requester)
            pool = get_approver_pool(
                requester=requester, chain=chain, steps=steps, by_step=self.named
            )
            self.pools[key] = pool
        for planned in plan_steps(steps=steps, people=pool):
            self.for_staff += planned.is_for_staff
            for account in planned.approvers:
                self.tasks[account.pk] += 1
                self.people[account.pk] = account


def _applies(rule: ApprovalRule, requester: Account, path: set[int]) -> bool:
    return (rule.department_id is None or rule.department_id in path) and (
        rule.enterprise_id is None or rule.enterprise_id == requester.enterprise_id
    )


def replay_orders(
    *,
    spec: RuleSpec,
    steps: list[StepSpec],
    replaced_id: int | None,
    present: list[ApprovalRule],
    subjects: Iterable[PastSubject],
    on_order: Callable[[int], None],
) -> dict[str, Any]:
    """Return the result of the replay. `present` are the enabled rules of the group with their
    steps; the draft replaces the rule with the id `replaced_id`. `on_order` is called with the
    number of orders so far.
    """
    stored_rules = [(rule, list(rule.steps.all())) for rule in present]
    draft, draft_steps, account_ids_by_step = _build_draft(spec, steps)
    of_stored = {
        step.pk: [account.pk for account in step.accounts.all()]
        for _, stored_steps in stored_rules
        for step in stored_steps
    }
    before = _Side(stored_rules, of_stored)
    after = _Side(
        [row for row in stored_rules if row[0].pk != replaced_id],
        {**of_stored, **account_ids_by_step},
    )
    after.rules = sorted([*after.rules, (draft, draft_steps)], key=lambda row: row[0].position)
    conditions = [
        row for rule, _ in [*stored_rules, (draft, draft_steps)] for row in rule.conditions
    ]
    caught_orders: list[dict[str, Any]] = []
    number = number_caught = newly = 0
    for number, past_subject in enumerate(subjects, start=1):
        subject = past_subject.subject
        subject = replace(subject, past=read_past(conditions, subject=subject))
        path = {row.pk for row in get_department_chain(account=subject.requester)}
        was = before.judge(subject, path)
        reason = after.judge(subject, path).get(0)
        if reason:
            number_caught += 1
            newly += not was
            if len(caught_orders) < MAX_CAUGHT:
                caught_orders.append(_serialize_caught_order(past_subject, reason, is_new=not was))
        on_order(number)
    people = {**before.people, **after.people}
    queues = [
        {
            "Id": str(pk),
            "Name": account.nickname,
            "Before": before.tasks[pk],
            "After": after.tasks[pk],
        }
        for pk, account in people.items()
    ]
    queues.sort(key=lambda row: (int(str(row["Before"])) - int(str(row["After"])), row["Name"]))
    return {
        "Orders": number,
        "Before": before.orders,
        "After": after.orders,
        "CaughtTotal": number_caught,
        "Newly": newly,
        "Caught": caught_orders,
        "Approvers": queues,
        "StaffBefore": before.for_staff,
        "StaffAfter": after.for_staff,
    }


def _serialize_caught_order(
    past_subject: PastSubject, reason: str, *, is_new: bool
) -> dict[str, Any]:
    """Return the past order that the rule would stop, as JSON. `is_new`: the present rules did
    not stop it.
    """
    return {
        "OrderNo": past_subject.number,
        "At": past_subject.at.isoformat(),
        "Requester": past_subject.subject.requester.nickname,
        "Amount": f"{past_subject.subject.judged_amount:.2f}",
        "Reason": reason,
        "IsNew": is_new,
    }


def _build_draft(
    spec: RuleSpec, steps: list[StepSpec]
) -> tuple[ApprovalRule, list[ApprovalRuleStep], dict[int, list[int]]]:
    """Return the draft as an unsaved rule with its steps, and {step key: account ids}. The keys of
    its steps are negative, so that they differ from stored ones.
    """
    rule = ApprovalRule(**{name: getattr(spec, name) for name in RuleSpec.__dataclass_fields__})
    draft_steps, account_ids_by_step = [], {}
    for number, step in enumerate(steps, start=1):
        draft_steps.append(
            ApprovalRuleStep(
                pk=-number,
                rule=rule,
                no=number,
                mode=step.mode,
                approver_kind=step.approver_kind,
                role=step.role,
                levels_up=step.levels_up,
                band=step.band,
            )
        )
        account_ids_by_step[-number] = [account.pk for account in step.accounts]
    return rule, draft_steps, account_ids_by_step
