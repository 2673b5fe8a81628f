"""Two members of staff edit the same form: the second is shown what the first saved, and
neither loses input.
"""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import pytest
from django.contrib import admin
from django.test import Client

from apps.approvals.models import ApprovalRule
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.tests.factories import create_rule
from apps.catalog.models import Brand, Product, ProductImage, StockMovement
from apps.catalog.tests.factories import BrandFactory, ProductFactory
from apps.common.tenancy import no_scope
from apps.office.stale_forms import StaleFormMixin
from apps.org.models import Account, Group
from apps.org.tests.office import create_staff, open_office

NOT_SAVED = "本次没有保存"


class Inputs(HTMLParser):
    """The data that a browser sends for an unchanged form."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, Any] = {}
        self.choice = self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        name, value = given.get("name") or "", given.get("value") or ""
        if tag == "input" and name and given.get("type") not in ("submit", "file"):
            if given.get("type") != "checkbox" or "checked" in given:
                self.found[name] = value or ("on" if given.get("type") == "checkbox" else "")
        elif tag == "select":
            self.choice = name
        elif tag == "option" and self.choice and "selected" in given:
            self.found[self.choice] = value
        elif tag == "textarea":
            self.text = name
            self.found[name] = ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self.choice = ""
        if tag == "textarea":
            self.text = ""

    def handle_data(self, data: str) -> None:
        if self.text:
            self.found[self.text] += data


def read_fields(page: str) -> dict[str, Any]:
    inputs = Inputs()
    inputs.feed(page)
    return {
        name: value
        for name, value in inputs.found.items()
        if name not in ("csrfmiddlewaretoken", "action", "q")
    }


def open_form(client: Client, path: str) -> dict[str, Any]:
    with no_scope():
        return read_fields(client.get(path).content.decode())


def save_form(client: Client, path: str, form: dict[str, Any]) -> str:
    """Return the page after saving."""
    with no_scope():
        return client.post(path, form, follow=True).content.decode()


@pytest.fixture
def first(db: None) -> Client:
    return open_office(create_staff("商品"))


@pytest.fixture
def second(db: None) -> Client:
    return open_office(create_staff("商品"))


def test_stale_save_is_refused_with_the_changes_and_keeps_the_typed_values(
    first: Client, second: Client, platform: None
) -> None:
    brand = BrandFactory(name="得力")
    path = f"/admin/catalog/brand/{brand.pk}/change/"
    mine, others = open_form(first, path), open_form(second, path)

    save_form(first, path, {**mine, "name": "得力办公"})
    page = save_form(second, path, {**others, "name": "得力集团"})

    assert NOT_SAVED in page
    assert "名称（现为“得力办公”）" in page
    assert read_fields(page)["name"] == "得力集团"
    assert Brand.objects.get(pk=brand.pk).name == "得力办公"


def test_repeated_save_after_the_stale_notice_is_accepted(
    first: Client, second: Client, platform: None
) -> None:
    brand = BrandFactory(name="得力")
    path = f"/admin/catalog/brand/{brand.pk}/change/"
    mine, others = open_form(first, path), open_form(second, path)
    save_form(first, path, {**mine, "name": "得力办公"})

    texts = save_form(second, path, {**others, "name": "得力集团"})
    save_form(second, path, read_fields(texts))

    assert Brand.objects.get(pk=brand.pk).name == "得力集团"


def test_rows_below_the_form_are_seen_too(first: Client, second: Client, platform: None) -> None:
    """Inline rows that a colleague has changed must be read before they are overwritten."""
    product = ProductFactory()
    picture = ProductImage.objects.create(product=product, path="a.png", position=1)
    path = f"/admin/catalog/product/{product.pk}/change/"
    form = open_form(second, path)
    ProductImage.objects.filter(pk=picture.pk).update(position=7)

    texts = save_form(second, path, {**form, "name": "新名称"})
    again = save_form(second, path, read_fields(texts))

    assert NOT_SAVED in texts
    assert "请刷新页面后重新填写" in again
    assert ProductImage.objects.get(pk=picture.pk).position == 7


def test_a_colleagues_new_step_is_not_dropped_with_a_rule(ga: Account, platform: None) -> None:
    head = StepSpec(approver_kind="head", mode="any", accounts=(), role=None, levels_up=0)
    rule = create_rule(group_id=ga.group_id, name="全部", steps=[head])
    client, path = (
        open_office(create_staff("客服")),
        f"/admin/approvals/approvalrule/{rule.pk}/change/",
    )
    form = open_form(client, path)
    ApprovalRule.objects.get(pk=rule.pk).steps.create(
        group_id=ga.group_id, no=2, approver_kind="head", mode="any"
    )

    assert NOT_SAVED in save_form(client, path, {**form, "name": "五千元以上"})
    assert ApprovalRule.objects.get(pk=rule.pk).steps.count() == 2


def test_change_by_a_service_makes_the_form_stale(group: Group, platform: None) -> None:
    client, path = open_office(create_staff("客服")), f"/admin/org/group/{group.pk}/change/"
    form = open_form(client, path)
    Group.objects.filter(pk=group.pk).update(name="星澜新材")

    assert NOT_SAVED in save_form(client, path, {**form, "name": "星澜制造"})
    assert Group.objects.get(pk=group.pk).name == "星澜新材"


def test_stock_that_orders_moved_since_the_page_was_opened_stays_moved(
    first: Client, platform: None
) -> None:
    product = ProductFactory(stock=100)
    path = f"/admin/catalog/product/{product.pk}/change/"
    form = open_form(first, path)
    Product.objects.filter(pk=product.pk).update(stock=95)

    assert NOT_SAVED not in save_form(first, path, {**form, "name": "改了名称"})

    assert Product.objects.values_list("name", "stock").get(pk=product.pk) == ("改了名称", 95)
    assert not StockMovement.objects.filter(product=product, quantity=5).exists()


def test_stock_count_beside_orders_adjusts_by_the_counted_difference(
    first: Client, platform: None
) -> None:
    product = ProductFactory(stock=100)
    path = f"/admin/catalog/product/{product.pk}/change/"
    form = open_form(first, path)
    Product.objects.filter(pk=product.pk).update(stock=95)

    save_form(first, path, {**form, "stock": "110"})

    assert Product.objects.get(pk=product.pk).stock == 105
    assert StockMovement.objects.filter(product=product).latest("pk").quantity == 10


@pytest.mark.parametrize("marks", ["", ":", "name", "name:", "a:b:c x" * 900], ids=str)
def test_malformed_seen_marks_cause_no_error(first: Client, platform: None, marks: str) -> None:
    brand = BrandFactory(name="得力")
    path = f"/admin/catalog/brand/{brand.pk}/change/"
    with no_scope():
        answer = first.post(path, {**open_form(first, path), "seen": marks})
    assert answer.status_code in (200, 302)


def test_every_page_of_ours_has_its_marks() -> None:
    plain = {
        page.model._meta.label
        for page in admin.site._registry.values()
        if not isinstance(page, StaleFormMixin)
    }
    assert {label for label in plain if not label.startswith("django_celery_beat.")} == set()


def test_marks_are_small(first: Client, platform: None) -> None:
    product = ProductFactory()
    marks = dict(
        each.split(":")
        for each in open_form(first, f"/admin/catalog/product/{product.pk}/change/")["seen"].split()
    )
    assert {len(mark) for mark in marks.values()} == {12}
    assert "stock" not in marks
