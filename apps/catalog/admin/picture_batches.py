"""批量上传图片: upload many files, preview them, write them, undo. Each step calls a service."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from auditlog.registry import auditlog
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.files.storage import default_storage
from django.db.models import QuerySet
from django.http import (
    FileResponse,
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseRedirect,
    JsonResponse,
)
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from unfold.contrib.filters.admin import RangeDateTimeFilter
from unfold.widgets import UnfoldAdminFileFieldWidget

from apps.catalog.admin.imports import build_xlsx_response
from apps.catalog.enums import PictureRowState
from apps.catalog.models import PictureBatch, PictureBatchRow
from apps.catalog.selectors.pictures import build_media_url
from apps.catalog.services.picture_batch_add import (
    MAX_FILES,
    MAX_ZIP_MB,
    picture_batch_add,
    picture_batch_check,
)
from apps.catalog.services.picture_batch_write import (
    picture_batch_forget,
    picture_batch_undo,
    picture_batch_write,
)
from apps.catalog.services.product_files import MAX_PICTURE_MB
from apps.common.errors import DomainError
from apps.common.numbers import parse_key
from apps.documents.excel.writer import Cell
from apps.office.lists import ReadOnlyAdmin, count_related
from apps.office.pages import action, display, get_request_staff

# States of files that are not written, in the order of the page.
UNWRITTEN = (PictureRowState.UNKNOWN, PictureRowState.REFUSED, PictureRowState.MOVED)
MAX_NAMES = 20
HEADER = ["文件名", "商品编码", "商品名称", "第几张", "结果", "原因"]


class PicturesInput(UnfoldAdminFileFieldWidget):
    """A file input that accepts many files."""

    allow_multiple_selected = True


@admin.register(PictureBatch)
class PictureBatchAdmin(ReadOnlyAdmin):
    """Batches of uploaded pictures: upload, preview, write and undo. Batches are read-only; each
    step calls a service.
    """

    list_display = ("number", "made_by", "made_at", "files", "written", "left", "state")
    list_display_links = ("number",)
    list_select_related = ("made_by",)
    list_filter = (("made_at", RangeDateTimeFilter),)
    search_fields = ("rows__file_name",)
    search_help_text = "按文件名搜索"
    actions_list = ("upload_pictures",)
    # Label of the action that an empty list offers.
    way_on = "上传图片"

    def get_queryset(self, request: HttpRequest) -> QuerySet[PictureBatch]:
        """Return the batches with the numbers of their files, of written and of left out ones."""
        queryset: QuerySet[PictureBatch] = super().get_queryset(request)
        rows = PictureBatchRow.objects.all()
        return queryset.annotate(
            count_of_files=count_related(rows, "batch"),
            count_written=count_related(rows.filter(state=PictureRowState.WRITTEN), "batch"),
            count_left=count_related(rows.filter(state__in=UNWRITTEN), "batch"),
        )

    @admin.display(description="批次", ordering="pk")
    def number(self, batch: PictureBatch) -> str:
        return str(batch)

    @admin.display(description="文件")
    def files(self, batch: Any) -> int:
        return int(batch.count_of_files)

    @admin.display(description="已写入")
    def written(self, batch: Any) -> int:
        return int(batch.count_written)

    @admin.display(description="未能使用")
    def left(self, batch: Any) -> int:
        return int(batch.count_left)

    @display(description="状态", label={"已写入": "success", "待确认": "warning", "已撤销": "info"})
    def state(self, batch: PictureBatch) -> str:
        """Return the state as a label: waiting, written or undone. A job deletes unwritten
        batches after one day.
        """
        if batch.undone_at:
            return "已撤销"
        return "已写入" if batch.written_at else "待确认"

    @action(description="上传图片", url_path="new", icon="add_photo_alternate", permissions=["act"])
    def upload_pictures(self, request: HttpRequest) -> HttpResponse:
        """Show the upload form, or add the posted files to a batch. The page's script posts one
        batch in several requests.
        """
        if request.method != "POST":
            attributes = {
                "id": "pictures",
                "multiple": True,
                "required": True,
                "accept": ".jpg,.jpeg,.png,.webp,.gif,.zip",
            }
            file_input = PicturesInput(attributes).render("files", None)
            context = {
                "title": "批量上传图片",
                "file_input": file_input,
                "max_mb": MAX_PICTURE_MB,
                "max_zip_mb": MAX_ZIP_MB,
                "most": MAX_FILES,
            }
            return self._render_office_page(request, "picture_upload", context)
        batch_id = parse_key(request.POST.get("batch", "")) or None
        try:
            batch = picture_batch_add(
                actor=get_request_staff(request),
                uploads=request.FILES.getlist("files"),
                batch_id=batch_id,
            )
        except DomainError as error:
            if "piece" in request.POST:
                return JsonResponse({"error": error.text})
            messages.error(request, error.text)
            return HttpResponseRedirect(request.path)
        page = reverse("admin:catalog_picturebatch_change", args=[batch.pk])
        return (
            JsonResponse({"batch": batch.pk, "page": page})
            if "piece" in request.POST
            else HttpResponseRedirect(page)
        )

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        """Show the preview or the result of the batch. POST checks, writes, cancels or undoes
        it.
        """
        if not self.has_view_permission(request):
            raise PermissionDenied
        batch = get_object_or_404(
            PictureBatch.objects.select_related("made_by", "written_by", "undone_by"),
            pk=parse_key(object_id),
        )
        if request.method == "POST":
            return self._run_button(request, batch)
        if "sheet" in request.GET:
            return build_xlsx_response(
                name=f"{batch}", sheet="批量图片", header=HEADER, rows=_iterate_sheet_rows(batch)
            )
        if "undo" in request.GET and batch.written_at and not batch.undone_at:
            return self._render_office_page(
                request,
                "picture_undo",
                {"title": f"撤销 · {batch}", "batch": batch, "page": request.path},
            )
        if "picture" in request.GET:
            return _send_picture(batch, parse_key(request.GET["picture"]))
        return self._render_office_page(
            request, "picture_batch", _build_page_context(batch, self.has_act_permission(request))
        )

    def _run_button(self, request: HttpRequest, batch: PictureBatch) -> HttpResponse:
        """Do what the pressed button of the page names: check, forget, undo, or else write."""
        if not self.has_act_permission(request):
            raise PermissionDenied
        try:
            if "check" in request.POST:
                open_row_count = picture_batch_check(batch_id=batch.pk)
                return (
                    JsonResponse({"left": open_row_count})
                    if "piece" in request.POST
                    else HttpResponseRedirect(request.path)
                )
            if "forget" in request.POST:
                picture_batch_forget(batch_id=batch.pk)
                messages.success(request, "已取消，没有写入任何图片")
                return HttpResponseRedirect(reverse("admin:catalog_picturebatch_upload_pictures"))
            if "undo" in request.POST:
                self._report_undo(
                    request, picture_batch_undo(actor=get_request_staff(request), batch_id=batch.pk)
                )
                return HttpResponseRedirect(request.path)
            picture_batch_write(actor=get_request_staff(request), batch_id=batch.pk)
        except DomainError as error:
            messages.error(request, error.text)
        else:
            written_count = batch.rows.filter(state=PictureRowState.WRITTEN).count()
            messages.success(
                request,
                f"已写入 {written_count} 张图片，商城立即显示；各种尺寸和以图搜索在后台更新",
            )
        return HttpResponseRedirect(request.path)

    @staticmethod
    def _report_undo(request: HttpRequest, batch: PictureBatch) -> None:
        """Tell how many pictures were restored, and name up to MAX_NAMES that were changed
        afterwards.
        """
        rows = (
            batch.rows.filter(state=PictureRowState.WRITTEN)
            .select_related("product")
            .order_by("pk")
        )
        messages.success(
            request, f"已撤销：{len(rows) - batch.rows_left} 张恢复为原来的图片，商城立即显示"
        )
        if batch.rows_left:
            names = [row.file_name for row in rows if row.is_left]
            more = " 等" if len(names) > MAX_NAMES else ""
            messages.warning(
                request,
                (
                    f"{batch.rows_left} 张在写入后又被修改，未恢复："
                    f"{'、'.join(names[:MAX_NAMES])}{more}"
                ),
            )

    def _render_office_page(
        self, request: HttpRequest, template: str, context: dict[str, Any]
    ) -> TemplateResponse:
        context = {**self.admin_site.each_context(request), "opts": self.opts, **context}
        return TemplateResponse(request, f"admin/catalog/{template}.html", context)


def _build_page_context(batch: PictureBatch, may_act: bool) -> dict[str, Any]:
    """Return the values of the batch's page. `shown` has a row, its picture before and its new
    one.
    """
    rows = list(batch.rows.select_related("product").order_by("product__code", "position", "pk"))
    by_state = {state: [row for row in rows if row.state == state] for state in PictureRowState}
    listed_rows = by_state[PictureRowState.WRITTEN if batch.written_at else PictureRowState.READY]
    return {
        "title": str(batch),
        "batch": batch,
        "rows": rows,
        "waiting": len(by_state[PictureRowState.WAITING]),
        "left": [row for state in UNWRITTEN for row in by_state[state]],
        "same": by_state[PictureRowState.SAME],
        "shown": [
            (
                row,
                build_media_url(row.before),
                build_media_url(row.path) if batch.written_at else f"?picture={row.pk}",
            )
            for row in listed_rows
        ],
        "new": sum(not row.before for row in listed_rows),
        "replaced": sum(bool(row.before) for row in listed_rows),
        "products": len({row.product_id for row in listed_rows}),
        "may_act": may_act,
    }


def _iterate_sheet_rows(batch: PictureBatch) -> Iterator[list[Cell]]:
    """Yield one row per file of the batch. Files that are not written come first."""
    rows = batch.rows.select_related("product").order_by("pk")
    for row in sorted(rows, key=lambda row: row.state not in UNWRITTEN):
        product = row.product
        yield [
            row.file_name,
            product.code if product else "",
            product.name if product else "",
            row.position,
            row.get_state_display(),
            row.reason,
        ]


def _send_picture(batch: PictureBatch, row_id: int) -> FileResponse:
    """Return a checked picture for the preview. The check has re-encoded the file, and the
    server chose its name and extension, so it is safe to serve.
    """
    row: PictureBatchRow | None = batch.rows.filter(pk=row_id, state=PictureRowState.READY).first()
    if row is None or not default_storage.exists(row.path):
        raise Http404
    return FileResponse(default_storage.open(row.path))


auditlog.register(PictureBatch)
