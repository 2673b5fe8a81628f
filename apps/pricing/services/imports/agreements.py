"""The importers of agreements (协议) and customer agreements."""

from __future__ import annotations

from typing import Any

from apps.catalog.enums import ChangeKind
from apps.catalog.services.imports import cells
from apps.catalog.services.imports.importer import CodedImporter, Importer, Planned
from apps.catalog.services.imports.sheet import Column, Row
from apps.org.models import Enterprise, Group
from apps.pricing.models import Agreement, Assortment, CustomerAgreement, PriceList


class AgreementImporter(CodedImporter[Agreement]):
    kind = "agreements"
    export_related = ("price_list", "assortment")
    title = "协议"
    model = Agreement
    change_kind = ChangeKind.AGREEMENT
    columns = (
        Column("编码", "code", cells.text(30), is_key=True, example="AG-XL-2026"),
        Column("名称", "name", cells.text(80), required=True, example="2026 年度办公用品集采协议"),
        Column(
            "价目表",
            "list_code",
            cells.text(30),
            required=True,
            writes="price_list_id",
            example="PL-XL-2026",
        ),
        Column(
            "商品范围",
            "assortment_code",
            cells.text(30),
            required=True,
            writes="assortment_id",
            example="AS-XL",
        ),
        Column("生效日", "valid_from", cells.day, required=True, example="2026-01-01"),
        Column("失效日", "valid_to", cells.day, example="2026-12-31"),
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._lists = dict(PriceList.objects.values_list("code", "pk"))
        self._assortments = dict(Assortment.objects.values_list("code", "pk"))

    def attributes(self, row: Row) -> dict[str, Any]:
        values = dict(row.values)
        for field, header, known in (
            ("list_code", "价目表", self._lists),
            ("assortment_code", "商品范围", self._assortments),
        ):
            code = values.pop(field, None)
            if code is None:
                continue
            if code not in known:
                row.refuse(header, f"没有编码为 {code} 的{header}，请先导入{header}")
            values["price_list_id" if field == "list_code" else "assortment_id"] = known.get(code)
        return values

    def check(self, item: Planned[Agreement]) -> None:
        begins, ends = item.instance.valid_from, item.instance.valid_to
        if begins and ends and ends < begins:
            item.row.refuse("失效日", "失效日不能早于生效日")


class CustomerAgreementImporter(Importer[CustomerAgreement]):
    """The key of a row is group, enterprise (or none) and agreement. Its priority may change.
    Enterprise codes are looked up within the group.
    """

    kind = "customer_agreements"
    export_related = ("group", "enterprise", "agreement")
    title = "客户协议"
    model = CustomerAgreement
    change_kind = ChangeKind.AGREEMENT
    columns = (
        Column("集团", "group_code", cells.text(30), is_key=True, writes="group_id", example="XL"),
        Column(
            "企业", "enterprise_code", cells.text(30), empty="", writes="enterprise_id", example=""
        ),
        Column(
            "协议",
            "agreement_code",
            cells.text(30),
            is_key=True,
            writes="agreement_id",
            example="AG-XL-2026",
        ),
        Column("优先级", "priority", cells.integer(0, 1_000_000), required=True, example="10"),
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._groups = dict(Group.objects.values_list("code", "pk"))
        self._enterprises = {
            (group, code): pk
            for group, code, pk in Enterprise.objects.values_list("group_id", "code", "pk")
        }
        self._agreements = dict(Agreement.objects.values_list("code", "pk"))
        rows = list(CustomerAgreement.objects.all())
        self._found = {(row.group_id, row.enterprise_id, row.agreement_id): row for row in rows}
        self._priorities = {
            (row.group_id, row.enterprise_id, row.priority): row.agreement_id for row in rows
        }

    def key_of(self, row: Row) -> str:
        return (
            f"{row.values['group_code']}:{row.values.get('enterprise_code', '')}"
            f":{row.values['agreement_code']}"
        )

    def attributes(self, row: Row) -> dict[str, Any]:
        values = dict(row.values)
        group = self._groups.get(values.pop("group_code"))
        agreement = self._agreements.get(values.pop("agreement_code"))
        code = values.pop("enterprise_code", "")
        enterprise = self._enterprises.get((group or 0, code)) if code else None
        if group is None:
            row.refuse("集团", f"没有编码为 {row.values['group_code']} 的集团")
        elif code and enterprise is None:
            row.refuse("企业", f"该集团没有编码为 {code} 的企业")
        if agreement is None:
            row.refuse("协议", f"没有编码为 {row.values['agreement_code']} 的协议，请先导入协议")
        return {**values, "group_id": group, "enterprise_id": enterprise, "agreement_id": agreement}

    def find(self, row: Row) -> CustomerAgreement | None:
        group = self._groups[row.values["group_code"]]
        code = row.values.get("enterprise_code", "")
        enterprise = self._enterprises[group, code] if code else None
        return self._found.get((group, enterprise, self._agreements[row.values["agreement_code"]]))

    def check(self, item: Planned[CustomerAgreement]) -> None:
        given = item.instance
        owner = self._priorities.setdefault(
            (given.group_id, given.enterprise_id, given.priority), given.agreement_id
        )
        if owner != given.agreement_id:
            item.row.refuse(
                "优先级", f"优先级 {given.priority} 已被该客户的另一份协议占用，请换一个数字"
            )

    def written_fields(self) -> list[str]:
        return ["priority"]
