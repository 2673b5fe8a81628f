"""Rules that name a department which is merged into another."""

from __future__ import annotations

from apps.approvals.enums import ConditionKind, RuleAction
from apps.approvals.models import ApprovalRule
from apps.approvals.services.rule_save import rule_keep_present, rule_version_record
from apps.org.models import Account, Department


def rules_held(department: Department) -> int:
    """Return how many rules apply to the department itself."""
    return int(ApprovalRule.objects.filter(department=department, is_active=True, deleted_at=None).count())


def rules_hand_over(actor: Account, source: Department, target: Department) -> int:
    """Let what applied to `source`, or asked for a requester of it, mean `target`; return how many rules.

    Each becomes its next version, so that who has it open is told; approvals under way keep the steps they were started with.
    """
    changed = 0
    for rule in ApprovalRule.objects.select_for_update(of=("self",)).filter(deleted_at=None).order_by("pk"):
        conditions = [_renamed(condition, source.pk, target.pk) for condition in rule.conditions]
        if rule.department_id == source.pk or conditions != rule.conditions:
            rule_keep_present(rule)
            rule.department = target if rule.department_id == source.pk else rule.department
            rule.conditions, rule.version = conditions, rule.version + 1
            rule.save(update_fields=["department", "conditions", "version", "updated_at"])
            rule_version_record(rule=rule, action=RuleAction.CHANGED, actor=actor)
            changed += 1
    return changed


def _renamed(condition: dict[str, object], source: int, target: int) -> dict[str, object]:
    value = condition.get("value")
    if condition.get("kind") != ConditionKind.DEPARTMENT or not isinstance(value, list):
        return condition
    return {**condition, "value": list(dict.fromkeys(type(pk)(target) if str(pk) == str(source) else pk for pk in value))}
