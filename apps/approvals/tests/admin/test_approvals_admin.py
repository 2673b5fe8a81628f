"""Back office: decisions of staff, and customers' rules."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from apps.approvals.enums import ApprovalStatus, ApproverKind
from apps.approvals.models import Approval, ApprovalRule, ApprovalRuleStep, ApprovalTask
from apps.approvals.selectors.approvals import get_approval_detail
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.services.approval_amend import approval_amend
from apps.approvals.services.approval_discussion import approval_answer
from apps.approvals.services.approval_reminders import approval_urge
from apps.approvals.shared_serializers import ApprovalSerializer
from apps.approvals.subjects import LineChange, SubjectAmendment
from apps.approvals.tests.factories import create_rule
from apps.approvals.tests.subject import Recorder, build_subject, register_recorder, start
from apps.common.tenancy import no_scope
from apps.org.models import Account, Group
from apps.org.tests.office import create_staff, open_office

pytestmark = pytest.mark.django_db
RULES = "/admin/approvals/approvalrule/"


@pytest.fixture
def recorder() -> Recorder:
    return register_recorder()


@pytest.fixture
def service() -> Client:
    return open_office(create_staff("客服"))


@pytest.fixture
def for_staff(recorder: Recorder, ga: Account) -> Approval:
    """An approval requested by the only admin of a group; its department has no head, so staff
    decide.
    """
    create_rule(
        group_id=ga.group_id or 0,
        name="全部",
        conditions=[],
        steps=[StepSpec(approver_kind=ApproverKind.HEAD)],
    )
    return start(ga)


@pytest.fixture
def for_head(recorder: Recorder, buyer: Account, approver: Account) -> Approval:
    create_rule(
        group_id=buyer.group_id or 0,
        name="全部",
        conditions=[],
        steps=[StepSpec(approver_kind=ApproverKind.HEAD)],
    )
    return start(buyer, subject_id=8)


def act(client: Client, approval: Approval, verb: str, **fields: str) -> Any:
    with no_scope():
        return client.post(
            f"/admin/approvals/approval/{approval.pk}/{verb}/", {"act": "1", **fields}
        )


def get_status(approval: Approval) -> str:
    return str(Approval.objects.get(pk=approval.pk).status)


@pytest.mark.parametrize(("path", "code"), [("change", 302), ("approve", 404), ("reject", 404)])
def test_admin_approval_page_with_an_invalid_key_is_not_found(
    service: Client, path: str, code: int
) -> None:
    with no_scope():
        assert service.get(f"/admin/approvals/approval/abc/{path}/").status_code == code


def test_staff_approve_an_approval_assigned_to_staff(
    service: Client, for_staff: Approval, recorder: Recorder
) -> None:
    assert act(service, for_staff, "approve", comment="可以").status_code == 302
    assert get_status(for_staff) == ApprovalStatus.APPROVED
    assert recorder.events[-1] == ("approved", 7)


def test_staff_reject_with_a_reason(
    service: Client, for_staff: Approval, recorder: Recorder
) -> None:
    assert act(service, for_staff, "reject", reason="超出协议范围").status_code == 302
    assert recorder.events[-1] == ("rejected:超出协议范围", 7)


def test_staff_question_keeps_the_approval_assigned_to_staff(
    service: Client, for_staff: Approval, ga: Account, recorder: Recorder
) -> None:
    assert act(service, for_staff, "ask", text="送到哪里？").status_code == 302
    assert recorder.events[-1] == ("approval.asked:第 1 步：送到哪里？", 7)
    approval_answer(actor=ga, approval_id=for_staff.pk, text="总部前台")
    assert act(service, for_staff, "approve", comment="").status_code == 302
    assert get_status(for_staff) == ApprovalStatus.APPROVED


def get_card(client: Client) -> tuple[int, bool]:
    with no_scope():
        [result] = [
            card
            for card in client.get("/admin/").context["work_cards"]
            if card["title"] == "待客服审批"
        ]
    return result["number"], result["is_late"]


def test_staff_approval_card_turns_late_by_group_hours_or_an_urge(
    service: Client, for_staff: Approval, ga: Account
) -> None:
    assert get_card(service) == (1, False)
    Approval.objects.update(created_at=timezone.now() - timedelta(days=30))
    assert get_card(service) == (1, True)
    Group.objects.update(approval_remind_hours=0, approval_escalate_hours=0)
    assert get_card(service) == (1, False)
    approval_urge(actor=ga, approval_id=for_staff.pk)
    assert get_card(service) == (1, True)


@pytest.mark.parametrize(
    ("verb", "words", "decision"),
    [
        ("approve", {"comment": "已电话核实"}, ("approved", "已电话核实")),
        ("reject", {"reason": "超出协议范围"}, ("rejected", "超出协议范围")),
    ],
)
def test_staff_decision_is_stored_in_the_approval_task(
    service: Client,
    for_staff: Approval,
    verb: str,
    words: dict[str, str],
    decision: tuple[str, str],
) -> None:
    act(service, for_staff, verb, **words)
    task = ApprovalTask.objects.select_related("approver").get(step__approval=for_staff)
    assert (task.status, task.comment, task.approver.is_staff, task.decided_at is not None) == (
        *decision,
        True,
        True,
    )


def test_customers_read_platform_service_instead_of_the_staffs_name(
    service: Client, for_staff: Approval, ga: Account
) -> None:
    act(service, for_staff, "approve", comment="可以")
    answer = ApprovalSerializer(
        get_approval_detail(actor=ga, approval_id=for_staff.pk), context={"actor": ga}
    ).data
    assert answer["Steps"][0]["Tasks"][0]["Approver"] == {"Id": "", "Name": "平台客服"}


def test_a_rejection_without_a_reason_is_refused(service: Client, for_staff: Approval) -> None:
    assert act(service, for_staff, "reject", reason=" ").status_code == 200
    assert get_status(for_staff) == ApprovalStatus.PENDING


def test_staff_do_not_decide_for_the_customers_approver(
    service: Client, for_head: Approval
) -> None:
    page = act(service, for_head, "approve").content.decode()
    assert "当前没有需要您处理的审批任务" in page
    assert get_status(for_head) == ApprovalStatus.PENDING


def test_decision_is_offered_only_for_approvals_assigned_to_staff(
    service: Client, for_staff: Approval, for_head: Approval
) -> None:
    with no_scope():
        mine = service.get(f"/admin/approvals/approval/{for_staff.pk}/change/").content.decode()
        theirs = service.get(f"/admin/approvals/approval/{for_head.pk}/change/").content.decode()
    assert f"/approval/{for_staff.pk}/approve/" in mine
    assert f"/approval/{for_head.pk}/approve/" not in theirs


def test_approval_card_links_to_the_approvals_of_its_count(
    service: Client, for_staff: Approval, for_head: Approval
) -> None:
    with no_scope():
        [card] = [
            card
            for card in service.get("/admin/").context["work_cards"]
            if card["title"] == "待客服审批"
        ]
        listed = service.get(card["link"]).context["cl"].result_list
        assert (card["number"], [row.pk for row in listed]) == (1, [for_staff.pk])


@pytest.mark.parametrize("job", ["商品", "财务", "系统"])
def test_approvals_require_the_service_job(for_staff: Approval, job: str) -> None:
    assert act(open_office(create_staff(job)), for_staff, "approve").status_code == 403
    with no_scope():
        assert open_office(create_staff(job)).get("/admin/approvals/approval/").status_code == 403


def build_rule_form(**fields: object) -> dict[str, object]:
    """Return the form data of a rule: from 500.00, decided by the department's head."""
    plain = {
        "name": "满 500",
        "is_active": "on",
        "position": 1,
        "condition_mode": "all",
        "when_amount": "500",
    }
    step = {
        "steps-TOTAL_FORMS": 1,
        "steps-INITIAL_FORMS": 0,
        "steps-0-no": 1,
        "steps-0-approver_kind": "head",
        "steps-0-mode": "any",
    }
    return {**plain, **step, "steps-0-levels_up": 0, **fields}


def save(client: Client, path: str, **fields: object) -> Any:
    with no_scope():
        return client.post(path, build_rule_form(**fields))


def test_new_rule_form_selects_its_group_first(service: Client, ga: Account) -> None:
    with no_scope():
        answer = service.post(f"{RULES}add/", {"group": ga.group_id})
    assert answer.headers["Location"] == f"{RULES}add/?group={ga.group_id}"


def test_a_new_rule_is_saved_with_its_conditions_and_steps(service: Client, ga: Account) -> None:
    assert (
        save(service, f"{RULES}add/?group={ga.group_id}", when_over_budget="on").status_code == 302
    )
    rule = ApprovalRule.objects.get()
    assert rule.conditions == [
        {"kind": "amount", "value": "500.00"},
        {"kind": "over_budget", "value": None},
    ]
    assert list(rule.steps.values_list("no", "approver_kind")) == [(1, "head")]


def test_a_rule_without_a_step_is_refused(service: Client, ga: Account) -> None:
    page = save(service, f"{RULES}add/?group={ga.group_id}", **{"steps-TOTAL_FORMS": 0})
    assert "请至少添加一个审批步骤" in page.content.decode()
    assert not ApprovalRule.objects.exists()


def test_approver_of_another_group_is_refused_in_the_admin(
    service: Client, ga: Account, other_ga: Account
) -> None:
    foreign = {"steps-0-approver_kind": "accounts", "steps-0-accounts": [other_ga.pk]}
    page = save(service, f"{RULES}add/?group={ga.group_id}", **foreign)
    assert "第 1 步：审批人须是该集团的账号" in page.content.decode()
    assert not ApprovalRuleStep.objects.exists()


def test_a_changed_rule_replaces_its_steps(
    service: Client, ga: Account, for_head: Approval
) -> None:
    rule = ApprovalRule.objects.get()
    step = rule.steps.get()
    fields = {
        "steps-INITIAL_FORMS": 1,
        "steps-0-id": step.pk,
        "steps-0-rule": rule.pk,
        "steps-0-approver_kind": "accounts",
    }
    answer = save(service, f"{RULES}{rule.pk}/change/", **fields, **{"steps-0-accounts": [ga.pk]})
    assert answer.status_code == 302
    assert [row.accounts.get().pk for row in ApprovalRule.objects.get().steps.all()] == [ga.pk]


def test_the_office_keeps_the_bands_of_a_rule(service: Client, ga: Account) -> None:
    rows: list[dict[str, Any]] = [
        {"above": "0.00", "up_to": "900.00"},
        {"above": "900.00", "up_to": None},
    ]
    bands: list[dict[str, Any]] = [{**row, "departments": [], "categories": []} for row in rows]
    steps = [StepSpec("head", band=2)]
    rule = create_rule(group_id=ga.group_id, name="分档", steps=steps, bands=bands)
    step = {"steps-INITIAL_FORMS": 1, "steps-0-id": rule.steps.get().pk, "steps-0-rule": rule.pk}

    assert save(service, f"{RULES}{rule.pk}/change/", name="改名", **step).status_code == 302

    rule.refresh_from_db()
    assert (rule.name, rule.bands, rule.steps.get().band) == ("改名", bands, 2)


def test_the_search_for_approvers_keeps_to_the_group(
    service: Client, ga: Account, other_ga: Account
) -> None:
    query = {
        "app_label": "approvals",
        "model_name": "approvalrulestep",
        "field_name": "accounts",
        "of_group": ga.group_id,
    }
    with no_scope():
        answer = service.get("/admin/autocomplete/", query).json()["results"]
    assert [row["id"] for row in answer] == [str(ga.pk)]


def test_staff_amendment_lowers_the_amount_and_keeps_the_approval_pending(
    service: Client, for_staff: Approval, recorder: Recorder, ga: Account
) -> None:
    before, after = (build_subject(ga, amount) for amount in ("800.00", "300.00"))
    recorder.amendments = [
        SubjectAmendment(before, after, (LineChange(1, "P1", "中性笔", "支", 10, 4),), ())
    ]

    assert (
        act(service, for_staff, "amend", line_1="4", line_2="4", reason="库存不足").status_code
        == 302
    )
    assert recorder.events == [("amended:{1: 4}:库存不足", 7)]
    approval = Approval.objects.get(pk=for_staff.pk)
    assert (approval.status, approval.version, str(approval.amount)) == (
        ApprovalStatus.PENDING,
        2,
        "300.00",
    )
    assert act(service, for_staff, "approve").status_code == 302


def test_the_page_names_the_askers_and_what_was_lowered(
    service: Client, recorder: Recorder, buyer: Account, approver: Account, limited: Account
) -> None:
    create_rule(
        group_id=buyer.group_id or 0,
        name="大额",
        conditions=[{"kind": "amount", "value": "200.00"}],
        steps=[StepSpec(approver_kind=ApproverKind.HEAD)],
    )
    approval = start(buyer, askers=[limited])
    page = f"/admin/approvals/approval/{approval.pk}/change/"
    with no_scope():
        text = service.get(page).content.decode()
    assert "采购申请人" in text
    assert str(limited) in text
    assert "调整记录" not in text
    before, after = (build_subject(buyer, amount) for amount in ("800.00", "300.00"))
    recorder.amendments = [SubjectAmendment(before, after, (), ())]

    approval_amend(actor=approver, approval_id=approval.pk, quantities={1: 4}, reason="够用")

    with no_scope():
        text = service.get(page).content.decode()
    assert "¥800.00 → ¥300.00（够用）" in text
    assert "原：订单金额 ¥800.00 达到 ¥200.00（大额）" in text
    assert "现：订单金额 ¥300.00 达到 ¥200.00（大额）" in text


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"line_1": "11", "line_2": "4", "reason": "多"}, "不能多于现有的 10 支"),
        ({"line_1": "10", "line_2": "4", "reason": "没变"}, "请先减少数量或移除商品"),
        ({"line_1": "4", "line_2": "4", "reason": ""}, "请填写此项"),
    ],
)
def test_staff_amendment_refuses_invalid_quantities(
    service: Client, for_staff: Approval, recorder: Recorder, fields: dict[str, str], message: str
) -> None:
    page = act(service, for_staff, "amend", **fields)

    assert (page.status_code, message in page.content.decode(), recorder.events) == (
        200,
        True,
        [],
    )


def test_staff_cannot_amend_an_approval_assigned_to_a_customer_approver(
    service: Client, for_head: Approval, recorder: Recorder
) -> None:
    page = act(service, for_head, "amend", line_1="4", line_2="4", reason="减少")

    assert ("当前没有需要您处理的审批任务" in page.content.decode(), recorder.events) == (
        True,
        [],
    )


def get_hidden_version(page: Any) -> str:
    match = re.search(r'name="version" value="(\d+)"', page.content.decode())
    return match.group(1) if match else ""


@pytest.mark.parametrize(
    ("verb", "fields"), [("approve", {}), ("reject", {"reason": "超出协议范围"})]
)
def test_staff_decision_is_refused_after_an_unseen_amendment(
    service: Client,
    for_staff: Approval,
    recorder: Recorder,
    ga: Account,
    verb: str,
    fields: dict[str, str],
) -> None:
    second = open_office(create_staff("客服"))
    with no_scope():
        seen = get_hidden_version(second.get(f"/admin/approvals/approval/{for_staff.pk}/{verb}/"))
    before, after = (build_subject(ga, amount) for amount in ("800.00", "300.00"))
    recorder.amendments = [
        SubjectAmendment(before, after, (LineChange(1, "P1", "中性笔", "支", 10, 4),), ())
    ]
    act(service, for_staff, "amend", line_1="4", line_2="4", reason="库存不足")

    page = act(second, for_staff, verb, version=seen, **fields)

    assert (seen, get_status(for_staff)) == ("1", ApprovalStatus.PENDING)
    assert "数量刚刚被其他审批人调整" in page.content.decode()
    assert act(second, for_staff, verb, **fields).status_code == 200
    # The page is shown again with 300.00 and asks for confirmation.
    assert (
        act(second, for_staff, verb, version=get_hidden_version(page), **fields).status_code == 302
    )
    assert get_status(for_staff) != ApprovalStatus.PENDING
