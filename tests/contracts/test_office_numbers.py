"""Numbers in the forms of the back office: each refusal is Chinese and stands beside its field, and
no form shows the name of a database constraint.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib import admin
from django.db.models import BaseConstraint, CheckConstraint, Model, UniqueConstraint
from django.http import HttpRequest
from django.test import Client, RequestFactory

from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.common.tenancy import no_scope, platform_scope
from apps.office.lists import ReadOnlyInline
from apps.office.service_forms import ServiceFormMixin
from apps.org.models import Account
from apps.org.tests.office import open_office
from tests.contracts.test_stale_forms import open_form

NO_AMOUNT = "请填写金额，例如 12.50：只用半角数字和小数点，不用千分位和科学计数"
STEPS, STOCK = "请填写 1 到 1000000 之间的整数", "请填写 0 到 2000000000 之间的整数"
# These forms are saved by a service, which checks the rows itself.
BY_A_SERVICE = {"budgets.Budget", "approvals.ApprovalRule"}


@pytest.fixture
def office(staff: Account) -> Client:
    return open_office(staff)


@pytest.fixture
def product(db: None) -> Product:
    product: Product = ProductFactory(market_price="21.00", stock=500)
    return product


def get_errors(office: Client, product: Product, **fields: str) -> Any:
    """Return the errors of the product's form by field, after typing into it."""
    path = f"/admin/catalog/product/{product.pk}/change/"
    form = open_form(office, path)
    with no_scope():
        answer = office.post(path, {**form, **fields})
    return dict(answer.context["adminform"].form.errors) if answer.status_code == 200 else {}


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("market_price", "-1", "金额不能为负数"),
        ("market_price", "100000000", "金额不能超过 99999999.99"),
        ("market_price", "1e5", NO_AMOUNT),
        ("market_price", "１２", NO_AMOUNT),
        ("market_price", "1,200", NO_AMOUNT),
        ("market_price", "NaN", NO_AMOUNT),
        ("min_quantity", "0", STEPS),
        ("step_quantity", "0", STEPS),
        ("step_quantity", "1000001", STEPS),
        ("stock", "2000000001", STOCK),
        ("stock", "9" * 30, STOCK),
        ("lead_days", "366", "请填写 0 到 365 之间的整数"),
    ],
)
def test_a_wrong_number_of_a_product_is_refused_beside_its_field(
    office: Client, product: Product, field: str, value: str, text: str
) -> None:
    assert get_errors(office, product, **{field: value}) == {field: [text]}


def test_the_greatest_numbers_of_a_product_are_stored(office: Client, db: None) -> None:
    # A larger change of the price would wait for a second person.
    product = ProductFactory(market_price="99999999.98", stock=500)
    most = {
        "market_price": "99999999.99",
        "min_quantity": "1000000",
        "step_quantity": "1000000",
        "stock": "2000000000",
        "lead_days": "365",
    }

    assert get_errors(office, product, **most) == {}
    product.refresh_from_db()
    assert {name: str(getattr(product, name)) for name in most} == most


def list_forms(request: HttpRequest) -> Iterator[type[Model]]:
    """Yield the model of every form and every table of rows that saves without a service."""
    for model, page in admin.site._registry.items():
        if isinstance(page, ServiceFormMixin) or model._meta.label in BY_A_SERVICE:
            continue
        if page.has_add_permission(request) or page.has_change_permission(request):
            yield model
            yield from (
                inline.model
                for inline in page.get_inline_instances(request)
                if not isinstance(inline, ReadOnlyInline)
            )


def has_own_text(constraint: BaseConstraint) -> bool:
    return re.search("[\u4e00-\u9fff]", str(constraint.violation_error_message)) is not None and (
        constraint.violation_error_message != constraint.default_violation_error_message
    )


def names_itself(constraint: BaseConstraint) -> bool:
    """Return whether Django's own message would contain the name of the constraint."""
    return isinstance(constraint, CheckConstraint) or (
        isinstance(constraint, UniqueConstraint)
        and bool(constraint.condition or constraint.expressions)
    )


def test_no_form_shows_the_name_of_a_constraint(staff: Account, rf: RequestFactory) -> None:
    request = rf.get("/admin/")
    request.user = staff
    with platform_scope(reason="test: forms of the back office"):
        models = set(list_forms(request))

    assert {
        f"{model._meta.label}: {constraint.name}"
        for model in models
        for constraint in model._meta.constraints
        if names_itself(constraint) and not has_own_text(constraint)
    } == {"catalog.Product: product_rating_one_to_five"}  # its columns are in no form


def test_amounts_are_typed_into_the_field_for_money() -> None:
    rows = [
        str(path.relative_to(settings.BASE_DIR))
        for path in Path(settings.BASE_DIR, "apps").rglob("*.py")
        if "forms.DecimalField" in path.read_text("utf-8")
    ]

    assert rows == ["apps/common/money.py"]
