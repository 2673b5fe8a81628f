"""Back office: staff read deliveries and send them again; the fields are read-only."""

from __future__ import annotations

import pytest
from auditlog.models import LogEntry
from django.contrib.auth.models import Group as Job
from django.test import Client

from apps.common.tenancy import platform_scope
from apps.org.models import Account, Group
from apps.org.tests.factories import StaffFactory
from apps.webhooks.models import Webhook, WebhookDelivery
from apps.webhooks.services.events import deliveries_write

LIST = "/admin/webhooks/webhookdelivery/"


@pytest.fixture
def failed(webhook: Webhook) -> WebhookDelivery:
    deliveries_write(
        [webhook], event_id="evt_1", event="order.paid", subject="SO1", data={"OrderNo": "SO1"}
    )
    WebhookDelivery.objects.update(
        state="failed", status_code=500, error="对方应答 500，须应答 2xx 才算送达"
    )
    row: WebhookDelivery = WebhookDelivery.objects.get()
    return row


def sign_in_staff(job: str) -> Client:
    with platform_scope(reason="test: staff"):
        person = StaffFactory(username=f"job-{job}", is_superuser=False)
        person.groups.add(Job.objects.get(name=job))
        return sign_in_person(person)


def sign_in_person(person: Account) -> Client:
    client = Client()
    with platform_scope(reason="test: staff"):
        client.force_login(person)
    return client


def test_system_staff_see_and_replay_a_failed_delivery(failed: WebhookDelivery) -> None:
    client = sign_in_staff("系统")
    assert "对方应答 500" in client.get(LIST).content.decode()
    assert "SO1" in client.get(f"{LIST}{failed.pk}/change/").content.decode()

    html = client.get(f"{LIST}{failed.pk}/replay/").content.decode()
    assert "以同一事件编号再次推送" in html
    assert WebhookDelivery.objects.get().state == "failed"  # a GET sends nothing
    client.post(f"{LIST}{failed.pk}/replay/", {"act": "1"})

    assert WebhookDelivery.objects.get().state == "waiting"
    entry = LogEntry.objects.get_for_object(failed).get()
    assert (entry.actor_id, entry.changes) == (
        int(client.session["_auth_user_id"]),
        {"状态": ["已放弃", "待推送"]},
    )


def test_delivery_of_a_disabled_group_cannot_be_replayed(failed: WebhookDelivery) -> None:
    Group.objects.update(is_active=False)

    answer = sign_in_staff("系统").post(f"{LIST}{failed.pk}/replay/", {"act": "1"})

    assert "该集团已停用，推送已暂停" in answer.content.decode()
    assert WebhookDelivery.objects.get().state == "failed"


def test_waiting_delivery_of_a_disabled_group_shows_its_state(failed: WebhookDelivery) -> None:
    WebhookDelivery.objects.update(state="waiting")
    Group.objects.update(is_active=False)
    client = sign_in_staff("系统")

    assert "待推送（集团已停用）" in client.get(LIST).content.decode()
    assert "待推送（集团已停用）" in client.get(f"{LIST}{failed.pk}/change/").content.decode()


def test_delivery_tries_are_shown_in_shanghai_time(failed: WebhookDelivery) -> None:
    tries = [
        {
            "At": "2026-11-23T13:31:38+00:00",
            "StatusCode": None,
            "Error": "推送地址的域名无法解析",
            "Milliseconds": 4,
        }
    ]
    WebhookDelivery.objects.update(tries=tries)

    text = sign_in_staff("系统").get(f"{LIST}{failed.pk}/change/").content.decode()

    assert "2026-11-23 21:31:38 · 无应答 · 4 ms · 推送地址的域名无法解析" in text


def test_staff_of_other_jobs_see_none(failed: WebhookDelivery) -> None:
    assert sign_in_staff("商品").get(LIST).status_code == 403


def test_webhook_page_does_not_show_its_secret_seed(staff: Account, webhook: Webhook) -> None:
    client = sign_in_person(staff)

    page = client.get(f"/admin/webhooks/webhook/{webhook.pk}/change/").content.decode()

    assert webhook.url.split("?")[0] in page
    assert webhook.secret_seed not in page
