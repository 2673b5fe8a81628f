"""A rule as screens show it: in words, with where it comes from and what the administrator may do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.utils import timezone

from apps.approvals.enums import ConditionKind, RuleOrigin, RuleStatus
from apps.approvals.models import ApprovalRule, ApprovalRuleStep
from apps.approvals.selectors.rule_words import (
    Named,
    Names,
    condition_text,
    conditions_text,
    days_text,
    named_in,
    names_of,
    place_text,
    step_text,
)
from apps.approvals.selectors.rules import Inheritance, Reach
from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class ConditionShown:
    """One condition; `amount` as "500.00", `items` what it names."""

    kind: str
    amount: str | None
    quantity: int | None
    items: list[Named]
    text: str


@dataclass(frozen=True, slots=True)
class StepShown:
    """One step, with who approves in words."""

    step: ApprovalRuleStep

    @property
    def text(self) -> str:
        """Who approves."""
        return step_text(self.step)

    @property
    def accounts(self) -> list[Account]:
        """The people it names."""
        return list(self.step.accounts.all())


@dataclass(frozen=True, slots=True)
class RuleShown:
    """One rule for one administrator."""

    rule: ApprovalRule
    names: Names
    can_edit: bool
    origin: str | None
    today: date

    @property
    def status(self) -> RuleStatus:
        """How it stands today."""
        return self.rule.status_on(self.today)

    @property
    def status_text(self) -> str:
        """The same in words."""
        return str(self.status.label)

    @property
    def place_text(self) -> str:
        """To whom it applies."""
        return place_text(self.rule)

    @property
    def place_kind(self) -> str:
        """Whether it is the department's, the enterprise's or the group's."""
        if self.rule.department_id is not None:
            return "department"
        return "enterprise" if self.rule.enterprise_id is not None else "group"

    @property
    def origin_text(self) -> str:
        """Where the department asked for has it from."""
        if self.origin is None:
            return ""
        return "本部门" if self.origin == RuleOrigin.OWN else f"继承自{place_text(self.rule).removesuffix('及其下级部门')}"

    @property
    def conditions(self) -> list[ConditionShown]:
        """Its conditions one by one."""
        return [
            ConditionShown(
                row["kind"],
                str(row["value"]) if row["kind"] == ConditionKind.AMOUNT else None,
                int(row["value"]) if row["kind"] == ConditionKind.LINE_QUANTITY else None,
                named_in(row, self.names),
                condition_text(row, self.names),
            )
            for row in self.rule.conditions
        ]

    @property
    def conditions_text(self) -> str:
        """Its conditions as a sentence."""
        return conditions_text(self.rule, self.names)

    @property
    def steps(self) -> list[StepShown]:
        """Its steps in order."""
        return [StepShown(step) for step in self.rule.steps.all()]

    @property
    def validity_text(self) -> str:
        """The days it holds on."""
        return days_text(self.rule.valid_from, self.rule.valid_until)

    @property
    def in_flight(self) -> int:
        """How many approvals under way it has asked for."""
        return getattr(self.rule, "in_flight", None) or 0


def rules_shown(*, rules: Iterable[ApprovalRule], reach: Reach, inherited: Inheritance | None = None) -> list[RuleShown]:
    """Return the rules, read by `whole_rules`, as screens show them; one query for all the names in them."""
    rows = list(rules)
    names, today = names_of(rows), timezone.localdate()
    return [RuleShown(rule, names, reach.manages(rule), inherited.origin_of(rule) if inherited else None, today) for rule in rows]
