"""The back-office pages of accounts and of the organisation."""

from __future__ import annotations

from typing import Any

import pytest
from auditlog.models import LogEntry
from django.contrib.auth.models import Group as StaffGroup
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.common.tenancy import platform_scope
from apps.common.testing import ApiClient
from apps.identity.models import TokenFamily
from apps.org.menus import MenuCode
from apps.org.models import Account, Department, Group, Role
from apps.org.services.staff import staff_groups_sync
from apps.org.tests.factories import PASSWORD, AccountFactory, RoleFactory
from apps.org.tests.office import NO_LIMITS, create_staff, open_office

NEW = "another-Mall-2027"
PAGES = ("group", "enterprise", "department", "account", "role", "address", "invoicetitle")


def sign_in_office(username: str) -> Client:
    client = Client()
    assert (
        client.post(
            reverse("admin:login"), {"username": username, "password": PASSWORD}
        ).status_code
        == 302
    )
    return client


@pytest.fixture
def office(staff: Account) -> Client:
    return sign_in_office("ops")


def build_account_form(account: Account, **changes: Any) -> dict[str, Any]:
    return {
        "username": account.username,
        "nickname": account.nickname,
        "mobile": account.mobile,
        "email": account.email,
        "kind": account.kind,
        "group": account.group_id or "",
        "enterprise": account.enterprise_id or "",
        "department": account.department_id or "",
        "is_active": "on",
        "own_payment_kinds": account.own_payment_kinds,
        "own_address_scope": account.own_address_scope,
        **NO_LIMITS,
        **changes,
    }


def test_staff_sign_in_at_the_admin_and_customers_do_not(staff: Account, ga: Account) -> None:
    page = reverse("admin:login")
    answers = [
        Client().post(page, {"username": name, "password": PASSWORD}).status_code
        for name in ("ops", "ga")
    ]

    assert answers == [302, 200]


@pytest.mark.parametrize("model", PAGES)
def test_admin_lists_and_forms_open(office: Client, buyer: Account, model: str) -> None:
    assert office.get(reverse(f"admin:org_{model}_changelist"), {"q": "云"}).status_code == 200
    assert office.get(reverse(f"admin:org_{model}_add")).status_code == 200


@pytest.mark.parametrize("model", ["tokenfamily", "sessionkey"])
def test_sign_ins_are_seen_and_not_made(office: Client, buyer: Account, model: str) -> None:
    ApiClient(buyer)

    assert office.get(reverse(f"admin:identity_{model}_changelist")).status_code == 200
    assert office.get(reverse(f"admin:identity_{model}_add")).status_code == 403


def test_an_account_disabled_by_staff_is_out_in_the_next_request(
    office: Client, buyer: Account
) -> None:
    signed_in = ApiClient(buyer)
    office.post(reverse("admin:org_account_switch_off", args=[buyer.pk]), {"act": "1"})

    assert signed_in.get("/api/Account/Profile").status == 401


def test_role_of_another_group_is_refused(
    office: Client, buyer: Account, other_ga: Account
) -> None:
    with platform_scope(reason="test"):
        foreign = RoleFactory(group=other_ga.group)
    page = office.post(
        reverse("admin:org_account_change", args=[buyer.pk]),
        build_account_form(buyer, roles=[foreign.pk]),
    )

    assert "角色须属于所选集团" in page.content.decode()
    assert list(buyer.roles.values_list("code", flat=True)) == ["buyer"]


def test_department_of_another_group_is_refused(
    office: Client, buyer: Account, other_ga: Account
) -> None:
    page = office.post(
        reverse("admin:org_account_change", args=[buyer.pk]),
        build_account_form(buyer, department=other_ga.department_id),
    )

    assert "部门须属于所选集团" in page.content.decode()


def test_a_changed_role_shows_in_the_next_menu_list(office: Client, buyer: Account) -> None:
    role = Role.objects.get(code="buyer")
    form = {
        "group": role.group_id,
        "code": role.code,
        "name": role.name,
        "data_scope": "own",
        "purchasing": "order",
        "menu_codes": [MenuCode.INVOICE_LIST],
        **NO_LIMITS,
    }
    client = ApiClient(buyer)
    office.post(reverse("admin:org_role_change", args=[role.pk]), form)

    assert client.post("/api/Account/GetUserMenuList").body == ["invoice", "invoice.list"]


def test_a_department_is_not_put_below_itself(office: Client, department: Department) -> None:
    form = {"parent": department.pk, "code": "A", "name": "A", "is_active": "on"}
    page = office.post(reverse("admin:org_department_change", args=[department.pk]), form)

    assert "上级部门不能是本部门或其下级" in page.content.decode()


def test_a_department_with_people_is_not_disabled_in_the_office(
    office: Client, buyer: Account
) -> None:
    assert buyer.department is not None
    page = {"code": "A", "name": "A"}
    address = reverse("admin:org_department_change", args=[buyer.department.pk])

    assert (
        "该部门还有1 个成员，请选择接收的部门后再停用"
        in office.post(address, page).content.decode()
    )
    Account.objects.filter(department=buyer.department).update(is_active=False)
    assert office.post(address, page).status_code == 302


def test_account_change_is_logged_with_its_actor_and_without_the_password(
    office: Client, buyer: Account, staff: Account
) -> None:
    office.post(
        reverse("admin:org_account_change", args=[buyer.pk]),
        build_account_form(buyer, nickname="新名"),
    )

    entries = LogEntry.objects.filter(object_pk=str(buyer.pk), content_type__model="account")
    (entry,) = [
        entry for entry in entries if entry.changes_dict.get("nickname") == ["小采", "新名"]
    ]
    assert entry.actor_id == staff.pk
    assert not any("password" in entry.changes_dict for entry in entries)


def test_a_picture_becomes_the_groups_mark(office: Client, group: Group) -> None:
    import io

    from django.core.files.uploadedfile import SimpleUploadedFile
    from PIL import Image

    picture = io.BytesIO()
    Image.new("RGB", (2000, 1000), "#1456d9").save(picture, "PNG")
    form = {
        "code": group.code,
        "name": group.name,
        "is_active": "on",
        "over_budget": group.over_budget,
        "budget_choice": group.budget_choice,
        "approval_remind_hours": 8,
        "approval_escalate_hours": 24,
        "picture": SimpleUploadedFile("mark.png", picture.getvalue(), "image/png"),
    }
    office.post(reverse("admin:org_group_change", args=[group.pk]), form)

    group.refresh_from_db()
    assert group.logo.startswith("data:image/png;base64,")
    assert len(group.logo) < 5000


def test_group_mark_refuses_a_file_other_than_a_picture(office: Client, group: Group) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    form = {
        "code": group.code,
        "name": group.name,
        "is_active": "on",
        "picture": SimpleUploadedFile("mark.svg", b"<svg/>", "image/svg+xml"),
    }
    page = office.post(reverse("admin:org_group_change", args=[group.pk]), form)

    assert "请上传图片文件" in page.content.decode()


def test_a_sign_in_is_ended_from_the_list(office: Client, buyer: Account) -> None:
    client = ApiClient(buyer)
    family = TokenFamily.objects.get()
    office.post(
        reverse("admin:identity_tokenfamily_changelist"),
        {"action": "revoke", "_selected_action": [family.pk]},
    )

    assert client.get("/api/Account/Profile").status == 401


def test_ended_sign_ins_are_in_the_log_once_for_each_account(
    office: Client, buyer: Account, ga: Account
) -> None:
    for account in (buyer, buyer, ga):
        ApiClient(account)
    families = list(TokenFamily.objects.order_by("pk"))
    families[0].revoked_at = timezone.now()
    families[0].save()
    LogEntry.objects.all().delete()
    office.post(
        reverse("admin:identity_tokenfamily_changelist"),
        {"action": "revoke", "_selected_action": [each.pk for each in families]},
    )

    entries = LogEntry.objects.order_by("pk").values_list("object_pk", "changes", "actor__is_staff")
    assert list(entries) == [
        (str(account.pk), {"登录会话": ["", "已结束 1 个"]}, True) for account in (buyer, ga)
    ]
    assert TokenFamily.objects.filter(revoked_why="运营下线").count() == 2


def test_the_jobs_of_staff_have_their_rights(db: None) -> None:
    StaffGroup.objects.all().delete()
    counts = staff_groups_sync()

    assert set(counts) == {"客服", "商品", "财务", "系统"}
    assert staff_groups_sync() == counts
    codenames = set(
        StaffGroup.objects.get(name="商品").permissions.values_list("codename", flat=True)
    )
    assert "change_product" in codenames
    assert "change_account" not in codenames


def test_staff_of_a_job_open_only_the_pages_of_the_job(db: None) -> None:
    client = open_office(create_staff("商品"))

    assert client.get(reverse("admin:catalog_product_changelist")).status_code == 200
    assert client.get(reverse("admin:org_account_changelist")).status_code == 403


def test_the_office_does_not_take_a_groups_last_admin_away(office: Client, ga: Account) -> None:
    changed = office.post(
        reverse("admin:org_account_change", args=[ga.pk]), build_account_form(ga, kind="NU")
    )
    switched_off = office.post(reverse("admin:org_account_switch_off", args=[ga.pk]), {"act": "1"})

    ga.refresh_from_db()
    assert (ga.is_group_admin, ga.is_active) == (True, True)
    assert all(
        "这是贵司最后一个启用的集团管理员" in page.content.decode()
        for page in (changed, switched_off)
    )


def test_a_customer_stays_in_his_group_and_becomes_no_staff(
    office: Client, ga: Account, other_ga: Account
) -> None:
    was, form = (
        ga.group_id,
        build_account_form(ga, group=other_ga.group_id, is_staff="on", nickname="改"),
    )
    office.post(reverse("admin:org_account_change", args=[ga.pk]), form)

    ga.refresh_from_db()
    assert (ga.group_id, ga.is_staff, ga.nickname) == (was, False, "改")


def test_staff_cannot_delete_customer_accounts(
    office: Client, ga: Account, department: Department
) -> None:
    second = AccountFactory(department=department, kind=ga.kind)
    both = {"action": "delete_selected", "_selected_action": [ga.pk, second.pk], "post": "yes"}

    office.post(reverse("admin:org_account_changelist"), both)
    alone = office.post(reverse("admin:org_account_delete", args=[second.pk]), {"post": "yes"})

    assert alone.status_code == 403
    assert list(Account.objects.filter(kind=ga.kind)) == [ga, second]
