"""A manager of departments does not take himself to other rules and budgets, and makes neither
himself nor a friend the head who approves his orders: by a head, a merge, a move or a sheet.
"""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest

from apps.common.errors import ValidationFailed
from apps.common.models.import_run import ImportRun
from apps.common.services.import_run import ChunkRefused
from apps.common.tenancy import platform_scope
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.models import Account, Department, OrganisationChange, Role
from apps.org.services.department import (
    department_create,
    department_move,
    department_update,
)
from apps.org.services.department_import import (
    COLUMNS,
    DepartmentWriter,
    departments_import,
    departments_preview,
)
from apps.org.services.department_merge import department_disable, department_merge
from apps.org.services.staff import staff_as_group_admin
from apps.org.tests.factories import AccountFactory, DepartmentFactory, RoleFactory

REFUSED = (
    "您在该部门或其下级部门中，不能更改其上级部门或将其合并，"
    "请由集团管理员或不在该部门中的管理员操作"
)
HEAD_REFUSED = (
    "您在该部门或其下级部门中，不能更改其负责人，请由集团管理员或不在该部门中的管理员操作"
)
SELF_REFUSED = "您不能将自己设为部门负责人，请由集团管理员或其他部门管理员操作"
RECEIVER_REFUSED = (
    "您在所选部门或其下级部门中，不能将其他部门并入或移到该部门下，"
    "请由集团管理员或不在该部门中的管理员操作"
)
HEADED_REFUSED = (
    "您是所选部门或其上级部门的负责人，不能将其他部门并入或移到该部门下，"
    "请由集团管理员或其他部门管理员操作"
)
Act = Callable[[Account, Department, Department], Department]


@pytest.fixture
def below(department: Department) -> Department:
    """文秘组, below 行政部. The manager works here."""
    return DepartmentFactory(
        enterprise=department.enterprise, parent=department, code="OFF", name="文秘组"
    )


@pytest.fixture
def beside(department: Department) -> Department:
    return DepartmentFactory(enterprise=department.enterprise, code="RD", name="研发部")


@pytest.fixture
def keeping(department: Department) -> Role:
    """The right 部门管理 for the whole enterprise."""
    return RoleFactory(
        group=department.group,
        menu_codes=[MenuCode.MANAGEMENT_DEPARTMENT],
        data_scope=DataScope.ENTERPRISE,
    )


@pytest.fixture
def manager(below: Department, keeping: Role) -> Account:
    return AccountFactory(department=below, username="manager", roles=[keeping])


@pytest.fixture
def outsider(beside: Department, keeping: Role) -> Account:
    return AccountFactory(department=beside, username="outsider", roles=[keeping])


def merge(actor: Account, row: Department, target: Department) -> Department:
    return department_merge(actor=actor, pk=str(row.pk), target_id=str(target.pk))


def disable(actor: Account, row: Department, target: Department) -> Department:
    return department_disable(actor=actor, pk=str(row.pk), target_id=str(target.pk))


def move(actor: Account, row: Department, target: Department) -> Department:
    return department_move(actor=actor, pk=str(row.pk), parent_id=str(target.pk))


def read_sheet(*lines: str) -> io.BytesIO:
    return io.BytesIO("\n".join([",".join(COLUMNS), *lines]).encode())


def import_move(actor: Account, row: Department, target: Department) -> Department:
    """Give the department another parent by a sheet."""
    line = f"{row.enterprise.code},{row.code},{row.name},{target.code},,"
    departments_import(actor=actor, file=read_sheet(line))
    return row


@pytest.mark.parametrize(("act", "field"), [(merge, "TargetId"), (move, "ParentId")])
@pytest.mark.parametrize("code", ["OFF", "YF01-ADM"])
def test_manager_cannot_merge_or_move_a_department_that_contains_him(
    manager: Account, beside: Department, act: Act, field: str, code: str
) -> None:
    places = set(Department.objects.values_list("code", "parent", "is_active"))

    with pytest.raises(ValidationFailed) as refused:
        act(manager, Department.objects.get(code=code), beside)

    assert refused.value.body["Errors"] == {field: [REFUSED]}
    assert set(Department.objects.values_list("code", "parent", "is_active")) == places
    assert Account.objects.get(pk=manager.pk).department_id == manager.department_id


def test_manager_cannot_disable_his_department_with_a_target_or_move_it_to_the_top(
    manager: Account, below: Department, beside: Department
) -> None:
    with pytest.raises(ValidationFailed) as by_disabling:
        disable(manager, below, beside)
    with pytest.raises(ValidationFailed) as to_the_top:
        department_move(actor=manager, pk=str(below.pk), parent_id=None)

    assert by_disabling.value.body["Errors"] == {"TargetId": [REFUSED]}
    assert to_the_top.value.body["Errors"] == {"ParentId": [REFUSED]}


def test_department_sheet_cannot_move_a_department_that_contains_the_importer(
    manager: Account, below: Department, beside: Department
) -> None:
    """The other values of such a department may change, and the parents of other departments."""
    team = DepartmentFactory(enterprise=below.enterprise, code="TEAM", name="前台", parent=below)
    lines = (
        f"YF01,OFF,{below.name},RD,,",
        "YF01,YF01-ADM,行政部,RD,,",
        f"YF01,TEAM,{team.name},RD,,",
        "YF01,RD,研发部,NEW,,",
    )
    DepartmentFactory(enterprise=below.enterprise, code="NEW", name="新部门")

    rows = departments_preview(actor=manager, file=read_sheet(*lines[:3]))
    stored = departments_preview(
        actor=manager, file=read_sheet("YF01,OFF,文书组,YF01-ADM,,CC-1", lines[3])
    )

    assert {row.number: row.errors for row in rows} == {2: [REFUSED], 3: [REFUSED], 4: []}
    assert [(row.action, row.errors) for row in stored] == [("update", []), ("update", [])]
    with pytest.raises(ValidationFailed) as refused:
        departments_import(actor=manager, file=read_sheet(*lines[:3]))
    assert refused.value.body["Errors"] == {"第 2 行": [REFUSED], "第 3 行": [REFUSED]}


def test_department_chunk_is_refused_if_the_importer_joined_the_department_meanwhile(
    outsider: Account, below: Department, beside: Department
) -> None:
    Account.objects.filter(pk=outsider.pk).update(department=below)
    run = ImportRun(actor=outsider, options={"keys": [[below.enterprise_id, "OFF"]]})

    with pytest.raises(ChunkRefused) as refused:
        DepartmentWriter(run).write([[2, ["YF01", "OFF", below.name, "RD", "", ""]]])

    assert refused.value.refusals == [(2, "", REFUSED)]


def test_manager_may_sort_siblings_and_move_other_departments(
    manager: Account, department: Department, below: Department, beside: Department
) -> None:
    team = DepartmentFactory(enterprise=below.enterprise, parent=below, code="TEAM", name="前台")

    assert move(manager, below, department).parent_id == department.pk
    assert move(manager, team, beside).parent_id == beside.pk
    assert merge(manager, team, beside).pk == beside.pk


@pytest.mark.parametrize("code", ["OFF", "YF01-ADM"])
@pytest.mark.parametrize("username", ["manager", "outsider", None])
def test_manager_cannot_change_the_head_of_a_department_that_contains_him(
    manager: Account, outsider: Account, ga: Account, code: str, username: str | None
) -> None:
    Department.objects.filter(code=code).update(head=ga)
    row = Department.objects.get(code=code)
    head = Account.objects.filter(username=username).first()
    head_id = str(head.pk) if head else None

    with pytest.raises(ValidationFailed) as refused:
        department_update(actor=manager, pk=str(row.pk), changes={"head_id": head_id})
    renamed = department_update(
        actor=manager, pk=str(row.pk), changes={"name": "新名称", "head_id": str(ga.pk)}
    )

    assert refused.value.body["Errors"] == {"HeadId": [HEAD_REFUSED]}
    assert (renamed.name, renamed.head_id) == ("新名称", ga.pk)


def test_manager_cannot_appoint_himself_head_of_any_department(
    manager: Account, outsider: Account, below: Department, beside: Department
) -> None:
    own = {"head_id": str(manager.pk)}

    with pytest.raises(ValidationFailed) as of_another:
        department_update(actor=manager, pk=str(beside.pk), changes=dict(own))
    fields = {"code": "NEW", "name": "新部门", "parent_id": str(below.pk), **own}
    with pytest.raises(ValidationFailed) as of_a_new_one:
        department_create(actor=manager, fields=fields)

    for refused in (of_another, of_a_new_one):
        assert refused.value.body["Errors"] == {"HeadId": [SELF_REFUSED]}
    assert not Department.objects.filter(head=manager).exists()
    assert not Department.objects.filter(code="NEW").exists()
    changes = {"head_id": str(outsider.pk)}
    assert department_update(actor=manager, pk=str(beside.pk), changes=changes).head == outsider


@pytest.mark.parametrize(
    ("act", "field"), [(merge, "TargetId"), (disable, "TargetId"), (move, "ParentId")]
)
@pytest.mark.parametrize("code", ["OFF", "YF01-ADM"])
def test_manager_cannot_bring_other_departments_to_one_that_contains_him(
    manager: Account, beside: Department, act: Act, field: str, code: str
) -> None:
    with pytest.raises(ValidationFailed) as refused:
        act(manager, beside, Department.objects.get(code=code))

    assert refused.value.body["Errors"] == {field: [RECEIVER_REFUSED]}
    beside.refresh_from_db()
    assert (beside.is_active, beside.parent_id) == (True, None)


@pytest.mark.parametrize(("act", "field"), [(merge, "TargetId"), (move, "ParentId")])
def test_manager_cannot_become_the_head_above_other_departments(
    outsider: Account, department: Department, below: Department, act: Act, field: str
) -> None:
    """A group admin made him the head of 行政部. He works elsewhere, and may rearrange what is
    already below 行政部.
    """
    Department.objects.filter(pk=department.pk).update(head=outsider)
    shop = DepartmentFactory(enterprise=below.enterprise, code="SHOP", name="门店")
    team = DepartmentFactory(enterprise=below.enterprise, parent=department, name="前台")

    with pytest.raises(ValidationFailed) as refused:
        act(outsider, shop, below)

    assert refused.value.body["Errors"] == {field: [HEADED_REFUSED]}
    act(outsider, team, below)
    assert_gone_to(below, team, is_kept=act is move)


def test_department_sheet_cannot_set_heads_and_receivers_that_only_others_may_set(
    manager: Account, outsider: Account, beside: Department
) -> None:
    lines = (
        "YF01,OFF,文秘组,YF01-ADM,outsider,",
        "YF01,YF01-ADM,行政部,,manager,",
        "YF01,RD,研发部,,Manager,",
        "YF01,NEW,新部门,OFF,manager,",
        "YF01,LAB,实验室,OFF,outsider,",
    )

    rows = departments_preview(actor=manager, file=read_sheet(*lines))
    moved = departments_preview(actor=manager, file=read_sheet("YF01,RD,研发部,OFF,,"))
    run = departments_import(actor=manager, file=read_sheet(*lines), is_good_only=True)

    assert [row.errors for row in rows] == [
        [HEAD_REFUSED],
        [HEAD_REFUSED],
        [SELF_REFUSED],
        [SELF_REFUSED],
        [],
    ]
    assert [row.errors for row in moved] == [[RECEIVER_REFUSED]]
    assert run.rows_written == 1
    heads = dict(Department.objects.values_list("code", "head__username"))
    assert heads == {"OFF": None, "YF01-ADM": None, "RD": None, "LAB": "outsider"}


def test_department_sheet_cannot_bring_departments_below_the_importers_own(
    outsider: Account, department: Department, below: Department
) -> None:
    """He is the head of 行政部: below it, also below a department that the sheet adds there."""
    Department.objects.filter(pk=department.pk).update(head=outsider)
    DepartmentFactory(enterprise=below.enterprise, code="SHOP", name="门店")
    lines = ("YF01,NEW,新部门,OFF,,", "YF01,SHOP,门店,NEW,,")

    rows = departments_preview(actor=outsider, file=read_sheet(*lines))

    assert [row.errors for row in rows] == [[], [HEADED_REFUSED]]


def test_group_admin_and_staff_may_set_every_head(
    ga: Account, staff: Account, department: Department, below: Department
) -> None:
    Account.objects.filter(pk=ga.pk).update(department=below)
    own = {"head_id": str(ga.pk)}

    by_admin = department_update(actor=ga, pk=str(department.pk), changes=dict(own))
    with staff_as_group_admin(staff=staff, group_id=department.group_id) as office:
        by_staff = department_update(actor=office, pk=str(below.pk), changes=dict(own))

    assert (by_admin.head, by_staff.head) == (ga, ga)


@pytest.mark.parametrize("act", [merge, disable, move, import_move])
def test_a_manager_outside_and_a_group_admin_inside_may(
    outsider: Account, ga: Account, department: Department, below: Department, act: Act
) -> None:
    receiver = DepartmentFactory(enterprise=department.enterprise, code="NEW", name="新部门")

    act(outsider, below, receiver)
    act(ga, department, receiver)

    assert_gone_to(receiver, below, department, is_kept=act in (move, import_move))


@pytest.mark.parametrize("act", [merge, disable, move, import_move])
def test_staff_may(
    staff: Account, manager: Account, department: Department, beside: Department, act: Act
) -> None:
    with staff_as_group_admin(staff=staff, group_id=department.group_id) as office:
        act(office, department, beside)

    assert_gone_to(beside, department, is_kept=act in (move, import_move))
    with platform_scope(reason="test"):
        assert {row.actor for row in OrganisationChange.objects.all()} == {staff}


def test_sheet_of_an_importer_who_was_disabled_meanwhile_names_the_reason(
    outsider: Account, below: Department
) -> None:
    """The first chunk is refused, so no row was written before it."""
    Account.objects.filter(pk=outsider.pk).update(is_active=False)

    with pytest.raises(ValidationFailed) as refused:
        departments_import(actor=outsider, file=read_sheet("YF01,NEW,新部门,,,"))

    assert refused.value.text == "导入期间有数据变化，已全部撤回，请重新上传核对"
    assert refused.value.body["Errors"] == {"File": ["导入人的账号已停用"]}
    assert not Department.objects.filter(code="NEW").exists()


def assert_gone_to(receiver: Department, *rows: Department, is_kept: bool) -> None:
    """Assert that the departments are below the receiver, or were merged into it."""
    for row in rows:
        row.refresh_from_db()
        assert row.is_active is is_kept
        assert not is_kept or row.parent_id == receiver.pk
