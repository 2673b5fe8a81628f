"""An import writes in short transactions. It resumes after its process dies, and it is rolled
back if it cannot finish.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection

from apps.catalog.errors import ImportRefused, ImportUnderWay
from apps.catalog.models import Brand, CatalogChange, Category, Product, StockMovement, SuggestTerm
from apps.catalog.services.imports import ImportReport, import_apply
from apps.catalog.services.imports.run import get_import_progress
from apps.catalog.tests.factories import BrandFactory, CategoryFactory
from apps.catalog.tests.sheets import PRODUCT_HEADER, Rows, build_product_row
from apps.common.background.delivery import outbox_deliver
from apps.common.background.outbox import outbox_publish, register_outbox_handler
from apps.common.background.queues import Queue
from apps.common.errors import ImportNotCancellable
from apps.common.models import ImportChunk, ImportRun
from apps.common.models.import_run import ImportState
from apps.common.services import import_resume, import_run
from apps.common.services.import_resume import count_work_before, imports_resume
from apps.common.services.import_run import (
    CHUNK_ROWS,
    MAX_FAILURES,
    import_run_cancel,
    rows_delete,
)
from apps.common.testing import assert_queries
from apps.common.testing.faults import (
    CHUNK_WRITTEN,
    Killed,
    at_statement,
    expire_import_leases,
    kill,
    resume_import_now,
)
from apps.org.models import Account

CHUNK_READ = 'SELECT "common_importchunk"'
SHEET = Rows(("编码", "名称"), *((f"C{nth}", f"品牌{nth}") for nth in range(250)))


@pytest.fixture(autouse=True)
def _taxonomy(platform: None) -> None:
    BrandFactory(code="B1", name="墨岚")
    root = CategoryFactory(code="11", name="办公文具")
    middle = CategoryFactory(code="1101", name="书写工具", parent=root, level=2, menu_group=None)
    CategoryFactory(code="110101", name="中性笔", parent=middle, level=3, menu_group=None)


def build_product_sheet(*rows: tuple[str, ...]) -> Rows:
    return Rows(PRODUCT_HEADER, *rows)


def import_products(count: int, **changes: str) -> ImportReport:
    rows = (build_product_row(str(100000 + nth), **changes) for nth in range(count))
    return import_apply(actor=None, kind="products", source=build_product_sheet(*rows))


def fail() -> None:
    raise OSError("disk full")


def import_brands_and_die() -> None:
    with pytest.raises(Killed), at_statement(CHUNK_WRITTEN, 2, kill):
        import_apply(actor=None, kind="brands", source=SHEET)


def test_import_transaction_writes_at_most_one_chunk() -> None:
    """The test runs inside a transaction, so the transactions of the import are savepoints here."""
    outer = len(connection.savepoint_ids)
    rows: Counter[tuple[str, str]] = Counter()

    def count(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith("INSERT INTO") and not many:
            table, columns = sql.split('"')[1], sql.partition(") VALUES")[0].count('", "') + 1
            transaction = (
                connection.savepoint_ids[outer] if len(connection.savepoint_ids) > outer else ""
            )
            # PostgreSQL gets one array per column (UNNEST). SQLite gets one parameter per value.
            is_by_column = bool(params) and isinstance(params[0], list)
            rows[transaction or "", table] += (
                len(params[0]) if is_by_column else len(params) // columns
            )
        return execute(sql, params, many, context)

    with connection.execute_wrapper(count):
        report = import_products(250)

    assert (report.created, report.applied) == (250, True)
    for table in ("catalog_product", "catalog_catalogchange", "catalog_stockmovement"):
        assert sorted(count for (_, written), count in rows.items() if written == table) == [50] * 5


def test_finished_import_leaves_no_staged_chunks() -> None:
    import_products(2)

    assert not ImportChunk.objects.exists()
    assert ImportRun.objects.get().state == ImportState.DONE


def test_killed_import_resumes_at_its_last_chunk() -> None:
    import_brands_and_die()
    assert Brand.objects.filter(code__startswith="C").count() == CHUNK_ROWS

    resume_import_now()

    assert Brand.objects.filter(code__startswith="C").count() == 250
    assert CatalogChange.objects.count() == 250
    run = ImportRun.objects.get()
    assert (run.state, run.rows_written, run.report["created"]) == (ImportState.DONE, 250, 250)


def test_a_cancelled_import_stops_after_its_chunk_and_takes_its_rows_back() -> None:
    def cancel() -> None:
        run_id = ImportRun.objects.get().pk
        import_run_cancel(runs=ImportRun.objects.all(), run_id=run_id)

    with at_statement(CHUNK_READ, 2, cancel), pytest.raises(ImportRefused):
        import_apply(actor=None, kind="brands", source=SHEET)

    run = ImportRun.objects.get()
    assert (run.state, run.rows_written) == (ImportState.TAKEN_BACK, 0)
    assert run.report["rows_taken_back"] == 100
    assert not Brand.objects.filter(code__startswith="C").exists()
    assert get_import_progress(kind="brands").endswith("：导入已取消，已撤回 100 行。")
    with pytest.raises(ImportNotCancellable):
        import_run_cancel(runs=ImportRun.objects.all(), run_id=run.pk)


def test_a_cancelled_import_without_a_process_is_taken_back_in_the_background() -> None:
    import_brands_and_die()
    run_id = ImportRun.objects.get().pk

    import_run_cancel(runs=ImportRun.objects.all(), run_id=run_id)
    assert "导入已取消，正在撤回，还剩 100 行" in get_import_progress(kind="brands")
    resume_import_now()

    assert ImportRun.objects.get().state == ImportState.TAKEN_BACK
    assert not Brand.objects.filter(code__startswith="C").exists()


def test_a_long_import_lets_other_work_of_the_queue_go_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written: list[int] = []
    monkeypatch.setattr(import_run, "SLICE_SECONDS", 0)
    monkeypatch.setattr(import_resume, "SLICE_SECONDS", 0)
    register_outbox_handler("test.archive", queue=Queue.BULK)(
        lambda _key, _payload: written.append(ImportRun.objects.get().rows_written)
    )
    import_brands_and_die()
    expire_import_leases()
    imports_resume()
    outbox_publish(topic="test.archive")

    outbox_deliver(batch=1, queues=[Queue.BULK])
    run = ImportRun.objects.get()
    assert (run.state, run.holder, count_work_before(run)) == (ImportState.WRITING, "", 1)
    assert imports_resume() == 0  # the run waits in the queue already
    outbox_deliver(queues=[Queue.BULK])

    assert written == [100]
    assert ImportRun.objects.get().state == ImportState.DONE


def test_import_of_a_live_process_is_not_resumed() -> None:
    import_brands_and_die()

    assert imports_resume() == 0

    assert Brand.objects.filter(code__startswith="C").count() == CHUNK_ROWS


def test_the_same_sheet_again_ends_the_killed_import_first() -> None:
    import_brands_and_die()
    expire_import_leases()

    report = import_apply(actor=None, kind="brands", source=SHEET)

    assert (report.rows, report.created, report.unchanged) == (250, 250, 0)
    assert list(ImportRun.objects.values_list("state", flat=True)) == [ImportState.DONE]


def test_the_same_sheet_again_continues_a_killed_import_for_a_limited_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import_brands_and_die()
    expire_import_leases()
    monkeypatch.setattr(import_run, "PATIENCE_SECONDS", 0)
    monkeypatch.setattr("apps.catalog.services.imports.run.PATIENCE_SECONDS", 0)

    with pytest.raises(ImportUnderWay):
        import_apply(actor=None, kind="brands", source=SHEET, upload="imports/1.csv")

    run = ImportRun.objects.get()
    assert (run.state, run.holder, run.rows_written) == (ImportState.WRITING, "", 100)


def test_a_lost_lease_does_not_extend_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    import_brands_and_die()
    expire_import_leases()
    now = 0.0
    monkeypatch.setattr("apps.common.services.import_run.time.monotonic", lambda: now)

    def lose_lease() -> None:
        nonlocal now
        now = 9.0
        ImportRun.objects.update(holder="")

    with at_statement(CHUNK_WRITTEN, 1, lose_lease):
        run = import_run.import_run_work(run_id=ImportRun.objects.get().pk, seconds=8)

    assert (run.state, run.holder, run.rows_written) == (ImportState.WRITING, "", 200)


def test_import_finished_by_an_equal_confirmation_returns_the_same_report() -> None:
    reports = []

    def confirm() -> None:
        reports.append(import_apply(actor=None, kind="brands", source=SHEET))

    with at_statement('INSERT INTO "common_importchunk"', 1, confirm):
        confirm()

    assert [report.created for report in reports] == [250, 250]
    assert CatalogChange.objects.count() == 250
    assert ImportRun.objects.get().state == ImportState.DONE


def test_second_confirmation_of_an_equal_file_reports_the_progress() -> None:
    texts = []

    def confirm_again() -> None:
        with pytest.raises(ImportUnderWay) as under_way:
            import_apply(actor=None, kind="brands", source=SHEET)
        texts.append(under_way.value.text)

    with at_statement(CHUNK_WRITTEN, 2, confirm_again):
        report = import_apply(actor=None, kind="brands", source=SHEET)

    assert texts == [
        "这份文件已确认，无需再次确认：正在写入，已写入 100 / 250 行。可以离开此页，写入不会中断。"
    ]
    assert (report.created, report.applied) == (250, True)
    assert ImportRun.objects.get().state == ImportState.DONE


def test_second_confirmation_does_not_read_the_upload_again() -> None:
    texts = []

    class Unread:
        def iterate_rows(self) -> Iterator[list[str]]:
            raise AssertionError("read again")

    def confirm_again() -> None:
        with pytest.raises(ImportUnderWay) as under_way:
            import_apply(actor=None, kind="brands", source=Unread(), upload="imports/1.csv")
        texts.append(under_way.value.text)

    with at_statement(CHUNK_WRITTEN, 1, confirm_again):
        import_apply(actor=None, kind="brands", source=SHEET, upload="imports/1.csv")

    assert "已写入 0 / 250 行" in texts[0]


def test_a_double_click_reads_the_sheet_once(staff: Account) -> None:
    texts: list[str] = []

    class Clicked:
        def iterate_rows(self) -> Iterator[list[str]]:
            if not texts:
                with pytest.raises(ImportUnderWay) as under_way:
                    confirm()
                texts.append(under_way.value.text)
            return SHEET.iterate_rows()

    def confirm() -> ImportReport:
        return import_apply(actor=staff, kind="brands", source=Clicked(), upload="imports/1.csv")

    assert confirm().created == 250
    assert texts == ["这份文件已确认，无需再次确认：正在核对表格。刷新页面可查看进度。"]
    assert confirm().created == 250
    assert ImportRun.objects.count() == 1


def test_row_that_can_no_longer_be_written_rolls_back_the_import() -> None:
    import_products(150)
    Product.objects.filter(code="100000").update(reserved=1)
    before = list(
        Product.objects.order_by("pk").values_list("code", "market_price", "search_tokens", "stock")
    )
    suggestions = set(SuggestTerm.objects.values_list("product", "key"))
    sheet = build_product_sheet(
        *(
            build_product_row(str(100140 - nth), 市场价="9.00", 名称="硒鼓", 库存="7")
            for nth in range(160)
        )
    )

    def order() -> None:
        Product.objects.filter(code="100020").update(reserved=8)

    with pytest.raises(ImportRefused) as refused, at_statement(CHUNK_WRITTEN, 1, order):
        import_apply(actor=None, kind="products", source=sheet)

    assert [str(error) for error in refused.value.report.errors] == [
        "第 122 行「库存」：已有订单预占 8，库存不能小于它"
    ]
    assert (
        list(
            Product.objects.order_by("pk").values_list(
                "code", "market_price", "search_tokens", "stock"
            )
        )
        == before
    )
    assert set(SuggestTerm.objects.values_list("product", "key")) == suggestions
    assert ImportRun.objects.latest("pk").state == ImportState.TAKEN_BACK


def test_rollback_deletes_new_rows_except_those_in_use() -> None:
    def collide() -> None:
        Product.objects.filter(code="100000").update(market_price=Decimal("3.00"))
        StockMovement.objects.create(
            product=Product.objects.get(code="100001"), kind="reserve", quantity=1
        )
        Brand.objects.filter(code="B2").delete()

    BrandFactory(code="B2")
    rows = [
        build_product_row(str(100000 + nth), 品牌编码="B2" if nth > 100 else "B1")
        for nth in range(110)
    ]
    with pytest.raises(ImportRefused) as refused, at_statement(CHUNK_WRITTEN, 1, collide):
        import_apply(actor=None, kind="products", source=build_product_sheet(*rows))

    assert list(Product.objects.values_list("code", flat=True)) == ["100001"]
    report = refused.value.report
    errors = [str(error) for error in report.errors]
    assert "第 103 行「品牌编码」：没有编码为 B2 的品牌，请先导入" in errors
    assert [str(row) for row in report.stayed] == ["第 3 行：导入期间新增的这一行已被引用，未删除"]
    assert (report.rows_taken_back, report.rows_left, report.hidden_rows) == (99, 1, 0)
    assert "已撤回 99 行，1 行因后来已被修改或引用，仍是导入后的内容" in refused.value.text


def test_rollback_keeps_and_names_rows_changed_meanwhile() -> None:
    import_products(110)
    imported = CatalogChange.objects.latest("pk").pk

    def change() -> None:
        Product.objects.filter(code="100000").update(market_price=Decimal("3.00"))
        Product.objects.filter(code="100105").update(reserved=9)

    rows = (build_product_row(str(100000 + nth), 市场价="9.00", 库存="7") for nth in range(110))
    with pytest.raises(ImportRefused) as refused, at_statement(CHUNK_WRITTEN, 1, change):
        import_apply(actor=None, kind="products", source=build_product_sheet(*rows))

    assert dict(
        Product.objects.filter(code__in=("100000", "100001")).values_list("code", "market_price")
    ) == {
        "100000": Decimal("3.00"),
        "100001": Decimal("2.50"),
    }
    assert str(refused.value.report.stayed[-1]) == "第 2 行：导入期间该行已被他人修改，保留现值"
    progress = get_import_progress(kind="products")
    assert "未能完成，已撤回 99 行，1 行因后来已修改或被引用而保留。" in progress
    # Only the row that stays is a change of a product. The others were restored.
    changes = CatalogChange.objects.filter(pk__gt=imported)
    assert list(changes.filter(kind="product").values_list("key", flat=True)) == ["100000"]
    assert changes.filter(kind="restored").count() == 100


def test_chunk_that_cannot_be_rolled_back_is_named_and_the_others_are_rolled_back() -> None:
    import_products(110, 库存="50")

    def order() -> None:
        Product.objects.filter(code="100000").update(reserved=55)
        Product.objects.filter(code="100105").update(reserved=9)

    rows = (
        build_product_row(str(100000 + nth), 库存="7" if nth == 105 else "60") for nth in range(110)
    )
    with pytest.raises(ImportRefused) as refused, at_statement(CHUNK_WRITTEN, 2, order):
        import_apply(actor=None, kind="products", source=build_product_sheet(*rows))

    assert dict(
        Product.objects.filter(code__in=("100000", "100050")).values_list("code", "stock")
    ) == {"100000": 60, "100050": 50}
    assert "有 50 行未能撤回，仍是导入后的内容，请联系系统管理员核对" in str(
        refused.value.report.stayed[-1]
    )
    assert (refused.value.report.rows_left, refused.value.report.hidden_rows) == (50, 0)
    assert ImportRun.objects.latest("pk").state == ImportState.TAKEN_BACK


def test_rollback_of_new_rows_records_only_restored_changes() -> None:
    def collide() -> None:
        Brand.objects.create(code="X1", name="品牌200")

    with pytest.raises(ImportRefused), at_statement(CHUNK_WRITTEN, 1, collide):
        import_apply(actor=None, kind="brands", source=SHEET)

    changes = set(CatalogChange.objects.values_list("kind", "key"))
    assert changes == {("restored", f"brand:C{nth}") for nth in range(200)}


def test_new_parents_are_deleted_after_their_children() -> None:
    root = CategoryFactory(code="12", name="办公家具")
    middle = CategoryFactory(code="1201", name="椅子", parent=root, level=2, menu_group=None)

    assert rows_delete([root, middle]) == set()
    assert not Category.objects.filter(code__startswith="12").exists()


def test_an_import_that_fails_again_and_again_is_taken_back() -> None:
    with pytest.raises(OSError, match="disk full"), at_statement(CHUNK_WRITTEN, 2, fail):
        import_apply(actor=None, kind="brands", source=SHEET)
    ImportRun.objects.update(failures=MAX_FAILURES)

    resume_import_now()

    assert not Brand.objects.filter(code__startswith="C").exists()
    assert ImportRun.objects.get().state == ImportState.TAKEN_BACK


def test_unchanged_sheet_stages_nothing() -> None:
    import_products(2)
    ImportRun.objects.all().delete()

    with assert_queries(3):
        report = import_products(2)

    assert (report.unchanged, report.applied) == (2, True)
    assert not ImportRun.objects.exists()
