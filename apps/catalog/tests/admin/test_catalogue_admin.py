"""The catalogue in the back office: imports with preview and confirmation, and saves that take
effect in the next request.
"""

from __future__ import annotations

import re
from datetime import timedelta
from decimal import Decimal
from io import BytesIO
from unittest.mock import patch

import pytest
from auditlog.models import LogEntry
from django.contrib import admin
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.signing import loads
from django.test import Client
from django.utils import timezone

from apps.catalog.admin.imports import SALT
from apps.catalog.models import Brand, CatalogChange, Product, ProductImage, StockMovement
from apps.catalog.services.changes import catalogue_row_save
from apps.catalog.services.imports import IMPORTERS, SheetFile, import_apply, import_preview
from apps.catalog.services.imports.export import export_header, export_rows
from apps.catalog.tests.factories import BrandFactory, ProductFactory, create_category_path
from apps.catalog.tests.sheets import Rows
from apps.common.models import ImportRun, OutboxMessage
from apps.common.testing import assert_queries
from apps.common.testing.faults import (
    CHUNK_WRITTEN,
    Killed,
    at_statement,
    expire_import_leases,
    kill,
    resume_import_now,
)
from apps.documents.excel import write_xlsx
from apps.org.models import Account
from apps.search.models import SearchSynonym

BRANDS = ("编码", "名称")
IMPORT = "/admin/catalog/brand/import/"


@pytest.fixture
def ops(platform: None) -> Account:
    return Account.objects.create_superuser(username="ops", nickname="运营")


@pytest.fixture
def staff(ops: Account, client: Client) -> Client:
    client.force_login(ops)
    return client


def upload(client: Client, *rows: tuple[str, ...], name: str = "品牌.csv") -> str:
    response = client.post(
        IMPORT, {"kind": "brands", "file": SimpleUploadedFile(name, Rows(BRANDS, *rows).csv())}
    )
    assert response.status_code == 200
    return response.content.decode()


LABELS = {"catalog", "pricing", "search", "inquiries", "selection"}


def get_token(page: str) -> str:
    match = re.search(r'name="token" value="([^"]+)"', page)
    assert match is not None
    return match[1]


@pytest.mark.parametrize(
    "model",
    sorted(
        f"{model._meta.app_label}/{model._meta.model_name}"
        for model in admin.site._registry
        if model._meta.app_label in LABELS
    ),
    ids=str,
)
def test_every_list_of_the_catalogue_opens_and_searches(staff: Client, model: str) -> None:
    ProductFactory()

    assert staff.get(f"/admin/{model}/").status_code == 200
    assert staff.get(f"/admin/{model}/?q=1").status_code == 200


def test_product_form_searches_brand_and_category(
    staff: Client,
) -> None:
    product = ProductFactory(brand=BrandFactory(name="甲牌"))
    BrandFactory(name="乙牌")

    page = staff.get(f"/admin/catalog/product/{product.pk}/change/").content.decode()

    assert "甲牌" in page
    assert "乙牌" not in page


def test_upload_is_previewed_and_writes_nothing(staff: Client) -> None:
    page = upload(staff, ("B7", "新牌"))

    assert "校验通过，尚未导入。品牌：共 1 行，新增 1，更新 0，不变 0" in page
    assert not Brand.objects.exists()


def test_the_confirmed_preview_is_written_and_its_file_forgotten(staff: Client) -> None:
    token = get_token(upload(staff, ("B7", "新牌")))
    path = loads(token, salt=SALT)["path"]
    assert default_storage.exists(path)

    page = staff.post(IMPORT, {"kind": "brands", "token": token}).content.decode()

    assert "导入完成" in page
    assert Brand.objects.get().name == "新牌"
    assert not default_storage.exists(path)


def test_unconfirmed_upload_is_deleted_after_an_hour(
    staff: Client,
) -> None:
    path = loads(get_token(upload(staff, ("B7", "新牌"))), salt=SALT)["path"]

    later = timezone.now() + timedelta(minutes=61)
    with patch("django.utils.timezone.now", lambda: later):
        upload(staff, ("B8", "新牌"))

    assert not default_storage.exists(path)


def test_the_second_confirm_of_a_preview_gets_the_answer_of_the_first(staff: Client) -> None:
    token = get_token(upload(staff, ("B7", "新牌")))
    first, second = (
        staff.post(IMPORT, {"kind": "brands", "token": token}).content.decode() for _ in range(2)
    )

    done = "导入完成。品牌：共 1 行，新增 1，更新 0，不变 0"
    assert (done in first, done in second) == (True, True)
    assert ImportRun.objects.count() == 1


def test_second_confirmation_page_shows_the_progress(staff: Client) -> None:
    token = get_token(upload(staff, *((f"C{nth}", f"品牌{nth}") for nth in range(150))))
    pages = []

    def confirm() -> None:
        pages.append(staff.post(IMPORT, {"kind": "brands", "token": token}).content.decode())

    with at_statement(CHUNK_WRITTEN, 2, confirm):
        confirm()

    second, first = pages
    assert "这份文件已确认，无需再次确认：正在写入，已写入 100 / 150 行" in second
    assert "导入完成。品牌：共 150 行，新增 150，更新 0，不变 0" in first


def test_result_page_counts_the_rows_left_after_a_rollback(staff: Client) -> None:
    token = get_token(upload(staff, *((f"C{nth}", f"品牌{nth}") for nth in range(150))))

    def collide() -> None:
        ProductFactory(brand=Brand.objects.get(code="C0"))
        Brand.objects.create(code="X1", name="品牌120")

    with at_statement('SELECT "common_importrun"', 5, collide):
        page = staff.post(IMPORT, {"kind": "brands", "token": token}).content.decode()

    assert (
        "品牌.csv 有 1 处错误，未能完成导入：已撤回 99 行，"
        "1 行因后来已被修改或引用，仍是导入后的内容。" in page
    )
    assert "未撤回的行" in page
    assert "导入期间新增的这一行已被引用，未删除" in page
    assert "整个文件都未导入" not in page
    assert Brand.objects.filter(code__startswith="C").count() == 1


def test_a_cancelled_preview_cannot_be_confirmed(staff: Client) -> None:
    token = get_token(upload(staff, ("B7", "新牌")))
    staff.post(IMPORT, {"kind": "brands", "token": token, "cancel": "1"})

    page = staff.post(IMPORT, {"kind": "brands", "token": token}).content.decode()
    assert "预览已过期，请重新上传文件" in page
    assert not Brand.objects.exists()


def test_import_page_shows_the_progress_of_a_killed_import_and_its_result(staff: Client) -> None:
    token = get_token(upload(staff, *((f"C{nth}", f"品牌{nth}") for nth in range(150))))
    with pytest.raises(Killed), at_statement(CHUNK_WRITTEN, 2, kill):
        staff.post(IMPORT, {"kind": "brands", "token": token})
    expire_import_leases()

    assert (
        "正在写入，已写入 100 / 150 行，已中断，将在一分钟内自动继续"
        in staff.get(IMPORT).content.decode()
    )

    resume_import_now()
    assert "已完成。品牌：共 150 行，新增 150，更新 0，不变 0" in staff.get(IMPORT).content.decode()


def test_preview_of_another_person_cannot_be_confirmed(staff: Client) -> None:
    token = get_token(upload(staff, ("B7", "新牌")))
    staff.force_login(Account.objects.create_superuser(username="ops2", nickname="同事"))

    assert "预览已过期" in staff.post(IMPORT, {"kind": "brands", "token": token}).content.decode()
    assert not Brand.objects.exists()


def test_file_other_than_a_sheet_is_refused(staff: Client) -> None:
    assert "请上传 .xlsx 或 .csv 文件" in upload(staff, ("B7", "新牌"), name="a.exe")


def test_staff_without_the_right_to_change_cannot_import(platform: None, client: Client) -> None:
    client.force_login(
        Account.objects.create_user(username="viewer", nickname="只读", is_staff=True)
    )

    assert client.get(IMPORT).status_code == 403


@pytest.mark.parametrize("kind", sorted(IMPORTERS))
def test_exported_sheet_of_every_kind_is_imported_unchanged(staff: Client, kind: str) -> None:
    ProductFactory(code="100001", attributes={"颜色": "黑色"}, image="products/100001.svg")
    file = BytesIO()
    rows = write_xlsx(file, header=export_header(kind=kind), rows=export_rows(kind=kind))

    report = import_preview(
        actor=None, kind=kind, source=SheetFile(lambda: BytesIO(file.getvalue()))
    )

    assert [str(error) for error in report.errors] == []
    assert (report.unchanged, report.created, report.updated) == (rows, 0, 0)


def test_bulk_off_sale_action_records_each_change_and_its_actor(
    staff: Client, ops: Account
) -> None:
    on, off = ProductFactory(code="1"), ProductFactory(code="2", status="off")

    staff.post(
        "/admin/catalog/product/", {"action": "take_off_sale", "_selected_action": [on.pk, off.pk]}
    )

    assert set(Product.objects.values_list("status", flat=True)) == {"off"}
    assert list(CatalogChange.objects.values_list("kind", "key")) == [("product", "1")]
    entry = LogEntry.objects.filter(changes__has_key="status").latest("id")
    assert (entry.actor, entry.object_repr, entry.remote_addr) == (ops, str(on), "127.0.0.1")


def test_a_picture_added_on_the_products_page_gets_its_widths(staff: Client, ops: Account) -> None:
    product = ProductFactory(code="1")
    catalogue_row_save(
        actor=ops, row=ProductImage(product=product, path="products/1-2.png", position=2)
    )
    message = OutboxMessage.objects.filter(topic="pictures.stored").latest("pk")
    assert message.payload == {"Paths": ["products/1-2.png"]}


def test_product_save_reindexes_and_records_the_change(staff: Client) -> None:
    product = ProductFactory(code="1", name="旧名", stock=10)
    Product.objects.filter(pk=product.pk).update(reserved=3)
    form = staff.get(f"/admin/catalog/product/{product.pk}/change/").context["adminform"].form
    data = {
        name: form.get_initial_for_field(field, name) or "" for name, field in form.fields.items()
    }
    data |= {
        "name": "zebrix 硒鼓",
        "market_price": "12.34",
        "stock": "8",
        "listed_at": "2026-01-01",
    }
    data |= {
        "images-TOTAL_FORMS": 0,
        "images-INITIAL_FORMS": 0,
        "documents-TOTAL_FORMS": 1,
        "documents-INITIAL_FORMS": 0,
        "documents-0-kind": "manual",
        "documents-0-title": "使用说明书",
        "documents-0-position": 0,
        "documents-0-upload": SimpleUploadedFile("说明书.pdf", b"%PDF-1.4\n%%EOF\n"),
        "is_public": "on",
        "brand": product.brand_id,
        "category": product.category_id,
    }

    response = staff.post(f"/admin/catalog/product/{product.pk}/change/", data)

    assert response.status_code == 302, response.context["errors"]
    product.refresh_from_db()
    assert (product.market_price, product.stock, product.reserved) == (Decimal("12.34"), 8, 3)
    assert "zebrix" in product.search_tokens.split()
    document = product.documents.get()
    assert (document.name, document.content_type, document.size) == (
        "使用说明书.pdf",
        "application/pdf",
        15,
    )
    # The fields, the market price as an act of its own, and the document.
    assert list(CatalogChange.objects.values_list("kind", "key")) == [("product", "1")] * 3
    assert list(
        StockMovement.objects.exclude(reference="期初").values_list("kind", "quantity")
    ) == [("adjust", -2)]


@pytest.mark.parametrize(
    ("parent", "message"),
    [
        ("leaf", "类目最多三级，请选择一级或二级类目作为上级"),
        ("middle", "上级不能是该类目自己或它的下级"),
        ("none", "一级类目必须选择菜单分组"),
    ],
)
def test_a_category_stays_in_a_tree_of_three_levels(
    staff: Client, parent: str, message: str
) -> None:
    leaf = create_category_path("一", "二", "三")
    moved = {"leaf": create_category_path().parent, "middle": leaf.parent, "none": leaf.parent}[
        parent
    ]
    chosen = {"leaf": leaf.pk, "middle": moved.pk, "none": ""}[parent]

    page = staff.post(
        f"/admin/catalog/category/{moved.pk}/change/",
        {"code": moved.code, "name": moved.name, "parent": chosen, "menu_group": "", "position": 0},
    )

    assert message in page.content.decode()


def test_a_product_page_refuses_a_category_above_the_third_level(staff: Client) -> None:
    product = ProductFactory(category=create_category_path("一", "二", "三"))

    page = staff.post(f"/admin/catalog/product/{product.pk}/change/", {"category": product.l1_id})

    assert "“一”是 1 级类目，请选择三级类目" in page.content.decode()


def test_a_product_page_refuses_a_code_in_full_width_digits(staff: Client) -> None:
    product = ProductFactory()

    page = staff.post(
        f"/admin/catalog/product/{product.pk}/change/", {"code": "１１０００１", "name": "商品"}
    )

    assert "商品编码只能由数字组成，请使用半角数字" in page.content.decode()


def test_product_list_takes_four_queries(staff: Client) -> None:
    for _ in range(3):
        ProductFactory()

    with assert_queries(4):
        staff.get("/admin/catalog/product/")


class TestSearchWords:
    """The admin of search words (搜索词)."""

    ADD = "/admin/search/searchsynonym/add/"

    def test_search_word_is_normalized_and_its_change_recorded(self, staff: Client) -> None:
        answer = staff.post(
            self.ADD, {"word": "Ａ４ 纸", "kind": "means", "others": "A4 复印纸", "is_active": "on"}
        )

        assert answer.status_code == 302
        assert SearchSynonym.objects.get().word == "a4 纸"
        assert CatalogChange.objects.filter(kind="search", key="a4 纸").count() == 1

    @pytest.mark.parametrize(
        ("body", "message"),
        [
            ({"kind": "same", "others": ""}, "请填写对应词"),
            ({"kind": "ignored", "others": "笔"}, "忽略词没有对应词，请清空"),
            ({"kind": "unit", "others": "w"}, "单位换算请填写大于 0 的系数"),
            ({"kind": "same", "others": "笔", "factor": "2"}, "只有单位换算才填写系数"),
        ],
    )
    def test_a_row_that_its_kind_cannot_use_is_refused(
        self, staff: Client, body: dict[str, str], message: str
    ) -> None:
        page = staff.post(self.ADD, {"word": "千瓦", "is_active": "on", **body}).content.decode()

        assert message in page
        assert not SearchSynonym.objects.exists()

    def test_a_sheet_adds_and_changes_words(self, ops: Account) -> None:
        header = ("词", "作用", "对应词", "换算系数", "启用")
        import_apply(
            actor=ops,
            kind="search_words",
            source=Rows(header, ("千瓦", "单位换算", "w", "1000", "")),
        )
        report = import_apply(
            actor=ops,
            kind="search_words",
            source=Rows(header, ("千瓦", "单位换算", "瓦;w", "1000", "否")),
        )

        assert (report.created, report.updated) == (0, 1)
        assert SearchSynonym.objects.values_list("word", "others", "factor", "is_active").get() == (
            "千瓦",
            "瓦;w",
            Decimal(1000),
            False,
        )

    def test_a_sheet_with_a_row_that_cannot_be_used_names_the_cell(self, ops: Account) -> None:
        report = import_preview(
            actor=ops,
            kind="search_words",
            source=Rows(("词", "作用", "对应词"), ("请问", "忽略词", "问")),
        )

        assert [(error.column, error.message) for error in report.errors] == [
            ("对应词", "忽略词没有对应词，请清空")
        ]
