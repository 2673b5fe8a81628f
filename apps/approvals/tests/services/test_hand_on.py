"""Steps of disabled approvers, or of approvers without rights, go to the group's admins or to
staff.
"""

import pytest

from apps.approvals.enums import ApprovalStatus, ApproverKind, StepMode
from apps.approvals.models import Approval
from apps.approvals.selectors.approvals import list_approvals_for_staff, list_approvals_in_box
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.services.account_disable import orphaned_steps_reassign
from apps.approvals.services.approval_decide import approval_approve
from apps.approvals.tests.factories import create_rule
from apps.approvals.tests.subject import Recorder, register_recorder, start
from apps.common.tenancy import platform_scope
from apps.org.menus import MenuCode
from apps.org.models import Account
from apps.org.tests.factories import AccountFactory

pytestmark = pytest.mark.django_db
HEAD = StepSpec(approver_kind=ApproverKind.HEAD)


@pytest.fixture
def recorder() -> Recorder:
    return register_recorder()


def disable_account(account: Account) -> None:
    account.is_active = False
    account.save()


def run_reassign() -> int:
    with platform_scope(reason="test"):
        return orphaned_steps_reassign()


def waiting_for(account: Account) -> list[Approval]:
    return list(list_approvals_in_box(actor=account, box="todo"))


def test_reassign_job_moves_a_task_of_a_disabled_account_to_the_group_admin(
    recorder: Recorder, buyer: Account, approver: Account, ga: Account
) -> None:
    create_rule(group_id=buyer.group_id, name="全部", steps=[HEAD])
    approval = start(buyer)
    disable_account(approver)

    assert (run_reassign(), run_reassign()) == (1, 0)
    assert waiting_for(ga) == [approval]
    assert recorder.events == [
        ("approval.transferred:第 1 步审批人已停用或不再有审批权限，转由集团管理员审批", 7)
    ]
    approval_approve(actor=ga, approval_id=approval.pk)
    assert recorder.events[-1] == ("approved", 7)


def test_reassign_job_moves_a_task_of_an_account_without_approval_permission(
    recorder: Recorder, buyer: Account, approver: Account, ga: Account
) -> None:
    create_rule(group_id=buyer.group_id, name="全部", steps=[HEAD])
    approval = start(buyer)
    role = approver.roles.get()
    role.menu_codes = [MenuCode.ORDER_LIST]
    role.save()

    assert (run_reassign(), run_reassign(), waiting_for(ga), waiting_for(approver)) == (
        1,
        0,
        [approval],
        [],
    )


def test_reassign_job_keeps_a_step_with_another_eligible_approver(
    recorder: Recorder, buyer: Account, approver: Account, ga: Account
) -> None:
    clerk = AccountFactory(department=buyer.department, roles=list(approver.roles.all()))
    create_rule(
        group_id=buyer.group_id,
        name="全部",
        steps=[StepSpec(ApproverKind.ACCOUNTS, accounts=(approver, clerk))],
    )
    approval = start(buyer)
    clerk.roles.clear()

    assert (run_reassign(), waiting_for(ga), waiting_for(approver)) == (0, [], [approval])


def test_reassign_job_keeps_a_task_of_an_enabled_approver(
    recorder: Recorder, buyer: Account, approver: Account, ga: Account
) -> None:
    create_rule(group_id=buyer.group_id, name="全部", steps=[HEAD])
    start(buyer)

    assert run_reassign() == 0
    assert waiting_for(ga) == []


def test_reassign_job_replaces_a_disabled_joint_approver_once_only_he_is_left(
    recorder: Recorder, buyer: Account, approver: Account, ga: Account
) -> None:
    third = AccountFactory(department=buyer.department, roles=list(approver.roles.all()))
    create_rule(
        group_id=buyer.group_id,
        name="全部",
        steps=[StepSpec(ApproverKind.ACCOUNTS, StepMode.ALL, accounts=(approver, third))],
    )
    approval = start(buyer)
    disable_account(third)

    assert run_reassign() == 0
    approval_approve(actor=approver, approval_id=approval.pk)
    assert run_reassign() == 1
    approval_approve(actor=ga, approval_id=approval.pk)
    assert Approval.objects.get(pk=approval.pk).status == ApprovalStatus.APPROVED


def test_reassign_job_moves_a_task_of_the_requesting_admin_to_staff(
    recorder: Recorder, approver: Account, ga: Account
) -> None:
    create_rule(
        group_id=ga.group_id,
        name="全部",
        steps=[StepSpec(ApproverKind.ACCOUNTS, accounts=(approver,))],
    )
    approval = start(ga)
    disable_account(approver)

    assert run_reassign() == 1
    with platform_scope(reason="test"):
        assert list(list_approvals_for_staff()) == [approval]
