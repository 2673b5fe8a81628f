"""Every reference between the organisation sheets and the commercial sheets resolves."""

import re

import pytest

from demo.generate.credit_code import is_valid_credit_code
from demo.generate.sheets import CATALOGUE, ENTERPRISE, read_sheet

DATE = r"|[+-]?\d+d|\d{4}-\d\d-\d\d"
MENU_CODES = {
    *(
        "order.list",
        "order.approval",
        "order.cancel",
        "order.return",
        "asset.budget",
        "invoice.apply",
        "invoice.list",
    ),
    *(
        "report.order",
        "report.orderDetail",
        "report.product",
        "report.department",
        "report.purchaser",
        "report.brand",
        "report.savings",
        "report.budget",
    ),
    *(
        f"management.{name}"
        for name in ("group", "department", "account", "role", "approval", "address")
    ),
}


def values(sheet: str, column: str) -> set[str]:
    """Return the distinct values of one column. A cell can have several values, separated by
    `;`. Empty values are left out.
    """
    path = (
        CATALOGUE if sheet in {"products", "categories", "brands"} else ENTERPRISE
    ) / f"{sheet}.csv"
    return {value for row in read_sheet(path) for value in row[column].split(";")} - {""}


@pytest.mark.parametrize(
    ("sheet", "column", "target", "key"),
    [
        ("enterprises", "集团", "groups", "编码"),
        ("departments", "企业", "enterprises", "编码"),
        ("departments", "上级", "departments", "编码"),
        ("departments", "负责人", "accounts", "用户名"),
        ("roles", "集团", "groups", "编码"),
        ("accounts", "集团", "groups", "编码"),
        ("accounts", "企业", "enterprises", "编码"),
        ("accounts", "部门", "departments", "编码"),
        ("accounts", "角色", "roles", "编码"),
        ("wechat_work", "用户名", "accounts", "用户名"),
        ("addresses", "企业", "enterprises", "编码"),
        ("addresses", "部门", "departments", "编码"),
        ("addresses", "账号", "accounts", "用户名"),
        ("invoice_titles", "企业", "enterprises", "编码"),
        ("budgets", "企业", "enterprises", "编码"),
        ("budgets", "上级", "budgets", "编码"),
        ("dimensions", "集团", "groups", "编码"),
        ("dimensions", "负责人", "accounts", "用户名"),
        ("dimensions", "适用部门", "departments", "编码"),
        ("dimensions", "默认部门", "departments", "编码"),
        ("purchase_limits", "角色", "roles", "编码"),
        ("purchase_limits", "账号", "accounts", "用户名"),
        ("purchase_limits", "类目", "categories", "编码"),
        ("approval_rules", "集团", "groups", "编码"),
        ("approval_conditions", "规则", "approval_rules", "编码"),
        ("approval_steps", "规则", "approval_rules", "编码"),
        ("approval_bands", "规则", "approval_rules", "编码"),
        ("approval_rules", "抄送账号", "accounts", "用户名"),
        ("approval_rules", "抄送角色", "roles", "编码"),
        ("price_list_items", "编码", "price_lists", "编码"),
        ("price_list_items", "商品编码", "products", "商品编码"),
        ("assortment_rules", "编码", "assortments", "编码"),
        ("agreements", "价目表", "price_lists", "编码"),
        ("agreements", "商品范围", "assortments", "编码"),
        ("customer_agreements", "集团", "groups", "编码"),
        ("customer_agreements", "企业", "enterprises", "编码"),
        ("customer_agreements", "协议", "agreements", "编码"),
    ],
)
def test_references_resolve(sheet: str, column: str, target: str, key: str) -> None:
    assert values(sheet, column) - values(target, key) == set()


@pytest.mark.parametrize(
    ("kind", "target", "key"),
    [
        ("category", "categories", "编码"),
        ("brand", "brands", "编码"),
        ("product", "products", "商品编码"),
    ],
)
def test_assortment_rules_aim_at_something(kind: str, target: str, key: str) -> None:
    aimed = {
        row["目标"]
        for row in read_sheet(ENTERPRISE / "assortment_rules.csv")
        if row["类型"] == kind
    }
    assert aimed
    assert aimed - values(target, key) == set()


@pytest.mark.parametrize(
    ("owner", "target", "key"),
    [
        ("enterprise", "enterprises", "编码"),
        ("department", "departments", "编码"),
        ("account", "accounts", "用户名"),
    ],
)
def test_budgets_have_an_owner(owner: str, target: str, key: str) -> None:
    assert {
        row["归属"] for row in read_sheet(ENTERPRISE / "budgets.csv") if row["归属类型"] == owner
    } - values(target, key) == set()


@pytest.mark.parametrize(
    ("kind", "target", "key"), [("account", "accounts", "用户名"), ("role", "roles", "编码")]
)
def test_approvers_exist(kind: str, target: str, key: str) -> None:
    named = {
        name
        for row in read_sheet(ENTERPRISE / "approval_steps.csv")
        if row["审批人类型"] == kind
        for name in row["审批人"].split(";")
    }
    assert named
    assert named - values(target, key) == set()


def test_approval_conditions_name_known_categories() -> None:
    named = {
        code
        for row in read_sheet(ENTERPRISE / "approval_conditions.csv")
        if row["字段"] == "category"
        for code in row["值"].split(";")
    }
    assert named
    assert named - values("categories", "编码") == set()


def test_there_are_six_groups_and_eight_enterprises() -> None:
    assert (len(values("groups", "编码")), len(values("enterprises", "编码"))) == (6, 8)


def test_credit_codes_are_valid_and_visibly_nobodys() -> None:
    codes = values("enterprises", "统一社会信用代码")
    assert len(codes) == 8
    assert [
        code for code in codes if not is_valid_credit_code(code) or "00000000" not in code
    ] == []


def test_a_wrong_check_character_is_seen() -> None:
    code = min(values("enterprises", "统一社会信用代码"))
    assert not is_valid_credit_code(code[:-1] + ("0" if code[-1] != "0" else "1"))


def test_a_title_carries_its_enterprises_tax_number() -> None:
    numbers = {
        row["编码"]: row["统一社会信用代码"] for row in read_sheet(ENTERPRISE / "enterprises.csv")
    }
    assert [
        row
        for row in read_sheet(ENTERPRISE / "invoice_titles.csv")
        if row["税号"] != numbers[row["企业"]]
    ] == []


def test_the_demo_accounts_are_there() -> None:
    rows = {row["用户名"]: row for row in read_sheet(ENTERPRISE / "accounts.csv")}
    names = ("ga", "buyer", "approver", "finance", "limited", "requester")
    assert {rows[name]["集团"] for name in names} == {"XL"}
    assert (rows["ga"]["类型"], rows["other"]["类型"], rows["other"]["集团"]) == ("GA", "GA", "YF")
    assert "ops" in values("staff", "用户名")


def test_user_names_are_unique_whatever_their_case() -> None:
    names = [
        row["用户名"].casefold()
        for sheet in ("accounts", "staff")
        for row in read_sheet(ENTERPRISE / f"{sheet}.csv")
    ]
    assert len(set(names)) == len(names)


def test_limited_may_open_two_menus_only() -> None:
    roles = {
        row["编码"]: row["菜单编码"].split(";") for row in read_sheet(ENTERPRISE / "roles.csv")
    }
    (limited,) = (
        row for row in read_sheet(ENTERPRISE / "accounts.csv") if row["用户名"] == "limited"
    )
    assert len({code for role in limited["角色"].split(";") for code in roles[role]}) == 2


def test_roles_grant_known_menu_codes() -> None:
    assert values("roles", "菜单编码") - MENU_CODES == set()


@pytest.mark.parametrize("sheet", ["price_lists", "agreements"])
def test_dates_are_relative_or_iso(sheet: str) -> None:
    assert [
        date
        for column in ("生效日", "失效日")
        for date in values(sheet, column)
        if not re.fullmatch(DATE, date)
    ] == []


def test_a_product_has_one_price_in_a_list() -> None:
    rows = [
        (row["编码"], row["商品编码"]) for row in read_sheet(ENTERPRISE / "price_list_items.csv")
    ]
    assert len(set(rows)) == len(rows) > 2500


def test_agreed_prices_are_below_market_with_two_places() -> None:
    market = {
        row["商品编码"]: float(row["市场价"]) for row in read_sheet(CATALOGUE / "products.csv")
    }
    for row in read_sheet(ENTERPRISE / "price_list_items.csv"):
        assert re.fullmatch(r"\d+\.\d\d", row["协议价"])
        assert 0 < float(row["协议价"]) <= market[row["商品编码"]]


def test_tiers_are_of_priced_products_and_fall_with_the_quantity() -> None:
    prices = {
        (row["编码"], row["商品编码"]): row["协议价"]
        for row in read_sheet(ENTERPRISE / "price_list_items.csv")
    }
    rows = read_sheet(ENTERPRISE / "price_tiers.csv")
    assert 50 <= len(rows) <= 70
    for row in rows:
        assert prices[row["编码"], row["商品编码"]] == row["协议价"]
        steps = [
            (int(row[f"阶梯{n}数量"]), float(row[f"阶梯{n}单价"]))
            for n in (1, 2, 3)
            if row[f"阶梯{n}数量"]
        ]
        assert len(steps) >= 2
        assert steps == sorted(steps, key=lambda step: step[0])
        costs = [float(row["协议价"]), *(price for _, price in steps)]
        assert costs == sorted(set(costs), reverse=True)


def test_priorities_differ_within_a_group_and_within_an_enterprise() -> None:
    rows = [
        (row["集团"], row["企业"], row["优先级"])
        for row in read_sheet(ENTERPRISE / "customer_agreements.csv")
    ]
    assert len(set(rows)) == len(rows)


def test_whom_a_rule_names_may_open_an_approval() -> None:
    """Otherwise the step falls back to the group administrator, and the rule does not do what
    its name says.
    """
    codes = {
        row["编码"]: set(row["菜单编码"].split(";")) for row in read_sheet(ENTERPRISE / "roles.csv")
    }
    able = {
        row["用户名"]
        for row in read_sheet(ENTERPRISE / "accounts.csv")
        if row["类型"] == "GA"
        or any("order.approval" in codes[role] for role in row["角色"].split(";") if role)
    }
    steps = read_sheet(ENTERPRISE / "approval_steps.csv")
    named = {
        name for row in steps if row["审批人类型"] == "account" for name in row["审批人"].split(";")
    }
    roles = {row["审批人"] for row in steps if row["审批人类型"] == "role"}
    assert (named - able, {role for role in roles if "order.approval" not in codes[role]}) == (
        set(),
        set(),
    )
