"""Back office: products (商品), their pictures, documents and stock movements."""

from __future__ import annotations

import posixpath
from dataclasses import asdict
from decimal import Decimal
from typing import Any

from auditlog.registry import auditlog
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, SuspiciousFileOperation, ValidationError
from django.core.files.storage import default_storage
from django.db.models import QuerySet
from django.forms import BaseModelForm, FileField, ModelForm
from django.http import HttpRequest, JsonResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RangeNumericFilter
from unfold.widgets import UnfoldAdminFileFieldWidget, UnfoldAdminSelectWidget

from apps.catalog.admin.attributes import AttributesField, AttributesWidget
from apps.catalog.admin.base import CatalogueAdmin, CatalogueInline
from apps.catalog.admin.history import list_product_traces, list_stock_ledger
from apps.catalog.admin.imports import ImportExportMixin
from apps.catalog.admin.taxonomy import OF_LEVEL
from apps.catalog.enums import TAX_RATES, ProductStatus
from apps.catalog.errors import ContentsRefused
from apps.catalog.models import Category, Product, ProductDocument, ProductImage, StockMovement
from apps.catalog.selectors.attributes import list_attribute_names, list_usual_attributes
from apps.catalog.selectors.category_tree import format_path
from apps.catalog.selectors.contents import check_contents
from apps.catalog.selectors.pictures import build_media_url
from apps.catalog.services.product_files import (
    MAX_MB,
    MAX_PICTURE_MB,
    StoredDocument,
    document_store,
    picture_store,
    picture_take,
)
from apps.catalog.services.products import product_save, products_set_status
from apps.common.errors import DomainError
from apps.common.files import CheckedFile
from apps.common.numbers import parse_key
from apps.office.cells import build_money_column
from apps.office.choices import limit_search
from apps.office.dossier import Trace
from apps.office.lists import build_value_filter
from apps.office.pages import display, get_request_staff

FOLDER = "products/"
PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".svg")
HELP = "改用已上传的图片时填写，例如 products/100001.svg；一次上传多件商品的图片请用“批量图片”"
UPLOAD_HELP = f"JPG、PNG、WebP 或 GIF，{MAX_PICTURE_MB}MB 以内；保存后生效"
WRONG = (
    "请填写商品图片的路径，以 products/ 开头，以 .png、.jpg、.jpeg、.webp 或 .svg 结尾，例如 "
    "products/100001.svg"
)
MISSING = "没有路径为“{path}”的图片，请核对路径，或先在“批量图片”中上传"
BASE_UNIT_HELP = "折合单价按它计算，例如 支、张、克；与内含数量同时填写，或都留空"
# The fields of the contents (内含数量), by the header that an error names.
CONTENTS_FIELDS = {
    "单位": "unit",
    "包装规格": "pack",
    "基本单位": "base_unit",
    "内含数量": "contents",
}
MARKET_PRICE = build_money_column("market_price", "市场价（含税）")


def check_picture_path(path: str) -> str:
    """Return the path if the storage holds a picture there.

    Raises:
        ValidationError: the path is outside the folder of product pictures, does not name a
            picture, or nothing is stored under it.
    """
    if (
        posixpath.normpath(path) != path
        or "\\" in path
        or not path.startswith(FOLDER)
        or not path.lower().endswith(PICTURES)
    ):
        raise ValidationError(WRONG)
    try:
        is_stored = default_storage.exists(path)
    except (OSError, ValueError, SuspiciousFileOperation):
        is_stored = False
    if not is_stored:
        raise ValidationError(MISSING.format(path=path))
    return path


def render_picture(path: str) -> str:
    """Return the stored picture as HTML; a dash if there is none."""
    url = build_media_url(path)
    return format_html('<img src="{}" alt="" width="96" height="96">', url) if url else "—"


class PictureUploadField(FileField):
    """An upload, cleaned to the checked picture. It is stored when the form is saved."""

    def __init__(self, label: str) -> None:
        widget = UnfoldAdminFileFieldWidget({"accept": "image/*"})
        super().__init__(label=label, required=False, widget=widget, help_text=UPLOAD_HELP)

    def clean(self, data: Any, initial: Any = None) -> CheckedFile | None:
        """Return the checked picture, or None without an upload."""
        upload = super().clean(data, initial)
        if not upload:
            return None
        try:
            return picture_take(upload=upload)
        except DomainError as error:
            raise ValidationError(error.text) from error


class PicturePathMixin(BaseModelForm[Any]):
    """Validates the picture field of a form. An unchanged path is not checked, because the file
    may be missing for a while.
    """

    def store_uploaded_picture(self, *, code: str, path: str) -> str:
        """Store the uploaded picture of the product with this code and return its path. Without an
        upload return `path`.
        """
        picture: CheckedFile | None = self.cleaned_data.get("upload")
        return picture_store(code=code, picture=picture) if picture else path

    def read_picture_path(self, name: str) -> str:
        """Return the cleaned path of the field.

        Raises:
            ValidationError: see check_picture_path.
        """
        path: str = self.cleaned_data[name]
        return check_picture_path(path) if path and name in self.changed_data else path


class ProductImageForm(PicturePathMixin, ModelForm[ProductImage]):
    """An additional picture of a product: an upload, or the path of a stored picture."""

    upload = PictureUploadField("上传图片")

    class Meta:
        model = ProductImage
        fields = ("upload", "path", "position")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "path" in self.fields:
            self.fields["path"].required = False

    def clean_path(self) -> str:
        return self.read_picture_path("path")

    def clean(self) -> dict[str, Any]:
        """Refuse a row that has neither an upload nor a path."""
        values: dict[str, Any] = super().clean() or {}
        if not self.errors and not values.get("upload") and not values.get("path"):
            self.add_error("upload", "请上传图片，或填写已上传图片的路径")
        return values

    def save(self, commit: bool = True) -> ProductImage:
        row = self.instance
        row.path = self.store_uploaded_picture(code=row.product.code, path=row.path)
        saved: ProductImage = super().save(commit)
        return saved


class ProductForm(PicturePathMixin, ModelForm[Product]):
    """Validate stock, category, tax rate and picture. The stock must cover the reserved quantity,
    the category must be of the third level, the tax rate must be a legal one or the present one,
    and the picture must be stored. An uploaded picture replaces the main picture.

    The form posts back the stock that the user saw. Orders change the stock meanwhile, so the
    service applies only the difference that the user entered.
    """

    upload = PictureUploadField("上传主图")

    class Meta:
        labels = {"image": "主图路径"}
        help_texts = {
            "image": HELP,
            "base_unit": BASE_UNIT_HELP,
            "contents": "一个单位内有多少基本单位，例如 12支/盒 填 12，5包×500张/箱 填 2500",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Set the choices of the tax rate, limit the category to level 3, and show its usual
        attributes.
        """
        super().__init__(*args, **kwargs)
        if "stock" in self.fields and self.instance.pk:
            self.fields["stock"].show_hidden_initial = True
        if "category" in self.fields:
            categories: Any = self.fields["category"]
            limit_search(categories.widget, f"{OF_LEVEL}=3")
            categories.queryset = categories.queryset.select_related("parent__parent")
            categories.label_from_instance = format_path
        if "tax_rate" in self.fields:
            self.fields["tax_rate"].widget = UnfoldAdminSelectWidget(
                choices=[("", "请选择"), *((rate, f"{rate:.0%}") for rate in self._tax_rates)]
            )
        attributes = self.fields.get("attributes")
        if isinstance(attributes, AttributesField):
            category_id = (
                self.data.get("category") if self.is_bound else self.initial.get("category")
            )
            attributes.set_category(parse_key(category_id))

    @property
    def _tax_rates(self) -> tuple[Decimal, ...]:
        """Return the legal rates, and the product's own if it is another one."""
        present = self.instance.tax_rate
        return TAX_RATES if present in (None, *TAX_RATES) else (*TAX_RATES, present)

    @property
    def stock_was(self) -> int | None:
        """Return the stock that the user saw before the change. Return None if the stock is
        unchanged or the product is new.
        """
        if self.instance.pk is None or "stock" not in self.changed_data:
            return None
        seen_stock = self.data.get(self["stock"].html_initial_name, "")
        return (
            int(seen_stock)
            if seen_stock.isascii() and seen_stock.isdecimal() and len(seen_stock) < 10
            else int(self.initial["stock"])
        )

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"]
        # The model's validator also accepts full-width digits, but URLs of products do not.
        if not code.isascii():
            raise ValidationError("商品编码只能由数字组成，请使用半角数字")
        return code

    def clean_category(self) -> Category:
        category: Category = self.cleaned_data["category"]
        if category.level != 3:
            raise ValidationError(f"“{category.name}”是 {category.level} 级类目，请选择三级类目")
        return category

    def clean_tax_rate(self) -> Decimal:
        rate: Decimal = self.cleaned_data["tax_rate"]
        if rate not in self._tax_rates:
            raise ValidationError(f"请选择税率：{'、'.join(f'{each:.0%}' for each in TAX_RATES)}")
        return rate

    def clean_image(self) -> str:
        return self.read_picture_path("image")

    def clean(self) -> dict[str, Any]:
        """Check that pack, base unit and contents agree."""
        values: dict[str, Any] = super().clean() or {}
        if not self.errors and "contents" in self.fields:
            try:
                check_contents(
                    unit=values["unit"],
                    pack=values["pack"],
                    base_unit=values["base_unit"],
                    contents=values["contents"],
                )
            except ContentsRefused as error:
                self.add_error(CONTENTS_FIELDS[error.header], error.text)
        return values

    def clean_stock(self) -> int:
        """Check that the stock, changed by the same difference as on the page, covers the reserved
        quantity.
        """
        stock: int = self.cleaned_data["stock"]
        shown_stock = self.stock_was
        if (
            shown_stock is not None
            and self.initial["stock"] + stock - shown_stock < self.instance.reserved
        ):
            raise ValidationError(f"已有订单预占 {self.instance.reserved}，库存不能小于它")
        return stock


class ProductImageInline(CatalogueInline):
    model = ProductImage
    form = ProductImageForm
    fields = ("picture", "upload", "path", "position")
    readonly_fields = ("picture",)

    @display(description="图片")
    def picture(self, image: ProductImage) -> str:
        """Return the stored picture."""
        return render_picture(image.path)


class ProductDocumentForm(ModelForm[ProductDocument]):
    """A row without an upload keeps its stored file."""

    upload = FileField(
        label="文件",
        required=False,
        widget=UnfoldAdminFileFieldWidget,
        help_text=f"PDF、图片或 Word，{MAX_MB}MB 以内",
    )

    class Meta:
        model = ProductDocument
        fields = ("kind", "title", "upload", "position")

    def clean_upload(self) -> StoredDocument | None:
        """Store the uploaded file and return where. None if an existing document keeps its file."""
        upload = self.cleaned_data["upload"]
        if not upload:
            if self.instance.pk is None:
                raise ValidationError("请选择文件")
            return None
        try:
            return document_store(upload=upload)
        except DomainError as error:
            raise ValidationError(error.text) from error

    def save(self, commit: bool = True) -> ProductDocument:
        """Save the document. A new file replaces path, content type and size."""
        stored_document: StoredDocument | None = self.cleaned_data.get("upload")
        if stored_document is not None:
            self.instance.path, self.instance.content_type, self.instance.size = (
                stored_document.path,
                stored_document.content_type,
                stored_document.size,
            )
        document: ProductDocument = super().save(commit)
        return document


class ProductDocumentInline(CatalogueInline):
    model = ProductDocument
    form = ProductDocumentForm
    fields = ("kind", "title", "upload", "position")


@admin.register(Product)
class ProductAdmin(ImportExportMixin, CatalogueAdmin):
    """Products with their pictures and documents, and their imports. `stock` may move while a form
    is open (`moved_meanwhile`): that alone does not make the form stale.
    """

    import_kinds = ("products", "stock")
    form = ProductForm
    moved_meanwhile = ("stock",)
    inlines = (ProductImageInline, ProductDocumentInline)
    list_display = (
        "code",
        "name",
        "brand",
        "category",
        "model_code",
        MARKET_PRICE,
        "stock_state",
        "sales_count",
        "is_public",
        "state",
    )
    list_display_links = ("code", "name")
    list_select_related = ("brand", "category")
    search_fields = ("code", "name", "model_code", "barcode")
    search_help_text = "按商品编码、名称、型号或条码搜索"
    list_filter = (
        "status",
        "is_public",
        ("brand", AutocompleteSelectFilter),
        ("category", AutocompleteSelectFilter),
        ("market_price", RangeNumericFilter),
        ("stock", RangeNumericFilter),
        build_value_filter("tax_rate", "税率", [(rate, f"{rate:.0%}") for rate in TAX_RATES]),
    )
    autocomplete_fields = ("brand", "category")
    readonly_fields = ("picture", "reserved", "sales_count", "created_at", "updated_at")
    actions = ("put_on_sale", "take_off_sale")
    fieldsets = (
        (
            "基本信息",
            {
                "fields": (
                    ("code", "status", "is_public"),
                    "name",
                    "category",
                    ("brand", "barcode"),
                    "model_code",
                    ("unit", "pack"),
                    ("base_unit", "contents"),
                )
            },
        ),
        ("价格与税", {"fields": (("market_price", "tax_rate"), "tax_code")}),
        (
            "采购与库存",
            {
                "fields": (
                    ("min_quantity", "step_quantity", "lead_days"),
                    ("stock", "reserved", "sales_count"),
                )
            },
        ),
        (
            "展示",
            {
                "fields": (
                    "picture",
                    "upload",
                    "image",
                    "listed_at",
                    "keywords",
                    "selling_points",
                    "attributes",
                    "description",
                )
            },
        ),
        ("记录", {"fields": (("created_at", "updated_at"),)}),
    )

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.send_usual_attributes)
        return [
            path("attributes/", view, name="catalog_product_attributes"),
            *super().get_urls(),
        ]

    def send_usual_attributes(self, request: HttpRequest) -> JsonResponse:
        """Return the attributes that products of the category in the query string usually have, and
        the names to offer for more of them.
        """
        if not self.has_view_permission(request):
            raise PermissionDenied
        category_id = parse_key(request.GET.get("category"))
        usual = list_usual_attributes(category_id=category_id)
        names = list_attribute_names(category_id=category_id)
        return JsonResponse({"attributes": [asdict(each) for each in usual], "names": names})

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "attributes":
            # The widget of unfold for JSON would replace the table.
            page = reverse("admin:catalog_product_attributes")
            widget = AttributesWidget({"page": page})
            return AttributesField(label=db_field.verbose_name, required=False, widget=widget)
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    @display(description="主图")
    def picture(self, product: Product) -> str:
        """Return the stored main picture."""
        return render_picture(product.image)

    @display(description="可用 / 库存", ordering="stock")
    def stock_state(self, product: Product) -> str:
        """Return the available quantity and the stock."""
        return f"{product.available:,} / {product.stock:,}"

    @display(description="状态", ordering="status", label={"在售": "success", "下架": "danger"})
    def state(self, product: Product) -> str:
        """Return the state as a coloured label."""
        return str(product.get_status_display())

    @admin.action(description="上架所选商品", permissions=["change"])
    def put_on_sale(self, request: HttpRequest, queryset: QuerySet[Product]) -> None:
        self._set_status(request, queryset, ProductStatus.ON_SALE)

    @admin.action(description="下架所选商品", permissions=["change"])
    def take_off_sale(self, request: HttpRequest, queryset: QuerySet[Product]) -> None:
        self._set_status(request, queryset, ProductStatus.OFF_SALE)

    def _set_status(
        self, request: HttpRequest, queryset: QuerySet[Product], status: ProductStatus
    ) -> None:
        ids = queryset.values_list("pk", flat=True)
        changed_count = products_set_status(
            actor=get_request_staff(request), product_ids=ids, status=status
        )
        self.message_user(
            request, f"已将 {changed_count} 个商品设为“{status.label}”", messages.SUCCESS
        )

    def list_traces(self, request: HttpRequest, row: Product) -> list[Trace]:
        """Return stock counts and status changes."""
        return list_product_traces(request, row)

    def list_related_pages(self, request: HttpRequest, row: Product) -> list[tuple[str, str]]:
        """Return the link to the stock ledger and the links of every page."""
        return [*list_stock_ledger(request, row.pk), *super().list_related_pages(request, row)]

    def save_model(self, request: HttpRequest, obj: Product, form: Any, change: bool) -> None:
        """Save through the service, with the stock that the form showed and a new picture."""
        obj.image = form.store_uploaded_picture(code=obj.code, path=obj.image)
        product_save(
            actor=get_request_staff(request),
            product=obj,
            stock_was=form.stock_was if change else None,
        )
        self.after_change(request, [(obj, form.changed_data)] if change else [])


@admin.register(StockMovement)
class StockMovementAdmin(CatalogueAdmin):
    """The stock ledger. Read-only."""

    list_display = ("at", "product", "kind", "quantity", "reference")
    fields = ("at", "product", "kind", "quantity", "reference")
    list_select_related = ("product",)
    list_filter = ("kind", ("product", AutocompleteSelectFilter))
    search_fields = ("reference", "product__code")
    search_help_text = "按单据号或商品编码搜索"

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


auditlog.register(
    Product,
    exclude_fields=[
        "search_tokens",
        "model_key",
        "name_key",
        "updated_at",
        "stock",
        "reserved",
        "sales_count",
    ],
)
