"""The importers of price lists (价目表), assortments (商品范围), agreements (协议) and customer
agreements (客户协议), each with their rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from apps.catalog.enums import ChangeKind
from apps.catalog.models import Brand, Category, Product
from apps.catalog.services.imports import cells
from apps.catalog.services.imports.importer import CodedImporter, Importer, PlannedRow
from apps.catalog.services.imports.report import Action
from apps.catalog.services.imports.sheet import Column, Row
from apps.common.quantity import MAX_QUANTITY
from apps.org.models import Enterprise, Group
from apps.pricing.enums import PriceListKind, RuleKind, RuleMode
from apps.pricing.models import (
    Agreement,
    Assortment,
    AssortmentRule,
    CustomerAgreement,
    PriceList,
    PriceListItem,
)
from apps.pricing.models.tiers import TIER_FIELDS, find_tier_problem, format_tiers
from apps.pricing.selectors.price_changes import (
    LOGGED_FIELDS,
    Prices,
    compute_price_move_cents,
    has_low_price,
)
from apps.pricing.services.price_moves import PriceChange, price_moves_record

CODE_HEADER, PRICE_HEADER = "商品编码", "协议价"
LIST_KINDS = {kind.value: kind.value for kind in PriceListKind} | {
    str(kind.label): kind.value for kind in PriceListKind
}
MODES = {mode.value: mode.value for mode in RuleMode} | {
    str(mode.label): mode.value for mode in RuleMode
}
RULE_KINDS = {kind.value: kind.value for kind in RuleKind} | {
    str(kind.label): kind.value for kind in RuleKind
}


def _check_dates(item: PlannedRow[PriceList] | PlannedRow[Agreement]) -> None:
    begins, ends = item.instance.valid_from, item.instance.valid_to
    if begins and ends and ends < begins:
        item.row.refuse("失效日", "失效日不能早于生效日")


class PriceListImporter(CodedImporter[PriceList]):
    kind = "price_lists"
    title = "价目表"
    model = PriceList
    change_kind = ChangeKind.PRICE
    columns = (
        Column("编码", "code", cells.build_text_parser(30), is_key=True, example="PL-XL-2026"),
        Column(
            "名称", "name", cells.build_text_parser(80), required=True, example="2026 年度集采价"
        ),
        Column(
            "类型", "kind", cells.build_choice_parser(LIST_KINDS), required=True, example="合同价"
        ),
        Column("生效日", "valid_from", cells.parse_day, example="2026-01-01"),
        Column("失效日", "valid_to", cells.parse_day, example="2026-12-31"),
    )

    def check(self, item: PlannedRow[PriceList]) -> None:
        """Refuse an end date before the start date."""
        _check_dates(item)


# (example of the quantity, example of the price) of each tier.
TIER_EXAMPLES = (("10", "9.50"), ("50", "9.00"), ("", ""))
TIER_HEADERS = {
    name: header
    for number, fields in enumerate(TIER_FIELDS, start=1)
    for name, header in zip(fields, (f"阶梯{number}数量", f"阶梯{number}单价"), strict=True)
}
TIER_COLUMNS = tuple(
    Column(TIER_HEADERS[name], name, parse, example=example)
    for fields, examples in zip(TIER_FIELDS, TIER_EXAMPLES, strict=True)
    for name, parse, example in zip(
        fields,
        (cells.build_integer_parser(2, MAX_QUANTITY), cells.parse_money),
        examples,
        strict=True,
    )
)


class PriceItemImporter(Importer[PriceListItem]):
    """The key of a row is the price list and the product."""

    kind = "price_items"
    export_related = ("price_list", "product")
    title = "价目"
    model = PriceListItem
    change_kind = ChangeKind.PRICE
    joint_fields = LOGGED_FIELDS
    columns = (
        Column(
            "编码",
            "list_code",
            cells.build_text_parser(30),
            is_key=True,
            writes="price_list_id",
            example="PL-XL-2026",
        ),
        Column(
            CODE_HEADER,
            "product_code",
            cells.build_digits_parser(18, label="商品编码"),
            is_key=True,
            writes="product_id",
            example="100001",
        ),
        Column(PRICE_HEADER, "price", cells.parse_money, example="9.90"),
        *TIER_COLUMNS,
        Column(
            "客户品名",
            "customer_name",
            cells.build_text_parser(120),
            empty="",
            example="黑色签字笔",
        ),
        Column(
            "客户物料编码",
            "customer_code",
            cells.build_text_parser(60),
            empty="",
            example="WL-0001",
        ),
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._lists = dict(PriceList.objects.values_list("code", "pk"))

    def build_row_key(self, row: Row) -> str:
        return f"{row.values['list_code']}:{row.values['product_code']}"

    def prepare(self, rows: Sequence[Row]) -> None:
        codes = {row.values["product_code"] for row in rows}
        fields = ("code", "pk", "market_price", "min_quantity")
        product_rows = Product.objects.filter(code__in=codes).values_list(*fields)
        self._products = {code: pk for code, pk, _price, _minimum in product_rows}
        self._market_prices: dict[int, Any] = {
            pk: price for _code, pk, price, _minimum in product_rows
        }
        self._minimums = {pk: minimum for _code, pk, _price, minimum in product_rows}
        lists = {
            self._lists[row.values["list_code"]]
            for row in rows
            if row.values["list_code"] in self._lists
        }
        items = PriceListItem.objects.filter(
            price_list__in=lists, product__in=self._products.values()
        )
        self._existing = {(item.price_list_id, item.product_id): item for item in items}

    def plan_attributes(self, row: Row) -> dict[str, Any]:
        """Return the values with the primary keys of price list and product in place of their
        codes.
        """
        values = dict(row.values)
        list_code, product_code = values.pop("list_code"), values.pop("product_code")
        if list_code not in self._lists:
            row.refuse("编码", f"没有编码为 {list_code} 的价目表，请先导入价目表")
        if product_code not in self._products:
            row.refuse("商品编码", f"没有编码为 {product_code} 的商品，请先导入商品")
        if row.refused:
            return {}
        return {
            **values,
            "price_list_id": self._lists[list_code],
            "product_id": self._products[product_code],
        }

    def check(self, item: PlannedRow[PriceListItem]) -> None:
        """Refuse a row without a price and without customer names, and illegal price tiers."""
        if item.instance.price is None and not (
            item.instance.customer_name or item.instance.customer_code
        ):
            item.row.refuse("协议价", "协议价、客户品名、客户物料编码至少填写一项")
        is_new_tier = item.action is Action.CREATE or any(
            name == "tier1_quantity" for name, _old, _new in item.changes
        )
        minimum = self._minimums[item.instance.product_id] if is_new_tier else 1
        if problem := find_tier_problem(item.instance, minimum=minimum):
            field, message = problem
            item.row.refuse(TIER_HEADERS.get(field, PRICE_HEADER), message)

    def check_restored(self, instance: PriceListItem) -> bool:
        """Return whether the tiers follow the price, also those that somebody added since."""
        return find_tier_problem(instance) is None

    def find(self, row: Row) -> PriceListItem | None:
        return self._existing.get(
            (self._lists[row.values["list_code"]], self._products[row.values["product_code"]])
        )

    def compute_moved_cents(self, item: PlannedRow[PriceListItem]) -> int:
        """Return the change of the price and its tiers. Without a price the market price counts."""
        market = self._market_prices[item.instance.product_id]
        after = Prices.from_row(item.instance)
        if item.action is Action.CREATE:
            return compute_price_move_cents(Prices(), after, market)
        return compute_price_move_cents(self._get_prices_before(item), after, market)

    def has_low_price(self, item: PlannedRow[PriceListItem]) -> bool:
        """Return whether the price or a tier is far below the present one."""
        market = self._market_prices[item.instance.product_id]
        before = Prices() if item.action is Action.CREATE else self._get_prices_before(item)
        return has_low_price(before, Prices.from_row(item.instance), market)

    @staticmethod
    def _get_prices_before(item: PlannedRow[PriceListItem]) -> Prices:
        """Return the prices of the row before the import."""
        old_values = {name: old for name, old, _new in item.changes}
        return Prices.from_values(
            {name: old_values.get(name, getattr(item.instance, name)) for name in LOGGED_FIELDS}
        )

    def get_confirmed_value(self, item: PlannedRow[PriceListItem]) -> str | None:
        """Return the stored price and tiers as text, which the user confirms with the preview: ""
        for a new row, None if the sheet has no prices.
        """
        if not any(name in item.row.values for name in LOGGED_FIELDS):
            return None
        if item.action is Action.CREATE:
            return ""
        before = self._get_prices_before(item)
        return f"{before.price} {format_tiers(before.tiers)}".rstrip()

    def lock(self, keys: Iterable[int]) -> None:
        """Lock the rows, so that nobody changes a price between the comparison and the write."""
        rows = PriceListItem.objects.filter(pk__in=list(keys))
        list(rows.select_for_update(no_key=True).order_by("pk").values_list("pk"))

    def store(self, changed: Sequence[PlannedRow[PriceListItem]]) -> None:
        """Store the rows and record each change of a price."""
        super().store(changed)
        price_moves_record(
            PriceChange(item.instance.pk, item.instance.product_id, old, new)
            for item in changed
            for name, old, new in item.changes
            if name == "price"
        )


class AssortmentImporter(CodedImporter[Assortment]):
    kind = "assortments"
    title = "商品范围"
    model = Assortment
    change_kind = ChangeKind.ASSORTMENT
    columns = (
        Column("编码", "code", cells.build_text_parser(30), is_key=True, example="AS-XL"),
        Column(
            "名称", "name", cells.build_text_parser(80), required=True, example="集团办公用品目录"
        ),
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
            cells.build_text_parser(30),
            is_key=True,
            writes="assortment_id",
            example="AS-XL",
        ),
        Column("模式", "mode", cells.build_choice_parser(MODES), is_key=True, example="包含"),
        Column("类型", "kind", cells.build_choice_parser(RULE_KINDS), is_key=True, example="类目"),
        Column("目标", "target", cells.build_text_parser(20), empty="", example="1101"),
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._assortments = dict(Assortment.objects.values_list("code", "pk"))
        self._targets: dict[str, dict[str, int]] = {
            RuleKind.CATEGORY: dict(Category.objects.values_list("code", "pk")),
            RuleKind.BRAND: dict(Brand.objects.values_list("code", "pk")),
        }

    def build_row_key(self, row: Row) -> str:
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
        assortment_ids = {
            self._assortments[row.values["assortment_code"]]
            for row in rows
            if row.values["assortment_code"] in self._assortments
        }
        rules = AssortmentRule.objects.filter(assortment__in=assortment_ids)
        self._existing = {
            (
                rule.assortment_id,
                rule.mode,
                rule.kind,
                rule.category_id or rule.brand_id or rule.product_id,
            ): rule
            for rule in rules
        }

    def plan_attributes(self, row: Row) -> dict[str, Any]:
        """Return the values with the primary key of the target that the kind of rule names."""
        kind, target = row.values["kind"], row.values.get("target", "")
        assortment = self._assortments.get(row.values["assortment_code"])
        if assortment is None:
            row.refuse(
                "编码", f"没有编码为 {row.values['assortment_code']} 的商品范围，请先导入商品范围"
            )
        values = {"assortment_id": assortment, "mode": row.values["mode"], "kind": kind}
        if kind == RuleKind.ALL:
            if target:
                row.refuse("目标", "类型为“全部商品”时不填目标")
            return values
        target_id = self._targets[kind].get(target)
        if target_id is None:
            row.refuse("目标", f"没有编码为 {target} 的{RuleKind(kind).label}")
        return {**values, f"{kind}_id": target_id}

    def find(self, row: Row) -> AssortmentRule | None:
        kind = row.values["kind"]
        target = None if kind == RuleKind.ALL else self._targets[kind][row.values["target"]]
        return self._existing.get(
            (self._assortments[row.values["assortment_code"]], row.values["mode"], kind, target)
        )


class AgreementImporter(CodedImporter[Agreement]):
    """The sheet of agreements. Each row names its price list and assortment by code; both must
    exist.
    """

    kind = "agreements"
    export_related = ("price_list", "assortment")
    title = "协议"
    model = Agreement
    change_kind = ChangeKind.AGREEMENT
    columns = (
        Column("编码", "code", cells.build_text_parser(30), is_key=True, example="AG-XL-2026"),
        Column(
            "名称",
            "name",
            cells.build_text_parser(80),
            required=True,
            example="2026 年度办公用品集采协议",
        ),
        Column(
            "价目表",
            "list_code",
            cells.build_text_parser(30),
            required=True,
            writes="price_list_id",
            example="PL-XL-2026",
        ),
        Column(
            "商品范围",
            "assortment_code",
            cells.build_text_parser(30),
            required=True,
            writes="assortment_id",
            example="AS-XL",
        ),
        Column("生效日", "valid_from", cells.parse_day, required=True, example="2026-01-01"),
        Column("失效日", "valid_to", cells.parse_day, example="2026-12-31"),
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._lists = dict(PriceList.objects.values_list("code", "pk"))
        self._assortments = dict(Assortment.objects.values_list("code", "pk"))

    def plan_attributes(self, row: Row) -> dict[str, Any]:
        """Return the values with the primary keys of price list and assortment in place of their
        codes.
        """
        values = dict(row.values)
        for field, header, keys_by_code in (
            ("list_code", "价目表", self._lists),
            ("assortment_code", "商品范围", self._assortments),
        ):
            code = values.pop(field, None)
            if code is None:
                continue
            if code not in keys_by_code:
                row.refuse(header, f"没有编码为 {code} 的{header}，请先导入{header}")
            values["price_list_id" if field == "list_code" else "assortment_id"] = keys_by_code.get(
                code
            )
        return values

    def check(self, item: PlannedRow[Agreement]) -> None:
        """Refuse an end date before the start date."""
        _check_dates(item)


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
        Column(
            "集团",
            "group_code",
            cells.build_text_parser(30),
            is_key=True,
            writes="group_id",
            example="XL",
        ),
        Column(
            "企业",
            "enterprise_code",
            cells.build_text_parser(30),
            empty="",
            writes="enterprise_id",
            example="",
        ),
        Column(
            "协议",
            "agreement_code",
            cells.build_text_parser(30),
            is_key=True,
            writes="agreement_id",
            example="AG-XL-2026",
        ),
        Column(
            "优先级",
            "priority",
            cells.build_integer_parser(0, 1_000_000),
            required=True,
            example="10",
        ),
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
        self._existing = {(row.group_id, row.enterprise_id, row.agreement_id): row for row in rows}
        self._priorities = {
            (row.group_id, row.enterprise_id, row.priority): row.agreement_id for row in rows
        }

    def build_row_key(self, row: Row) -> str:
        return (
            f"{row.values['group_code']}:{row.values.get('enterprise_code', '')}"
            f":{row.values['agreement_code']}"
        )

    def plan_attributes(self, row: Row) -> dict[str, Any]:
        """Return the values with group, enterprise and agreement in place of their codes."""
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
        return self._existing.get(
            (group, enterprise, self._agreements[row.values["agreement_code"]])
        )

    def check(self, item: PlannedRow[CustomerAgreement]) -> None:
        """Refuse a priority that another agreement of the customer has."""
        customer_agreement = item.instance
        owner = self._priorities.setdefault(
            (
                customer_agreement.group_id,
                customer_agreement.enterprise_id,
                customer_agreement.priority,
            ),
            customer_agreement.agreement_id,
        )
        if owner != customer_agreement.agreement_id:
            item.row.refuse(
                "优先级",
                f"优先级 {customer_agreement.priority} 已被该客户的另一份协议占用，请换一个数字",
            )

    def list_written_fields(self) -> list[str]:
        """Only the priority: the other columns are the key of the row."""
        return ["priority"]
