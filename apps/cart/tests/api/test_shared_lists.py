"""Named lists that are shared with people: rights, prices of the reader, changes, owners."""

from __future__ import annotations

import io
from decimal import Decimal
from typing import Any

import pytest

from apps.cart.models import CartItem, QuickList, QuickListMember
from apps.cart.services.quick_list_save import MAX_LISTS, quick_list_create
from apps.cart.services.quick_list_share import quick_list_share
from apps.catalog.enums import ProductStatus
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.common.background.delivery import outbox_deliver
from apps.common.testing import ApiClient, assert_queries
from apps.documents.excel import read_rows
from apps.notices.models import Notice
from apps.org.enums import PurchasingRight
from apps.org.models import Account, Enterprise
from apps.org.tests.factories import AccountFactory, DepartmentFactory, EnterpriseFactory

LISTS = "/api/QuickList"
STALE = "内容已被他人修改，请刷新后重试"


@pytest.fixture
def pen(db: None) -> Product:
    """A pen at 2.00, minimum 10, step 5, 100 in stock."""
    return ProductFactory(
        code="110001",
        name="中性笔",
        unit="支",
        market_price=Decimal("2.00"),
        min_quantity=10,
        step_quantity=5,
        stock=100,
    )


@pytest.fixture
def shared(buyer: Account, approver: Account, pen: Product) -> str:
    """The address of the buyer's list of ten pens, which the approver may edit."""
    row = quick_list_create(
        actor=buyer, name="前台补货", quantities={"110001": 10}, remarks={"110001": "前台用"}
    )
    quick_list_share(actor=buyer, pk=row.pk, rights={approver.pk: "edit"})
    return f"{LISTS}/{row.pk}"


def list_items(*rows: tuple[str, int]) -> list[dict[str, Any]]:
    return [{"ProductCode": code, "Quantity": quantity} for code, quantity in rows]


def list_quantities(body: dict[str, Any]) -> list[tuple[str, int]]:
    return [(row["ProductCode"], row["Quantity"]) for row in body["Items"]]


def set_right(shared: str, account: Account, right: str) -> None:
    QuickListMember.objects.filter(account=account).update(right=right)


def test_a_member_with_edit_changes_the_lines_and_is_named(
    buyer: Account, approver: Account, shared: str
) -> None:
    answer = ApiClient(approver).patch(
        shared, {"Items": list_items(("110002", 3), ("110001", 15)), "Version": 1}
    )
    body = ApiClient(buyer).get(shared).body
    assert answer.message == "清单已保存"
    assert (list_quantities(body), body["Version"]) == ([("110002", 3), ("110001", 15)], 2)
    assert body["ChangedBy"]["Id"] == str(approver.pk)
    assert body["ChangedText"] == "增加 1 种，修改 1 种"


def test_a_member_with_edit_neither_renames_shares_nor_deletes(
    approver: Account, shared: str
) -> None:
    api = ApiClient(approver)
    assert api.get(shared).body["AllowedActions"] == ["edit", "leave"]
    for refused in (
        api.patch(shared, {"Name": "我的"}),
        api.patch(shared, {"Shared": True}),
        api.put(f"{shared}/Members", {"Members": []}),
        api.post(f"{shared}/HandOver", {"AccountId": str(approver.pk)}),
        api.delete(shared),
    ):
        assert (refused.status, refused.code) == (403, "forbidden")
    assert QuickList.objects.get().name == "前台补货"


def test_member_with_view_right_cannot_edit_the_list(approver: Account, shared: str) -> None:
    set_right(shared, approver, "view")
    refused = ApiClient(approver).patch(shared, {"Items": list_items(("110001", 20))})
    assert (refused.status, refused.message) == (
        403,
        "您对此清单只有查看权限，不能修改；可以请所有人给您编辑权限，或另存为自己的清单",
    )


def test_stale_list_edit_returns_the_current_list(
    buyer: Account, approver: Account, shared: str
) -> None:
    assert ApiClient(approver).patch(shared, {"Items": list_items(("110001", 20)), "Version": 1}).ok
    refused = ApiClient(buyer).patch(shared, {"Items": list_items(("110001", 30)), "Version": 1})
    assert (refused.code, refused.message) == ("stale", STALE)
    assert (list_quantities(refused.body), refused.body["Version"]) == ([("110001", 20)], 2)
    assert list_quantities(ApiClient(buyer).get(shared).body) == [("110001", 20)]


def test_unchanged_list_edit_creates_no_version(buyer: Account, shared: str) -> None:
    same = [{"ProductCode": "110001", "Quantity": 10, "Remark": "前台用"}]
    assert ApiClient(buyer).patch(shared, {"Items": same, "Version": 1}).body["Version"] == 1


def test_shared_list_answers_as_missing_for_an_account_without_a_share(
    shared: str, enterprise: Enterprise
) -> None:
    colleague = AccountFactory(
        department=DepartmentFactory(enterprise=enterprise, code="YF01-RND", name="研发部")
    )
    api = ApiClient(colleague)
    for call in (
        api.get(shared),
        api.get(f"{shared}/Export"),
        api.post(f"{shared}/AddToCart", {}),
        api.post(f"{shared}/Copy", {"Name": "抄"}),
        api.post(f"{shared}/TakeOver"),
    ):
        assert (call.status, call.message) == (404, "清单不存在或已删除，请刷新后重试")


def test_member_who_moves_to_another_enterprise_loses_the_list(
    approver: Account, shared: str
) -> None:
    elsewhere = EnterpriseFactory(group=approver.group)
    Account.objects.filter(pk=approver.pk).update(enterprise=elsewhere, department=None)
    approver.refresh_from_db()
    assert ApiClient(approver).get(shared).status == 404
    assert ApiClient(approver).get(LISTS).body["Total"] == 0


def test_list_members_must_be_enabled_colleagues_of_the_enterprise(
    buyer: Account, approver: Account, shared: str
) -> None:
    foreign = AccountFactory(
        department=DepartmentFactory(enterprise=EnterpriseFactory(group=buyer.group))
    )
    disabled = AccountFactory(department=buyer.department, is_active=False)
    for account_id in (foreign.pk, disabled.pk, buyer.pk, 999_999_999):
        member = {"AccountId": str(account_id), "Right": "view"}
        refused = ApiClient(buyer).put(f"{shared}/Members", {"Members": [member]})
        assert refused.errors == {"Members": ["只能共享给本企业启用中的同事，请重新选择"]}
    assert list(QuickListMember.objects.values_list("account", flat=True)) == [approver.pk]


def test_list_refuses_a_51st_or_repeated_member(buyer: Account, shared: str) -> None:
    api = ApiClient(buyer)
    many = [{"AccountId": str(pk), "Right": "view"} for pk in range(1, 52)]
    assert api.put(f"{shared}/Members", {"Members": many}).errors == {
        "Members.non_field_errors": ["每个清单最多共享给 50 人"]
    }
    assert api.put(f"{shared}/Members", {"Members": [many[0], many[0]]}).errors == {
        "Members": ["同一同事只能选择一次"]
    }


def test_repeated_list_member_gets_one_notice(
    buyer: Account, approver: Account, shared: str
) -> None:
    api, member = ApiClient(buyer), {"AccountId": str(approver.pk), "Right": "view"}
    api.put(f"{shared}/Members", {"Members": [member]})
    api.put(f"{shared}/Members", {"Members": []})
    assert ApiClient(approver).get(shared).status == 404
    api.put(f"{shared}/Members", {"Members": [member]})
    outbox_deliver()
    notice = Notice.objects.get(recipient=approver)
    assert (notice.title, notice.link) == (
        "小采与您共享了采购清单“前台补货”",
        f"/userCenter/order/quickList/{shared.rsplit('/', 1)[-1]}",
    )


def test_shared_list_lines_show_the_readers_price_and_its_change(
    approver: Account, shared: str
) -> None:
    Product.objects.update(market_price=Decimal("2.50"))
    (line,) = ApiClient(approver).get(shared).body["Items"]
    assert (line["CustomerPrice"], line["Amount"], line["SavedPrice"], line["Remark"]) == (
        "2.50",
        "25.00",
        "2.00",
        "前台用",
    )
    assert line["PriceChange"] == "较加入清单时上涨：¥2.00 → ¥2.50"


def test_a_reader_without_prices_sees_none_and_cannot_order(approver: Account, shared: str) -> None:
    Product.objects.update(market_price=Decimal("2.50"))
    approver.roles.update(purchasing=PurchasingRight.BROWSE_UNPRICED)
    api = ApiClient(approver)
    body = api.get(shared).body
    (line,) = body["Items"]
    prices = ("CustomerPrice", "Amount", "SavedPrice")
    assert [line[name] for name in prices] == [None, None, None]
    assert (line["PriceChange"], body["Amount"]) == ("", None)
    assert api.post(f"{shared}/AddToCart", {}).code == "purchasing_refused"
    assert CartItem.objects.count() == 0


def test_saved_price_of_another_enterprise_is_hidden(
    buyer: Account, approver: Account, shared: str
) -> None:
    """A private list goes with its owner; the price at which it was saved was another one's."""
    quick_list_share(actor=buyer, pk=QuickList.objects.get().pk, rights={})
    elsewhere = EnterpriseFactory(group=buyer.group)
    Account.objects.filter(pk=buyer.pk).update(enterprise=elsewhere, department=None)
    buyer.refresh_from_db()
    (line,) = ApiClient(buyer).get(shared).body["Items"]
    assert (line["CustomerPrice"], line["SavedPrice"]) == ("2.00", None)


def test_adding_to_the_cart_reports_every_difference(
    buyer: Account, approver: Account, pen: Product, shared: str
) -> None:
    gone = ProductFactory(name="旧本", status=ProductStatus.OFF_SALE)
    short = ProductFactory(name="胶带", stock=1)
    ApiClient(buyer).patch(
        shared, {"Items": list_items(("110001", 3), (gone.code, 1), (short.code, 5), ("999999", 1))}
    )
    Product.objects.filter(pk=pen.pk).update(market_price=Decimal("1.80"))
    answer = ApiClient(approver).post(f"{shared}/AddToCart", {})
    assert (answer.message, answer.body["Added"]) == ("添加购物车成功", 1)
    assert {row["ProductCode"]: row["Message"] for row in answer.body["LeftOut"]} == {
        gone.code: "已下架，请更换其他商品",
        short.code: f"库存不足，仅剩 1 {short.unit}，请减少到 1 {short.unit}以内或更换商品",
        "999999": "不在您的采购目录内，请更换商品或联系客服",
    }
    (changed,) = answer.body["Changed"]
    assert changed["Message"] == (
        "低于起订量 10 支，已按合规数量加入；较加入清单时下降：¥2.00 → ¥1.80"
    )
    assert list(CartItem.objects.values_list("account", "quantity")) == [(approver.pk, 10)]


def test_selected_list_lines_are_added_and_a_removed_one_is_stale(
    approver: Account, shared: str
) -> None:
    api = ApiClient(approver)
    assert api.post(f"{shared}/AddToCart", {"ProductCodes": ["110001"]}).body["Added"] == 1
    refused = api.post(f"{shared}/AddToCart", {"ProductCodes": ["110009"]})
    assert (refused.code, refused.message) == ("stale", "所选商品已不在清单中，请刷新后重试")


def test_the_same_key_adds_once(approver: Account, shared: str) -> None:
    for _ in range(2):
        ApiClient(approver).post(f"{shared}/AddToCart", {}, key="once-and-again")
    assert CartItem.objects.get().quantity == 10


def test_list_copy_belongs_to_the_reader_and_has_no_members(approver: Account, shared: str) -> None:
    Product.objects.update(market_price=Decimal("2.50"))
    body = ApiClient(approver).post(f"{shared}/Copy", {"Name": "我的"}).body
    (line,) = body["Items"]
    assert (body["Mine"], body["MemberCount"], line["SavedPrice"], line["Remark"]) == (
        True,
        0,
        "2.50",
        "前台用",
    )


def test_a_member_leaves_once(approver: Account, shared: str) -> None:
    assert ApiClient(approver).post(f"{shared}/Leave").message == "已退出此清单的共享"
    assert ApiClient(approver).post(f"{shared}/Leave").status == 404
    assert QuickList.objects.get().member_count == 0


def test_an_owner_does_not_leave(buyer: Account, shared: str) -> None:
    assert ApiClient(buyer).post(f"{shared}/Leave").code == "wrong_state"


def test_a_list_is_handed_over_to_a_member(buyer: Account, approver: Account, shared: str) -> None:
    QuickList.objects.update(is_shared=True)
    answer = ApiClient(buyer).post(f"{shared}/HandOver", {"AccountId": str(approver.pk)})
    assert (answer.message, answer.body["Role"]) == ("清单已移交", "edit")
    assert ApiClient(approver).get(shared).body["Mine"] is True
    assert QuickList.objects.values_list("member_count", "is_shared").get() == (1, False)
    assert ApiClient(buyer).delete(shared).status == 403


def test_a_list_is_handed_over_only_to_a_member_with_a_free_name(
    buyer: Account, approver: Account, shared: str
) -> None:
    api = ApiClient(buyer)
    stranger = AccountFactory(department=buyer.department)
    assert api.post(f"{shared}/HandOver", {"AccountId": str(stranger.pk)}).errors == {
        "AccountId": ["只能移交给已共享此清单的本企业同事，请先共享给对方"]
    }
    quick_list_create(actor=approver, name="前台补货", quantities={"110001": 1})
    assert api.post(f"{shared}/HandOver", {"AccountId": str(approver.pk)}).errors == {
        "AccountId": ["对方已有名为“前台补货”的清单，请先给此清单改名"]
    }


def test_a_list_is_not_handed_over_to_a_person_with_a_hundred(
    buyer: Account, approver: Account, shared: str
) -> None:
    QuickList.objects.bulk_create(
        QuickList(group_id=approver.group_id, account=approver, name=f"清单{number}")
        for number in range(MAX_LISTS)
    )
    refused = ApiClient(buyer).post(f"{shared}/HandOver", {"AccountId": str(approver.pk)})
    assert refused.errors == {"AccountId": ["对方的清单已满 100 个，不能再接收"]}


@pytest.mark.parametrize("leaving", ["disabled", "moved"])
def test_member_with_edit_right_takes_over_a_list_without_an_owner(
    buyer: Account, approver: Account, shared: str, leaving: str
) -> None:
    api = ApiClient(approver)
    assert api.post(f"{shared}/TakeOver").message == (
        "清单的所有人仍在本企业，不能接管；需要修改请联系对方"
    )
    if leaving == "disabled":
        Account.objects.filter(pk=buyer.pk).update(is_active=False)
    else:
        elsewhere = EnterpriseFactory(group=buyer.group)
        Account.objects.filter(pk=buyer.pk).update(enterprise=elsewhere, department=None)
        buyer.refresh_from_db()
        assert ApiClient(buyer).get(shared).status == 404
    body = api.get(shared).body
    assert (body["OwnerLeft"], "take_over" in body["AllowedActions"]) == (True, True)
    body = api.post(f"{shared}/TakeOver").body
    assert (body["Mine"], body["MemberCount"], body["OwnerLeft"]) == (True, 0, False)


def test_a_member_with_view_does_not_take_over(
    buyer: Account, approver: Account, shared: str
) -> None:
    set_right(shared, approver, "view")
    Account.objects.filter(pk=buyer.pk).update(is_active=False)
    assert ApiClient(approver).post(f"{shared}/TakeOver").status == 403
    assert "take_over" not in ApiClient(approver).get(shared).body["AllowedActions"]


def test_a_list_is_taken_over_only_with_a_free_name_and_room(
    buyer: Account, approver: Account, shared: str
) -> None:
    Account.objects.filter(pk=buyer.pk).update(is_active=False)
    own = quick_list_create(actor=approver, name="前台补货", quantities={"110001": 1})
    api = ApiClient(approver)
    assert api.post(f"{shared}/TakeOver").errors == {"Name": ["已有同名的清单，请换一个名称"]}
    QuickList.objects.filter(pk=own.pk).update(name="清单")
    QuickList.objects.bulk_create(
        QuickList(group_id=approver.group_id, account=approver, name=f"清单{number}")
        for number in range(MAX_LISTS - 1)
    )
    assert api.post(f"{shared}/TakeOver").message == ("每人最多保存 100 个清单，请先删除不用的清单")


def test_list_page_takes_five_queries_for_any_number_of_lines(buyer: Account, shared: str) -> None:
    api = ApiClient(buyer)
    with assert_queries(5):
        api.get(shared)
    codes = [str(ProductFactory(code=f"20{number:04}").code) for number in range(100)]
    api.patch(shared, {"Items": list_items(*((code, 1) for code in codes))})
    with assert_queries(5):
        assert len(api.get(shared).body["Items"]) == 100


def test_the_list_of_lists_costs_as_many_queries_with_members(buyer: Account, shared: str) -> None:
    api = ApiClient(buyer)
    api.get(shared)
    with assert_queries(3):
        assert api.get(LISTS).body["Items"][0]["MemberCount"] == 1


def test_list_accepts_1000_lines_and_refuses_one_more(buyer: Account, shared: str) -> None:
    api = ApiClient(buyer)
    rows = [(f"{number + 300_000}", 1) for number in range(1001)]
    assert api.patch(shared, {"Items": list_items(*rows)}).errors == {
        "Items.non_field_errors": ["一次最多 1,000 行，请分批提交"]
    }
    assert api.patch(shared, {"Items": list_items(*rows[:1000])}).body["LineCount"] == 1000


def test_the_sheet_has_the_readers_prices(approver: Account, shared: str) -> None:
    answer = ApiClient(approver).get(f"{shared}/Export")
    _, row = read_rows(io.BytesIO(answer.body), max_rows=9, max_columns=20)
    assert (row[1], row[3], row[7], row[10]) == ("110001", "中性笔", "10", "前台用")
    assert [Decimal(str(row[8])), Decimal(str(row[9]))] == [Decimal("2.00"), Decimal("20.00")]


def test_the_sheet_and_the_copy_of_a_reader_without_prices_have_none(
    approver: Account, shared: str
) -> None:
    Product.objects.update(market_price=Decimal("2.50"))
    approver.roles.update(purchasing=PurchasingRight.BROWSE_UNPRICED)
    api = ApiClient(approver)
    _, row = read_rows(io.BytesIO(api.get(f"{shared}/Export").body), max_rows=9, max_columns=20)
    assert (row[8], row[9], row[11]) == ("", "", "")

    copy = api.post(f"{shared}/Copy", {"Name": "我的"}).body
    assert "price" not in QuickList.objects.get(pk=copy["Id"]).lines[0]


def test_colleagues_are_active_people_of_the_own_enterprise(buyer: Account) -> None:
    AccountFactory(department=buyer.department, nickname="小林")
    AccountFactory(department=buyer.department, nickname="小林二", is_active=False)
    AccountFactory(
        department=DepartmentFactory(enterprise=EnterpriseFactory(group=buyer.group)),
        nickname="小林三",
    )
    rows = ApiClient(buyer).get(f"{LISTS}/Colleagues?Keyword=小林").body
    assert [row["Name"] for row in rows] == ["小林"]
