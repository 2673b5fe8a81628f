"""Write a rule with its steps and its version. The customer's editor, the back office and the
demo use it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from apps.approvals.enums import RuleAction
from apps.approvals.models import ApprovalRule, ApprovalRuleStep, ApprovalRuleVersion
from apps.approvals.selectors.rule_form import rule_content
from apps.approvals.selectors.rule_spec import RuleSpec, StepSpec, rule_problem, step_problem
from apps.approvals.selectors.rule_text import rule_words
from apps.common.errors import ValidationFailed
from apps.org.enums import ChangeAction
from apps.org.services.changes import change_record

if TYPE_CHECKING:
    from apps.org.models import Account

SUBJECT = "rule"
__all__ = [
    "RuleSpec",
    "StepSpec",
    "rule_problem",
    "rule_record_unversioned",
    "rule_save",
    "rule_version_record",
    "step_problem",
]


# The action in the change history of the organisation for each action of a version.
CHANGES = {
    RuleAction.CREATED: ChangeAction.CREATE,
    RuleAction.COPIED: ChangeAction.COPY,
    RuleAction.CHANGED: ChangeAction.UPDATE,
    RuleAction.ENABLED: ChangeAction.ENABLE,
    RuleAction.DISABLED: ChangeAction.DISABLE,
    RuleAction.DELETED: ChangeAction.DELETE,
    RuleAction.RESTORED: ChangeAction.RESTORE,
}


def rule_version_record(
    *, rule: ApprovalRule, action: str, actor: Account | None
) -> ApprovalRuleVersion:
    """Write the current state of the rule as a version and return it. If the actor is a
    customer, also write the change history of the organisation.
    """
    words = rule_words(rule)
    if actor is not None and actor.group_id is not None:
        earlier = rule.versions.order_by("-number").first()
        change_record(
            actor=actor,
            subject_type=SUBJECT,
            subject_id=rule.pk,
            subject_name=rule.name,
            action=CHANGES[RuleAction(action)],
            before={row["field"]: row["text"] for row in earlier.words} if earlier else {},
            after={row["field"]: row["text"] for row in words},
            labels={row["field"]: row["label"] for row in words},
        )
    version: ApprovalRuleVersion = ApprovalRuleVersion.objects.create(
        group_id=rule.group_id,
        rule=rule,
        number=rule.version,
        action=action,
        words=words,
        content=rule_content(rule),
        actor=actor,
        at=rule.updated_at,
    )
    return version


def rule_record_unversioned(rule: ApprovalRule) -> None:
    """Write a first version for a rule that has none, so that the next change has something to
    compare with.
    """
    if not rule.versions.exists():
        rule_version_record(
            rule=ApprovalRule.objects.get(pk=rule.pk), action=RuleAction.CREATED, actor=None
        )


def _steps_write(rule: ApprovalRule, steps: list[StepSpec]) -> None:
    rule.steps.all().delete()
    for number, step in enumerate(steps, start=1):
        row = ApprovalRuleStep.objects.create(
            group_id=rule.group_id,
            rule=rule,
            no=number,
            mode=step.mode,
            approver_kind=step.approver_kind,
            role=step.role,
            levels_up=step.levels_up,
        )
        row.accounts.set(step.accounts)


@transaction.atomic
def rule_save(
    *,
    group_id: int,
    spec: RuleSpec,
    steps: list[StepSpec],
    rule: ApprovalRule | None = None,
    actor: Account | None = None,
    action: str = "",
) -> ApprovalRule:
    """Create or replace a rule with its steps, write its next version and return it.

    Running approvals keep the chain they started with. `actor` None is the system; `action`
    defaults to 新建 or 修改.

    Raises:
        ValidationFailed: there is no step, or a named object is invalid or of another group.
    """
    wrong_field, text = rule_problem(spec=spec, group_id=group_id)
    if text:
        raise ValidationFailed({wrong_field: [text]})
    problems = [
        f"第 {number} 步：{step_problem(spec=step, group_id=group_id)}"
        for number, step in enumerate(steps, start=1)
    ]
    wrong = next(
        (each for each in problems if not each.endswith("：")),
        "" if steps else "请至少添加一个审批步骤",
    )
    if wrong:
        raise ValidationFailed({"Steps": [wrong]})
    is_new = rule is None or rule.pk is None
    rule = rule or ApprovalRule()
    if not is_new:
        rule_record_unversioned(rule)
        rule.version += 1
    rule.group_id = group_id
    for name in RuleSpec.__dataclass_fields__:
        setattr(rule, name, getattr(spec, name))
    rule.save()
    _steps_write(rule, steps)
    rule_version_record(
        rule=rule,
        action=action or (RuleAction.CREATED if is_new else RuleAction.CHANGED),
        actor=actor,
    )
    return rule
