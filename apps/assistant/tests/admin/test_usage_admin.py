"""Back office: the report on the usage of the assistant."""

from __future__ import annotations

from apps.assistant.models import AssistantUsage
from apps.common.tenancy import no_scope
from apps.org.models import Account
from apps.org.tests.office import open_office


def test_usage_totals_follow_the_filter(staff: Account, buyer: Account) -> None:
    for provider, tokens in (("model", 1200), ("model", 300), ("fallback", 0)):
        AssistantUsage.objects.create(
            account=buyer, provider=provider, prompt_tokens=tokens, total_ms=40, outcome="complete"
        )
    office = open_office(staff)
    with no_scope():
        every = office.get("/admin/assistant/assistantusage/").content.decode()
        only = office.get(
            "/admin/assistant/assistantusage/", {"provider__exact": "fallback"}
        ).content.decode()

    assert "输入 <strong>1,500</strong> Token" in every
    assert "共 <strong>1</strong> 次回答" in only
