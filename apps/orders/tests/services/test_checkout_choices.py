"""Restrictions of a role and of an account at the checkout: kinds of payment and addresses."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.cart.models import CartItem
from apps.catalog.tests.factories import ProductFactory
from apps.common.errors import ValidationFailed
from apps.common.testing import ApiClient
from apps.orders.selectors.checkout import CheckoutForm, get_checkout
from apps.orders.selectors.deliveries import DeliveryForm
from apps.orders.services.order_submit import order_submit
from apps.orders.tests.factories import fill_cart
from apps.org.enums import AccountType, AddressScope, DataScope, PaymentKind
from apps.org.models import Account, Address, Role
from apps.org.tests.factories import (
    AccountFactory,
    AddressFactory,
    DepartmentFactory,
    EnterpriseFactory,
    RoleFactory,
)


def restrict_choices(shopper: Account, **choices: object) -> Account:
    """Return the shopper with a cart line, after his role was restricted."""
    fill_cart(shopper, (ProductFactory(), 1))
    shopper.roles.update(**choices)
    account: Account = Account.objects.get(pk=shopper.pk)
    return account


def test_a_kind_of_payment_that_the_role_lacks_is_refused(shopper: Account) -> None:
    actor = restrict_choices(shopper, payment_kinds=[PaymentKind.TRANSFER])

    checkout = get_checkout(actor=actor, form=CheckoutForm(payment_kind=PaymentKind.CREDIT))

    assert checkout.payment_kinds == [PaymentKind.TRANSFER]
    assert [(row.field, row.message) for row in checkout.problems] == [
        ("PaymentKind", "您的角色不能使用“月结”，请更换付款方式")
    ]
    with pytest.raises(ValidationFailed, match="您的角色不能使用“月结”"):
        order_submit(actor=actor, form=CheckoutForm(payment_kind=PaymentKind.CREDIT))
    order_submit(actor=actor, form=CheckoutForm(payment_kind=PaymentKind.TRANSFER))


def test_the_first_allowed_kind_is_preset(shopper: Account) -> None:
    restrict_choices(shopper, payment_kinds=[PaymentKind.ONLINE])

    answer = ApiClient(shopper).post("/api/Order/Preview", {})

    assert (answer.body["PaymentKind"], answer.body["PaymentKinds"]) == ("online", ["online"])


def test_every_restriction_of_several_roles_applies(shopper: Account) -> None:
    actor = restrict_choices(shopper, payment_kinds=[PaymentKind.TRANSFER, PaymentKind.ONLINE])
    actor.roles.add(
        RoleFactory(group=shopper.group, payment_kinds=[PaymentKind.ONLINE, PaymentKind.CREDIT]),
        RoleFactory(group=shopper.group, address_scope=AddressScope.OWN),
    )

    assert (actor.payment_kinds, actor.address_scope) == ([PaymentKind.ONLINE], AddressScope.OWN)


@pytest.mark.parametrize(
    ("scope", "usable"),
    [
        (AddressScope.ALL, ["全企业", "本人", "部门"]),
        (AddressScope.DEPARTMENT, ["本人", "部门"]),
        (AddressScope.OWN, ["本人"]),
    ],
)
def test_addresses_beyond_the_scope_are_neither_offered_nor_used(
    shopper: Account, scope: AddressScope, usable: list[str]
) -> None:
    Address.objects.update(label="全企业")
    shared: Address = Address.objects.get()
    AddressFactory(enterprise=shopper.enterprise, account=shopper, label="本人")
    AddressFactory(enterprise=shopper.enterprise, department=shopper.department, label="部门")
    actor = restrict_choices(shopper, address_scope=scope)

    listed = ApiClient(shopper).get("/api/Address", {"Usable": "true"}).body["Items"]

    assert sorted(row["Label"] for row in listed) == sorted(usable)
    if scope != AddressScope.ALL:
        with pytest.raises(ValidationFailed, match="不能使用该地址"):
            order_submit(actor=actor, form=CheckoutForm(address_id=shared.pk))


@pytest.mark.parametrize(
    ("scope", "message"),
    [
        (
            AddressScope.OWN,
            "您的角色可用的收货地址为“仅本人地址”，不能使用该地址，请改选本人的收货地址，"
            "或联系集团管理员调整",
        ),
        (
            AddressScope.DEPARTMENT,
            "您的角色可用的收货地址为“本人和所在部门的地址”，不能使用该地址，"
            "请改选本人或所在部门的收货地址，或联系集团管理员调整",
        ),
    ],
    ids=["own", "department"],
)
def test_a_forbidden_address_of_the_own_enterprise_is_named_as_such(
    shopper: Account, scope: AddressScope, message: str
) -> None:
    shared: Address = Address.objects.get()
    actor = restrict_choices(shopper, address_scope=scope)

    answer = ApiClient(actor).post("/api/Order/Preview", {"AddressId": str(shared.pk)})

    assert answer.body["Errors"] == {"AddressId": [message]}


@pytest.mark.parametrize("place", ["other enterprise", "colleague", "inactive", "missing"])
def test_a_restricted_person_learns_nothing_of_addresses_that_nobody_beside_him_may_use(
    shopper: Account, place: str
) -> None:
    own_enterprise = shopper.enterprise
    if place == "other enterprise":
        pk = AddressFactory(enterprise=EnterpriseFactory(group=shopper.group)).pk
    elif place == "colleague":
        colleague = AccountFactory(department=shopper.department)
        pk = AddressFactory(enterprise=own_enterprise, account=colleague).pk
    elif place == "inactive":
        pk = AddressFactory(enterprise=own_enterprise, is_active=False).pk
    else:
        pk = 10**9
    actor = restrict_choices(shopper, address_scope=AddressScope.OWN)

    answer = ApiClient(actor).post("/api/Order/Preview", {"AddressId": str(pk)})

    assert answer.body["Errors"] == {"AddressId": ["收货地址不存在或已停用，请重新选择"]}


def test_delivery_for_another_department_respects_the_address_scope(
    shopper: Account,
) -> None:
    """The department of a delivery is the buyer's choice, the scope is not."""
    other = DepartmentFactory(enterprise=shopper.enterprise)
    away = AddressFactory(enterprise=shopper.enterprise, department=other)
    actor = restrict_choices(
        shopper, address_scope=AddressScope.DEPARTMENT, data_scope=DataScope.ENTERPRISE
    )
    (line,) = CartItem.objects.filter(account=shopper)
    delivery = DeliveryForm(
        address_id=away.pk, quantities={line.pk: line.quantity}, department_id=other.pk
    )

    with pytest.raises(ValidationFailed, match="您的角色可用的收货地址为“本人和所在部门的地址”"):
        order_submit(actor=actor, form=CheckoutForm(deliveries=(delivery,)))

    Role.objects.update(address_scope=AddressScope.ALL)
    actor = Account.objects.get(pk=shopper.pk)
    assert order_submit(actor=actor, form=CheckoutForm(deliveries=(delivery,))).department == other


def restrict_person(shopper: Account, **choices: object) -> Account:
    """Return the shopper with a cart line, after his account was restricted."""
    fill_cart(shopper, (ProductFactory(), 1))
    Account.objects.filter(pk=shopper.pk).update(**choices)
    found: Account = Account.objects.get(pk=shopper.pk)
    return found


def test_a_kind_of_payment_that_the_account_lacks_is_refused(shopper: Account) -> None:
    actor = restrict_person(shopper, own_payment_kinds=[PaymentKind.TRANSFER])

    shown = ApiClient(actor).post("/api/Order/Preview", {"PaymentKind": "credit"}).body

    assert (shown["PaymentKinds"], [row["Message"] for row in shown["Problems"]]) == (
        ["transfer"],
        ["您的账号不能使用“月结”，请更换付款方式"],
    )
    with pytest.raises(ValidationFailed, match="您的账号不能使用“月结”"):
        order_submit(actor=actor, form=CheckoutForm(payment_kind=PaymentKind.CREDIT))
    order_submit(actor=actor, form=CheckoutForm(payment_kind=PaymentKind.TRANSFER))


def test_choices_of_the_account_never_widen_those_of_its_role(shopper: Account) -> None:
    shopper.roles.update(payment_kinds=[PaymentKind.ONLINE], address_scope=AddressScope.OWN)
    actor = restrict_person(
        shopper,
        own_payment_kinds=[PaymentKind.ONLINE, PaymentKind.CREDIT],
        own_address_scope=AddressScope.DEPARTMENT,
    )

    shown = get_checkout(actor=actor, form=CheckoutForm(payment_kind=PaymentKind.CREDIT))

    assert (actor.payment_kinds, actor.address_scope) == ([PaymentKind.ONLINE], AddressScope.OWN)
    assert "您的角色不能使用“月结”，请更换付款方式" in [row.message for row in shown.problems]


def test_choices_of_the_account_bind_a_group_admin(shopper: Account) -> None:
    """Restrictions of roles do not bind a group admin. Those of the account are set for him."""
    actor = restrict_person(
        shopper,
        kind=AccountType.GROUP_ADMIN,
        own_payment_kinds=[PaymentKind.ONLINE],
        own_address_scope=AddressScope.OWN,
    )

    assert (actor.payment_kinds, actor.address_scope) == ([PaymentKind.ONLINE], AddressScope.OWN)


def test_an_address_that_the_account_lacks_is_refused(shopper: Account) -> None:
    shopper.roles.update(data_scope=DataScope.ENTERPRISE)
    whole = AddressFactory(enterprise=shopper.enterprise)
    own = AddressFactory(enterprise=shopper.enterprise, account=shopper)
    actor = restrict_person(shopper, own_address_scope=AddressScope.OWN)
    line = CartItem.objects.get()

    def build_form(address: Address) -> CheckoutForm:
        return CheckoutForm(deliveries=(DeliveryForm(address.pk, {line.pk: 1}),))

    with pytest.raises(ValidationFailed, match="您的账号可用的收货地址为“仅本人地址”"):
        get_checkout(actor=actor, form=build_form(whole))
    assert get_checkout(actor=actor, form=build_form(own)).problems == []


def test_choices_of_the_account_cost_no_query(shopper: Account) -> None:
    fill_cart(shopper, (ProductFactory(), 1))
    client = ApiClient(shopper)
    client.post("/api/Order/Preview", {})
    with CaptureQueriesContext(connection) as free:
        client.post("/api/Order/Preview", {})

    Account.objects.filter(pk=shopper.pk).update(
        own_payment_kinds=[PaymentKind.CREDIT], own_address_scope=AddressScope.DEPARTMENT
    )
    with CaptureQueriesContext(connection) as restricted:
        client.post("/api/Order/Preview", {})

    assert len(restricted) <= len(free)
