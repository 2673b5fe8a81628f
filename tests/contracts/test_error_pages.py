"""Error answers of Django itself look like the mall's."""

import pytest
from django.test import Client


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["/admin/login/", "/pay/demo/PAY1"])
def test_a_form_that_is_too_old_says_so_in_chinese(page: str) -> None:
    answer = Client(enforce_csrf_checks=True).post(page, {})

    assert (answer.status_code, "页面已过期" in answer.content.decode()) == (403, True)


@pytest.mark.parametrize("method", ["get", "post", "put", "patch", "delete"])
def test_an_unknown_address_of_the_api_is_not_there_whatever_is_sent(method: str) -> None:
    answer = getattr(Client(enforce_csrf_checks=True), method)("/api/Nowhere")

    assert (answer.status_code, answer.json()["MsgHeader"]["RetCode"]) == (404, "not_found")
