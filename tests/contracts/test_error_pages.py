"""Error answers of Django itself look like the mall's."""

import pytest
from django.test import Client


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["/admin/login/", "/pay/demo/PAY1"])
def test_expired_form_answers_403_in_chinese(page: str) -> None:
    answer = Client(enforce_csrf_checks=True).post(page, {})

    assert (answer.status_code, "页面已过期" in answer.content.decode()) == (403, True)


@pytest.mark.parametrize("method", ["get", "post", "put", "patch", "delete"])
def test_unknown_api_address_answers_404_for_any_method(method: str) -> None:
    answer = getattr(Client(enforce_csrf_checks=True), method)("/api/Nowhere")

    assert (answer.status_code, answer.json()["MsgHeader"]["RetCode"]) == (404, "not_found")
