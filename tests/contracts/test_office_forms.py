"""Every form of the back office is filled completely, saved and read back. The stored values
equal the input.

The pages come from the admin's registry, the values from the kinds of fields. FILLED contains
values that a kind does not determine, UNREAD the fields that are not stored as typed; both with
reasons.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from django import forms
from django.contrib import admin
from django.core.exceptions import FieldDoesNotExist
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import Model, QuerySet
from django.test import Client, RequestFactory
from django_celery_beat.models import IntervalSchedule
from PIL import Image

from apps.approvals.enums import ConditionKind
from apps.catalog.admin.attributes import AttributesField
from apps.catalog.models import Category, Product
from apps.catalog.tests.factories import AgreementFactory, ProductFactory
from apps.common.tenancy import no_scope, platform_scope
from apps.content.models import ContentPage
from apps.dual_control.models import ActLimit
from apps.finders.tests.factories import DeviceFactory
from apps.org.models import Account, Group
from apps.org.tests.factories import StaffFactory, build_credit_code
from apps.org.tests.office import open_office
from tests.contracts.test_stale_forms import read_fields

PAGES = {model._meta.label: page for model, page in admin.site._registry.items()}
ADD, CHANGE = 1, 2


def get_nth(rows: QuerySet[Any], number: int, name: str = "pk") -> str:
    """Return the key, or another field, of a row; a different row for each number if there are
    several.
    """
    keys = list(rows.order_by("pk").values_list(name, flat=True)[:2])
    return str(keys[number % len(keys)]) if keys else ""


def build_leaf(number: int) -> str:
    return get_nth(Category.objects.filter(level=3), number)


def build_picture(number: int) -> SimpleUploadedFile:
    content = io.BytesIO()
    Image.new("RGB", (40 + number, 40), "#1456d9").save(content, "PNG")
    return SimpleUploadedFile(f"{number}.png", content.getvalue(), "image/png")


# By the number of the save.
PICTURES = ("", "products/one.png", "products/two.png")
PLACES = (("", "", ""), ("广东省", "广州市", "天河区"), ("浙江省", "杭州市", "西湖区"))
CREDIT_CODES = ("", build_credit_code(8_000_001), build_credit_code(8_000_002))
# "model.field" → what is typed there; a function of the number of the save (1: new, 2: changed).
FILLED: dict[str, Callable[[int], Any]] = {
    # Tiers: rising quantities, prices that do not rise and are below the price. The product's
    # market price is 10.00; a price below 7.00 would wait for a second person.
    "pricing.PriceListItem.price": lambda number: f"9.5{number}",
    "pricing.PriceListItem.tier1_quantity": lambda number: 10 + number,
    "pricing.PriceListItem.tier2_quantity": lambda number: 20 + number,
    "pricing.PriceListItem.tier3_quantity": lambda number: 30 + number,
    "pricing.PriceListItem.tier1_price": lambda number: f"9.0{number}",
    "pricing.PriceListItem.tier2_price": lambda number: f"8.5{number}",
    "pricing.PriceListItem.tier3_price": lambda number: f"8.0{number}",
    # Numbers, codes and addresses of a form of their own.
    "catalog.Product.code": lambda number: f"90000{number}",
    "catalog.Product.barcode": lambda number: ("", "96385074", "6901234567892")[number],
    "catalog.Product.image": lambda number: PICTURES[number],
    "catalog.ProductImage.path": lambda number: PICTURES[number],
    "catalog.Product.tax_rate": lambda number: ("", "0.01", "0.13")[number],
    "selection.SelectionScenario.code": lambda number: f"scene-{number}",
    "content.Announcement.link": lambda number: f"/list/{number}",
    "content.Banner.link": lambda number: f"/list/{number}",
    "content.SiteLink.url": lambda number: f"/list/{number}",
    "content.SiteSetting.android_url": lambda number: f"https://example.com/{number}",
    "content.SiteSetting.official_url": lambda number: f"https://example.com/{number}",
    "content.SiteSetting.mini_program_url": lambda number: f"https://example.com/{number}",
    "org.Account.username": lambda number: f"person{number}",
    "org.Account.mobile": lambda number: f"1380000000{number}",
    "org.Account.email": lambda number: f"person{number}@example.com",
    "org.Address.province": lambda number: PLACES[number][0],
    "org.Address.city": lambda number: PLACES[number][1],
    "org.Address.district": lambda number: PLACES[number][2],
    "org.Address.mobile": lambda number: f"1380000000{number}",
    "org.Address.postal_code": lambda number: f"10000{number}",
    "org.Enterprise.credit_code": lambda number: CREDIT_CODES[number],
    "org.InvoiceTitle.tax_number": lambda number: CREDIT_CODES[number],
    "django_celery_beat.PeriodicTask.args": lambda number: f"[{number}]",
    "django_celery_beat.PeriodicTask.kwargs": lambda number: f'{{"a": {number}}}',
    "django_celery_beat.PeriodicTask.task": lambda number: f"tasks.number{number}",
    **{
        f"django_celery_beat.CrontabSchedule.{name}": str
        for name in ("minute", "hour", "day_of_month", "month_of_year", "day_of_week")
    },
    # Rows of which only some may be chosen.
    "catalog.Product.category": build_leaf,
    "approvals.ApprovalRule.when_product": lambda number: get_nth(
        Product.objects.all(), number, "code"
    ),
    **{
        f"approvals.ApprovalRule.when_{kind}": lambda number: f"{number} {number}000.00"
        for kind in ConditionKind.values
        if kind.startswith("sum_")
    },
    "approvals.ApprovalRuleStep.accounts": lambda number: [
        get_nth(Account.objects.filter(group__isnull=False), number)
    ],
    "org.Department.head": lambda number: get_nth(
        Account.objects.filter(group__isnull=False), number
    ),
    # One of several that exclude each other.
    "pricing.AssortmentRule.kind": lambda _number: "category",
    "pricing.AssortmentRule.brand": lambda _number: None,
    "pricing.AssortmentRule.product": lambda _number: None,
    "search.SearchSynonym.kind": lambda _number: "unit",
    "approvals.ApprovalRuleStep.approver_kind": lambda _number: "accounts",
    "approvals.ApprovalRuleStep.role": lambda _number: None,
    "budgets.Budget.rollover": lambda _number: "cap",
    "django_celery_beat.PeriodicTask.regtask": lambda _number: None,
    "django_celery_beat.PeriodicTask.crontab": lambda _number: None,
    "django_celery_beat.PeriodicTask.solar": lambda _number: None,
    "django_celery_beat.PeriodicTask.clocked": lambda _number: None,
    "django_celery_beat.PeriodicTask.expires": lambda _number: ["", ""],
    "budgets.Budget.owner_type": lambda _number: "department",
    "budgets.Budget.account": lambda _number: None,
    "org.InvoiceTitle.is_active": lambda _number: True,
    "org.Account.is_staff": lambda _number: False,
}
# "model.field" → why it is not read back as it was typed.
UNREAD: dict[str, str] = {
    "approvals.ApprovalRuleStep.no": "steps are numbered from 1 without gaps",
    "catalog.Product.image": "the uploaded picture replaces it",
    "catalog.Product.upload": "kept as a file with a name of its own",
    "catalog.ProductImage.path": "the uploaded picture replaces it",
    "catalog.ProductImage.upload": "kept as a file with a name of its own",
    "catalog.ProductDocument.upload": "kept as a file with a name of its own",
    "catalog.ProductFamily.axes": "one text is kept as a list of names",
    "content.Banner.picture": "kept as a file with a name of its own",
    "content.SiteSetting.picture": "kept as a file with a name of its own",
    "org.Account.contact_reason": "kept in the log",
    "org.Account.password": "a line of text, never typed",
    "org.Group.picture": "scaled and kept as the group's logo",
}
# Pages that are opened with a choice made before.
ASKED: dict[str, Callable[[], str]] = {
    "approvals.ApprovalRule": lambda: f"?group={get_nth(Group.objects.all(), 0)}",
}
# Pages that change rows made elsewhere: such a row.
THERE: dict[str, Callable[[], Model]] = {
    "content.ContentPage": lambda: ContentPage.objects.order_by("pk")[0],
    "dual_control.ActLimit": lambda: ActLimit.objects.order_by("pk")[0],
}
LATER = ("valid_to", "valid_until")


def get_one(keys: list[str], number: int) -> str:
    return keys[number % len(keys)] if keys else ""


# Kind of field → what a person types into it, something else with each number. The first that fits
# holds.
KINDS: tuple[tuple[type[forms.Field], Callable[[Any, int, str], Any]], ...] = (
    (forms.SplitDateTimeField, lambda _field, _number, day: [day, "09:30:00"]),
    (forms.DateField, lambda _field, _number, day: day),
    (AttributesField, lambda _field, number, _day: [("颜色", f"蓝{number}")]),
    (forms.JSONField, lambda _field, number, _day: f'{{"颜色": "蓝{number}"}}'),
    (
        forms.ModelMultipleChoiceField,
        lambda field, number, _day: [get_nth(field.queryset.all(), number)],
    ),
    (forms.ModelChoiceField, lambda field, number, _day: get_nth(field.queryset.all(), number)),
    (
        forms.MultipleChoiceField,
        lambda field, number, _day: [get_one([str(key) for key, _words in field.choices], number)],
    ),
    (
        forms.ChoiceField,
        lambda field, number, _day: get_one(
            [str(key) for key, _words in field.choices if key != ""], number
        ),
    ),
    (forms.IntegerField, lambda _field, number, _day: str(number + 1)),
    (forms.FileField, lambda _field, number, _day: build_picture(number)),
    (forms.CharField, lambda _field, number, _day: f"文字{number}"),
)


def get_value(name: str, field: forms.Field, number: int, current: Any) -> Any:
    """Return a value for a field of this kind; a switch is toggled."""
    if isinstance(field, forms.BooleanField):
        return not current
    day = f"2027-0{number + 2 if name in LATER else number}-01"
    return next(filling for kind, filling in KINDS if isinstance(field, kind))(field, number, day)


def fill_form(label: str, form: Any, number: int) -> dict[str, Any]:
    """Return the data to send for every field of the form that accepts input."""
    sent: dict[str, Any] = {}
    for name, field in list_typed_fields(form):
        current = form.get_initial_for_field(field, name)
        known = FILLED.get(f"{label}.{name}")
        value = known(number) if known else get_value(name, field, number, current)
        sent |= spell_value(form, name, field, value)
    return sent


def list_typed_fields(form: Any) -> list[tuple[str, forms.Field]]:
    """Return the fields that accept input."""
    return [
        (each.name, each.field)
        for each in form.visible_fields()
        if not each.field.disabled and each.name != "DELETE"
    ]


def spell_value(form: Any, name: str, field: forms.Field, value: Any) -> dict[str, Any]:
    """Return the value as a browser sends it: nothing for an unchecked box or an empty file,
    two parts for a date and time.
    """
    html_name = form.add_prefix(name)
    if isinstance(field, forms.BooleanField):
        return {html_name: "on"} if value else {}
    if isinstance(field, AttributesField):
        return {
            f"{html_name}-{place}-{part}": text
            for place, pair in enumerate(value)
            for part, text in zip(("name", "value"), pair, strict=True)
        }
    if isinstance(field, forms.MultiValueField):
        return {f"{html_name}_{part}": text for part, text in enumerate(value)}
    return {} if value is None else {html_name: value}


def unlike(form: Any, sent: dict[str, Any], row: Model, shown: Any) -> list[str]:
    """Return the fields whose stored value differs from the input, by the row's column or by
    what its page shows.
    """
    wrong = []
    for name, field in list_typed_fields(form):
        if f"{row._meta.label}.{name}" in UNREAD:
            continue
        value = field.widget.value_from_datadict(
            MultiDict(sent), MultiDict(sent), form.add_prefix(name)
        )
        try:
            stored = row._meta.get_field(name).value_from_object(row)
        except FieldDoesNotExist:
            if shown is None or name not in shown.fields:
                wrong.append(f"{name}: not shown again")
                continue
            stored = shown.get_initial_for_field(shown.fields[name], name)
        if field.has_changed(stored, value) and (
            stored is None or field.to_python(stored) != field.to_python(value)
        ):
            wrong.append(f"{name}: {value!r} typed, {stored!r} stored")
    return wrong


class MultiDict(dict[str, Any]):
    """The sent data in the form that widgets read."""

    def getlist(self, name: str) -> Any:
        answer = self.get(name, [])
        return answer if isinstance(answer, list) else [answer]


def open_page(client: Client, path: str) -> Any:
    with no_scope():
        answer = client.get(path)
    assert answer.status_code == 200, path
    return answer


def list_tables(answer: Any) -> list[Any]:
    """Return the formsets that allow a new row."""
    rows = [each.formset for each in answer.context.get("inline_admin_formsets") or ()]
    return [formset for formset in rows if formset.max_num and formset.empty_form.visible_fields()]


def save(
    client: Client, label: str, path: str, number: int
) -> tuple[Any, dict[str, Any], list[tuple[Any, str]]]:
    """Open the page, fill its form and a new row of each table, and save. Return the form, the
    sent data, and the rows' forms.
    """
    page = open_page(client, path)
    form: Any = page.context["adminform"].form
    sent = read_fields(page.content.decode())
    with platform_scope(reason="test: choices"):
        mine = fill_form(label, form, number)
    for name, field in form.fields.items():
        if isinstance(field, forms.BooleanField):
            sent.pop(form.add_prefix(name), None)
    rows = []
    for formset in list_tables(page):
        place = int(sent[f"{formset.prefix}-INITIAL_FORMS"])
        row = formset.empty_form
        row.prefix = f"{formset.prefix}-{place}"
        with platform_scope(reason="test: choices"):
            mine |= fill_form(formset.model._meta.label, row, number)
        mine[f"{formset.prefix}-TOTAL_FORMS"] = str(
            max(place + 1, int(sent[f"{formset.prefix}-TOTAL_FORMS"]))
        )
        rows.append((formset.model, row))
    with no_scope():
        answer = client.post(path, {**sent, **mine})
    assert answer.status_code == 302, get_refusals(answer)
    return form, mine, rows


def get_refusals(answer: Any) -> Any:
    """Return the errors on the page."""
    context: Any = answer.context
    text = [context["adminform"].form.errors]
    for each in context.get("inline_admin_formsets") or ():
        text += [each.formset.errors, each.formset.non_form_errors()]
    return answer.status_code, text


def read_stored(label: str, *, known: Iterable[Any] = ()) -> Model:
    with platform_scope(reason="test: read back"):
        row: Model = (
            PAGES[label].model._base_manager.exclude(pk__in=list(known)).order_by("-pk").get()
        )
    return row


def list_keys(label: str) -> list[Any]:
    with platform_scope(reason="test: known rows"):
        return list(PAGES[label].model._base_manager.values_list("pk", flat=True))


def check(
    client: Client,
    label: str,
    row: Model,
    made: tuple[Any, dict[str, Any], list[tuple[Any, str]]],
    change_path: str,
) -> None:
    form, sent, below = made
    html = open_page(client, change_path).context["adminform"].form
    with platform_scope(reason="test: read back"):
        row.refresh_from_db()
        wrong = unlike(form, sent, row, html)
        for model, row_form in below:
            fresh = model._base_manager.order_by("-pk").first()
            wrong += (
                [f"{model._meta.label} not stored"]
                if fresh is None
                else unlike(row_form, sent, fresh, None)
            )
    assert wrong == []


def may(page: Any, verb: str, person: Account) -> bool:
    request = RequestFactory().get("/admin/")
    request.user = person
    return bool(getattr(page, f"has_{verb}_permission")(request))


SUPERUSER = Account(is_staff=True, is_superuser=True)
ADDED = [label for label, page in PAGES.items() if may(page, "add", SUPERUSER)]
CHANGED = [label for label, page in PAGES.items() if may(page, "change", SUPERUSER)]


@pytest.fixture
def office(staff: Account, ga: Account, buyer: Account) -> Client:
    """The back office of a mall with two rows for everything that forms choose from."""
    with platform_scope(reason="test: what forms choose from"):
        ProductFactory(), ProductFactory()
        AgreementFactory(), AgreementFactory()
        DeviceFactory(), DeviceFactory(brand__name="佳能")
        for number in (ADD, CHANGE):
            default_storage.save(PICTURES[number], build_picture(number))
        IntervalSchedule.objects.create(every=1, period="days")
    return open_office(staff)


@pytest.mark.parametrize("label", ADDED)
def test_a_new_row_and_its_change_are_stored_as_typed(office: Client, label: str) -> None:
    page = PAGES[label]
    home = f"/admin/{page.opts.app_label}/{page.opts.model_name}/"
    known = list_keys(label)
    with platform_scope(reason="test: what is chosen before"):
        query = ASKED[label]() if label in ASKED else ""
    created = save(office, label, f"{home}add/{query}", ADD)
    row = read_stored(label, known=known)
    path = f"{home}{row.pk}/change/"
    check(office, label, row, created, path)
    if label in CHANGED:
        check(office, label, row, save(office, label, path, CHANGE), path)


@pytest.mark.parametrize(
    "label",
    [
        label
        for label, page in PAGES.items()
        if may(page, "change", SUPERUSER) and not may(page, "add", SUPERUSER)
    ],
)
def test_change_of_an_existing_row_is_stored_as_typed(office: Client, label: str) -> None:
    with platform_scope(reason="test: a row that is there"):
        row = THERE[label]()
    page = PAGES[label]
    path = f"/admin/{page.opts.app_label}/{page.opts.model_name}/{row.pk}/change/"
    check(office, label, row, save(office, label, path, CHANGE), path)


def test_a_change_of_a_colleagues_account_is_stored_as_typed(office: Client) -> None:
    with platform_scope(reason="test: a colleague"):
        colleague = StaffFactory(is_superuser=False)
    path = f"/admin/org/account/{colleague.pk}/change/"
    check(office, "org.Account", colleague, save(office, "org.Account", path, CHANGE), path)
