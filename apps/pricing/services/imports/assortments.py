"""The importers of assortments (商品范围) and their rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from apps.catalog.enums import ChangeKind
from apps.catalog.models import Brand, Category, Product
from apps.catalog.services.imports import cells
from apps.catalog.services.imports.importer import CodedImporter, Importer
from apps.catalog.services.imports.sheet import Column, Row
from apps.pricing.enums import RuleKind, RuleMode
from apps.pricing.models import Assortment, AssortmentRule

MODES = {mode.value: mode.value for mode in RuleMode} | {
    str(mode.label): mode.value for mode in RuleMode
}
KINDS = {kind.value: kind.value for kind in RuleKind} | {
    str(kind.label): kind.value for kind in RuleKind
}


class AssortmentImporter(CodedImporter[Assortment]):
    kind = "assortments"
    title = "商品范围"
    model = Assortment
    change_kind = ChangeKind.ASSORTMENT
    columns = (
        Column("编码", "code", cells.text(30), is_key=True, example="AS-XL"),
        Column("名称", "name", cells.text(80), required=True, example="集团办公用品目录"),
        Column("说明", "note", example="写给同事看的说明，不导入"),
    )


class AssortmentRuleImporter(Importer[AssortmentRule]):
    """Adds rules. A rule consists of its key only, so an existing rule is unchanged. Staff
    delete rules in the admin.
    """

    kind = "assortment_rules"
    export_related = ("assortment", "category", "brand", "product")
    title = "范围规则"
    model = AssortmentRule
    change_kind = ChangeKind.ASSORTMENT
    columns = (
        Column(
            "编码",
            "assortment_code",
            cells.text(30),
            is_key=True,
            writes="assortment_id",
            example="AS-XL",
        ),
        Column("模式", "mode", cells.choice(MODES), is_key=True, example="包含"),
        Column("类型", "kind", cells.choice(KINDS), is_key=True, example="类目"),
        Column("目标", "target", cells.text(20), empty="", example="1101"),
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._assortments = dict(Assortment.objects.values_list("code", "pk"))
        self._targets: dict[str, dict[str, int]] = {
            RuleKind.CATEGORY: dict(Category.objects.values_list("code", "pk")),
            RuleKind.BRAND: dict(Brand.objects.values_list("code", "pk")),
        }

    def key_of(self, row: Row) -> str:
        values = row.values
        return (
            f"{values['assortment_code']}:{values['mode']}:{values['kind']}"
            f":{values.get('target', '')}"
        )

    def prepare(self, rows: Sequence[Row]) -> None:
        codes = {
            row.values["target"]
            for row in rows
            if row.values["kind"] == RuleKind.PRODUCT and row.values.get("target")
        }
        self._targets[RuleKind.PRODUCT] = dict(
            Product.objects.filter(code__in=codes).values_list("code", "pk")
        )
        named = {
            self._assortments[row.values["assortment_code"]]
            for row in rows
            if row.values["assortment_code"] in self._assortments
        }
        rules = AssortmentRule.objects.filter(assortment__in=named)
        self._found = {
            (
                rule.assortment_id,
                rule.mode,
                rule.kind,
                rule.category_id or rule.brand_id or rule.product_id,
            ): rule
            for rule in rules
        }

    def attributes(self, row: Row) -> dict[str, Any]:
        kind, target = row.values["kind"], row.values.get("target", "")
        assortment = self._assortments.get(row.values["assortment_code"])
        if assortment is None:
            row.refuse(
                "编码", f"没有编码为 {row.values['assortment_code']} 的商品范围，请先导入商品范围"
            )
        known = {"assortment_id": assortment, "mode": row.values["mode"], "kind": kind}
        if kind == RuleKind.ALL:
            if target:
                row.refuse("目标", "类型为“全部商品”时不填目标")
            return known
        found = self._targets[kind].get(target)
        if found is None:
            row.refuse("目标", f"没有编码为 {target} 的{RuleKind(kind).label}")
        return {**known, f"{kind}_id": found}

    def find(self, row: Row) -> AssortmentRule | None:
        kind = row.values["kind"]
        target = None if kind == RuleKind.ALL else self._targets[kind][row.values["target"]]
        return self._found.get(
            (self._assortments[row.values["assortment_code"]], row.values["mode"], kind, target)
        )
