from django.db import migrations, models

OVER_BUDGET_RULE = "超出预算需审批"
OF_A_BUDGET = "（预算要求超出时审批）"


def copy_reasons(apps, _editor):
    """Copy the reasons of each open approval to its steps. They stood in the approval only, and
    belonged to the rule whose name they quote. The other reasons belong to the steps without
    conditions.
    """
    steps = apps.get_model("approvals", "ApprovalStep")
    rows = steps._base_manager.filter(approval__status="pending", added_by=None).order_by("no")
    by_approval = {}
    for step in rows.select_related("approval").iterator():
        by_approval.setdefault(step.approval_id, []).append(step)
    for chain in by_approval.values():
        left = list(chain[0].approval.reasons)
        for step in chain:
            if step.conditions is not None:
                step.reasons = [
                    {"text": text, "budget": None}
                    for text in chain[0].approval.reasons
                    if f"（{step.rule_name}）" in text
                    or (step.rule_name == OVER_BUDGET_RULE and text.endswith(OF_A_BUDGET))
                ]
                own = [row["text"] for row in step.reasons]
                left = [text for text in left if text not in own]
        first = next((step for step in chain if step.conditions is None), None)
        if first is not None:
            first.reasons = [{"text": text, "budget": None} for text in left]
        steps._base_manager.bulk_update(chain, ["reasons"])


class Migration(migrations.Migration):
    dependencies = [
        ("approvals", "0005_rule_replay"),
    ]

    operations = [
        migrations.AddField(
            model_name="approvalstep",
            name="reasons",
            field=models.JSONField(
                db_default=[], default=list, editable=False, verbose_name="原因"
            ),
        ),
        migrations.RunPython(copy_reasons, migrations.RunPython.noop),
    ]
