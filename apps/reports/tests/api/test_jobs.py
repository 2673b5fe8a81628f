"""/api/ExportJob: only own jobs, one job per Idempotency-Key, at most three jobs at a time."""

from __future__ import annotations

import pytest

from apps.common.testing import ApiClient
from apps.org.models import Account
from apps.reports.api import exports
from apps.reports.models import ExportJob

URL = "/api/ExportJob"
BODY = {
    "Report": "OrderDetail",
    "Filters": {
        "Basis": "received",
        "Period": "custom",
        "From": "2026-01-01",
        "To": "2026-01-31",
        "Sort": "-amount",
    },
}


def test_an_export_is_queued_with_its_filters(shopper: Account) -> None:
    answer = ApiClient(shopper).post(URL, BODY)
    job = ExportJob.objects.get()
    assert (answer.body["State"], answer.body["Title"], answer.body["Actions"]) == (
        "queued",
        "订单明细报表 2026-01-01 至 2026-01-31",
        ["cancel"],
    )
    assert job.question == {
        "basis": "received",
        "preset": "custom",
        "since": "2026-01-01",
        "until": "2026-01-31",
    }
    assert (job.sort, job.owner) == ("-amount", shopper)


def test_the_same_key_is_the_same_export(shopper: Account) -> None:
    api = ApiClient(shopper)
    first, second = (api.post(URL, BODY, key="export-0001") for _ in range(2))
    assert first.body["Id"] == second.body["Id"]
    assert ExportJob.objects.count() == 1


def test_a_fourth_open_export_is_refused_until_one_is_cancelled(shopper: Account) -> None:
    api = ApiClient(shopper)
    created = [api.post(URL, BODY).body["Id"] for _ in range(3)]
    assert api.post(URL, BODY).code == "wrong_state"
    assert api.post(f"{URL}/{created[0]}/Cancel").body["State"] == "cancelled"
    assert api.post(f"{URL}/{created[0]}/Cancel").code == "wrong_state"
    assert api.post(URL, BODY).body["State"] == "queued"


def test_another_persons_export_is_not_there(
    shopper: Account, ga: Account, other_ga: Account
) -> None:
    pk = ApiClient(shopper).post(URL, BODY).body["Id"]
    for person in (ga, other_ga):
        api = ApiClient(person)
        assert [
            api.get(f"{URL}/{pk}").code,
            api.get(f"{URL}/{pk}/File").code,
            api.post(f"{URL}/{pk}/Cancel").code,
        ] == ["not_found"] * 3
        assert api.get(URL).body["Total"] == 0


def test_queued_export_cannot_be_downloaded(shopper: Account) -> None:
    api = ApiClient(shopper)
    pk = api.post(URL, BODY).body["Id"]
    assert api.get(f"{URL}/{pk}/File").message == "文件还在排队生成，请稍候再下载"


@pytest.mark.parametrize(
    "body",
    [
        {"Report": "Nothing"},
        {"Report": "Order", "Filters": {"Group": "1"}},
        {"Report": "Order", "Sort": "day"},
    ],
)
def test_export_with_unknown_fields_is_refused(shopper: Account, body: dict[str, object]) -> None:
    assert ApiClient(shopper).post(URL, body).code == "validation"


def test_a_reversed_period_is_refused_at_once(shopper: Account) -> None:
    body = {
        "Report": "Order",
        "Filters": {"Period": "custom", "From": "2026-02-01", "To": "2026-01-01"},
    }
    assert "结束日期不能早于开始日期" in ApiClient(shopper).post(URL, body).message


def test_too_long_direct_export_is_refused_with_a_hint(
    shopper: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exports, "MAX_DIRECT_ROWS", -1)
    assert "导出任务" in ApiClient(shopper).post("/api/Report/Order/Export").message
