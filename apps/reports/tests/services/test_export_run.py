"""Exports by a worker: one file with correct sums, restarted if a worker dies, and never for an
account that may not read the report.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.utils import timezone

from apps.catalog.tests.factories import ProductFactory
from apps.common.background.delivery import outbox_deliver
from apps.common.background.queues import Queue
from apps.common.errors import ValidationFailed
from apps.common.models import OutboxMessage, StoredFile
from apps.common.tenancy import platform_scope
from apps.common.testing import ApiClient
from apps.invoices.models import Invoice
from apps.invoices.selectors.invoices import InvoiceFilter
from apps.invoices.tests.factories import create_invoice
from apps.notices.models import Notice
from apps.orders.models import Order
from apps.orders.tests.factories import place_order
from apps.org.models import Account
from apps.reports.models import ExportJob
from apps.reports.services import export_run
from apps.reports.services.export_run import GIVEN_UP, LeaseLost, RunElsewhere, export_run_handler
from apps.reports.services.exports import exports_purge, invoice_archive_start
from apps.reports.tests.exporting import create_facts, read_rows, start_export, sum_amounts
from apps.reports.tests.trading import deliver

S = "/api/ExportJob"


@pytest.fixture(autouse=True)
def _empty_store() -> None:
    try:
        for name in default_storage.listdir("exports")[1]:
            default_storage.delete(f"exports/{name}")
    except FileNotFoundError:
        pass


@pytest.fixture
def order(shopper: Account) -> Order:
    created = place_order(
        shopper, (ProductFactory(name="=HYPERLINK(1)", market_price=Decimal("10.00")), 2)
    )
    deliver()
    return created


def run(job: ExportJob) -> ExportJob:
    outbox_deliver(queues=[Queue.BULK])
    export_job: ExportJob = ExportJob.objects.get(pk=job.pk)
    return export_job


def act_on_notice(monkeypatch: pytest.MonkeyPatch, act: Callable[[], Any]) -> None:
    """Let the worker report its progress before each row, and call `act` before the first
    report.
    """
    calls: list[int] = []
    texts = export_run._save_progress

    def acting(job: ExportJob, **figures: int) -> None:
        if "rows_done" in figures and not calls:
            calls.append(1)
            act()
        texts(job, **figures)

    monkeypatch.setattr(export_run, "PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr(export_run, "_save_progress", acting)


def test_export_of_twenty_thousand_rows_sums_to_the_page_total(
    shopper: Account, order: Order
) -> None:
    more = create_facts(order, 20_500)
    job = run(start_export(shopper))
    rows, result = read_rows(job), ApiClient(shopper).get("/api/Report/OrderDetail").body
    assert (job.state, job.rows_done, job.rows_total, len(rows)) == ("done", 20_501, 20_501, 20_503)
    assert sum_amounts(rows) == Decimal(result["Totals"]["Amount"]) == more + order.total_amount
    assert round(rows[-1][rows[0].index("含税金额")] * 100) == int(sum_amounts(rows) * 100)
    assert result["Total"] == 20_501


def test_finished_export_notifies_its_owner_and_downloads_under_its_name(
    shopper: Account, order: Order
) -> None:
    job = run(start_export(shopper))
    deliver()
    notice, answer = (
        Notice.objects.get(kind="export_ended"),
        ApiClient(shopper).get(f"{S}/{job.pk}/File"),
    )
    assert notice.title == f"{job.title} 已导出"
    assert answer.response["Content-Disposition"].startswith(
        "attachment; filename*=UTF-8''%E8%AE%A2%E5%8D%95"
    )
    assert answer.response["Cache-Control"] == "no-store"


def test_a_text_that_looks_like_a_formula_stays_text(shopper: Account, order: Order) -> None:
    rows = read_rows(run(start_export(shopper)))
    assert rows[1][rows[0].index("商品")] == "=HYPERLINK(1)"


def test_its_days_are_those_of_the_click(shopper: Account, order: Order) -> None:
    job = start_export(shopper, preset="month")
    today = timezone.localdate()
    assert job.question["preset"] == "custom"
    assert (job.question["since"], job.question["until"]) == (
        today.replace(day=1).isoformat(),
        today.isoformat(),
    )


def test_cancelled_in_the_middle_it_leaves_no_file(
    shopper: Account, order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = start_export(shopper)
    act_on_notice(monkeypatch, lambda: ApiClient(shopper).post(f"{S}/{job.pk}/Cancel"))
    assert run(job).state == "cancelled"
    assert not StoredFile.objects.exists()
    assert not Notice.objects.filter(kind="export_ended").exists()


def test_export_run_without_its_lease_writes_no_file(
    shopper: Account, order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = start_export(shopper)
    act_on_notice(monkeypatch, lambda: ExportJob.objects.update(holder="another"))
    assert run(job).state == "running"
    assert not StoredFile.objects.exists()


def test_export_held_by_another_worker_is_retried_later(shopper: Account, order: Order) -> None:
    job = start_export(shopper)
    ExportJob.objects.update(
        state="running",
        attempts=1,
        holder="another",
        lease_until=timezone.now() + timedelta(seconds=30),
    )
    with pytest.raises(RunElsewhere):
        export_run_handler("", {"JobId": job.pk})


def test_the_third_death_ends_it_with_a_message(shopper: Account, order: Order) -> None:
    job = start_export(shopper)
    past = timezone.now() - timedelta(seconds=1)
    ExportJob.objects.update(state="running", attempts=2, holder="dead", lease_until=past)
    assert run(job).state == "done"
    again = start_export(shopper)
    ExportJob.objects.filter(pk=again.pk).update(
        state="running", attempts=3, holder="dead", lease_until=past
    )
    assert (run(again).state, ExportJob.objects.get(pk=again.pk).error) == ("failed", GIVEN_UP)


def test_failing_export_is_tried_three_times(
    shopper: Account, order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(**_given: Any) -> None:
        raise RuntimeError("disk full")

    monkeypatch.setattr(export_run, "file_keep", broken)
    job, states = start_export(shopper), []
    for _ in range(3):
        OutboxMessage.objects.update(available_at=timezone.now())
        states.append(run(job).state)
    assert states == ["queued", "queued", "failed"]
    assert "disk" not in ExportJob.objects.get(pk=job.pk).error


def test_export_without_the_report_permission_stops_and_its_file_is_forbidden(
    shopper: Account, order: Order
) -> None:
    job = start_export(shopper)
    done = run(start_export(shopper))
    shopper.roles.clear()
    api = ApiClient(Account.objects.get(pk=shopper.pk))
    assert (run(job).state, api.get(f"{S}/{done.pk}/File").code) == ("done", "forbidden")
    shopper.roles.clear()
    late = ExportJob.objects.create(
        group_id=shopper.group_id,
        owner=shopper,
        report="Order",
        title="订单报表",
        question=job.question,
    )
    export_run_handler("", {"JobId": late.pk})
    assert ExportJob.objects.get(pk=late.pk).error == "您已没有该报表的权限，导出已停止"


def test_export_file_of_a_wider_data_scope_is_refused(shopper: Account, order: Order) -> None:
    job = run(start_export(shopper))
    ExportJob.objects.update(seen_as="group:1:1")
    answer = ApiClient(shopper).get(f"{S}/{job.pk}/File")
    assert (answer.code, "数据范围已变更" in answer.message) == ("wrong_state", True)


def test_after_seven_days_the_file_is_gone_and_made_again_on_demand(
    shopper: Account, order: Order
) -> None:
    job = run(start_export(shopper))
    ExportJob.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    api = ApiClient(shopper)
    assert "7 天" in api.get(f"{S}/{job.pk}/File").message
    with platform_scope(reason="test"):
        assert exports_purge() == 1
    assert (default_storage.exists(f"exports/{job.key}.xlsx"), StoredFile.objects.count()) == (
        False,
        0,
    )
    assert api.get(f"{S}/{job.pk}").body["State"] == "expired"
    assert api.post(f"{S}/{job.pk}/Retry").body["State"] == "queued"
    assert run(job).state == "done"


def test_progress_without_a_lease_raises_lease_lost(shopper: Account, order: Order) -> None:
    job = start_export(shopper)
    with pytest.raises(LeaseLost):
        export_run._save_progress(job, rows_done=1)


def test_an_export_of_a_disabled_owner_ends_without_a_file(shopper: Account, order: Order) -> None:
    job = start_export(shopper)
    Account.objects.filter(pk=shopper.pk).update(is_active=False)

    job = run(job)
    assert (job.state, job.error) == ("failed", export_run.NO_RIGHT)


def test_an_archive_of_invoices_is_written_with_its_list(shopper: Account) -> None:
    invoice = create_invoice(shopper)
    Invoice.objects.filter(pk=invoice.pk).update(seller_snapshot={"Name": "供应商"})

    job = run(invoice_archive_start(actor=shopper, filters=InvoiceFilter()))
    assert (job.state, job.title, job.rows_done) == ("done", "发票文件 1 张", 1)
    assert job.file is not None
    answer = ApiClient(shopper).get(f"{S}/{job.pk}/File")
    assert answer.response["Content-Type"] == "application/zip"
    with default_storage.open(job.file.path) as file:
        names = zipfile.ZipFile(file).namelist()
    number = invoice.invoice_no
    assert names == [f"{number}.pdf", f"{number}.xml", "发票清单.xlsx"]


def test_an_archive_needs_an_issued_invoice(shopper: Account) -> None:
    with pytest.raises(ValidationFailed, match="没有已开具的发票"):
        invoice_archive_start(actor=shopper, filters=InvoiceFilter())
