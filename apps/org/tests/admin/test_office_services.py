"""The back office changes a customer's organisation through the customer's services. The same
rules apply, and the change history names the member of staff.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from auditlog.models import LogEntry
from django.test import Client
from django.urls import reverse

from apps.catalog.tests.factories import create_category_path
from apps.common.tenancy import no_scope, platform_scope, tenant_scope
from apps.org.models import (
    Account,
    Address,
    Department,
    Enterprise,
    Group,
    InvoiceTitle,
    OrganisationChange,
    PurchaseLimit,
    Role,
)
from apps.org.tests.factories import AccountFactory, AddressFactory, build_credit_code
from apps.org.tests.office import create_staff, open_office

CODE = build_credit_code(9110)


@pytest.fixture
def clerk(db: None) -> Account:
    return create_staff("客服")


@pytest.fixture
def office(clerk: Account) -> Client:
    return open_office(clerk)


def send(office: Client, name: str, form: dict[str, Any], *to: int) -> Any:
    """Post the form of a page as a browser does, outside any tenant scope."""
    with no_scope():
        return office.post(reverse(f"admin:org_{name}_{'change' if to else 'add'}", args=to), form)


def list_published(kind: str) -> list[tuple[Any, ...]]:
    rows = OrganisationChange.objects.filter(subject_type=kind).order_by("pk")
    return [
        (row.actor_id, row.action, {change["label"]: change["after"] for change in row.changes})
        for row in rows
    ]


def test_group_change_by_staff_records_its_actor_in_the_history(
    office: Client, clerk: Account, group: Group
) -> None:
    plain = {
        "code": group.code,
        "name": "新名集团",
        "is_active": "on",
        "allows_wechat_work": "on",
        "over_budget": group.over_budget,
        "budget_choice": group.budget_choice,
    }
    hours = {
        "approval_remind_hours": group.approval_remind_hours,
        "approval_escalate_hours": group.approval_escalate_hours,
    }
    answer = send(
        office,
        "group",
        {**plain, **hours, "short_name": group.short_name, "theme_color": group.theme_color},
        group.pk,
    )

    assert answer.status_code == 302
    assert list_published("group")[-1][:2] == (clerk.pk, "update")
    assert list_published("group")[-1][2]["集团名称"] == "新名集团"


def test_an_enterprise_opened_by_staff_is_in_the_history(
    office: Client, clerk: Account, group: Group
) -> None:
    send(
        office,
        "enterprise",
        {"group": group.pk, "code": "N1", "name": "新企业", "credit_code": CODE, "is_active": "on"},
    )

    assert Enterprise.objects.get(code="N1").credit_limit is None
    assert list_published("enterprise") == [
        (
            clerk.pk,
            "create",
            {"企业编码": "N1", "企业名称": "新企业", "统一社会信用代码": CODE, "启用": "是"},
        )
    ]


def test_the_last_enterprise_is_not_switched_off_by_staff_either(
    office: Client, enterprise: Enterprise
) -> None:
    form = {"code": enterprise.code, "name": enterprise.name, "credit_code": enterprise.credit_code}
    page = send(office, "enterprise", form, enterprise.pk)

    enterprise.refresh_from_db()
    assert enterprise.is_active
    assert "集团至少要有一家启用的企业" in page.content.decode()


def test_taken_enterprise_code_is_refused_under_its_field(
    office: Client, group: Group, enterprise: Enterprise
) -> None:
    form = {
        "group": group.pk,
        "code": enterprise.code,
        "name": "另一家",
        "credit_code": CODE,
        "is_active": "on",
    }
    page = send(office, "enterprise", form)

    assert page.context["adminform"].form.errors == {"code": ["企业编码已存在，请更换"]}
    assert list_published("enterprise") == []


def test_a_department_is_made_moved_and_switched_off_by_its_services(
    office: Client, enterprise: Enterprise, department: Department
) -> None:
    send(office, "department", {"enterprise": enterprise.pk, "code": "X", "name": "新部"})
    created = Department.objects.get(code="X")
    send(
        office,
        "department",
        {"code": "X", "name": "新部", "parent": department.pk, "is_active": "on"},
        created.pk,
    )
    send(office, "department", {"code": "X", "name": "新部", "parent": department.pk}, created.pk)

    assert [row[1] for row in list_published("department")] == ["create", "move", "disable"]
    created.refresh_from_db()
    assert (created.parent_id, created.is_active) == (department.pk, False)


def test_role_in_use_cannot_be_deleted_by_staff(buyer: Account) -> None:
    role = Role.objects.get(code="buyer")
    office = open_office(create_staff("系统"))
    with no_scope():
        page = office.post(
            reverse("admin:org_role_delete", args=[role.pk]), {"post": "yes"}, follow=True
        )

    assert Role.objects.filter(pk=role.pk).exists()
    assert "还有 1 个账号使用该角色" in page.content.decode()


def test_an_account_opened_by_staff_is_in_the_history(
    office: Client, clerk: Account, department: Department
) -> None:
    place = {"group": department.group_id, "department": department.pk, "kind": "NU"}
    form = {"username": "newcomer", "nickname": "新人", "email": "newcomer@yf.example"}
    answer = send(office, "account", {**form, **place})

    assert answer.status_code == 302
    account = Account.objects.get(username="newcomer")
    assert (account.enterprise_id, list_published("account")[0][:2]) == (
        department.enterprise_id,
        (clerk.pk, "create"),
    )
    assert list_published("account")[1][:2] == (clerk.pk, "invite")


def test_only_a_superuser_creates_staff(office: Client, group: Group) -> None:
    form = {"username": "colleague", "nickname": "同事"}
    page = send(office, "account", {**form, "is_staff": "on", "kind": "NU"})

    assert page.status_code == 200
    with platform_scope(reason="test"):
        assert not Account.objects.filter(username="colleague").exists()


def test_a_person_switched_off_by_staff_is_in_the_history(
    office: Client, clerk: Account, department: Department
) -> None:
    person = AccountFactory(department=department)
    with no_scope():
        office.post(reverse("admin:org_account_switch_off", args=[person.pk]), {"act": "1"})
        office.post(reverse("admin:org_account_switch_on", args=[person.pk]), {"act": "1"})

    assert [row[:2] for row in list_published("account")] == [
        (clerk.pk, "disable"),
        (clerk.pk, "enable"),
    ]


def test_a_shared_address_has_its_history_and_a_persons_own_is_his(
    office: Client, clerk: Account, group: Group, buyer: Account
) -> None:
    own = AddressFactory(group=group, account=buyer, enterprise=buyer.enterprise)
    place = {
        "province": "上海市",
        "city": "上海市",
        "district": "浦东新区",
        "street": "世纪大道 1 号",
    }
    send(
        office, "address", {"group": group.pk, "receiver": "前台", "mobile": "13800000000", **place}
    )
    address = Address.objects.get(receiver="前台")
    with no_scope():
        put_away = office.post(
            reverse("admin:org_address_put_away", args=[address.pk]), {"act": "1"}
        )
        refused = office.post(
            reverse("admin:org_address_change", args=[own.pk]), {"receiver": "别人"}
        )

    address.refresh_from_db()
    assert (put_away.status_code, refused.status_code, address.is_active) == (302, 403, False)
    assert [row[:2] for row in list_published("address")] == [
        (clerk.pk, "create"),
        (clerk.pk, "delete"),
    ]


def test_address_in_an_unknown_province_is_refused(office: Client, group: Group) -> None:
    place = {
        "province": "火星",
        "city": "上海市",
        "district": "浦东新区",
        "street": "世纪大道 1 号",
    }
    page = send(
        office, "address", {"group": group.pk, "receiver": "前台", "mobile": "13800000000", **place}
    )

    assert list(page.context["adminform"].form.errors) == ["province"]


def test_disabled_invoice_title_passes_its_default_on(
    office: Client, clerk: Account, group: Group, enterprise: Enterprise
) -> None:
    with tenant_scope(group_id=group.pk):
        for name, is_default in (("甲", True), ("乙", False)):
            InvoiceTitle.objects.create(
                enterprise=enterprise, title=name, tax_number=CODE, is_default=is_default
            )
        first = InvoiceTitle.objects.get(title="甲")
    send(office, "invoicetitle", {"title": "甲", "tax_number": CODE}, first.pk)

    invoice_titles = list(
        InvoiceTitle.objects.order_by("title").values_list("title", "is_default", "is_active")
    )
    assert invoice_titles == [("乙", True, True), ("甲", False, False)]
    assert list_published("invoice_title")[-1][:2] == (clerk.pk, "disable")


def test_limits_set_by_staff_are_in_the_history_and_the_log(
    office: Client, clerk: Account, buyer: Account
) -> None:
    role, paper = buyer.roles.get(), create_category_path("办公用品", "办公用纸")
    with no_scope():
        page = office.get(reverse("admin:org_role_change", args=[role.pk]))
    form = page.context["adminform"].form
    form_values = {
        name: form.get_initial_for_field(form.fields[name], name) for name in form.fields
    }
    form_values |= {
        "limits-TOTAL_FORMS": "1",
        "limits-INITIAL_FORMS": "0",
        "limits-0-role": role.pk,
        "limits-0-category": paper.parent_id,
        "limits-0-period": "month",
        "limits-0-amount": "2000.00",
        "limits-0-action": "approve",
    }
    answer = send(
        office, "role", {key: value for key, value in form_values.items() if value}, role.pk
    )

    assert answer.status_code == 302, answer.context["errors"]
    limit = PurchaseLimit.objects.get()
    assert (limit.role, limit.category, limit.amount) == (role, paper.parent, Decimal("2000.00"))
    text = "“办公用纸”每月 ¥2,000.00（超出需要审批）"
    assert list_published("role") == [(clerk.pk, "update", {"采购限额": text})]
    with platform_scope(reason="test: read the log"):
        assert LogEntry.objects.get_for_object(limit).get().actor_id == clerk.pk


def test_refused_account_limit_is_shown_and_saved_after_correction(
    office: Client, buyer: Account
) -> None:
    pk = buyer.pk
    with no_scope():
        page = office.get(reverse("admin:org_account_change", args=[pk]))
    form = page.context["adminform"].form
    form_values = {
        name: form.get_initial_for_field(form.fields[name], name) for name in form.fields
    }
    form_values |= {"limits-TOTAL_FORMS": "2", "limits-INITIAL_FORMS": "0", "nickname": "新名"}
    for number in range(2):
        row = {"account": buyer.pk, "period": "day", "amount": "50.00", "action": "refuse"}
        form_values |= {f"limits-{number}-{name}": value for name, value in row.items()}
    form_values["roles"] = [role.pk for role in buyer.roles.all()]
    answer = send(
        office, "account", {name: value for name, value in form_values.items() if value}, pk
    )

    assert "每个类目的每个周期只能设置一个限额" in answer.content.decode()
    assert PurchaseLimit.objects.count() == 0
    assert Account.objects.get(pk=buyer.pk).nickname == buyer.nickname

    form_values["limits-1-period"] = "month"
    answer = send(
        office, "account", {name: value for name, value in form_values.items() if value}, pk
    )
    assert answer.status_code == 302
    limits = PurchaseLimit.objects.values_list("account", "period", "amount")
    assert list(limits) == [(pk, "day", Decimal("50.00")), (pk, "month", Decimal("50.00"))]


def test_staff_set_the_checkout_choices_of_an_account(office: Client, buyer: Account) -> None:
    pk = buyer.pk
    with no_scope():
        page = office.get(reverse("admin:org_account_change", args=[pk]))
    form = page.context["adminform"].form
    typed = {name: form.get_initial_for_field(form.fields[name], name) for name in form.fields}
    typed |= {"limits-TOTAL_FORMS": "0", "limits-INITIAL_FORMS": "0"}
    typed["roles"] = [role.pk for role in buyer.roles.all()]
    typed |= {"own_payment_kinds": ["online"], "own_address_scope": "own"}
    answer = send(office, "account", {name: value for name, value in typed.items() if value}, pk)

    assert answer.status_code == 302, answer.context["errors"]
    account = Account.objects.get(pk=pk)
    assert (account.own_payment_kinds, account.own_address_scope) == (["online"], "own")
    ((_, action, changes),) = list_published("account")
    assert (action, changes) == (
        "update",
        {"可用付款方式": "在线支付", "可用收货地址": "仅本人地址"},
    )
