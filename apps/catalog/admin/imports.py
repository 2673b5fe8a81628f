"""The import and export pages: upload, preview with every error, confirmation, result. All of
them use the one import service.

The pages of django-import-export write row by row through the model. Ours go through the service: a
file is imported completely, or its valid rows if the person says so, or not at all
(docs/decisions.md, docs/imports.md).
"""

from __future__ import annotations

import json
import tempfile
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.signing import BadSignature, dumps, loads
from django.http import (
    FileResponse,
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    JsonResponse,
)
from django.template.response import TemplateResponse
from django.utils import timezone
from unfold.widgets import UnfoldAdminFileFieldWidget

from apps.catalog.errors import ImportRefused, ImportUnderWay
from apps.catalog.services.imports import (
    IMPORTERS,
    ImportReport,
    SheetFile,
    import_apply,
    import_preview,
    import_wrong_rows,
)
from apps.catalog.services.imports.export import export_header, export_rows
from apps.catalog.services.imports.importer import Importer
from apps.catalog.services.imports.run import (
    get_import_progress,
    is_import_open,
    list_cancellable_imports,
    list_own_wrong_sheets,
    staff_import_cancel,
)
from apps.catalog.services.imports.sheet import Column
from apps.common.errors import DomainError, FileRefused
from apps.common.files import SHEETS, file_take
from apps.common.files.intake import get_stem
from apps.common.files.kinds import XLSX_TYPE
from apps.common.models.import_run import ImportState
from apps.common.numbers import parse_key
from apps.common.services.column_mapping import (
    column_mapping_forget,
    column_mapping_save,
    get_column_mapping,
    get_forgettable_columns,
    list_mapped_enterprise_ids,
)
from apps.common.services.import_run import LEFT_OUT, get_own_import
from apps.common.services.wrong_rows import get_wrong_sheet
from apps.documents.excel import write_xlsx
from apps.documents.excel.writer import Cell
from apps.office.choices import open_search_choices, search_choice
from apps.office.pages import PageBase, action, get_request_staff
from apps.org.models import Address, Enterprise

MAX_MB = 20
KEEP_SECONDS = 3600
SALT = "catalog.import"
FOLDER = "imports"
NOTHING_TO_FORGET = "没有记住的列对应，可能已被清除"


def build_xlsx_response(
    *, name: str, sheet: str, header: list[str], rows: Iterable[list[Cell]]
) -> FileResponse:
    """Return an .xlsx download with one sheet named `sheet`. The rows are written to a
    temporary file, not to memory.
    """
    file = tempfile.TemporaryFile()  # noqa: SIM115
    write_xlsx(file, header=header, rows=rows, sheet=sheet)
    file.seek(0)
    return FileResponse(file, as_attachment=True, filename=f"{name}.xlsx", content_type=XLSX_TYPE)


def forget_abandoned() -> None:
    """Delete uploads whose confirmation period (one hour) has expired."""
    if not default_storage.exists(FOLDER):
        return
    oldest = timezone.now() - timedelta(seconds=KEEP_SECONDS)
    for name in default_storage.listdir(FOLDER)[1]:
        path = f"{FOLDER}/{name}"
        if default_storage.get_modified_time(path) < oldest:
            default_storage.delete(path)


class CustomerForm(forms.Form):
    """The customer from whose program a sheet comes."""

    customer = search_choice(
        Address,
        "enterprise",
        label="客户企业（选填）",
        help_text="表格由客户提供、列名与模板不同时选择：选好的列对应按客户记住",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        open_search_choices(self)


@dataclass(frozen=True, slots=True)
class _Clearing:
    """The columns to forget: of the customer's sheets, or of the staff's own (0, no name)."""

    enterprise_id: int
    customer: str
    columns: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Upload:
    """A stored upload: its path, the file's name, and the customer whose sheet it is (0: none)."""

    path: str
    name: str
    customer_id: int

    @property
    def sheet(self) -> SheetFile:
        """Return the upload for the import service."""
        return SheetFile(
            lambda: default_storage.open(self.path, "rb"),
            stored_path=self.path,
            customer_id=self.customer_id,
        )


class ImportExportMixin(PageBase):
    """Adds 导入 and 导出 to a list page. `import_kinds` lists the kinds from `importers` that the
    page offers. The first is the default.
    """

    import_kinds: tuple[str, ...] = ()
    # Text on the page: how the import treats existing rows.
    import_manner = "已有编码的行为更新，其余为新增；文件中没有的列保持原值。"
    importers: Mapping[str, type[Importer[Any]]] = IMPORTERS
    report_class: type[ImportReport] = ImportReport
    import_verb = "导入"
    # Column header of the row keys in the preview.
    import_key = "编码"
    import_rows = 50_000
    # Whether the valid rows of a file may be imported without the others.
    may_import_good_rows = True
    # Whether the sheets may come from a customer's program, with columns of its own.
    takes_customer_sheets = False
    actions_list: tuple[str, ...] = ("import_sheet", "export_sheet")

    def has_import_sheet_permission(self, request: HttpRequest) -> bool:
        """Return whether the user may add and change rows of this page."""
        return bool(self.has_add_permission(request) and self.has_change_permission(request))

    @action(description="导入", url_path="import", icon="upload", permissions=["import_sheet"])
    def import_sheet(self, request: HttpRequest) -> HttpResponseBase:
        """Show the upload form, preview the file or apply it."""
        return self.sheet_page(request)

    def sheet_page(self, request: HttpRequest) -> HttpResponseBase:
        """Return the page of the current step: upload, preview or result. Also serve the
        template file.
        """
        kind = request.POST.get("kind") or request.GET.get("kind") or self.import_kinds[0]
        if kind not in self.import_kinds:
            kind = self.import_kinds[0]
        if (download := self._find_download(request, kind)) is not None:
            return download
        if request.method == "POST" and "wrong" in request.POST:
            return self._send_wrong_rows(request, kind)
        if request.method == "POST" and "forget" in request.POST:
            return self._forget_mapping(request, kind)
        if request.method == "POST" and "stop" in request.POST:
            self._stop(request, kind)
        elif request.method == "POST" and "cancel" in request.POST:
            self._forget(request)
        elif request.method == "POST":
            if "map" in request.POST:
                return self._preview_mapped_sheet(request, kind)
            return (
                self._import_previewed_sheet(request, kind)
                if "token" in request.POST
                else self._preview_upload(request, kind)
            )
        return self._render_page(request, kind)

    def _find_download(self, request: HttpRequest, kind: str) -> HttpResponseBase | None:
        """Return the template, the progress or stored wrong rows if the request asks for them."""
        if "template" in request.GET:
            return self._send_template(kind)
        if "progress" in request.GET:
            text, is_open = get_import_progress(kind=kind), is_import_open(kind=kind)
            return JsonResponse({"text": text, "is_open": is_open})
        if "wrong_of" in request.GET:
            return self._send_stored_wrong_rows(request)
        return None

    @action(description="导出", url_path="export", icon="download", permissions=["view"])
    def export_sheet(self, request: HttpRequest) -> HttpResponseBase:
        """Download the stored rows in the columns of the import."""
        kind = request.GET.get("kind", "")
        kind = kind if kind in self.import_kinds else self.import_kinds[0]
        name = f"{IMPORTERS[kind].title}_{timezone.localdate():%Y%m%d}"
        return build_xlsx_response(
            name=name,
            sheet=IMPORTERS[kind].title,
            header=export_header(kind=kind),
            rows=export_rows(kind=kind),
        )

    def _send_template(self, kind: str) -> FileResponse:
        """Return the Excel template of a sheet: its headers and one example row."""
        title, columns = self.get_sheet_columns(kind)
        header: list[str] = [column.header for column in columns]
        example: list[Cell] = [column.example for column in columns]
        return build_xlsx_response(
            name=f"{title}导入模板", sheet=title, header=header, rows=[example]
        )

    def get_sheet_columns(self, kind: str) -> tuple[str, tuple[Column, ...]]:
        """Return the title and the columns of a kind of sheet."""
        return self.importers[kind].title, self.importers[kind].columns

    def get_needed_column(self, column: Column) -> str:
        """Return the text that says whether the column is required."""
        return "必须有，用于识别" if column.is_key else "新增时必填" if column.required else "可选"

    def sheet_preview(self, request: HttpRequest, kind: str, source: SheetFile) -> ImportReport:
        """Return a report of what the import would change. Writes nothing."""
        return import_preview(
            actor=get_request_staff(request),
            kind=kind,
            source=source,
            importer=self.importers[kind],
        )

    def sheet_apply(self, request: HttpRequest, kind: str, source: SheetFile) -> ImportReport:
        """Import the complete sheet, or with `good` in the request its valid rows, and return the
        report. Raises ImportRefused if the sheet cannot be imported.
        """
        return import_apply(
            actor=get_request_staff(request),
            kind=kind,
            source=source,
            importer=self.importers[kind],
            upload=source.stored_path,
            is_good_only=self.may_import_good_rows and "good" in request.POST,
        )

    def _send_wrong_rows(self, request: HttpRequest, kind: str) -> HttpResponseBase:
        """Download the refused rows of the upload, with the reasons in the last column."""
        upload = self._get_stored_upload(request, kind)
        if upload is None or not default_storage.exists(upload.path):
            messages.error(request, "文件已过期，请重新上传后下载有误的行")
            return self._render_page(request, kind)
        rows = import_wrong_rows(
            actor=get_request_staff(request),
            kind=kind,
            source=upload.sheet,
            importer=self.importers[kind],
        )
        name = f"{get_stem(upload.name)}_待更正"
        return build_xlsx_response(
            name=name,
            sheet=self.get_sheet_columns(kind)[0],
            header=next(rows, []),
            rows=map(list, rows),
        )

    def _send_stored_wrong_rows(self, request: HttpRequest) -> HttpResponseBase:
        """Download the wrong rows that the person left out of an own import. Raises Http404 for an
        import of another person.
        """
        try:
            run = get_own_import(
                actor=get_request_staff(request), run_id=parse_key(request.GET["wrong_of"])
            )
            sheet = get_wrong_sheet(run=run)
        except DomainError as error:
            raise Http404(error.text) from error
        return build_xlsx_response(
            name=f"{sheet.name}_待更正",
            sheet=sheet.name,
            header=list(sheet.header),
            rows=map(list, sheet.rows),
        )

    def _map(self, request: HttpRequest, kind: str, report: ImportReport, customer_id: int) -> str:
        """Remember the mapping of the request, for the customer if one is named. Return the error,
        or "" if there is none.
        """
        columns = {
            header: request.POST.get(f"column-{number}", "")
            for number, header in enumerate(report.unknown)
        }
        headers = [column.header for column in self.get_sheet_columns(kind)[1]]
        try:
            column_mapping_save(
                kind=kind, columns=columns, template_columns=headers, enterprise_id=customer_id
            )
        except DomainError as error:
            return error.text
        return ""

    def _preview_upload(self, request: HttpRequest, kind: str) -> HttpResponse:
        """Check and store the uploaded file, and return the preview of what its import would
        change.
        """
        upload = request.FILES.get("file")
        if upload is None:
            messages.error(request, "请选择要导入的 .xlsx 或 .csv 文件")
            return self._render_page(request, kind)
        try:
            file = file_take(
                upload, kinds=SHEETS, max_mb=MAX_MB, message="请上传 .xlsx 或 .csv 文件"
            )
        except FileRefused as error:
            messages.error(request, error.text)
            return self._render_page(request, kind)
        forget_abandoned()
        path = default_storage.save(
            f"{FOLDER}/{uuid.uuid4().hex}.{file.extension}", ContentFile(file.content)
        )
        stored_upload = Upload(path, file.name, self._get_customer(request))
        return self._show_preview(
            request, kind, self.sheet_preview(request, kind, stored_upload.sheet), stored_upload
        )

    def _get_customer(self, request: HttpRequest) -> int:
        """Return the enterprise that the person has named, 0 for none."""
        if not self.takes_customer_sheets:
            return 0
        form = CustomerForm(request.POST)
        enterprise = form.cleaned_data.get("customer") if form.is_valid() else None
        return enterprise.pk if enterprise else 0

    def _show_preview(
        self, request: HttpRequest, kind: str, report: ImportReport, upload: Upload
    ) -> HttpResponse:
        """Show the preview. The file is stored as long as the person can go on with it."""
        has_good = self.may_import_good_rows and report.good_rows > 0
        may_map = bool(report.unknown and kind in self.importers)
        if not (report.is_clean or has_good or may_map):
            default_storage.delete(upload.path)
            return self._render_page(request, kind, report=report, file_name=upload.name)
        token_fields = {**asdict(upload), "kind": kind, "by": request.user.pk}
        token = dumps(token_fields, salt=SALT)
        return self._render_page(request, kind, report=report, token=token, file_name=upload.name)

    def _preview_mapped_sheet(self, request: HttpRequest, kind: str) -> HttpResponse:
        """Remember the chosen columns and preview the stored file again."""
        upload = self._get_stored_upload(request, kind)
        if upload is None or not default_storage.exists(upload.path):
            messages.error(request, "文件已过期，请重新上传")
            return self._render_page(request, kind)
        report = self.sheet_preview(request, kind, upload.sheet)
        if report.unknown:
            if error := self._map(request, kind, report, upload.customer_id):
                messages.error(request, error)
            else:
                report = self.sheet_preview(request, kind, upload.sheet)
        return self._show_preview(request, kind, report, upload)

    def _import_previewed_sheet(self, request: HttpRequest, kind: str) -> HttpResponse:
        """Import the file of the preview. A second confirm gets the answer of the first one, or
        its progress while it is being written.
        """
        upload = self._get_stored_upload(request, kind)
        report, token = None, request.POST.get("token", "")
        if upload is not None and (report := self._find_answer(upload.path)) is None:
            try:
                report = self.sheet_apply(request, kind, upload.sheet)
            except ImportUnderWay as under_way:
                report = self._find_answer(upload.path)
                if report is None:
                    messages.info(request, under_way.text)
                    return self._render_page(request, kind, writing=token)
            except ImportRefused as refused:
                # An equal confirm may have done the work in between.
                report = self._find_answer(upload.path) or refused.report
            except FileNotFoundError:
                # The file is deleted after its answer is stored, or if the preview is cancelled.
                report = self._find_answer(upload.path)
            else:
                _keep_answer(upload.path, report)
                if report.is_clean:
                    default_storage.delete(upload.path)
        if upload is None or report is None:
            messages.error(
                request, "预览已过期，请重新上传文件；如已点过“确认”，请先核对是否已写入"
            )
            return self._render_page(request, kind)
        if not report.applied:
            default_storage.delete(upload.path)
        # The refused rows can still be downloaded.
        next_token = token if report.applied and not report.is_clean else ""
        return self._render_page(
            request, kind, report=report, file_name=upload.name, token=next_token
        )

    def _get_stored_upload(self, request: HttpRequest, kind: str) -> Upload | None:
        """Return the upload in the signed token. None unless it belongs to this user and is of
        this kind.
        """
        try:
            token_fields = loads(request.POST.get("token", ""), salt=SALT, max_age=KEEP_SECONDS)
        except BadSignature:
            return None
        if token_fields["by"] != request.user.pk or token_fields["kind"] != kind:
            return None
        return Upload(token_fields["path"], token_fields["name"], token_fields["customer_id"])

    def _find_answer(self, path: str) -> ImportReport | None:
        """Return the stored report of an applied preview, or None."""
        try:
            with default_storage.open(_build_answer_path(path)) as file:
                return self.report_class.from_json(json.load(file))
        except FileNotFoundError:
            return None

    def _ask_to_forget(self, request: HttpRequest, kind: str) -> HttpResponse:
        """Return the page that shows the columns to forget, before they are forgotten."""
        enterprise_id = parse_key(request.POST["forget"])
        columns = get_forgettable_columns(kind=kind, enterprise_id=enterprise_id)
        if not columns:
            messages.info(request, NOTHING_TO_FORGET)
            return self._render_page(request, kind)
        customer = Enterprise.objects.filter(pk=enterprise_id).first()
        return self._render_page(
            request,
            kind,
            clearing=_Clearing(enterprise_id, customer.name if customer else "", columns),
        )

    def _forget_mapping(self, request: HttpRequest, kind: str) -> HttpResponse:
        """Forget the columns of the staff's own sheets (0), or of the customer that the request
        names, after a confirmation. Return the page.
        """
        if "confirm" not in request.POST:
            return self._ask_to_forget(request, kind)
        is_forgotten = column_mapping_forget(
            staff=get_request_staff(request),
            kind=kind,
            enterprise_id=parse_key(request.POST["forget"]),
        )
        if is_forgotten:
            messages.success(request, "已清除记住的列对应")
        else:
            messages.info(request, NOTHING_TO_FORGET)
        return self._render_page(request, kind)

    def _stop(self, request: HttpRequest, kind: str) -> None:
        """Cancel the import of this kind that the page has shown."""
        try:
            staff_import_cancel(
                staff=get_request_staff(request),
                kind=kind,
                run_id=parse_key(request.POST["stop"]),
            )
        except DomainError as error:
            messages.error(request, error.text)
        else:
            messages.success(request, "导入已取消，正在撤回已写入的行")

    def _forget(self, request: HttpRequest) -> None:
        upload = self._get_stored_upload(request, request.POST.get("kind", ""))
        if upload is not None:
            default_storage.delete(upload.path)

    def _render_page(
        self,
        request: HttpRequest,
        kind: str,
        *,
        report: ImportReport | None = None,
        token: str = "",
        file_name: str = "",
        writing: str = "",
        clearing: _Clearing | None = None,
    ) -> TemplateResponse:
        """Return the page of the import with its form, preview or result. `token` names the
        previewed upload, `writing` one that is being written, `clearing` the columns that are
        forgotten after a confirmation.
        """
        title, columns = self.get_sheet_columns(kind)
        context: dict[str, Any] = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": title if title.endswith(self.import_verb) else f"{self.import_verb}{title}",
            "kind": kind,
            "kinds": [(name, self.get_sheet_columns(name)[0]) for name in self.import_kinds],
            "columns": [
                (column.header, self.get_needed_column(column), column.example)
                for column in columns
            ],
            "verb": self.import_verb,
            "key_title": self.import_key,
            "max_rows": self.import_rows,
            "report": report,
            "shown_rows": _count_rows_to_write(report) if report else 0,
            "hidden_rows": report.hidden_rows if report else 0,
            "hidden_errors": report.error_count - len(report.errors) if report else 0,
            "token": token,
            "customer_form": CustomerForm() if self.takes_customer_sheets else None,
            "mapped_customers": _list_mapped_customers(kind) if self.takes_customer_sheets else [],
            "mapping": get_column_mapping(kind=kind) if kind in self.importers else {},
            "writing": writing,
            "clearing": clearing,
            "sheet_title": title,
            "may_import_good_rows": self.may_import_good_rows,
            "good_rows": report.good_rows if report and self.may_import_good_rows else 0,
            "file_name": file_name,
            "file_input": UnfoldAdminFileFieldWidget(
                {"id": "sheet", "accept": ".xlsx,.csv", "required": True}
            ).render("file", None),
            "max_mb": MAX_MB,
            "manner": self.import_manner,
            "progress": "" if report else get_import_progress(kind=kind),
            "is_open": not report and is_import_open(kind=kind),
            "wrong_sheets": [
                (run.pk, run.made_at, run.options[LEFT_OUT])
                for run in list_own_wrong_sheets(staff=get_request_staff(request), kind=kind)
            ],
            "stoppable": None
            if report
            else list_cancellable_imports(staff=get_request_staff(request), kind=kind)
            .filter(state=ImportState.WRITING)
            .first(),
        }
        return TemplateResponse(request, "admin/catalog/import.html", context)


def _list_mapped_customers(kind: str) -> list[Enterprise]:
    """Return the customers' enterprises for whose sheets the staff remember columns, by name."""
    return list(
        Enterprise.objects.filter(pk__in=list_mapped_enterprise_ids(kind=kind)).order_by("name")
    )


def _count_rows_to_write(report: ImportReport) -> int:
    """Return the number of rows that a confirmation writes, without the wrong ones."""
    return report.applied_rows if report.is_clean else report.good_rows


def _keep_answer(path: str, report: ImportReport) -> None:
    """Store the report of an applied preview, for a second confirm within the hour."""
    text = json.dumps(report.as_json(), ensure_ascii=False)
    default_storage.save(_build_answer_path(path), ContentFile(text.encode()))


def _build_answer_path(path: str) -> str:
    return f"{path}.json"
