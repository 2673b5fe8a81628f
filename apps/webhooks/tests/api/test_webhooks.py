"""/api/Webhook for the group's admin and for accounts without the right."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.common.background.outbox import delivering
from apps.common.models.outbox import OutboxMessage
from apps.common.tenancy import platform_scope
from apps.common.testing import ApiClient, assert_queries
from apps.identity.services.second_factor import factor_begin, factor_confirm
from apps.identity.tests.services.test_second_factor import compute_code
from apps.orders.models import Order
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.models import Account, Department, OrganisationChange
from apps.org.tests.factories import PASSWORD, AccountFactory, RoleFactory
from apps.webhooks.models import Webhook, WebhookDelivery
from apps.webhooks.services.events import build_handler, deliveries_write
from apps.webhooks.services.webhook import webhook_create
from apps.webhooks.tests.receiver import Receiver

HERE = "/api/Webhook"
OWN = {"Password": PASSWORD}
GOOD = {
    "Name": "ERP",
    "Url": "https://erp.example.com/mall",
    "Events": ["shipment", "order"],
    **OWN,
}


def handle_event(order: Order, number: int = 1, topic: str = "order.submitted") -> None:
    message = OutboxMessage(pk=number, topic=topic)
    with delivering(message):
        build_handler(topic)(order.order_no, {"reason": ""})


def test_webhook_secret_is_returned_only_on_creation(ga: Account) -> None:
    client = ApiClient(ga)
    answer = client.post(HERE, GOOD)
    rows = client.get(HERE).body["Items"][0]

    assert (answer.ok, answer.message) == (True, "推送地址已新增，请立即保存签名密钥")
    assert answer.body["Secret"].startswith("whsec_")
    assert len(answer.body["Secret"]) == 49
    assert (rows["Events"], rows["IsActive"], rows["Owner"]["Name"]) == (
        ["order", "shipment"],
        True,
        "集管",
    )
    assert "Secret" not in rows
    assert "Secret" not in client.get(f"{HERE}/{rows['Id']}").body


@pytest.mark.parametrize("given", [{}, {"Password": "wrong-Mall-2026"}])
def test_address_of_the_orders_needs_the_own_password(
    ga: Account, webhook: Webhook, given: dict[str, str]
) -> None:
    client = ApiClient(ga)
    one = f"{HERE}/{webhook.pk}"
    elsewhere = {"Url": "https://thief.example.com/mall"}
    for answer in (
        client.post(HERE, {**GOOD, "Password": "", **given}),
        client.patch(one, {**elsewhere, **given}),
        client.post(f"{one}/Rotate", given),
    ):
        assert (answer.code, list(answer.body["Errors"])) == ("validation", ["Password"])
    assert client.patch(one, {"Name": "OA"}).ok
    assert client.patch(one, {**elsewhere, **OWN}).ok


def test_address_of_the_orders_needs_the_second_factor_of_its_owner(
    ga: Account, webhook: Webhook
) -> None:
    secret = factor_begin(account=ga).secret
    [code, *_rest] = factor_confirm(account=ga, code=compute_code(secret))
    client, one = ApiClient(ga), f"{HERE}/{webhook.pk}"
    change = {"Url": "https://thief.example.com/mall", **OWN}
    answer = client.patch(one, change)
    assert (answer.code, list(answer.body["Errors"])) == ("validation", ["SecondFactorCode"])
    refused = client.patch(
        one, {**change, "Url": "http://thief.example.com", "SecondFactorCode": code}
    )
    assert list(refused.body["Errors"]) == ["Url"]
    # The refused address has used up no code.
    assert client.patch(one, {**change, "SecondFactorCode": code}).ok


def test_a_change_of_secrets_answers_the_new_one(ga: Account, webhook: Webhook) -> None:
    client = ApiClient(ga)
    first, second = (
        client.post(f"{HERE}/{webhook.pk}/Rotate", OWN).body["Secret"] for _ in range(2)
    )

    assert first != second
    assert client.get(f"{HERE}/{webhook.pk}").body["OldSecretUntil"] is not None


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("Url", "http://erp.example.com/", "推送地址须以 https:// 开头"),
        ("Url", "https://10.0.0.1/", "推送地址须使用可从互联网访问的域名，不能是 IP 或内部名称"),
        ("Url", "https://erp.example.com:6379/", "推送地址只支持 443 与 8443 端口"),
        ("Events", [], "请至少选择一类事件"),
        ("Events", ["nothing"], "没有此类事件"),
        ("Name", "", "请填写名称"),
    ],
)
def test_invalid_webhook_field_is_named(ga: Account, field: str, value: Any, message: str) -> None:
    answer = ApiClient(ga).post(HERE, {**GOOD, field: value})

    assert (answer.ok, answer.code) == (False, "validation")
    assert message in str(answer.errors)


def test_there_are_ten_at_most(ga: Account) -> None:
    client = ApiClient(ga)
    for _ in range(10):
        assert client.post(HERE, GOOD).ok

    answer = client.post(HERE, GOOD)

    assert (answer.code, answer.message) == (
        "wrong_state",
        "每个集团最多设置 10 个推送地址，请先删除不再使用的",
    )


def test_webhooks_require_group_management(buyer: Account, webhook: Webhook) -> None:
    client = ApiClient(buyer)

    assert [
        client.get(f"{HERE}/{webhook.pk}").status,
        client.get(HERE).status,
        client.post(HERE, GOOD).status,
    ] == [403, 403, 403]


@pytest.mark.parametrize("scope", [DataScope.OWN, DataScope.DEPARTMENT, DataScope.ENTERPRISE])
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("get", ""),
        ("post", ""),
        ("get", "/{pk}"),
        ("patch", "/{pk}"),
        ("delete", "/{pk}"),
        ("post", "/{pk}/Rotate"),
        ("post", "/{pk}/Test"),
        ("get", "/{pk}/Delivery"),
        ("get", "/{pk}/Delivery/1"),
        ("post", "/{pk}/Delivery/1/Replay"),
    ],
)
def test_webhooks_require_the_group_data_scope(
    department: Department, webhook: Webhook, scope: DataScope, method: str, path: str
) -> None:
    organiser = RoleFactory(
        group=department.group, data_scope=scope, menu_codes=[MenuCode.MANAGEMENT_GROUP]
    )
    wide = RoleFactory(
        group=department.group, data_scope=DataScope.GROUP, menu_codes=[MenuCode.ORDER_LIST]
    )
    client = ApiClient(AccountFactory(department=department, roles=[organiser, wide]))
    bodies = [GOOD] if method in {"post", "patch"} else []

    answer = getattr(client, method)(HERE + path.format(pk=webhook.pk), *bodies)

    assert (answer.status, answer.code) == (403, "forbidden")
    assert answer.message == "您的数据范围不是全集团，不能查看事件推送，请联系集团管理员"
    assert Webhook.objects.filter(pk=webhook.pk, name=webhook.name).count() == 1


def test_group_scope_manager_deletes_a_webhook(department: Department, webhook: Webhook) -> None:
    role = RoleFactory(
        group=department.group, data_scope=DataScope.GROUP, menu_codes=[MenuCode.MANAGEMENT_GROUP]
    )

    assert (
        ApiClient(AccountFactory(department=department, roles=[role]))
        .delete(f"{HERE}/{webhook.pk}")
        .ok
    )
    assert not Webhook.objects.exists()


def test_outdated_webhook_edit_is_refused_as_stale(ga: Account, webhook: Webhook) -> None:
    client = ApiClient(ga)
    seen = client.get(f"{HERE}/{webhook.pk}").body["UpdatedAt"]
    assert client.patch(f"{HERE}/{webhook.pk}", {"Name": "OA", "UpdatedAt": seen}).ok

    answer = client.patch(f"{HERE}/{webhook.pk}", {"Name": "SAP", "UpdatedAt": seen})

    assert (answer.code, answer.body["Name"]) == ("stale", "OA")


def test_each_change_is_in_the_history_but_no_secret(ga: Account, webhook: Webhook) -> None:
    client = ApiClient(ga)
    client.patch(f"{HERE}/{webhook.pk}", {"Events": ["price"]})
    secret = client.post(f"{HERE}/{webhook.pk}/Rotate", OWN).body["Secret"]
    client.delete(f"{HERE}/{webhook.pk}")

    rows = list(
        OrganisationChange.objects.filter(subject_type="webhook")
        .order_by("pk")
        .values_list("action", "changes")
    )
    assert [action for action, _ in rows] == ["create", "update", "update", "delete"]
    assert rows[1][1] == [
        {
            "field": "events",
            "label": "订阅事件",
            "before": "订单、发货与签收、发票、价格与协议",
            "after": "价格与协议",
        }
    ]
    assert secret not in str(rows)


def test_a_trial_event_is_sent_while_its_owner_waits(
    ga: Account, webhook: Webhook, receiver: Receiver
) -> None:
    good = ApiClient(ga).post(f"{HERE}/{webhook.pk}/Test").body
    receiver.answers = [(401, b"bad signature")]
    bad = ApiClient(ga).post(f"{HERE}/{webhook.pk}/Test").body

    assert (good["State"], good["StatusCode"], receiver.events[0]["Type"]) == (
        "delivered",
        200,
        "webhook.test",
    )
    assert (bad["State"], bad["StatusCode"], bad["Answer"]) == ("failed", 401, "bad signature")
    assert Webhook.objects.get().failures == 0


def test_group_has_one_trial_delivery_at_a_time(
    ga: Account, webhook: Webhook, receiver: Receiver
) -> None:
    second = webhook_create(
        actor=ga, fields={"name": "OA", "url": receiver.url, "events": ["order"]}
    ).webhook
    first = ApiClient(ga).post(f"{HERE}/{webhook.pk}/Test").body
    WebhookDelivery.objects.filter(pk=first["Id"]).update(state="sending")
    refused = ApiClient(ga).post(f"{HERE}/{second.pk}/Test")
    assert (refused.code, refused.message) == (
        "wrong_state",
        "正在进行另一次测试推送，请等待对方应答后再试",
    )
    assert len(receiver.got) == 1
    # A test whose worker died blocks others only as long as one attempt may take.
    WebhookDelivery.objects.filter(pk=first["Id"]).update(
        created_at=timezone.now() - timedelta(seconds=61)
    )
    assert ApiClient(ga).post(f"{HERE}/{second.pk}/Test").body["State"] == "delivered"


def test_an_event_heard_twice_is_one_delivery(
    ga: Account, webhook: Webhook, placed_order: Order
) -> None:
    handle_event(placed_order)
    handle_event(placed_order)

    row = WebhookDelivery.objects.get()
    assert (row.event_id, row.event, row.subject) == (
        "evt_1",
        "order.submitted",
        placed_order.order_no,
    )


def test_unsubscribed_event_creates_no_delivery(
    ga: Account, receiver: Receiver, placed_order: Order
) -> None:
    webhook_create(actor=ga, fields={"name": "ERP", "url": receiver.url, "events": ["invoice"]})
    handle_event(placed_order)

    assert not WebhookDelivery.objects.exists()


def test_inactive_webhook_gets_no_delivery(
    ga: Account, webhook: Webhook, placed_order: Order
) -> None:
    ApiClient(ga).patch(f"{HERE}/{webhook.pk}", {"IsActive": False})
    handle_event(placed_order)

    assert not WebhookDelivery.objects.exists()


def test_webhook_of_another_group_gets_no_delivery(
    webhook: Webhook, receiver: Receiver, other_ga: Account, placed_order: Order
) -> None:
    with platform_scope(reason="test: the other group's webhook, then the event"):
        webhook_create(
            actor=other_ga, fields={"name": "外", "url": receiver.url, "events": ["order"]}
        )
        handle_event(placed_order)

        assert list(WebhookDelivery.objects.values_list("webhook__name", "group_id")) == [
            ("ERP", placed_order.group_id)
        ]


def test_delivery_detail_shows_its_body_and_attempts(
    ga: Account, webhook: Webhook, placed_order: Order
) -> None:
    handle_event(placed_order)
    client = ApiClient(ga)
    row = client.get(f"{HERE}/{webhook.pk}/Delivery").body["Items"][0]
    whole = client.get(f"{HERE}/{webhook.pk}/Delivery/{row['Id']}").body

    assert (row["State"], row["Attempts"], row["Subject"]) == ("waiting", 0, placed_order.order_no)
    assert "Payload" not in row
    assert (whole["Payload"]["Type"], whole["Payload"]["Data"]["OrderNo"]) == (
        "order.submitted",
        placed_order.order_no,
    )


def test_a_replay_sends_the_same_event_id_again(
    ga: Account, webhook: Webhook, receiver: Receiver
) -> None:
    client = ApiClient(ga)
    first = client.post(f"{HERE}/{webhook.pk}/Test").body
    answer = client.post(f"{HERE}/{webhook.pk}/Delivery/{first['Id']}/Replay", key="replay-0001")
    again = client.post(f"{HERE}/{webhook.pk}/Delivery/{first['Id']}/Replay")

    assert (answer.ok, answer.body["State"], answer.body["Replays"]) == (True, "waiting", 1)
    assert (again.code, again.message) == ("wrong_state", "该推送尚未结束，无需重放")


def test_a_list_of_webhooks_and_of_deliveries_costs_a_fixed_number_of_queries(
    ga: Account, webhook: Webhook
) -> None:
    for number in range(15):
        deliveries_write(
            [webhook],
            event_id=f"evt_{number}",
            event="order.paid",
            subject="SO1",
            data={"OrderNo": "SO1"},
        )
    client = ApiClient(ga)
    with assert_queries(3):
        client.get(HERE)
    with assert_queries(4):
        assert len(client.get(f"{HERE}/{webhook.pk}/Delivery").body["Items"]) == 15


def test_deliveries_are_found_by_state_and_event(ga: Account, webhook: Webhook) -> None:
    for number, event in enumerate(("order.paid", "order.paid", "invoice.issued")):
        deliveries_write(
            [webhook], event_id=f"evt_{number}", event=event, subject="SO1", data={"OrderNo": "SO1"}
        )
    WebhookDelivery.objects.filter(event_id="evt_0").update(state="failed", ended_at=timezone.now())
    client = ApiClient(ga)

    rows = [
        client.get(f"{HERE}/{webhook.pk}/Delivery", query).body["Total"]
        for query in ({"State": "failed"}, {"Event": "order.paid"}, {})
    ]
    assert rows == [1, 2, 3]
    assert client.get(f"{HERE}/{webhook.pk}/Delivery", {"State": "x"}).code == "validation"
