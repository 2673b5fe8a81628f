"""Load the catalogue and its commercial terms through the importer. demo.pictures draws the
pictures.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.core.files.base import ContentFile

from apps.catalog.models import FamilyMember, Product, ProductDocument, ProductFamily
from apps.catalog.models.family import KEY_SEPARATOR
from apps.catalog.selectors.family_proposals import ProposedProduct, propose_families
from apps.catalog.services.imports import SheetFile, import_apply
from apps.catalog.services.product_files import document_store
from demo.documents import pdf_page
from demo.load.sheets import get_sheet, get_sheet_path
from demo.pictures import write_pictures

# Importer kind → sheet, in order of dependency.
SHEETS: tuple[tuple[str, str], ...] = (
    ("categories", "catalogue/categories"),
    ("brands", "catalogue/brands"),
    ("products", "catalogue/products"),
    ("search_words", "catalogue/search_words"),
    ("device_brands", "catalogue/device_brands"),
    ("devices", "catalogue/devices"),
    ("device_compatibilities", "catalogue/device_compatibilities"),
    ("cross_references", "catalogue/cross_references"),
    ("substitute_rules", "catalogue/substitute_rules"),
    ("expected_arrivals", "catalogue/expected_arrivals"),
    ("price_lists", "enterprise/price_lists"),
    ("price_items", "enterprise/price_list_items"),
    ("price_items", "enterprise/price_tiers"),
    ("assortments", "enterprise/assortments"),
    ("assortment_rules", "enterprise/assortment_rules"),
    ("agreements", "enterprise/agreements"),
    ("customer_agreements", "enterprise/customer_agreements"),
)

DOCUMENTED = 150
USE = (
    "使用前请阅读本说明，并检查包装是否完好。",
    "请置于阴凉干燥处，避免阳光直射与受潮。",
    "如有质量问题，请在签收后 7 天内申请退换。",
)


def load_catalogue(*, say: Callable[[str], None]) -> None:
    """Import every sheet.

    Raises:
        ImportRefused: a sheet has an error.
    """
    for kind, name in SHEETS:
        say(
            import_apply(
                actor=None,
                kind=kind,
                source=SheetFile.from_path(get_sheet_path(name)),
                pauses_between_chunks=False,
            ).summary
        )


def load_families() -> int:
    """Create a family for the products of one model that differ in colour or pack. Return the
    number of families.
    """
    rows = Product.objects.order_by("pk").values_list(
        "pk", "code", "name", "brand", "l3", "model_key", "pack", "attributes"
    )
    proposed = propose_families(
        ProposedProduct(
            pk=pk,
            code=code,
            name=name,
            article=(brand, l3, model),
            pack=pack,
            attributes=attributes,
        )
        for pk, code, name, brand, l3, model, pack, attributes in rows
    )
    families = ProductFamily.objects.bulk_create(
        ProductFamily(
            code=one.code, name=one.name, category_id=one.category_id, axes=list(one.axes)
        )
        for one in proposed
    )
    members = [
        FamilyMember(
            family=family,
            product_id=pk,
            values=list(values),
            values_key=KEY_SEPARATOR.join(values),
            position=position,
        )
        for family, one in zip(families, proposed, strict=True)
        for position, (pk, values) in enumerate(one.members)
    ]
    FamilyMember.objects.bulk_create(members, batch_size=500)
    Product.objects.bulk_update(
        [Product(pk=one.product_id, family=one.family) for one in members],
        ["family"],
        batch_size=500,
    )
    return len(families)


def write_product_pictures() -> int:
    """Write the SVG of every product to MEDIA_ROOT/products. Return the number of files."""

    target = Path(settings.MEDIA_ROOT) / "products"
    target.mkdir(parents=True, exist_ok=True)
    return write_pictures(products=get_sheet("catalogue/products"), target=target)


def load_documents() -> int:
    """Give the best-selling products a certificate and a manual. Return the number of
    documents.
    """
    kinds = ProductDocument.Kind
    created = []
    for product in Product.objects.select_related("brand").order_by("-sales_count", "pk")[
        :DOCUMENTED
    ]:
        about = [
            f"商品名称：{product.name}",
            f"商品编码：{product.code}    型号：{product.model_code or '—'}",
            f"品牌：{product.brand.name}",
        ]
        facts = [f"{name}：{value}" for name, value in product.attributes.items()]
        created.append(
            _build_document(
                product,
                kinds.CERTIFICATE,
                "产品合格证",
                [*about, *facts, "检验结论：合格", "演示资料，不作为质量凭证"],
            )
        )
        created.append(
            _build_document(product, kinds.MANUAL, "使用与保存说明", [*about, *USE, "演示资料"])
        )
    ProductDocument.objects.bulk_create(created)
    return len(created)


def _build_document(product: Product, kind: str, title: str, lines: list[str]) -> ProductDocument:
    stored = document_store(
        upload=ContentFile(pdf_page(title=title, lines=lines), name=f"{title}.pdf")
    )
    return ProductDocument(
        product=product,
        kind=kind,
        title=title,
        path=stored.path,
        content_type=stored.content_type,
        size=stored.size,
        position=kind == "manual",
    )
