"""Import from a sheet: errors of each row in the preview; all rows are written or none."""

from __future__ import annotations

import io
import json
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
import xlsxwriter
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.budgets.models import Budget
from apps.budgets.selectors.budgets import reconcile_budgets
from apps.budgets.services.budget_import import COLUMNS, OPTIONAL
from apps.budgets.tests.factories import make_budget
from apps.catalog.tests.factories import ProductFactory
from apps.common.models import ColumnMapping
from apps.common.testing import ApiClient
from apps.common.testing.faults import CHUNK_WRITTEN, at_statement
from apps.dimensions.enums import DimensionKind
from apps.dimensions.tests.factories import DimensionFactory
from apps.documents.excel import read_table
from apps.org.models import Account, Department, Enterprise

pytestmark = pytest.mark.django_db

REQUIRED = tuple(title for title in COLUMNS if title not in OPTIONAL)


def send(
    actor: Account, *rows: tuple[str, ...], confirm: bool = False, head: tuple[str, ...] = REQUIRED
) -> Any:
    text = "\n".join(",".join(row) for row in (head, *rows))
    file = SimpleUploadedFile("预算.csv", text.encode())
    return ApiClient(actor).upload(
        "/api/Budget/Import", {"file": file, **({"Confirm": "true"} if confirm else {})}
    )


def build_row(**more: str) -> tuple[str, ...]:
    cells = {
        "enterprise": "YF01",
        "department": "",
        "account": "",
        "name": "办公",
        "period": "季度",
        "day": "2028Q1",
        "amount": "500.5",
        "policy": "",
    }
    return tuple((cells | more).values())


def test_a_plan_is_looked_at_and_then_written(
    ga: Account, buyer: Account, department: Department
) -> None:
    rows = (
        build_row(),
        build_row(department="YF01-ADM", period="月度", day="2028-02"),
        build_row(account="BUYER", period="年度", day="2028", policy="超出提醒"),
    )

    assert (send(ga, *rows).body["Wrong"], Budget.objects.count()) == (0, 0)
    assert send(ga, *rows, confirm=True).body["Imported"] == 3

    budgets = Budget.objects.order_by("pk").values_list(
        "owner_type", "department", "account", "period_from", "period_to", "amount", "policy"
    )
    assert [(*each[:3], f"{each[3]} {each[4]}", *each[5:]) for each in budgets] == [
        ("enterprise", None, None, "2028-01-01 2028-03-31", Decimal("500.50"), "block"),
        ("department", department.pk, None, "2028-02-01 2028-02-29", Decimal("500.50"), "block"),
        ("account", None, buyer.pk, "2028-01-01 2028-12-31", Decimal("500.50"), "warn"),
    ]
    assert reconcile_budgets() == []


WRONG = [
    ({"enterprise": "NO"}, "企业编码“NO”不存在，或不在您的管理范围内"),
    ({"department": "NO"}, "部门编码“NO”不存在、已停用或不属于该企业"),
    ({"account": "nobody"}, "账号“nobody”不存在、已停用或不属于该企业"),
    ({"name": ""}, "请填写预算名称，最多 80 个字"),
    ({"period": "半年"}, "周期请填写：月度、季度或年度"),
    ({"day": "2028-13"}, "期次请填写月份、季度或年份，例如 2027-01、2027Q1、2027"),
    ({"day": "9999"}, "期次请填写月份、季度或年份，例如 2027-01、2027Q1、2027"),
    ({"day": "2028-12-31 99"}, "期次请填写月份、季度或年份，例如 2027-01、2027Q1、2027"),
    ({"name": "办公\x01"}, "预算名称含有换行等不可见字符，请删除后重试"),
    ({"amount": "-1"}, "额度请填写 0 至 10 亿元之间的金额，最多两位小数"),
    ({"amount": "１２"}, "额度请填写 0 至 10 亿元之间的金额，最多两位小数"),
    ({"amount": "1e5"}, "额度请填写 0 至 10 亿元之间的金额，最多两位小数"),
    ({"amount": "1000000000.01"}, "额度请填写 0 至 10 亿元之间的金额，最多两位小数"),
    ({"policy": "随意"}, "超出策略请填写：超出禁止下单、超出提醒、超出需审批"),
]


@pytest.mark.parametrize(("cells", "message"), WRONG)
def test_invalid_budget_row_reports_its_reason(
    ga: Account, cells: dict[str, str], message: str
) -> None:
    assert send(ga, build_row(**cells)).body["Rows"][0]["Errors"] == [message]


def test_one_invalid_budget_row_refuses_the_sheet(ga: Account) -> None:
    answer = send(ga, build_row(), build_row(name="差旅", amount="many"), confirm=True)

    assert (answer.code, answer.message, Budget.objects.count()) == (
        "validation",
        "有 1 行有误，未导入任何数据",
        0,
    )


def test_budget_row_that_exists_or_repeats_in_the_sheet_is_refused(
    ga: Account, enterprise: Enterprise
) -> None:
    existing = make_budget(enterprise=enterprise, name="已有")
    Budget.objects.filter(pk=existing.pk).update(period_from="2028-01-01", period_to="2028-03-31")

    rows = send(ga, build_row(), build_row(day="2028-03"), build_row(name="已有")).body["Rows"]

    assert [(each["Row"], each["Errors"]) for each in rows] == [
        (3, ["与第 2 行重复"]),
        (4, ["该归属在此周期已有同名预算"]),
        (2, []),
    ]


def test_four_byte_characters_and_formulas_stay_text(ga: Account) -> None:
    assert (
        send(ga, build_row(name="=1+1"), build_row(name="𠮷野😀"), confirm=True).body["Imported"]
        == 2
    )

    assert list(Budget.objects.order_by("pk").values_list("name", flat=True)) == ["=1+1", "𠮷野😀"]


def test_budget_sheet_with_unknown_headers_is_refused(ga: Account) -> None:
    assert send(ga, build_row(), head=("名称", *REQUIRED[1:])).code == "file_refused"


def test_budget_import_requires_the_budget_permission(buyer: Account) -> None:
    assert send(buyer, build_row()).status == 403


def test_column_mapping_requires_the_budget_permission(buyer: Account) -> None:
    file = SimpleUploadedFile("预算.csv", ",".join(REQUIRED).encode())
    mapping = json.dumps({"审批限额": REQUIRED[-1]}, ensure_ascii=False)
    answer = ApiClient(buyer).upload("/api/Budget/Import", {"file": file, "Mapping": mapping})
    assert (answer.code, ColumnMapping.objects.count()) == ("forbidden", 0)


def test_the_template_is_a_sheet_that_the_import_reads(ga: Account) -> None:
    sheet = SimpleUploadedFile("预算.xlsx", ApiClient(ga).get("/api/Budget/Template").body)

    body = ApiClient(ga).upload("/api/Budget/Import", {"file": sheet}).body

    assert (body["Total"], [each["Day"] for each in body["Rows"]]) == (2, ["2027-01", "2027Q1"])


def test_a_sheet_may_name_how_each_budget_rolls_over(ga: Account) -> None:
    head = tuple(COLUMNS)
    rows = [
        (*build_row(day="2098Q1", name=name), way, cap)
        for name, way, cap in (("甲", "全部结转", ""), ("乙", "限额结转", "1,000"), ("丙", "", ""))
    ]
    rows = [tuple(f'"{cell}"' for cell in each) for each in rows]

    assert send(ga, *rows, head=head, confirm=True).body["Imported"] == 3

    budgets = Budget.objects.order_by("pk").values_list("rollover", "rollover_cap")
    assert list(budgets) == [("all", None), ("cap", Decimal("1000.00")), ("none", None)]


def test_invalid_rollover_is_reported_in_its_row(ga: Account) -> None:
    wrong = [("一半", ""), ("限额结转", ""), ("限额结转", "很多")]
    answer = send(
        ga,
        *((*build_row(day="2098Q1", name=f"{number}"), *pair) for number, pair in enumerate(wrong)),
        head=tuple(COLUMNS),
    ).body

    assert [each["Errors"] for each in answer["Rows"]] == [
        ["结转方式请填写：不结转、全部结转、限额结转"],
        ["限额结转请填写大于 0 的结转上限"],
        ["结转上限请填写金额，最多两位小数"],
    ]


def test_a_period_that_has_ended_is_refused_in_its_row(ga: Account) -> None:
    rows = send(ga, build_row(day="2024Q1"), build_row()).body["Rows"]

    assert [each["Errors"] for each in rows] == [
        ["2024 年第 1 季度已结束，请选择本期或以后的期次"],
        [],
    ]


def test_formula_without_a_stored_result_is_refused(ga: Account) -> None:
    file = io.BytesIO()
    book = xlsxwriter.Workbook(file)
    page = book.add_worksheet()
    page.write_row(0, 0, REQUIRED)
    page.write_row(1, 0, build_row())
    page.write_formula(1, 1, '="YF01-"&"ADM"')
    book.close()

    answer = ApiClient(ga).upload(
        "/api/Budget/Import", {"file": SimpleUploadedFile("预算.xlsx", file.getvalue())}
    )

    assert (answer.code, answer.message) == (
        "file_refused",
        "单元格 B2 是公式且没有确定的结果，请在表格软件中打开并保存，或改为填写数值后重试",
    )


@pytest.mark.parametrize("rows", [1000, 1001])
def test_budget_sheet_accepts_1000_rows_and_refuses_one_more(ga: Account, rows: int) -> None:
    answer = send(ga, *[build_row(name=f"办公{number}") for number in range(rows)])

    assert (answer.ok, answer.message if not answer.ok else "") == (
        (True, "") if rows == 1000 else (False, "表格最多 1000 行（不含表头），请拆分后重试")
    )


def test_name_collision_during_an_import_rolls_back_all_budgets(
    ga: Account, department: Department, enterprise: Enterprise
) -> None:
    def collide() -> None:
        Budget.objects.filter(name="预算49").update(name="预算120")

    rows = [build_row(name=f"预算{number}") for number in range(150)]
    with at_statement(CHUNK_WRITTEN, 1, collide):
        answer = send(ga, *rows, confirm=True)

    assert answer.body["Errors"]["File"] == ["第 122 行：该归属在此周期已有同名预算"]
    assert not Budget.objects.exists()
    assert reconcile_budgets() == []


WITH_TREE = (*REQUIRED, "上级预算", "预警线")


def build_leaf(name: str, parent: str, thresholds: str = "", **more: str) -> tuple[str, ...]:
    return (*build_row(name=name, **more), parent, thresholds)


def test_exported_budget_sheet_with_parents_and_thresholds_is_imported_unchanged(
    ga: Account,
) -> None:
    whole_year = (date(2028, 1, 1), date(2028, 12, 31))
    make_budget(enterprise=ga.enterprise, amount="9000.00", name="全年", days=whole_year)
    rows = (
        build_leaf("季度", "全年", "95/50％、80", period="季度", day="2028Q1"),
        build_leaf("一月", "季度", "不预警", period="月度", day="2028-01"),
        build_leaf("单独", "", period="月度", day="2028-01"),
    )

    assert send(ga, *rows, confirm=True, head=WITH_TREE).body["Imported"] == 3

    created = {budget.name: budget for budget in Budget.objects.select_related("parent")}
    assert [
        (created[name].parent, created[name].thresholds) for name in ("季度", "一月", "单独")
    ] == [
        (created["全年"], [50, 80, 95]),
        (created["季度"], []),
        (None, [80, 100]),
    ]
    sheet = ApiClient(ga).get("/api/Budget/Export", {"Period": "month"}).body
    exported = read_table(
        io.BytesIO(sheet), kind="budgets", columns=COLUMNS, optional=(), max_rows=10
    )
    assert [tuple(each.cells.values())[3:] for each in exported] == [
        ("一月", "月度", "2028-01", "500.50", "超出禁止下单", "不结转", "", "季度", "不预警", ""),
        ("单独", "月度", "2028-01", "500.50", "超出禁止下单", "不结转", "", "", "80/100", ""),
    ]
    tree = ApiClient(ga).get("/api/Budget/Tree").body
    assert [(node["Level"], node["Name"]) for node in tree] == [
        (1, "全年"),
        (2, "季度"),
        (3, "一月"),
        (1, "单独"),
    ]


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (
            build_leaf("子", "没有"),
            "同一企业中没有名为“没有”且周期包含本预算的预算；上级预算在同一表格中时须排在前面且没有错误",
        ),
        (
            build_leaf("子", "短", period="年度", day="2028"),
            "同一企业中没有名为“短”且周期包含本预算的预算；上级预算在同一表格中时须排在前面且没有错误",
        ),
        (
            build_leaf("短", "短"),
            "同一企业中没有名为“短”且周期包含本预算的预算；上级预算在同一表格中时须排在前面且没有错误",
        ),
        (build_leaf("子", "", "101"), "预警线请填写 1 至 100 的整数百分比"),
        (
            build_leaf("子", "", "一半"),
            "预警线请填写百分比，例如 50/80/95，不需要预警请填写“不预警”",
        ),
        (build_leaf("子", "", "1/2/3/4/5/6"), "最多设置 5 条预警线"),
    ],
)
def test_invalid_parent_or_threshold_is_reported_in_its_row(
    ga: Account, cells: tuple[str, ...], message: str
) -> None:
    short = build_leaf("短", "", period="月度", day="2028-05")

    assert send(ga, short, cells, head=WITH_TREE).body["Rows"][0]["Errors"] == [message]


def test_a_parent_must_be_clear_and_not_too_deep(ga: Account, buyer: Account) -> None:
    deep = [build_leaf(f"第{no}级", f"第{no - 1}级" if no > 1 else "") for no in range(1, 10)]
    twice = [
        build_leaf("同名", ""),
        build_leaf("同名", "", account="BUYER"),
        build_leaf("子", "同名"),
    ]

    rows = send(ga, *deep, *twice, head=WITH_TREE).body["Rows"]

    assert {row["Row"]: row["Errors"] for row in rows if row["Errors"]} == {
        10: ["预算最多 8 级，请选择更高一级的上级预算"],
        13: [
            "有 2 个名为“同名”的预算包含本预算的周期，请改用不重复的名称，"
            "或导入后在页面设置上级预算"
        ],
    }


def test_budget_sheet_imports_earmark_scopes_and_refuses_unknown_scopes(ga: Account) -> None:
    third = ProductFactory().category
    assert third.parent is not None
    project = DimensionFactory(group=ga.group, kind=DimensionKind.PROJECT, code="P-1")
    rows = (
        (*build_leaf("大类", "", period="年度", day="2028"), f"类目/{third.parent.code}"),
        (*build_leaf("小类", "大类", period="年度", day="2028"), f"类目/{third.code}"),
        (*build_leaf("项目", "", period="年度", day="2028"), "项目/P-1"),
    )
    head = (*WITH_TREE, "限定范围")

    assert send(ga, *rows, confirm=True, head=head).body["Imported"] == 3

    budgets = Budget.objects.order_by("pk").values_list("category", "dimension", "parent__name")
    assert list(budgets) == [
        (third.parent.pk, None, None),
        (third.pk, None, "大类"),
        (None, project.pk, None),
    ]
    sheet = ApiClient(ga).get("/api/Budget/Export").body
    exported = read_table(
        io.BytesIO(sheet), kind="budgets", columns=COLUMNS, optional=(), max_rows=10
    )
    cells = [tuple(each.cells.values()) for each in exported]
    assert {each[3]: each[-1] for each in cells} == {each[3]: each[-1] for each in rows}
    wrong = (
        (*build_leaf("普通", "大类", period="年度", day="2028"), ""),
        (*build_leaf("别的项目", "", period="年度", day="2028"), "项目/P-2"),
    )
    first, second = (each["Errors"] for each in send(ga, *wrong, head=head).body["Rows"])
    assert first[0].startswith("同一企业中没有名为“大类”且")
    assert second[0].startswith("限定范围“项目/P-2”不存在或已停用")
