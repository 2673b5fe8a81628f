"""Domain errors. Each class has a stable code and a Chinese message that says what to do.
`refuse_stale` detects concurrent edits of one row.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar, Self


class DomainError(Exception):
    """An error that the user can act on. The transaction is rolled back."""

    code: ClassVar[str] = "bad_request"
    status: ClassVar[int] = 200
    message: ClassVar[str] = "请求失败"

    def __init__(self, message: str | None = None, *, body: Any = None) -> None:
        self.text = message or self.message
        self.body = body
        super().__init__(self.text)


class ValidationFailed(DomainError):
    """Invalid fields; `errors` maps a wire key to its messages."""

    code = "validation"
    message = "填写的内容有误，请检查后重新提交"

    def __init__(self, errors: dict[str, list[str]], message: str | None = None) -> None:
        super().__init__(
            message or next((texts[0] for texts in errors.values() if texts), None),
            body={"Errors": errors},
        )


class FieldRefused(ValidationFailed):
    """One field is invalid. `field` is its wire key, and `message` is shown at the field."""

    field: ClassVar[str]

    def __init__(self, message: str | None = None) -> None:
        super().__init__({self.field: [message or self.message]})


def describe_row_errors(rows: Mapping[int, Sequence[str]]) -> list[str]:
    """Return one text per row of a sheet, from the errors by row number."""
    return [f"第 {number} 行：{'；'.join(errors)}" for number, errors in rows.items()]


class SheetRefused(ValidationFailed):
    """Rows of a sheet have errors, by row number. Nothing is imported. The answer lists 50 rows."""

    MAX_LISTED = 50

    def __init__(self, rows: Mapping[int, list[str]]) -> None:
        """`rows` are the errors by row number. The answer lists MAX_LISTED of them."""
        listed_rows = itertools.islice(rows.items(), self.MAX_LISTED)
        super().__init__(
            {f"第 {number} 行": errors for number, errors in listed_rows},
            f"有 {len(rows)} 行有误，未导入任何数据",
        )


class ImportTakenBack(ValidationFailed):
    """Data changed during an import, so its rows were reverted, except `rows_left` rows that were
    changed or used since. `errors` name the rows with the reasons.
    """

    def __init__(self, errors: list[str], *, rows_taken_back: int, rows_left: int) -> None:
        outcome = (
            f"已撤回 {rows_taken_back:,} 行，{rows_left:,} 行已被修改或使用而保留，"
            "请按所列行号核对表格后重新上传"
            if rows_left
            else "已全部撤回，请重新上传核对"
        )
        super().__init__({"File": errors}, f"导入期间有数据变化，{outcome}")


class ImportCancelled(ValidationFailed):
    """A person has stopped the import, so its rows were reverted, except `rows_left` rows that were
    changed or used since.
    """

    def __init__(self, *, rows_taken_back: int, rows_left: int) -> None:
        left_text = f"，{rows_left:,} 行已被修改或使用而保留" if rows_left else ""
        super().__init__({}, f"导入已取消，已撤回 {rows_taken_back:,} 行{left_text}")


class NotFound(DomainError):
    code = "not_found"
    status = 404
    message = "请求的内容不存在或已删除"


class Forbidden(DomainError):
    code = "forbidden"
    status = 403
    message = "拒绝访问"


class NotInPerson(DomainError):
    """Staff act as the customer, but only the customer may do this."""

    code = "not_in_person"
    message = "代客户登录期间不能执行此操作，请由客户本人登录后办理"


class NotLoggedIn(DomainError):
    code = "not_logged_in"
    status = 401
    message = "未登录或登录已过期，请重新登录"


class RateLimited(DomainError):
    """Too many calls. The body is the spec's block info (Ip, CurrentTime, Target, Guid).

    `retry_after`: seconds until the block ends; a captcha does not lift it. The value is sent in
    the body (RetryAfter) and in the header.
    """

    code = "rate_limited"
    status = 429
    message = "系统识别到您的访问存在安全隐患"

    def __init__(
        self, message: str | None = None, *, body: Any = None, retry_after: int | None = None
    ) -> None:
        self.retry_after = retry_after
        super().__init__(
            message,
            body=body if retry_after is None else {**(body or {}), "RetryAfter": retry_after},
        )


class WrongState(DomainError):
    code = "wrong_state"
    message = "当前状态不允许此操作，请刷新后重试"

    @classmethod
    def in_state(cls, state: str, verb: str, instead: str, *, body: Any = None) -> Self:
        """Return the error that `verb` is impossible in this state, followed by the
        advice `instead`.

        If the state already is the result of the verb, the message says so (无需重复).
        """
        is_done = state.partition("（")[0].endswith((f"已{verb}", f"已被{verb}"))
        return cls(f"{state}，{'无需重复' if is_done else '不能'}{verb}，{instead}", body=body)


class Stale(DomainError):
    """Another person has changed the row in the meantime. The body is the current row."""

    code = "stale"
    message = "内容已被他人修改，请刷新后重试"


class IdempotencyMismatch(DomainError):
    code = "idempotency_mismatch"
    message = (
        "这个 Idempotency-Key 已用于另一个请求或不同的内容："
        "重发须与首次完全一致，新的提交请换一个新的键"
    )


class FileRefused(DomainError):
    code = "file_refused"
    message = "不支持的文件类型"


class PictureUnavailable(FieldRefused):
    field = "FileIds"
    message = "图片不存在或已失效，请重新上传"


class NotAPicture(FieldRefused):
    field = "FileIds"
    message = "请上传图片文件"


class TooLarge(DomainError):
    code = "too_large"
    message = "提交的内容过大"


class QuantityExceeded(DomainError):
    code = "quantity_exceeded"
    message = "数量超出可操作的范围"


def refuse_stale(row: Any, *, seen_at: datetime | None) -> None:
    """Raise Stale if the locked row was updated after `seen_at`; None skips the check.

    The error's body is the row; the API serializes it with `serialize_stale`.
    """
    if seen_at is not None and row.updated_at != seen_at:
        raise Stale(body=row)


class BlockEnded(WrongState):
    message = "该限制已到期或已解除，无需操作"


class MappedColumnUnknown(FieldRefused):
    field = "Mapping"

    def __init__(self, column: str) -> None:
        super().__init__(f"模板中没有“{column}”这一列，请重新选择")


class ColumnMappedTwice(FieldRefused):
    field = "Mapping"

    def __init__(self, *, headers: Sequence[str], column: str) -> None:
        super().__init__(f"{'、'.join(headers)} 都对应到了“{column}”，一列只能对应一次，请修改")


class MappingMalformed(FieldRefused):
    field = "Mapping"
    message = "列对应的格式不正确，请重新选择"


class ListViewNameInvalid(FieldRefused):
    field = "Name"

    def __init__(self, limit: int) -> None:
        super().__init__(f"请填写名称，最多 {limit} 个字")


class ListViewEmpty(FieldRefused):
    field = "Query"
    message = "请先选择筛选条件或搜索，再保存"


class ListViewTooLong(FieldRefused):
    field = "Query"
    message = "筛选条件过长，请减少后再保存"


class ListViewsFull(FieldRefused):
    field = "Name"

    def __init__(self, limit: int) -> None:
        super().__init__(f"每个列表最多保存 {limit} 个筛选，请先删除不用的")


class ImportNotHeld(WrongState):
    """The sheet no longer waits for a second person."""

    message = "这张表格已不在等待复核，请重新上传"


class ImportNotFound(NotFound):
    message = "导入记录不存在"


class WrongRowsNotFound(NotFound):
    """All rows of the sheet were right, or its wrong rows are not stored any more."""

    message = "这次导入没有未导入的行"


class ImportNotCancellable(WrongState):
    """The run has written all its rows, or takes them back already."""

    message = "导入已写完、已结束或正在撤回，不能取消"


class EqualImportRuns(WrongState):
    """An equal sheet is being written."""

    message = "内容相同的表格正在写入，请稍后再试"
